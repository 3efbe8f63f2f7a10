"""What a part of a sentence leaves out that is said before it: `gets three health and two armour`, `and Bo one`.

It is said in full, as a sentence by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from cli.speech.doubts import SAID
from cli.speech.english import ENGLISH
from cli.speech.in_play import InPlay
from cli.speech.speakers import Mention, is_owner, mentions_in
from cli.speech.words import Word, amount_at, sentence_of, split_words

AGAIN: Final = "again"
GETS, LOSES, BACK = "gets", "loses", "back"
POINTS: Final = frozenset(("point", "points", "of"))  # between a number and its value
DOWN: Final = ENGLISH.losses | {"off", "gone", "down", "less"}  # behind what somebody loses
UP: Final = frozenset(("back", "more", "up"))  # behind what somebody gets


class ValueSaid(NamedTuple):
    """An amount of a value that is said, and the words that say it."""

    start: int
    end: int
    value: str


def in_full(before: Sequence[Word], behind: Sequence[Word], in_play: InPlay) -> str:
    """Return what the words behind a stop or `and` say with those before them; empty if they leave nothing out.

    What is done `again` is the whole of it, without how it is the second time.
    """
    if not (before and behind):
        return ""
    if behind[0].text == AGAIN and (len(behind) == 1 or behind[0].mark):
        return sentence_of(before)
    end = next((at for at, word in enumerate(behind, 1) if word.mark or at == len(behind) or _joins(behind[at])), 0)
    clause, rest = behind[:end], behind[end:]
    said = (
        _of_value(before, clause, in_play) or _of_another(before, clause, in_play) or _result(before, clause, in_play)
    )
    return sentence_of([*said, *rest]) if said else ""


def _joins(word: Word) -> bool:
    """Return whether a word stands between two parts of a sentence."""
    return word.text == "and"


def _value_at(words: Sequence[Word], start: int, in_play: InPlay) -> ValueSaid | None:
    """Return the amount of a value that begins here: `two stamina`, `a point of health`; None if there is none."""
    amount = amount_at(words, start)
    end = start + amount.size if amount else start
    while end < len(words) and words[end].text in POINTS and words[end].text not in in_play.values():
        end += 1
    for size in (2, 1) if amount else ():
        said = " ".join(word.text for word in words[end : end + size])
        if (value := in_play.values().get(said)) and end + size <= len(words):
            return ValueSaid(start, end + size, value)
    return None


def _of_value(before: Sequence[Word], clause: Sequence[Word], in_play: InPlay) -> Sequence[Word]:
    """Return what is said before of one value with another: `gets three health` and `two armour`; else nothing."""
    said = _value_at(clause, 0, in_play)
    if said is None:
        return ()
    values = (_value_at(before, at, in_play) for at in range(len(before) - 1, -1, -1))
    other = next((each for each in values if each), None)
    if other is None or other.value == said.value:
        return ()
    words = [*clause[: said.end - 1], clause[said.end - 1]._replace(mark="")]
    more = [] if all(word.text in UP for word in clause[said.end :]) else clause[said.end :]
    return _with_stop([*before[: other.start], *words, *before[other.end :], *more], clause[-1].mark)


def _of_another(before: Sequence[Word], clause: Sequence[Word], in_play: InPlay) -> Sequence[Word]:
    """Return what is said before of one with another and another number: `Bo gets two` and `Ada three`."""
    mentions, others = [*mentions_in(before, in_play)], [*mentions_in(clause, in_play)]
    number = _number_in(clause, others, in_play)
    old = _number_in(before, mentions, in_play)
    if len(mentions) != 1 or len(others) != 1 or not number or not old:
        return ()
    said = {*range(number.start, number.end), *range(others[0].start, others[0].end)}
    if any(at not in said and word.text not in ENGLISH.little for at, word in enumerate(clause)):
        return ()
    end = number.end if old.value and number.value else number.start + 1
    told = {
        mentions[0].start: (mentions[0].end, clause[others[0].start : others[0].end]),
        old.start: (old.end if old.value and number.value else old.start + 1, clause[number.start : end]),
    }
    words, at = list[Word](), 0
    while at < len(before):
        at, new = told.get(at, (at + 1, before[at : at + 1]))
        words += new
    return _with_stop([word._replace(mark="") if word in clause else word for word in words], clause[-1].mark)


def _number_in(words: Sequence[Word], mentions: Sequence[Mention], in_play: InPlay) -> ValueSaid | None:
    """Return the only number among words that is no part of a name, with the value that it is of, if it is said."""
    taken = {at for each in mentions for at in range(each.start, each.end)}
    found = [(at, amount) for at in range(len(words)) if at not in taken and (amount := amount_at(words, at))]
    if len(found) != 1 or found[0][1].size > 1:
        return None
    start = found[0][0]
    return _value_at(words, start, in_play) or ValueSaid(start, start + 1, "")


def _result(before: Sequence[Word], clause: Sequence[Word], in_play: InPlay) -> Sequence[Word]:
    """Return what comes of what somebody does as what they get or lose: `that's four stamina back`; else nothing."""
    mentions = [*mentions_in(before, in_play)]
    is_told = len(clause) > 2 and clause[0].text in SAID and clause[1].text in ENGLISH.copulas
    said = _value_at(clause, 2, in_play) if is_told else None
    behind = {word.text for word in clause[said.end :]} if said else set[str]()
    if said is None or not mentions or len(mentions[0].names) != 1 or not behind <= UP | DOWN | ENGLISH.little:
        return ()
    is_loss = not behind.isdisjoint(DOWN)
    if not is_loss and behind.isdisjoint(UP):
        return ()
    whose = next((each for each in reversed(mentions) if not is_owner(each, before)), mentions[0])  # who is healed
    named = before[whose.start : whose.end]
    verb, *end = split_words(LOSES if is_loss else f"{GETS} {BACK}")
    words = [word._replace(mark="") for word in clause[2 : said.end]]
    return _with_stop([*named[:-1], named[-1]._replace(mark=""), verb, *words, *end], clause[-1].mark)


def _with_stop(words: Sequence[Word], mark: str) -> Sequence[Word]:
    """Return words with this mark behind the last of them, and as many spaces as words."""
    return [*(word._replace(column=0) for word in words[:-1]), words[-1]._replace(column=0, mark=mark)]
