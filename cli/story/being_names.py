"""How the beings of a story are called: by name, or as `the archer` and `the second watchman`; and their pronouns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from cli.phrases.patterns import Marked, mark_name
from cli.story.persons import Persons
from cli.story.plain_words import cardinal, is_description, ordinal, plain_words, plural_noun
from ledger.facts import GM, Fact, Joined, Told
from ledger.names import escape, word_list
from projections.recap.cast import THINGS
from projections.recap.episodes import Episode
from projections.state import State
from rulebooks.common.narration import Narration
from rulebooks.common.pronouns import Pronouns

GAME_MASTER: Final = "the game master"
PAIR: Final = 2
NUMBERED: Final = re.compile(r"(?:[Tt]he )?(.+?)[ -]?([0-9]+)")  # one of several of a kind
PART_OF_BODY: Final = re.compile(r"([a-z]+) ([1-9])")


class BeingNames:
    """Knows the beings of a session, and how its people speak of them.

    A foe with a number, or one whose name everybody uses with an article, has a common name: `the archer`.

    Args:
        narration: the words of the book.
        before: the state before the first episode.
        persons: who is who.
    """

    def __init__(self, narration: Narration, before: State, persons: Persons) -> None:
        self.characters, self.persons = persons.characters, persons
        self.several = narration.several
        self.kinds = {escape(being.name): being.kind for being in before.beings.values()}
        self.speech = ""
        self._shown = dict[str, str]()

    @property
    def things(self) -> set[str]:
        """Return what is no somebody."""
        return {name for name, kind in self.kinds.items() if kind in THINGS}

    def listen(self, episodes: Iterable[Episode]) -> None:
        """Take in who joins in a session, and the words in which its people speak of each other."""
        texts = list[str]()
        for episode in episodes:
            self.add(episode.facts)
            texts += [text for text in said_texts(episode) if text not in self.kinds]
        self.speech = "\n".join([self.speech, *texts])
        self.persons.listen(self.speech)
        self._shown.clear()

    def add(self, facts: Sequence[Fact]) -> None:
        """Take in those who join in these facts."""
        joined = {escape(fact.who): fact.kind for fact in facts if isinstance(fact, Joined)}
        if not joined.keys() <= self.kinds.keys():
            self._shown.clear()
        self.kinds |= joined

    def __call__(self, name: str) -> Marked:
        """Return the mark of somebody in a sentence."""
        return Marked(GAME_MASTER) if name == GM else mark_name(name) if name else Marked("")

    def in_list(self, names: Sequence[str]) -> Marked:
        """Return several as a sentence lists them, one kind together: `Dovel and two watchmen`."""
        kinds = Counter(kind for name in names if (kind := self.kind_of(name)))
        parts, counted = list[str](), set[str]()
        for name in names:
            kind = self.kind_of(name)
            if kinds[kind] > 1:
                parts += [] if kind in counted else [f"{cardinal(kinds[kind])} {plural_noun(self._noun(kind))}"]
                counted.add(kind)
            else:
                parts.append(self(name))
        return Marked(word_list(parts))

    def group_words(self, names: Sequence[str], word: Callable[[str], str]) -> str:
        """Return a list of names as words: `both watchmen`, `Dovel and the first and second raiders`."""
        parts, done = list[str](), set[str]()
        for name in names:
            kind = self.kind_of(name)
            same = [each for each in names if kind and self.kind_of(each) == kind]
            if len(same) < 2:
                parts.append(word(name))
            elif kind not in done:
                done.add(kind)
                parts.append(self._several_words(kind, same))
        return word_list(parts)

    def _several_words(self, kind: str, names: Sequence[str]) -> str:
        """Return several of a kind: `both watchmen` where there are no more."""
        every = sum(self.kind_of(each) == kind for each in self.kinds)
        if len(names) == every:
            noun = plural_noun(self._noun(kind))
            return f"{plain_words().pair} {noun}" if every == PAIR else f"all {cardinal(every)} {noun}"
        numbers = [numbered[2] for name in names if (numbered := NUMBERED.fullmatch(name))]
        return f"the {word_list([ordinal(int(number)) for number in numbers])} {plural_noun(self._noun(kind))}"

    def kind_of(self, name: str) -> str:
        """Return the noun of one of several of a kind, `Watchman` of `Watchman 2`; empty for all others."""
        numbered = NUMBERED.fullmatch(escape(name))
        return numbered[1] if numbered and self._may_be_common(name) else ""

    def pronouns(self, name: str) -> Pronouns | None:
        """Return the pronouns of somebody; None for a thing of which nothing says whether it is one or several."""
        is_thing = name not in self.kinds or self.kinds[name] in THINGS
        return None if is_thing and not self.persons.has_pronouns(name) else self.persons.pronouns(name)

    def is_several(self, name: str) -> bool:
        """Return whether verbs behind a name are in the plural: a group, as `the Raiders`."""
        return self.kinds.get(name) in self.several and name.endswith("s")

    def word_for(self, name: str) -> str:
        """Return what somebody is called in a sentence: the name, or a noun with its article."""
        if name not in self._shown:
            self._shown[name] = self._show(name)
        return self._shown[name]

    def in_text(self, text: str) -> str:
        """Return what people said with one of several of a kind as sentences call them: `the second pikeman`."""
        for name in self.kinds:
            if self.kind_of(name) and name != text and (called := self.word_for(name)) != name:
                text = re.sub(rf"\b(?:the )?{re.escape(name)}\b", called, text, flags=re.IGNORECASE)
        return text

    def in_texts(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """Return what somebody said in a line with its texts so."""
        return {name: self.in_text(each) if isinstance(each, str) else each for name, each in said.items()}

    def _show(self, name: str) -> str:
        """Return what somebody is called."""
        if name.startswith("The "):
            return f"the {name[4:]}"
        numbered = NUMBERED.fullmatch(name)
        if name not in self.kinds and (part := PART_OF_BODY.fullmatch(name)):
            return f"one {part[1]}"
        if name not in self.kinds or name in self.characters:
            return name
        if numbered and self._may_be_common(name):
            same = [each for each in self.kinds if self.kind_of(each) == numbered[1]]
            which = f"{ordinal(int(numbered[2]))} " if len(same) > 1 else ""
            return f"the {which}{self._noun(numbered[1])}"
        if self.kinds[name] in (*THINGS, *self.several):
            has_article = name.casefold().startswith("the ") or "'s " in name or name[-1:].isdigit()
            return name if has_article else f"the {name}"
        return f"the {self._noun(name)}" if self._is_common(name) else name

    def _may_be_common(self, name: str) -> bool:
        """Return whether a being is neither a character nor a thing."""
        kind = self.kinds.get(name)
        return kind is not None and kind not in (*THINGS, *self.several) and name not in self.characters

    def _is_common(self, noun: str) -> bool:
        """Return whether people speak of somebody with an article, or the name is what somebody does."""
        return (
            is_description(noun)
            or re.search(rf"\b(?:the|an?) {re.escape(noun)}\b", self.speech, re.IGNORECASE) is not None
        )

    def _noun(self, noun: str) -> str:
        """Return a common noun as people write it: with a capital letter only where they do."""
        if re.search(rf"\b{re.escape(noun)}", self.speech) and not re.search(
            rf"\b{re.escape(noun.lower())}", self.speech
        ):
            return noun
        return noun.lower()


def said_texts(episode: Episode) -> Iterator[str]:
    """Yield what people said in their own words in an episode."""
    for value in episode.said.values():
        if isinstance(value, str) and " " in value:
            yield value
    yield from (fact.text for fact in episode.facts if isinstance(fact, Told))
