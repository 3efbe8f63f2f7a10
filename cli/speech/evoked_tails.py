"""Phrases behind the verb that the words left over call to mind: `who's hiding behind a crate` is in cover.

They are met in any order, with other words between; a line with their tokens is never taken without a question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cli.speech.english import ENGLISH
from cli.speech.frames import ASK, Frame
from cli.speech.phrase_likeness import PhraseWords
from cli.speech.slots import AMOUNTS, SLOTS, is_filled
from cli.speech.tail_phrases import FACES_MARK, VERB
from cli.speech.words import Word, amount_at, sentence_of, split_words
from ledger.declarations import Declaration
from rulebooks.common.word_forms import base_forms

PHRASES_MOST: Final = 2  # that are tried for a line
TEXT: Final = "{text}"
WORD: Final = "{word}"
FILLED: Final = frozenset((*AMOUNTS, TEXT, WORD))  # slots that the words left over may fill


def evoked_tails(left: Sequence[str], kind: type[Declaration], phrases: PhraseWords) -> Iterator[str]:
    """Yield the tokens of a line of this kind that the words left over call to mind, those most like a phrase first."""
    words = split_words(" ".join(left))
    if any(word.text in ENGLISH.denying for word in words):
        return
    for frame, _ in phrases.like(words, PHRASES_MOST, lambda frame: bool(_own_token(frame, kind))):
        if token := _filled(frame, _own_token(frame, kind), words):
            yield token


def _own_token(frame: Frame, kind: type[Declaration]) -> str:
    """Return the token of a phrase; empty if it has none for this kind, or one that these words cannot fill."""
    verb, colon, own = frame.template.removeprefix(ASK).partition(VERB)
    token = ((own if verb in kind.verbs else "") if colon else verb).removeprefix(ASK)
    is_fillable = SLOTS.intersection(frame.parts) <= FILLED and not token.startswith(FACES_MARK)
    return token if is_fillable else ""


def _filled(frame: Frame, token: str, words: Sequence[Word]) -> str:
    """Return the token with what its slots need; empty if that is not said."""
    parts = [part for part in frame.parts if not is_filled(part)]
    used = {at for at, word in enumerate(words) for part in parts if base_forms(word.text) & base_forms(part)}
    beside = {at + step for at in used for step in (-1, 1)}  # a number is said beside what it counts
    amounts = ((at, amount_at(words, at)) for at in range(len(words)))
    numbers = [(str(each.number), at, each.size) for at, each in amounts if each and {at, at + each.size - 1} & beside]
    values: dict[str, str] = {}
    for part in frame.parts:
        if part in AMOUNTS or part.isdecimal():
            values[part], at, size = next((each for each in numbers if part in (*AMOUNTS, each[0])), ("", 0, 0))
            numbers = [each for each in numbers if each[1] != at]
            used |= {*range(at, at + size)}
        elif part == WORD:
            behind = next((at for at in sorted(used) if at + 1 not in used and _is_said(words[at + 1 : at + 2])), None)
            values[part] = "" if behind is None else words[behind + 1].raw
    if TEXT in frame.parts:
        values[TEXT] = _text_of(words[max(used) + 1 :] if frame.parts[0] != TEXT else words[: min(used)])
    if not all(values.get(part, part) for part in frame.parts):
        return ""
    for slot, value in values.items():
        token = token.replace(slot, value)
    return token


def _text_of(words: Sequence[Word]) -> str:
    """Return words as a text, without the `because` before it."""
    start = next((at for at, word in enumerate(words) if word.text not in ENGLISH.reason | ENGLISH.little), len(words))
    return sentence_of([word._replace(column=0) for word in words[start:]]).replace('"', "'")


def _is_said(words: Sequence[Word]) -> bool:
    """Return whether one of these words says something."""
    return any(word.text not in ENGLISH.little for word in words)
