"""The timeline of a session, divided at its scene lines."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ledger.facts import Fact, Told
from projections.recap.episodes import Episode


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the timeline with its facts, or narration (`told`)."""

    entry: str
    by: str
    line: str
    told: Told | None = None
    facts: tuple[Fact, ...] = ()


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """The moments from one scene line to the next. The part before the first scene line has no title."""

    entry: str
    title: str
    moments: tuple[Moment, ...]


def scenes(episodes: Iterable[Episode]) -> list[Scene]:
    """Return the timeline by scene."""
    found: list[Scene] = []
    start, title, moments = "", "", list[Moment]()
    for episode in episodes:
        entry = episode.entries[0]
        narration = [fact for fact in episode.facts if isinstance(fact, Told)]
        for told in narration:
            if told.kind == "scene":
                found.append(Scene(entry=start, title=title, moments=tuple(moments)))
                start, title, moments = entry, told.text, []
            else:
                moments.append(Moment(entry=entry, by=episode.by, line=episode.line, told=told))
        facts = tuple(fact for fact in episode.facts if not isinstance(fact, Told))
        if facts or not narration:
            moments.append(Moment(entry=entry, by=episode.by, line=episode.line, facts=facts))
    found.append(Scene(entry=start, title=title, moments=tuple(moments)))
    return [scene for scene in found if scene.entry or scene.moments]
