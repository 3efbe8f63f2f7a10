"""What a phrase of the book would swallow: somebody or a second clause in its text, the end of what it begins."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from cli.notation.tokens import GM_MARK
from cli.speech.english import ENGLISH
from cli.speech.frames import ASK, FrameIndex, FrameMatch
from cli.speech.in_play import InPlay
from cli.speech.lexicon import WHO
from cli.speech.named_beings import Named
from cli.speech.spoken_dice import has_dice
from cli.speech.word_order import begins_deed, may_begin_text
from cli.speech.words import Word, split_words
from rulebooks.common.word_forms import base_forms

TEXT: Final = "{text}"
LOSS: Final = " -{n}"


def with_fitting_texts(
    matches: Sequence[FrameMatch], words: Sequence[Word], start: int, in_play: InPlay
) -> list[FrameMatch]:
    """Return the frames met at a word of a sentence without those that begin with a text that is none."""
    fitting = [match for match in matches if not is_being_for_text(match, in_play)]
    if not may_begin_text(words, start, in_play):
        return [match for match in fitting if match.frame.parts[:1] != (TEXT,)]
    if start == 0 and in_play.beings.at(words, 0):  # who does it is no word of a text
        return [match for match in fitting if match.frame.parts[:1] != (TEXT,) or _is_aside(match)]
    return fitting


def _is_aside(match: FrameMatch) -> bool:
    """Return whether a frame is said on the game master's side."""
    return match.frame.template.removeprefix(ASK).startswith(GM_MARK)


def swallows_clause(match: FrameMatch, verbs: FrameIndex, in_play: InPlay) -> bool:
    """Return whether a text in a frame has a second clause or dice in it: `drinks it and regains four health`."""
    words = split_words(match.slots.get(TEXT, ""))
    if has_dice(match.slots.get(TEXT, "")):
        return True
    for at, word in enumerate(words[:-1], 1):
        start = at
        while start < len(words) - 1 and words[start].text in ENGLISH.subjects | ENGLISH.leads:
            start += 1
        named = in_play.beings.at(words, start) if word.mark else None
        if (word.text == "and" or word.mark) and begins_deed(
            words, start + (named.size if named else 0), verbs, in_play
        ):
            return True
    return False


def is_beginning_of_end(match: FrameMatch, words: Sequence[Word]) -> bool:
    """Return whether a phrase of the game master about nobody is met where something ends: `the fight is over`."""
    is_of_nobody = match.frame.is_bare_aside and WHO not in match.frame.template
    is_ending = any(word.text in ENGLISH.ending for word in words)
    return is_of_nobody and is_ending and ENGLISH.ending.isdisjoint(match.frame.parts)


def is_being_for_text(match: FrameMatch, in_play: InPlay) -> bool:
    """Return whether the text that begins a frame, or stands behind its verb, is somebody.

    `Kess hits him for two` is her attack, and what `she burns the guard for two` burns is no part of her.
    """
    parts = match.frame.parts
    at = parts.index(TEXT) if TEXT in parts else 0
    if TEXT not in match.slots or (at and parts[at - 1] in ENGLISH.little):
        return False
    said = split_words(match.slots[TEXT])
    named = in_play.beings.at(said, 0)
    return named is not None and len(said) <= named.size


def harms_doer(match: FrameMatch, words: Sequence[Word], verbs: FrameIndex, in_play: InPlay) -> bool:
    """Return whether who does something to another would suffer it: `hits the guard for 5 damage` harms the guard."""
    is_loss = _is_aside(match) or LOSS in match.frame.template
    is_first = match.frame.parts[:1] == (TEXT,) and WHO in match.frame.template
    if not (is_loss and is_first and begins_deed(words, match.start, verbs, in_play)):
        return False
    return bool(_creatures_in(match.slots[TEXT], in_play))


def _creatures_in(text: str, in_play: InPlay) -> list[Named]:
    """Return those who are named in a text and are no things."""
    words = split_words(text)
    named = (in_play.beings.at(words, at) for at in range(len(words)))
    return [each for each in named if each is not None and not in_play.beings.are_things(each)]


def _is_wished(match: FrameMatch, words: Sequence[Word]) -> bool:
    """Return whether a line of the game master is what somebody wants: `Dov wants to run for it`."""
    return _is_aside(match) and any(word.text in ENGLISH.wishing for word in words[: match.start])


def is_said_otherwise(match: FrameMatch, words: Sequence[Word]) -> bool:
    """Return whether a sentence says more than its phrase: that somebody only wants it, or that it is done twice."""
    return _is_wished(match, words) or _leaves_pair(match, words)


def _leaves_pair(match: FrameMatch, words: Sequence[Word]) -> bool:
    """Return whether a phrase passes over `both` before a word of its own: `puts both arrows into him` is two shots."""
    own = {form for part in match.frame.fixed_parts for form in base_forms(part)}
    said = pairwise(words[match.start : match.end])
    is_of_both = any(word.text in ENGLISH.pair and own & base_forms(behind.text) for word, behind in said)
    return is_of_both and ENGLISH.pair.isdisjoint(match.frame.parts)


def is_unsure_text(match: FrameMatch, verbs: FrameIndex, in_play: InPlay) -> bool:
    """Return whether a text has a second clause in it, or begins a frame with somebody: `Kess's knife hits him`."""
    is_first = match.frame.parts[:1] == (TEXT,)
    is_owned = is_first and in_play.beings.at(split_words(match.slots[TEXT]), 0) is not None
    is_owned |= "{being}" in match.slots and in_play.comes_of_pronoun(match.slots["{being}"])
    is_owned |= _is_of_others(match.slots.get(TEXT, ""))
    is_owned |= _is_aside(match) and _denies(match.slots.get(TEXT, ""))
    is_owned |= _is_aside(match) and len(_creatures_in(match.slots.get(TEXT, ""), in_play)) > 1  # who fights: `Bo, Ada`
    return is_owned or _says_skill(match.slots.get(TEXT, ""), in_play) or swallows_clause(match, verbs, in_play)


def _denies(text: str) -> bool:
    """Return whether a text says of something that it does not happen: `the poison and her jacket doesn't help`."""
    return any(word.text in ENGLISH.denying for word in split_words(text))


def _is_of_others(text: str) -> bool:
    """Return whether a clause of a text goes on with others than who begins the frame: `drops, the others have to`."""
    words = [word for word in split_words(text) if word.text not in ENGLISH.articles]
    return any(before.mark and word.text in ENGLISH.several for before, word in pairwise(words))


def _says_skill(text: str, in_play: InPlay) -> bool:
    """Return whether a clause of a text begins with a skill, which a check would take: `lifts the purse, sleight`."""
    return any(before.mark and word.text in in_play.skills() for before, word in pairwise(split_words(text)))
