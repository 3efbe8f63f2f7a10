"""Encounters with turns, and the time that passes in the story."""

import msgspec

from ledger.facts.base import BaseFact, Hides, Whole


class Slot(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One slot of the turn order: its name, its score if it has one, and who acts in it."""

    slot: str
    score: Whole | None
    who: tuple[str, ...]


class EncounterBegan(BaseFact, frozen=True, kw_only=True, tag="encounter-began", gc=False):
    """An encounter began. `sides` are its members by side, in order of joining."""

    hides = Hides(open="encounter kind scale sides because")

    encounter: str
    kind: str
    scale: str
    sides: tuple[tuple[str, tuple[str, ...]], ...]
    because: str = ""


class OrderSet(BaseFact, frozen=True, kw_only=True, tag="order-set", gc=False):
    """The turn order was set, first to last. It stays until it is set again."""

    hides = Hides(open="because", part="slots")

    slots: tuple[Slot, ...]
    because: str = ""


class Reached(BaseFact, frozen=True, kw_only=True, tag="reached", gc=False):
    """The encounter reached a point of its cycle.

    Once each: round, round_end, phase, phase_end, slot, slot_end, skipped. Any number of times: reordered (new
    initiative), handed (another being acts first), resumed, awaited (a declaration is due).
    """

    hides = Hides(open="point round phase who")

    point: str
    round: Whole
    phase: str = ""
    who: str = ""


class EncounterEnded(BaseFact, frozen=True, kw_only=True, tag="encounter-ended", gc=False):
    """An encounter ended. `stand` are by side those who could go on, `out` are the others, and how each went out."""

    hides = Hides(open="encounter because", part="stand out")

    encounter: str
    because: str = ""
    stand: tuple[tuple[str, tuple[str, ...]], ...] = ()
    out: tuple[tuple[str, str], ...] = ()


class TimePassed(BaseFact, frozen=True, kw_only=True, tag="time-passed", gc=False):
    """The clock of the story advanced."""

    hides = Hides(open="seconds because")

    seconds: Whole
    because: str


class Rested(BaseFact, frozen=True, kw_only=True, tag="rested", gc=False):
    """A being rested. Not `whole`: the rest was broken off."""

    hides = Hides(open="who rest whole")

    who: str
    rest: str
    whole: bool = True
