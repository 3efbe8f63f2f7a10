"""Checks of the fold: the numbers in a fact against the sums and bounds in the state.

Each fact is compared where it is folded, without a call; only its error is made here.
"""

from __future__ import annotations

from ledger.errors import OutOfBalance
from ledger.facts import BaseFact, EntryId, tag


def other_sum(entry: EntryId, fact: BaseFact, field: str, stated: int, total: int) -> OutOfBalance:
    """Return the error of a fact that states another total than the one that the fold has computed."""
    return OutOfBalance(f"{tag(type(fact))} says {field} {stated}, the sum is {total}", where=f"entry {entry}")


def out_of_bounds(entry: EntryId, fact: BaseFact, number: int, least: int | None, most: int | None) -> OutOfBalance:
    """Return the error of a fact that leaves a number outside its bounds."""
    return OutOfBalance(
        f"{tag(type(fact))} leaves {number}, outside {least} to {'any' if most is None else most}",
        where=f"entry {entry}",
    )


def check_bounds(entry: EntryId, fact: BaseFact, number: int, least: int | None, most: int | None) -> None:
    """Raise OutOfBalance unless the number is within its bounds."""
    if (least is not None and number < least) or (most is not None and number > most):
        raise out_of_bounds(entry, fact, number, least, most)
