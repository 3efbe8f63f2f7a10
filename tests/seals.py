"""Salts that tests know: they follow from what is sealed, so that golden heads stay the same."""

from __future__ import annotations

from hashlib import sha256

from ledger import records

random_seal = records.seal


def known_seal(whole: bytes) -> bytes:
    """Return the bytes of a whole record behind a salt that follows from them, which nobody else may do."""
    return sha256(whole).hexdigest()[: records.SALT_DIGITS].encode() + whole


def fix_salts() -> None:
    """Use such salts from now on in this process."""
    records.seal = known_seal
