"""What a text or the end of a sentence says besides: another act, somebody, a word of the rules, or only colour."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import Final, NamedTuple

from cli.speech.english import ENGLISH
from cli.speech.frames import FrameIndex
from cli.speech.in_play import InPlay
from cli.speech.spoken_dice import has_dice
from cli.speech.tail_phrases import Tail
from cli.speech.word_order import PARTICIPLE, begins_deed
from cli.speech.words import Word, amount_at, split_words
from ledger.declarations import Declaration
from rulebooks.common.word_forms import base_forms

OBJECTS: Final = ENGLISH.objects - {"it"}


class Surplus(NamedTuple):
    """Judges what is said besides a line. `texts`: verbs whose unexplained words are what is done or cast."""

    in_play: InPlay
    verbs: FrameIndex
    texts: Collection[str]

    def says_more(self, tail: Tail, kind: type[Declaration]) -> bool:
        """Return whether the text or the reason of a tail says more than its line does."""
        reason = tail.reason
        if self.is_another_act(reason) or self.names_more(tail.text or " ".join(tail.left), kind):
            return True
        return (
            self.is_value(reason or tail.text)
            or self.goes_on(tail.text)
            or self.goes_on(reason)
            or self.names_rule(split_words(reason))
            or has_dice(reason)
        )

    def is_value(self, said: str) -> bool:
        """Return whether a text is the name of a value: what is paid with, `gets a point back with her destiny`."""
        words = [word.text for word in split_words(said) if word.text not in ENGLISH.little]
        return bool(words) and self.in_play.values().keys() >= {*words}

    def goes_on(self, said: str) -> bool:
        """Return whether another act begins within a text: `behind the tomb and shoots the captain`."""
        words = split_words(said)
        joined = (index for index, word in enumerate(words[:-1]) if word.text == "and" or word.mark)
        return any(begins_deed(words, index + 1, self.verbs, self.in_play) for index in joined)

    def ends_in_deed(self, words: Sequence[Word], begin: int) -> bool:
        """Return whether a deed in little words alone stands behind a comma: `goes to the gate, that's it for him`."""
        start = next((at for at in range(begin + 1, len(words)) if words[at - 1].mark == ","), len(words))
        is_little = start < len(words) and all(word.text in ENGLISH.little for word in words[start:])
        return is_little and begins_deed(words, start, self.verbs, self.in_play)

    def is_creature(self, said: str) -> bool:
        """Return whether a text is the name of a creature, or of several, and nothing else: it is no reason."""
        words, beings = split_words(said), self.in_play.beings
        named = beings.joined_at(words, 0) or beings.at(words, 0)
        return named is not None and named.size == len(words) and not beings.are_things(named)

    def is_another_act(self, said: str) -> bool:
        """Return whether a clause is another act, a being and a verb of the game, or a being alone."""
        words = split_words(said)
        named = self.in_play.beings.at(words, 0)
        start = named.size if named else 0
        if words and start == len(words):
            return True
        return begins_deed(words, start, self.verbs, self.in_play) and any(
            self.in_play.beings.at(words, index) for index in range(len(words))
        )

    def is_colour(self, said: str) -> bool:
        """Return whether a clause has no name, number, value or verb of the game: it may be left out of the line."""
        words = split_words(said)
        values = self.in_play.values() if words else {}
        is_noun = len(words) > 1 and words[1].text.endswith(PARTICIPLE)  # `boots drumming on the planks`
        is_to_somebody = bool(words) and words[0].text == "and" and any(word.text in OBJECTS for word in words)
        if self.names_rule(words) or is_to_somebody:  # `and patches him up`
            return False
        return not any(
            word.text in ENGLISH.each or word.text in values or amount_at(words, index)
            for index, word in enumerate(words)
        ) and not any(
            self.in_play.beings.at(words, index)
            or (index >= is_noun and begins_deed(words, index, self.verbs, self.in_play))
            for index in range(len(words))
        )

    def names_rule(self, words: Sequence[Word]) -> bool:
        """Return whether a clause has a word of the rules: `the crowbar is an asset`."""
        return any(not base_forms(word.text).isdisjoint(self.in_play.rules) for word in words)

    def names_more(self, said: str, kind: type[Declaration]) -> bool:
        """Return whether a text that only some verbs take names a being or a value, or that of a task a rule or a deed.

        `holds the rope, Kess climbs` is the task of Kess.
        """
        if kind.free:
            words = split_words(said)
            return self.names_rule(words) or any(map(partial(self.is_deed_of_another, words), range(1, len(words))))
        if not any(verb in self.texts for verb in kind.verbs):
            return False
        words, values = split_words(said), self.in_play.values()
        named = (self.in_play.beings.at(words, index) for index in range(len(words)))
        return self.names_rule(words) or any(word.text in values for word in words) or any(named)

    def is_deed_of_another(self, words: Sequence[Word], start: int) -> bool:
        """Return whether somebody is named here who does something."""
        named = self.in_play.beings.at(words, start)
        return named is not None and begins_deed(words, start + named.size, self.verbs, self.in_play)
