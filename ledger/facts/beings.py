"""Beings in play: their sheets, their places, and the ties between them."""

from ledger.facts.base import BaseFact, Scalar, Sheet, Whole


class Joined(BaseFact, frozen=True, kw_only=True, tag="joined", gc=False):
    """A being came into play with its sheet. `kind`: pc, npc, object, item, group or place."""

    who: str
    kind: str
    side: str
    sheet: Sheet
    seen: str


class SheetChanged(BaseFact, frozen=True, kw_only=True, tag="sheet-changed", gc=False):
    """An entry of a sheet changed. None: the sheet has no such entry."""

    who: str
    key: str
    was: Scalar | None
    now: Scalar | None
    because: str


class Placed(BaseFact, frozen=True, kw_only=True, tag="placed", gc=False):
    """A being moved to a place (a zone, say), and to a `square` of it where the place has squares."""

    who: str
    place: str
    square: tuple[Whole, Whole] | None = None


class Linked(BaseFact, frozen=True, kw_only=True, tag="linked", gc=False):
    """A tie from one being to another (neighbour, holds, member) began, or ended (`on` false). It has one direction."""

    one: str
    tie: str
    other: str
    on: bool = True
    degree: Whole = 1
