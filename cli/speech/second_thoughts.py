"""Sentences that put themselves right: `Kess swings at guard 1, no wait, at the second one`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cli.speech.doubts import is_about_what_was_said
from cli.speech.english import ENGLISH
from cli.speech.readings import Reader
from cli.speech.slots import ARTICLES
from cli.speech.spoken_dice import dice_from
from cli.speech.word_order import PARTED_MOST
from cli.speech.words import Word, amount_at, sentence_of

ONE: Final = Word("one", "one", 0)
AGAIN: Final = ("that is", "it is", "that was", "it was")  # behind a slip, before what is meant
DENYING: Final = ("no", "wait", "oops", "sorry")
SLIPS_LEAST: Final = 2  # words of a slip without a stop behind it: `no wait at the second one`


def put_right(words: Sequence[Word], reader: Reader) -> str:
    """Return a sentence with what stands behind a slip within it in place of what it said; empty if it has none."""
    if len(words) > PARTED_MOST or is_about_what_was_said(words):
        return ""
    for end in range(1, len(words)):
        size = _size_of_slip(words[end:])
        start = end + (size if words[end - 1].mark or _is_plain_slip(words[end:]) else 0)
        if end < start < len(words):
            said = [*words[: end - 1], words[end - 1]._replace(mark="")]
            meant = next(_replaced(said, words[start:], reader), ())
            return sentence_of(_apart(meant))
    return ""


def _size_of_slip(words: Sequence[Word]) -> int:
    """Return how many words say that what was said is wrong, `no wait`, `I mean`; 0 if they may say anything else."""
    size = next((at for at, word in enumerate(words) if word.text not in ENGLISH.slips), len(words))
    is_sure = size >= SLIPS_LEAST or (size and words[size - 1].mark)
    size = size if is_sure else 0
    texts = [word.text for word in words[size:]]
    revising = [*ENGLISH.revising, *(AGAIN if size else ())]
    return size + next((len(said) for said in map(str.split, revising) if texts[: len(said)] == said), 0)


def _is_plain_slip(words: Sequence[Word]) -> bool:
    """Return whether two words of a slip begin here, that need no stop before them: `a four no wait a nine`."""
    return words[0].text in DENYING and len(words) > 1 and words[1].text in ENGLISH.slips


def _replaced(said: Sequence[Word], meant: Sequence[Word], reader: Reader) -> Iterator[Sequence[Word]]:
    """Yield what was said with what is meant in the place that it fits: who, how many, with what, or the whole deed."""
    beings = reader.in_play.beings
    meant = [*meant, ONE] if meant[-1].text in ENGLISH.ordinals else meant  # `no, the second`
    start = next((at for at, word in enumerate(meant) if not _is_passed_over(word)), len(meant) - 1)
    subject, named = beings.at(said, 0), beings.at(meant, start)
    if named and not start and len(meant) > named.size + 1 and not meant[named.size - 1].mark:
        yield meant
    if subject and reader.begins_deed(meant, start) and not named:
        yield [*said[: subject.size], *meant[start:]]
    others = [(at, found.size) for at in range(len(said)) if (found := beings.at(said, at))] if named else []
    for at, size in reversed(others[1:] if start else others):
        yield [*said[:at], *meant[start:], *said[at + size :]]
    yield from _with_dice(said, meant[start + (meant[start].text in ARTICLES) :])
    yield from _with_number(said, meant[start:], reader)
    using = next((at for at, word in enumerate(said) if word.text in ENGLISH.using), len(said))
    if meant[0].text in ENGLISH.using:
        yield [*said[:using], *meant]
    elif using < len(said):
        yield [*said[: using + 1], *meant]


def _with_dice(said: Sequence[Word], meant: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """Yield what was said with other dice in place of its own: `a seven and a two, no, a seven and a five`."""
    if not any(end == len(meant) for end, _ in dice_from(meant, 0)):
        return
    for at in range(len(said)):
        if found := next(dice_from(said, at), None):
            yield [*said[:at], *meant, *said[found[0] :]]
            return


def _with_number(said: Sequence[Word], meant: Sequence[Word], reader: Reader) -> Iterator[Sequence[Word]]:
    """Yield what was said with another number in place of its last one, and its unit in place of the old one."""
    meant = meant[1:] if meant[0].text in ARTICLES and amount_at(meant, 1) else meant
    amount, within = amount_at(meant, 0), reader.in_play.beings.is_within_name
    for at in reversed(range(len(said) if amount else 0)):
        if (old := amount_at(said, at)) and not within(said, at):
            has_unit = amount and meant[amount.size :] and meant[amount.size].text not in ENGLISH.little
            yield [*said[:at], *meant, *said[at + old.size + bool(has_unit) :]]


def _is_passed_over(word: Word) -> bool:
    """Return whether a word stands before what is meant: the `at` of `at the second one`."""
    return word.text in (ENGLISH.little | ENGLISH.subjects) - ENGLISH.articles


def _apart(words: Sequence[Word]) -> list[Word]:
    """Return words of different places as words that follow each other."""
    return [word._replace(column=0) for word in words]
