"""Sentences that only say over the numbers of what was just recorded, or follows from it: nothing more is meant.

`Six to the hound, minus one for its hide, so five` behind a blow that says so, `that's four off him`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from cli.speech.doubts import condition_error, is_about_what_was_said
from cli.speech.english import ENGLISH
from cli.speech.harm_thrown import damage_sums
from cli.speech.readings import Reader
from cli.speech.speakers import mentions_in
from cli.speech.spoken_dice import RESULTING
from cli.speech.words import Word, amount_at, is_passed_over
from ledger.facts import Fact, Judged, PointsLost, PointsRegained, PointsSpent, PoolSet, Rolled, Sum, Wounded
from rulebooks.common.word_forms import base_forms

SEVERAL: Final = 2  # numbers that are all recorded: others words may stand between them
WORDS_MOST: Final = 24  # of such a sentence
THAT: Final = frozenset(("that", "it", "this", "which", "so"))  # at the beginning, for what was recorded
MORE: Final = ENGLISH.additional | ENGLISH.mistaken | ENGLISH.instead  # it is not what was recorded
TELLING: Final = (
    ENGLISH.suffering
    | ENGLISH.losses
    | ENGLISH.suffered
    | ENGLISH.throwing
    | ENGLISH.outcomes
    | ENGLISH.counted
    | ENGLISH.summing
    | ENGLISH.soaking
)
OF_HARM: Final = ENGLISH.past_armor.union(RESULTING)
PLAIN: Final = ENGLISH.fillers | ENGLISH.exclamations | ENGLISH.subjects | ENGLISH.objects | ENGLISH.leads


def says_recorded(words: Sequence[Word], facts: Sequence[Fact], reader: Reader) -> bool:
    """Return whether a sentence only says numbers over that these facts have, about nobody else.

    One number alone is that of a loss, in a sentence that begins with it or with `that` and says nothing else.
    """
    numbers = [*_numbers(words, reader)]
    if not numbers or len(words) > WORDS_MOST or words[-1].mark == "?" or words[0].text in ENGLISH.asking:
        return False
    if condition_error(words) or is_about_what_was_said(words) or any(word.text in MORE for word in words):
        return False
    texts = {word.text for word in words}
    forms = {form for text in texts for form in base_forms(text)}
    is_of_throw = bool(forms & (ENGLISH.losses | ENGLISH.suffered | ENGLISH.counted) or texts & OF_HARM)
    if not is_of_throw or any(reader.begins_deed(words, at) and not _is_telling(words[at]) for at in range(len(words))):
        return False
    named = {name for each in mentions_in(words, reader.in_play) for name in each.names}
    if not named <= {*_names(facts)}:
        return False
    if len(numbers) >= SEVERAL:
        return {*numbers} <= {*_recorded(facts)}
    is_begun = words[0].text in THAT or amount_at(words, 0) is not None
    return is_begun and numbers[0] in _harm(facts, named) and _says_nothing_else(words, reader)


def _is_telling(word: Word) -> bool:
    """Return whether a word says how numbers come about, or nothing."""
    return is_passed_over(word) or word.text in OF_HARM or not base_forms(word.text).isdisjoint(TELLING)


def _numbers(words: Sequence[Word], reader: Reader) -> Iterator[int]:
    """Yield the numbers of a sentence that are no part of a name."""
    at = 0
    while at < len(words):
        amount = amount_at(words, at)
        if amount and not (reader.in_play.beings.is_within_name(words, at) or reader.in_play.beings.at(words, at)):
            yield amount.number
        at += amount.size if amount else 1


def _says_nothing_else(words: Sequence[Word], reader: Reader) -> bool:
    """Return whether a sentence has no words but little ones, those of harm, names, and the number."""
    known = {at for each in mentions_in(words, reader.in_play) for at in range(each.start, each.end)}
    return all(
        at in known or _is_telling(word) or amount_at(words, at) or word.text in PLAIN for at, word in enumerate(words)
    )


def _recorded(facts: Iterable[Fact]) -> Iterator[int]:
    """Yield all numbers of throws, sums and losses."""
    yield from _harm(facts)
    for fact in facts:
        if isinstance(fact, Rolled):
            yield from (die.face for die in fact.dice)
        elif isinstance(fact, Judged):
            yield from (number for number in (fact.total, fact.target, fact.margin) if number is not None)
            for each in fact.sums:
                yield from _of_sum(each)
        elif isinstance(fact, PointsLost | PointsSpent | PointsRegained):
            yield from (fact.points, fact.now)
        elif isinstance(fact, PoolSet):
            yield fact.now


def _of_sum(each: Sum) -> Iterator[int]:
    """Yield the numbers of a sum and of its steps."""
    yield from (each.start, each.total, *(number for step in each.steps for number in (step.value, step.now)))


def _harm(facts: Iterable[Fact], of: Collection[str] = ()) -> frozenset[int]:
    """Return the numbers of losses, and of sums of damage with what was taken off; `of`: of these alone."""
    numbers = set[int]()
    for fact in facts:
        who = fact.against if isinstance(fact, Judged) else getattr(fact, "who", "")
        if of and who not in of:
            continue
        if isinstance(fact, PointsLost):
            numbers.add(fact.points)
        elif isinstance(fact, PoolSet):
            numbers.add(abs(fact.was - fact.now))
        elif isinstance(fact, Wounded):
            numbers.add(fact.value)
        elif isinstance(fact, Judged):
            numbers |= {number for each in damage_sums(fact) for number in (each.start, each.total)}
    return frozenset(numbers)


def _names(facts: Iterable[Fact]) -> Iterator[str]:
    """Yield about whom these facts are."""
    for fact in facts:
        yield from (name for name in (getattr(fact, "who", ""), getattr(fact, "against", "")) if isinstance(name, str))
