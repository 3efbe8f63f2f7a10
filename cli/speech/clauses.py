"""Sentences with two acts: `Kael moves to the gate and strikes the guard` is said as two lines, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from cli.speech.attempts import Meaning
from cli.speech.doubts import words_before_verb
from cli.speech.readings import Reader
from cli.speech.word_order import PARTED_MOST, with_names
from cli.speech.words import Word, sentence_of
from ledger.errors import LedgerError, NeverDrawn
from ledger.implied_passes import NO_DICE, fold_passes
from ledger.ledger_state import decide_and_fold

JOINING: Final = frozenset(("and", "then"))
STOPS: Final = frozenset((",", ";"))
PARTS_MOST: Final = 2  # ways to part a sentence that are tried


def find_two_acts(words: Sequence[Word], reader: Reader) -> tuple[Meaning, str] | None:
    """Return what a sentence says first, and the sentence that is left for the next line; None if it is no such one.

    Both can mean one line alone, the second as the state is after the first, as far as no dice decide that.
    """
    for first, second in islice(_clauses(words, reader), PARTS_MOST):
        meant = _certain(first, reader)
        if meant is None:
            continue
        state = reader.ledger_state
        mark = state.mark()
        try:
            for each in meant.parsed:
                fold_passes(reader.book, state, each.declaration, lambda: NO_DICE, state.next_entry())
                decide_and_fold(reader.book, state, each.declaration, NO_DICE, state.next_entry())
            follows = _certain(second, reader)
        except NeverDrawn:
            state.roll_back(mark)
            follows = _certain(second, reader)
        except LedgerError:
            follows = None
        finally:
            state.roll_back(mark)
        if follows is not None:
            return meant, second
    return None


def find_last_act(words: Sequence[Word], reader: Reader) -> Meaning | None:
    """Return what a sentence says behind words that are no act: `feints and strikes the guard`; None if nothing.

    Where it needs a reason, those words are it: `falls off the ladder and loses two hit points`.
    """
    for first, second in islice(_clauses(words, reader), PARTS_MOST):
        subject = sentence_of(words_before_verb(words, reader.in_play.beings))
        reason = first.removeprefix(subject).strip()
        own = second.startswith(f"{subject} ") and _certain(f"{second}, {reason}", reader)
        if meant := own or _certain(second, reader):
            return meant
    return None


def has_second_act(words: Sequence[Word], reader: Reader) -> bool:
    """Return whether a sentence goes on with another act: behind `then`, a comma and `and`, or `and` and a name."""
    joined = any(
        word.text == "then" or (word.text in JOINING and (words[index - 1].mark or _says_another(words, index, reader)))
        for index, word in enumerate(words)
        if index
    )
    return joined and next(_clauses(words, reader), None) is not None


def _says_another(words: Sequence[Word], index: int, reader: Reader) -> bool:
    """Return whether behind the `and` at this word somebody else does something: `and Bo will cover the door`."""
    named = reader.in_play.beings.at(words, index + 1)
    if named is None or index < len(words_before_verb(words, reader.in_play.beings)):
        return False
    return reader.begins_deed(words, index + 1 + named.size)


def _clauses(words: Sequence[Word], reader: Reader) -> Iterator[tuple[str, str]]:
    """Yield the ways to part a sentence before a second verb; the second part begins with the subject of the first."""
    subject = sentence_of(words_before_verb(words, reader.in_play.beings))
    for index in range(2, len(words) - 1 if len(words) <= PARTED_MOST else 0):
        if words[index].text not in JOINING and words[index - 1].mark not in STOPS:
            continue
        start = index
        while start < len(words) - 1 and words[start].text in JOINING:
            start += 1
        rest = sentence_of(with_names(words, start, reader.in_play))
        if reader.in_play.beings.at(words, start):
            yield sentence_of(words[:index]), rest
        elif subject and reader.verbs.at(words, start, reader.in_play):
            yield sentence_of(words[:index]), f"{subject} {rest}"


def _certain(sentence: str, reader: Reader) -> Meaning | None:
    """Return the only line that a sentence may mean now; None if there is none, or it would be asked about."""
    readings = [each for each in reader.read(sentence) if not each.left and each.parsed and each.error is None]
    most = max((reading.weight for reading in readings), default=0)
    meant = [reading for reading in readings if reading.weight == most]
    return meant[0] if most and len(meant) == 1 and not meant[0].is_unsure else None
