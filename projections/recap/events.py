"""Events that a recap lists: wounds, options, rulings and corrections."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, TypeVar

import msgspec

from ledger.facts import Amended, BaseFact, Claimed, ConditionBegan, OptionSet, Ruled, Scalar, WoundChanged, Wounded
from projections.recap.entries import Entry, facts_of
from projections.recap.episodes import Episode
from projections.state import State

E = TypeVar("E", bound=msgspec.Struct)
RULING: Final = "ruling"


class WoundEvent(msgspec.Struct, frozen=True, kw_only=True):
    """A wound that was taken (`new`) or changed; at value 0 it is healed. `how` is the attacker or the cause."""

    entry: str
    who: str
    wound: str
    kind: str
    value: int
    in_force: bool
    new: bool
    how: str


class OptionEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An option that the table set: its `question` in the book, what it means now, and what it `meant` before."""

    entry: str
    name: str
    was: Scalar | None
    now: Scalar
    because: str
    agreed: tuple[str, ...]
    question: str = ""
    meaning: str = ""
    meant: str = ""


class RulingEvent(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling of the game master."""

    entry: str
    name: str
    text: str
    because: str
    about: str
    cites: tuple[str, ...]
    scope: str
    agreed: tuple[str, ...]


class LossEvent(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who does not come back: the condition, and the entry in which it began."""

    entry: str
    who: str
    name: str


class CorrectionEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An entry that corrects the entry `of`, and the later entries that it changed.

    `take` is the take of `of` that counted before. `was` tells what it said, `now` what the entry says.
    """

    entry: str
    of: str
    outcome: str
    because: str
    agreed: tuple[str, ...]
    changed: tuple[str, ...]
    take: str = ""
    was: str = ""
    now: str = ""

    @property
    def is_slip(self) -> bool:
        """Return whether a line was only taken back, and nothing else changed."""
        return self.outcome == "undo" and not self.changed and not self.because


class ClaimEvent(msgspec.Struct, frozen=True, kw_only=True):
    """A value that the table stated and the ledger has otherwise; `last` tells what changed it last before."""

    entry: str
    value: str
    claimed: Scalar
    actual: Scalar | None
    last: str = ""


def wound_events(episodes: Iterable[Episode]) -> list[WoundEvent]:
    """Return the wounds that were taken, changed and healed; that one comes into force is not listed."""
    events = []
    values: dict[tuple[str, str], int] = {}
    for id, fact in ((episode.entries[0], fact) for episode in episodes for fact in episode.facts):
        if isinstance(fact, Wounded | WoundChanged):
            how = fact.by if isinstance(fact, Wounded) else fact.because
            if values.get((fact.who, fact.wound)) != fact.value:
                new = isinstance(fact, Wounded)
                events.append(_event(WoundEvent, fact, entry=id, new=new, how=how))
            values[fact.who, fact.wound] = fact.value
    return events


def option_events(entries: Iterable[Entry]) -> list[OptionEvent]:
    """Return the options that were set."""
    unsaid = {"question": "", "meaning": "", "meant": ""}
    return [_event(OptionEvent, fact, entry=entry, **unsaid) for entry, fact in facts_of(entries, OptionSet)]


def loss_events(episodes: Iterable[Episode], lost: Collection[str], after: State) -> list[LossEvent]:
    """Return those who have one of the `lost` conditions since this session, and still have it at its end."""
    events = dict[str, LossEvent]()
    for entry, fact in ((episode.entries[0], fact) for episode in episodes for fact in episode.facts):
        if isinstance(fact, ConditionBegan) and fact.name in lost:
            still = any(item.name == fact.name for _, item in after.conditions_of(fact.who))
            events |= {fact.who: LossEvent(entry=entry, who=fact.who, name=fact.name)} if still else {}
    return list(events.values())


def ruling_events(entries: Iterable[Entry], decisions: Collection[str] = ()) -> list[RulingEvent]:
    """Return what the game master ruled in so many words, and what a rule leaves to the table by `decisions`."""
    ruled = facts_of(entries, Ruled)
    return [_event(RulingEvent, fact, entry=entry) for entry, fact in ruled if fact.name in (RULING, *decisions)]


def correction_events(entries: Iterable[Entry], causes: Mapping[str, Sequence[str]]) -> list[CorrectionEvent]:
    """Return the corrections, one for each entry that they name; `causes`: the entries that each of them decided."""
    events = []
    for entry, fact in facts_of(entries, Amended):
        of = fact.entry.partition("@")[0]
        changed = tuple(other for other in causes.get(entry, ()) if other != of)
        take = fact.entry if fact.entry != of else ""
        told = {"take": take, "was": "", "now": ""}
        events.append(_event(CorrectionEvent, fact, entry=entry, of=of, changed=changed, **told))
    return events


def claim_events(entries: Iterable[Entry]) -> list[ClaimEvent]:
    """Return the claims with which the ledger does not agree."""
    claims = facts_of(entries, Claimed)
    return [_event(ClaimEvent, fact, entry=entry, last="") for entry, fact in claims if fact.claimed != fact.actual]


def _event(kind: type[E], fact: BaseFact, **fields: object) -> E:
    """Return an event of these fields; all others are those of the fact."""
    copied = {name: getattr(fact, name) for name in kind.__struct_fields__ if name not in fields}
    return kind(**copied, **fields)
