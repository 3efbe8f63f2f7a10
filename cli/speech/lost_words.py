"""What stands in a slot of a phrase whose line has no place for it: a name, a number, a word of the rules.

It is left over, so that no phrase swallows it: `hides behind guard 1` is more than `hide`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from cli.speech.english import ENGLISH
from cli.speech.frames import FrameMatch
from cli.speech.in_play import InPlay
from cli.speech.slots import BEING_SLOTS, PHRASE
from cli.speech.words import amount_at, sentence_of, split_words
from rulebooks.common.word_forms import base_forms

NUMBERED: Final = re.compile(r'"[^" ]+ [0-9]+"')  # a name like `"Guard 1"`
OWN_TEXT: Final = re.compile(r'(?<!=)"[^"{]+"')  # of a line, in no slot of its phrase
QUOTE: Final = '"'
FREE_SLOTS: Final = ("{word}", "{text}", PHRASE)  # where any words may stand


class LostWords(NamedTuple):
    """Words that a phrase has and its line has not. `names`: whom they name; `others`: whom they may name else."""

    raw: str
    names: tuple[str, ...] = ()
    others: tuple[tuple[str, ...], ...] = ()

    def is_in(self, line: str) -> bool:
        """Return whether a line says this in another place: as its reason, or by name."""
        meant = [self.names, *self.others] if self.names else []
        return _has(line, self.raw) or any(all(_has(line, name) for name in names) for names in meant)


def lost_words(match: FrameMatch, in_play: InPlay) -> tuple[LostWords, ...]:
    """Return the numbers, the creatures and the words of the rules in slots that the line of a phrase has not.

    A being that a phrase names beside its verb is none of them, see `lost_names`, unless the line has a text of its
    own, `they surrender`.
    """
    lost = [*lost_names(match)] if OWN_TEXT.search(match.frame.template) else []
    for slot, said in match.slots.items():
        if slot in match.frame.template or slot in BEING_SLOTS or not said:
            continue
        lost += _words_that_matter(said, in_play) if slot in FREE_SLOTS else [LostWords(said)]
    return tuple(lost)


def unsaid_words(sentence: str, line: str, in_play: InPlay) -> list[str]:
    """Return the numbers, the creatures and the words of the rules in a sentence that a line does not say."""
    return [each.raw for each in _words_that_matter(sentence, in_play) if not each.is_in(line)]


def lost_names(match: FrameMatch) -> tuple[LostWords, ...]:
    """Return those whom a phrase names, and its line does not: `takes the blow for Ada` is an answer of one word."""
    return tuple(
        LostWords(name.strip(QUOTE))
        for slot, said in match.slots.items()
        if slot in BEING_SLOTS and slot not in match.frame.template
        for name in filter(None, said.split(","))
    )


def _words_that_matter(said: str, in_play: InPlay) -> Iterator[LostWords]:
    """Yield the names of creatures, the numbers and the words of the rules in a text."""
    words, at = split_words(said), 0
    while at < len(words):
        named, amount = in_play.beings.at(words, at), amount_at(words, at)
        size = named.size if named else amount.size if amount else 1
        is_said = any(word.text not in ENGLISH.little for word in words[at : at + size])  # `we all try` names us once
        if named and is_said and not in_play.beings.are_things(named):
            others = named.readings[1:] if named.is_unsure else ()
            yield LostWords(sentence_of(words[at : at + size]), named.readings[0], others)
        elif amount:
            yield LostWords(str(amount.number))
        elif words[at].text not in ENGLISH.little and not base_forms(words[at].text).isdisjoint(in_play.rules):
            yield LostWords(words[at].raw)
        at += size


def _has(line: str, word: str) -> bool:
    """Return whether a line has a word, or several, as a whole."""
    before, line = ("[0-9]", NUMBERED.sub("", line)) if word.isdecimal() else (r"\w", line)  # `v5` has the number
    return re.search(rf"(?<!{before}){re.escape(word)}(?!\w)", line, re.IGNORECASE) is not None
