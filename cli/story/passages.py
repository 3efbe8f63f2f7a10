"""A session as a story: its passages in order, with a sentence for each episode that is worth one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Protocol

import msgspec

from ledger.facts import EncounterBegan, EncounterEnded, Reached, Told
from projections.recap.episodes import Episode

OWN_WORDS: Final = ("scene", "fiction", "quote")  # texts that stand as they are


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence, the entries that it tells, and the beings in it; a short recap misses a heavy one most.

    `changes` are the values, wounds and conditions that changed, each with whose it is; `harms` those that grew worse.
    `outcome` is the part of the text that says who still stands after a fight and who is out of it.
    """

    entries: tuple[str, ...]
    text: str
    weight: int
    names: tuple[str, ...] = ()
    harms: tuple[tuple[str, str], ...] = ()
    changes: tuple[tuple[str, str], ...] = ()
    outcome: str = ""


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the story.

    `kind` is scene, fiction or quote (`text` by `by`), encounter (a paragraph that begins with `text`), round (a
    paragraph of round `text`), or empty for any other paragraph, which goes on with round `text` if it has one.
    """

    kind: str
    entry: str = ""
    by: str = ""
    text: str = ""
    sentences: tuple[Sentence, ...] = ()


class Storyteller(Protocol):
    """Tells episodes in their order."""

    def sentence(self, episode: Episode) -> Sentence | None:
        """Return the sentence of an episode; None when there is nothing to tell."""

    def text_sentence(self, fact: Told, entry: str) -> Sentence | None:
        """Return the sentence of a text that does not stand as it is."""


class Draft(msgspec.Struct):
    """A paragraph while sentences are added to it."""

    kind: str = ""
    text: str = ""
    entry: str = ""
    sentences: list[Sentence] = []

    def going_on(self) -> Draft:
        """Return the paragraph that goes on behind this one: of the same round."""
        return Draft(text=self.text if self.kind != "encounter" else "") if self.sentences else self

    def passage(self) -> Passage:
        """Return the finished paragraph."""
        return Passage(kind=self.kind, text=self.text, entry=self.entry, sentences=tuple(self.sentences))


def story(episodes: Iterable[Episode], teller: Storyteller) -> list[Passage]:
    """Return the passages of a session; paragraphs without sentences are left out."""
    return [passage for passage in _passages(episodes, teller) if passage.kind in OWN_WORDS or passage.sentences]


def _passages(episodes: Iterable[Episode], teller: Storyteller) -> Iterator[Passage]:
    draft = Draft()
    for episode in episodes:
        for fact in episode.facts:
            if isinstance(fact, Told) and fact.kind in OWN_WORDS:
                yield draft.passage()
                draft = Draft() if fact.kind == "scene" else draft.going_on()
                yield Passage(kind=fact.kind, entry=episode.entries[0], by=fact.by, text=fact.text)
            elif isinstance(fact, Told):
                _add(draft, teller.text_sentence(fact, episode.entries[0]))
        begun = next((fact for fact in episode.facts if isinstance(fact, EncounterBegan)), None)
        if begun is not None:
            yield draft.passage()
            draft = Draft(kind="encounter", text=begun.encounter, entry=episode.entries[0])
        _add(draft, teller.sentence(episode))
        rounds = [fact.round for fact in episode.facts if isinstance(fact, Reached) and fact.point == "round"]
        if any(isinstance(fact, EncounterEnded) for fact in episode.facts):
            yield draft.passage()
            draft = Draft()
        elif rounds:
            yield draft.passage()
            draft = Draft(kind="round", text=str(rounds[-1]), entry=episode.entries[-1])
    yield draft.passage()


def _add(draft: Draft, sentence: Sentence | None) -> None:
    """Add a sentence to a paragraph."""
    if sentence is not None:
        draft.sentences.append(sentence)
