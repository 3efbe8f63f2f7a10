"""Prove a secret that is shown later: what is sealed of its records, which hashes to what the chain has.

A proof is JSON Lines, a line for each sealed take of an entry: its position, and the salt with the whole record.
Whoever has the players' bundle finds there the hash of what was sealed at this position; the head goes over it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Final

import msgspec

from ledger.errors import Damaged, Unreadable
from ledger.facts import EntryId, Whole
from ledger.records import Record, StoredRecord, decode
from ledger.store import Store

PROOF_BYTES_MOST: Final = 1 << 24  # of a file with the proof of one entry


class SealProof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is sealed of the record at a position: its salt and the canonical bytes of the whole."""

    position: Whole
    sealed: str


class Proved(msgspec.Struct, frozen=True):
    """The outcome of a proof: the position, and the record that stood there; None if something else did."""

    position: int
    record: Record | None


def seal_proofs(store: Store, entry: EntryId) -> Iterator[SealProof]:
    """Yield the proofs of those takes of an entry that have a sealed part, in order of writing."""
    for take in store.takes(after=entry.before, upto=entry):
        stored = next(store.read(after=take.position - 1))
        if stored.sealed is not None:
            yield SealProof(stored.position, stored.sealed.decode())


def parse_proofs(lines: Iterable[bytes], where: str) -> dict[int, SealProof]:
    """Return the proofs in the lines of a file by position. Raises Unreadable, naming the line that is no proof."""
    proofs = dict[int, SealProof]()
    for number, line in enumerate(lines, start=1):
        try:
            proof = msgspec.json.decode(line, type=SealProof)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            hint = "Write a proof with: campaign export --proof ENTRY."
            raise Unreadable("it is not the proof of a secret", where=f"{where}, line {number}", hint=hint) from error
        proofs[proof.position] = proof
    return proofs


def prove(records: Iterable[StoredRecord], proofs: dict[int, SealProof]) -> Iterator[Proved]:
    """Yield for each proof the record that was sealed there, if its hash is that of the chain."""
    left = dict(proofs)
    for stored in records:
        if (proof := left.pop(stored.position, None)) is not None:
            yield Proved(proof.position, _record(stored, proof.sealed.encode()))
    yield from (Proved(position, None) for position in sorted(left))


def _record(stored: StoredRecord, sealed: bytes) -> Record | None:
    """Return the record that is sealed, or None if it is not what stands in the chain."""
    expected = stored.sealed_hash if stored.sealed is None else sha256(stored.sealed).hexdigest()
    if sha256(sealed).hexdigest() != expected:
        return None
    try:
        return decode(msgspec.structs.replace(stored, sealed=sealed))
    except Damaged:
        return None
