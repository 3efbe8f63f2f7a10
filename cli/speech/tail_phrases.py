"""Phrases of a book behind the verb: `from behind`, `difficulty ten`, `-2 because he wears a helmet`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from cli.speech.english import ENGLISH
from cli.speech.frames import ASK, FrameIndex, FrameMatch
from cli.speech.in_play import InPlay
from cli.speech.lost_words import LostWords, lost_words
from cli.speech.slots import SLOTS
from cli.speech.words import Amount, Word, amount_at, is_opposed, spellings_of
from ledger.declarations import Declaration
from ledger.line_tokens import FACES
from rulebooks.common.word_forms import without_third_person

SIGNED: Final = re.compile(r"[+-][0-9]+")
NUMBER: Final = re.compile(r"[0-9]{1,9}$")  # at the end of a token
FACES_MARK: Final = "/"
TEXT: Final = "{text}"
DICE: Final = "{dice}"  # two numbers at the least: it is no field of one
PHRASE_MOST: Final = 4  # words of a known phrase
VERB: Final = ": "  # behind the verb of which alone a phrase holds


class Tail(msgspec.Struct):
    """The tokens of a line behind its verb, each with its readings, the words that nothing explains, and the reason.

    `text`: the words that nothing explains, with the little words between them. `beings`: how many are named.
    Of a free task `left` is its object, and `extra` what nothing explains. `is_quoted`: a word of the object is also
    one of a field, so that it stands in quotation marks. `is_unsure`: it rests on a pronoun.
    `is_listed`: the reason stands behind a colon. `lost`: what a phrase says that its tokens do not record.
    """

    tokens: list[tuple[str, ...]] = []
    left: list[str] = []
    extra: list[str] = []
    reason: str = ""
    is_listed: bool = False
    text: str = ""
    is_quoted: bool = False
    is_unsure: bool = False
    beings: int = 0
    lost: list[LostWords] = []


class TailPhrase(NamedTuple):
    """A phrase behind a verb: the tokens of which one is meant, how many words it takes, and whether to ask.

    `lost`: what it says that its tokens do not record.
    """

    tokens: tuple[str, ...]
    size: int
    is_unsure: bool = False
    lost: tuple[LostWords, ...] = ()


def phrase_at(
    words: Sequence[Word], index: int, kind: type[Declaration], frames: FrameIndex, in_play: InPlay
) -> TailPhrase | None:
    """Return the phrase with the most words that is met here behind a verb of this kind; None if there is none.

    Where the book has it for two tokens, either may be meant.
    """
    if SIGNED.fullmatch(words[index].raw):
        signed = phrase_at(_sign_apart(words[index:]), 0, kind, frames, in_play)
        return signed and signed._replace(size=signed.size - 1)
    matches = [match for match in _matches_at(words, index, frames, in_play) if _own_token(match, kind) is not None]
    if not matches:
        return None
    first = max(matches, key=lambda match: match.frame.literals)
    meant = [each for each in matches if (each.frame.parts, each.end) == (first.frame.parts, first.end)]
    meant = [each for each in meant if VERB in each.line] or meant  # the phrase of the verb before that of all
    tokens = dict.fromkeys(_own_token(each, kind) or "" for each in meant)
    said = (word for each in meant for word in each.slots.get(TEXT, "").casefold().split())
    is_unsure = any(token.startswith(ASK) for token in tokens) or not in_play.rules.isdisjoint(said)  # effort in a text
    lost = tuple(dict.fromkeys(word for each in meant for word in lost_words(each, in_play)))
    return TailPhrase(tuple(token.removeprefix(ASK) for token in tokens if token), first.end - index, is_unsure, lost)


def _matches_at(words: Sequence[Word], index: int, frames: FrameIndex, in_play: InPlay) -> Iterator[FrameMatch]:
    """Yield the phrases that are met here, behind an article or `and` too; a text in them is within a clause."""
    is_counted = index and not words[index - 1].mark and amount_at(words, index - 1)
    if is_counted and words[index].text in in_play.values():
        return  # `three intellect, four damage` is no intellect four
    clause = next((at for at in range(index, len(words) - 1) if words[at].mark), len(words)) + 1
    matches = frames.at(words, index, in_play)
    matches += frames.at(words[:clause], index, in_play) if clause < len(words) else []
    is_and = words[index].text == "and"
    if (words[index].text in ENGLISH.articles or is_and) and index + 1 < len(words):
        behind = frames.at(words, index + 1, in_play)
        matches += [each for each in behind if not is_and or each.line[:1] == FACES_MARK]
    for match in matches:
        is_faces = match.line[:1] == FACES_MARK and match.frame.parts[0] in SLOTS
        if is_faces and not (index and words[index - 1].mark):
            continue  # faces alone stand behind a stop: `stabs him: a ten and a six`
        if not match.frame.literals and DICE not in match.slots and not _is_clause(words, index, match.end):
            continue
        if TEXT not in match.slots or not any(each.mark for each in words[match.start : match.end - 1]):
            yield match


def _is_clause(words: Sequence[Word], start: int, end: int) -> bool:
    """Return whether these words stand alone behind a stop, up to another: `reads the runes, four`."""
    return bool(start and words[start - 1].mark and (end == len(words) or words[end - 1].mark))


def _own_token(match: FrameMatch, kind: type[Declaration]) -> str | None:
    """Return the token of a phrase; None if it is one of the verbs of another kind."""
    verb, colon, own = match.line.partition(VERB)
    if colon and verb not in kind.verbs:
        return None
    return own if colon else match.line


def _sign_apart(words: Sequence[Word]) -> list[Word]:
    """Return words with the sign of the number at their beginning as a word: `minus 2`."""
    sign = "plus" if words[0].raw[0] == "+" else "minus"
    number = words[0].raw[1:]
    return [Word(sign, sign, words[0].column), words[0]._replace(raw=number, text=number), *words[1:]]


def face_at(
    words: Sequence[Word], index: int, kind: type[Declaration], frames: FrameIndex, in_play: InPlay
) -> Amount | None:
    """Return a number that counts nothing, of a line for whose one die the book has a phrase; else None."""
    amount = amount_at(words, index)
    takes_face = any(f"{verb}{VERB}{FACES_MARK}{{n}}" in frames.templates for verb in kind.verbs)
    if (
        amount is None
        or not takes_face
        or words[index].text in ENGLISH.twice
        or is_opposed(words, index)
        or in_play.beings.is_within_name(words, index)
    ):
        return None
    end = index + amount.size
    counts = end < len(words) and not words[end - 1].mark and words[end].text not in ENGLISH.little
    return None if counts else amount


def situation_at(words: Sequence[Word], index: int, situations: Mapping[str, str]) -> tuple[str, int]:
    """Return the situation that is said here, as a line has it, and how many words it takes; nothing if there is none.

    `situations`: their names by the words that are said.
    """
    is_off = words[index].text in ENGLISH.lacking
    if words[index].text not in ENGLISH.being_in | ENGLISH.lacking:
        return "", 0
    start = index + 1
    while start < len(words) and words[start].text in ENGLISH.little:
        start += 1
    for count in range(min(PHRASE_MOST, len(words) - start), 0, -1):
        for form in spellings_of([word.text for word in words[start : start + count]]):
            if form in situations:
                return ("-" if is_off else "+") + situations[form], start + count - index
    return "", 0


def is_strict(raw: str) -> bool:
    """Return whether a word is written in the grammar of lines: `v5`, `+cover`, `/7.6`, `name=value`, a text."""
    if raw[0] == '"' or FACES.fullmatch(raw) or (raw[0] in "+-^" and len(raw) > 1) or "=" in raw:
        return True
    return raw[0].isalpha() and raw[1:].isdigit() and len(raw) <= 4


def plain_verb(words: Sequence[Word], index: int) -> str:
    """Return the verb of a task as its record has it: `work` for `works on the safe`; any other word as it is.

    A word without an object may be a noun: `physics v4`.
    """
    raw, behind = words[index].raw, words[index + 1 :]
    is_alone = not behind or words[index].mark or is_strict(behind[0].raw)
    return raw if is_alone or words[index].is_quoted else without_third_person(raw)


def repeats(phrase: TailPhrase, words: Sequence[Word], index: int, tail: Tail) -> bool:
    """Return whether a phrase is only a number that a token has already: `a hard one, fifteen` where hard is 15."""
    number = _number_of(phrase.tokens)
    is_bare = amount_at(words, index) == Amount(number, phrase.size)
    return is_bare and any(_number_of(tokens) == number for tokens in tail.tokens)


def _number_of(tokens: Sequence[str]) -> int:
    """Return the number at the end of a token, the same in each of its readings: 15 of `v15`; -1 if there is none."""
    numbers = {int(end[0]) if (end := NUMBER.findall(token)) else -1 for token in tokens}
    return numbers.pop() if len(numbers) == 1 else -1
