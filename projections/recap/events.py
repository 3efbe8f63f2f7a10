"""Events that a recap lists: wounds, options, rulings and corrections."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import msgspec

from ledger.facts import Amended, BaseFact, OptionSet, Ruled, Scalar, WoundChanged, Wounded
from projections.recap.entries import Entry, facts_of

E = TypeVar("E", bound=msgspec.Struct)


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
    """An option that the table set."""

    entry: str
    name: str
    was: Scalar | None
    now: Scalar
    because: str
    agreed: tuple[str, ...]


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


class CorrectionEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An entry that corrects the entry `of`."""

    entry: str
    line: str
    of: str
    outcome: str
    because: str


def wound_events(entries: Iterable[Entry]) -> list[WoundEvent]:
    """Return the wounds that were taken, changed and healed."""
    events = []
    for entry, fact in facts_of(entries, Wounded, WoundChanged):
        new = isinstance(fact, Wounded)
        how = getattr(fact, "by" if new else "because")
        events.append(_event(WoundEvent, fact, entry=entry, new=new, how=how))
    return events


def option_events(entries: Iterable[Entry]) -> list[OptionEvent]:
    """Return the options that were set."""
    return [_event(OptionEvent, fact, entry=entry) for entry, fact in facts_of(entries, OptionSet)]


def ruling_events(entries: Iterable[Entry]) -> list[RulingEvent]:
    """Return the rulings."""
    return [_event(RulingEvent, fact, entry=entry) for entry, fact in facts_of(entries, Ruled)]


def correction_events(entries: Iterable[Entry]) -> list[CorrectionEvent]:
    """Return the corrections, one for each entry that they name."""
    return [
        _event(CorrectionEvent, fact, entry=str(entry.id), line=entry.line, of=fact.entry)
        for entry in entries
        for _, fact in facts_of([entry], Amended)
    ]


def _event(kind: type[E], fact: BaseFact, **fields: object) -> E:
    """Return an event of these fields; all others are those of the fact."""
    copied = {name: getattr(fact, name) for name in kind.__struct_fields__ if name not in fields}
    return kind(**copied, **fields)
