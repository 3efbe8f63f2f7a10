"""The one check of the fold: a fact's finished number against the tally's own sum."""

from __future__ import annotations

from ledger.errors import OutOfBalance
from ledger.facts import BaseFact, EntryId, tag


def check_sum(entry: EntryId, fact: BaseFact, field: str, stated: int, summed: int) -> None:
    """Raises OutOfBalance unless the fact states what the fold has summed."""
    if stated != summed:
        raise OutOfBalance(f"{tag(type(fact))} says {field} {stated}, the sum is {summed}", where=f"entry {entry}")


def check_bounds(entry: EntryId, fact: BaseFact, number: int, least: int | None, most: int | None) -> None:
    """Raises OutOfBalance when a number has left its bounds."""
    if (least is not None and number < least) or (most is not None and number > most):
        raise OutOfBalance(
            f"{tag(type(fact))} leaves {number}, outside {least} to {'any' if most is None else most}",
            where=f"entry {entry}",
        )
