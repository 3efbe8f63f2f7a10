"""Beings in play: their sheets, their places, and the ties between them."""

from ledger.facts.base import BaseFact, Hides, Scalar, Sheet, Whole


class Joined(BaseFact, frozen=True, kw_only=True, tag="joined", gc=False):
    """A being came into play with its sheet. `kind`: pc, npc, object, item, group or place."""

    hides = Hides(owner="who", open="who kind side seen", own="sheet")

    who: str
    kind: str
    side: str
    sheet: Sheet = ()
    seen: str


class SheetChanged(BaseFact, frozen=True, kw_only=True, tag="sheet-changed", gc=False):
    """An entry of a sheet changed. None: the sheet has no such entry."""

    hides = Hides(owner="who", open="who", own="key was now because")

    who: str
    key: str
    was: Scalar | None
    now: Scalar | None
    because: str


class Placed(BaseFact, frozen=True, kw_only=True, tag="placed", gc=False):
    """A being moved to a place (a zone, say), and to a `square` of it where the place has squares."""

    hides = Hides(owner="who", open="who place", own="square")

    who: str
    place: str
    square: tuple[Whole, Whole] | None = None


class Linked(BaseFact, frozen=True, kw_only=True, tag="linked", gc=False):
    """A tie from one being to another (neighbour, holds, member) began, or ended (`on` false). It has one direction."""

    hides = Hides(owner="one", open="one tie other on", own="degree")

    one: str
    tie: str
    other: str
    on: bool = True
    degree: Whole = 1
