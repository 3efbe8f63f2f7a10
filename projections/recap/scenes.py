"""The timeline of a session, divided at its scene lines."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ledger.facts import Amended, Declared, EntryId, Fact, Invalidated, Told
from projections.recap.entries import Entry


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the timeline with its facts, or narration (`told`)."""

    entry: EntryId
    by: str
    line: str
    told: Told | None = None
    facts: tuple[Fact, ...] = ()


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """The moments from one scene line to the next. The part before the first scene line has no title."""

    entry: str
    title: str
    moments: tuple[Moment, ...]


def scenes(entries: Iterable[Entry]) -> list[Scene]:
    """Return the timeline by scene, without corrections and the entries that they made impossible."""
    found: list[Scene] = []
    start, title, moments = "", "", list[Moment]()
    for entry in entries:
        if any(isinstance(fact, Amended | Invalidated) for fact in entry.facts):
            continue
        narration = [fact for fact in entry.facts if isinstance(fact, Told)]
        for told in narration:
            if told.kind == "scene":
                found.append(Scene(entry=start, title=title, moments=tuple(moments)))
                start, title, moments = str(entry.id), told.text, []
            else:
                moments.append(Moment(entry=entry.id, by=entry.by, line=entry.line, told=told))
        facts = tuple(fact for fact in entry.facts if not isinstance(fact, Declared | Told))
        if facts or not narration:
            moments.append(Moment(entry=entry.id, by=entry.by, line=entry.line, facts=facts))
    found.append(Scene(entry=start, title=title, moments=tuple(moments)))
    return [scene for scene in found if scene.entry or scene.moments]
