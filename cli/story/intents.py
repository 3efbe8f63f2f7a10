"""Intents: what somebody says that they are about to do, and whether the deed follows in the same round."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from cli.story.plain_words import plain_words
from ledger.facts import EncounterEnded, Judged, Reached
from projections.recap.episodes import Episode

WORD: Final = re.compile(r"[^\W\d_]+")


class Meant:
    """Remembers what everybody in a fight said last that they meant to do."""

    def __init__(self) -> None:
        self._last = dict[str, str]()

    def begin(self) -> None:
        """Begin a fight, in which nobody has said anything."""
        self._last.clear()

    def is_again(self, who: str, text: str) -> bool:
        """Return whether somebody means to do what they meant to do before; it remembers the text."""
        is_same = self._last.get(who) == text.casefold()
        self._last[who] = text.casefold()
        return is_same


def targets_of_intents(episodes: Sequence[Episode], kinds: Collection[str]) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield the identity of each episode of these kinds, with whom its speaker acts against in the same round."""
    waiting: dict[str, tuple[int, set[str]]] = {}
    for episode in episodes:
        if episode.said.get("say") in kinds:
            waiting[episode.by] = (id(episode), set())
            continue
        for fact in episode.facts:
            if isinstance(fact, Judged) and fact.who in waiting and fact.against:
                waiting[fact.who][1].add(fact.against)
            elif isinstance(fact, EncounterEnded) or (isinstance(fact, Reached) and fact.point == "round"):
                yield from ((intent, frozenset(against)) for intent, against in waiting.values())
                waiting.clear()
    yield from ((intent, frozenset(against)) for intent, against in waiting.values())


def is_named(called: str, text: str) -> bool:
    """Return whether a text names somebody who is called so: `the hounds` the second bell hound, `the first one` not.

    An ordinal in the text has to be theirs.
    """
    own, said = WORD.findall(called.casefold()), WORD.findall(text.casefold())
    ordinals = {*plain_words().ordinals.split()} & {*said}
    return bool(own) and any(word.startswith(own[-1]) for word in said) and ordinals <= {*own}
