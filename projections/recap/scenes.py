"""The timeline of a session, divided at its scene lines."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ledger.facts import Fact, Told
from projections.recap.episodes import Episode


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the timeline with its kind of declaration and its facts, or narration."""

    entry: str
    by: str
    line: str
    say: str
    told: Told | None = None
    facts: tuple[Fact, ...] = ()


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """The moments from one scene line to the next. The part before the first scene line has no title."""

    entry: str
    title: str
    moments: tuple[Moment, ...]


def scenes(episodes: Iterable[Episode]) -> list[Scene]:
    """Return the timeline by scene."""
    timeline: list[Scene] = []
    start, title, moments = "", "", list[Moment]()
    for episode in episodes:
        entry, say = episode.entries[0], str(episode.said.get("say", ""))
        narration = [fact for fact in episode.facts if isinstance(fact, Told)]
        for told in narration:
            if told.kind == "scene":
                timeline.append(Scene(entry=start, title=title, moments=tuple(moments)))
                start, title, moments = entry, told.text, []
            else:
                moments.append(Moment(entry=entry, by=episode.by, line=episode.line, say=say, told=told))
        facts = tuple(fact for fact in episode.facts if not isinstance(fact, Told))
        if facts or not narration:
            moments.append(Moment(entry=entry, by=episode.by, line=episode.line, say=say, facts=facts))
    timeline.append(Scene(entry=start, title=title, moments=tuple(moments)))
    return [scene for scene in timeline if scene.entry or scene.moments]
