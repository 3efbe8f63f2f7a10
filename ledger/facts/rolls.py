"""Dice, and the results that were judged from them with all their arithmetic."""

import msgspec

from ledger.facts.base import BaseFact, Hides, Whole


class Die(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One die: `ordinal` is the number that its face is keyed by, 0 for the first of a purpose.

    `label` names it, or says why it was rolled; `of` is the ordinal of the die that caused it.
    """

    ordinal: Whole
    sides: Whole
    face: Whole
    kept: bool = True
    label: str = ""
    of: Whole | None = None


class Step(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One step of arithmetic: operation, operand, rule, cause, and the value after it (`now`).

    `op` is one of + - * /up /down min max set. A step that is not `counted` is shown but was not applied.
    """

    op: str
    value: Whole
    rule: str
    because: str
    now: Whole
    counted: bool = True


class Sum(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A named sum with all its steps and its total, recorded so that nothing computes it again."""

    name: str
    start: Whole
    steps: tuple[Step, ...]
    total: Whole


class Rolled(BaseFact, frozen=True, kw_only=True, tag="rolled", gc=False):
    """Dice were rolled. Every die is recorded, kept or not.

    `throw` is the number of the throw of this purpose in the session, by which its dice are keyed; 0 if no seed has
    drawn them. Where dice are shared, `links` are what players' pages gave for them: one for all of these dice, or one
    for each; empty for dice that rest on the seed alone.
    """

    hides = Hides(owner="who", open="who", own="purpose source throw dice links")

    who: str
    purpose: str
    source: str
    throw: Whole = 0
    dice: tuple[Die, ...]
    links: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET

    def link_of(self, place: int) -> str:
        """Return the link of the die at a place of `dice`; empty if it rests on the seed alone."""
        links = self.links or ("",)
        return links[min(place, len(links) - 1)]


class Judged(BaseFact, frozen=True, kw_only=True, tag="judged", gc=False):
    """A result with all the arithmetic that led to it. It counts when `final`. `rolls` are purposes of this entry.

    `using` are the weapons of it, each with who used it: several where they attack together.
    """

    hides = Hides(open="what who against window final seen", part="sums total target result margin rolls using")

    what: str
    who: str
    against: str = ""
    sums: tuple[Sum, ...] = ()
    total: Whole | None = None
    target: Whole | None = None
    result: str
    margin: Whole | None = None
    rolls: tuple[str, ...] = ()
    window: str = ""
    final: bool
    seen: str = "table"
    using: tuple[tuple[str, str], ...] = ()
