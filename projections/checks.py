"""Checks of the fold: the numbers in a fact against the sums and bounds in the state."""

from __future__ import annotations

from ledger.errors import OutOfBalance
from ledger.facts import BaseFact, EntryId, tag


def check_sum(entry: EntryId, fact: BaseFact, field: str, stated: int, total: int) -> None:
    """Raise OutOfBalance unless the fact states the total that the fold computed."""
    if stated != total:
        raise OutOfBalance(f"{tag(type(fact))} says {field} {stated}, the sum is {total}", where=f"entry {entry}")


def check_bounds(entry: EntryId, fact: BaseFact, number: int, least: int | None, most: int | None) -> None:
    """Raise OutOfBalance unless the number is within its bounds."""
    if (least is not None and number < least) or (most is not None and number > most):
        raise OutOfBalance(
            f"{tag(type(fact))} leaves {number}, outside {least} to {'any' if most is None else most}",
            where=f"entry {entry}",
        )
