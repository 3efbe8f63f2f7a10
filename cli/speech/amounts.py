"""Amounts in a sentence that no line of the grammar takes: lines that change a value by them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.notation.tokens import GM_MARK, quote
from cli.questions.possible import why_not_said
from cli.speech.english import ENGLISH
from cli.speech.readings import Reader
from cli.speech.slots import in_line
from cli.speech.words import WORDS_MOST, Word, amount_at, span_at, split_words
from ledger.errors import Unreadable
from rulebooks.common.word_forms import base_forms

NAMED_MOST: Final = 2  # of those whose value an amount may change


def value_lines(typed: str, words: Sequence[Word], reader: Reader, meant: Sequence[str] = ()) -> list[str]:
    """Return lines by which an amount that is said changes a value of those who are named: its loss, or its gain.

    `a hot pipe costs Ada two points`: `! ada hp -2 "a hot pipe costs Ada two points"`. `meant`: the lines that are
    asked already; none more where one of them has the amount.
    """
    said = [form for word in words if word.text not in ENGLISH.articles for form in base_forms(word.text)]
    known = reader.in_play.values()
    value = next((known[form] for form in said if form in known and form not in ENGLISH.losses), "")
    is_gain = not ENGLISH.gains.isdisjoint(said)
    if not (is_gain or ENGLISH.losses.intersection(said)) or len(words) > WORDS_MOST:
        return []
    named = [(at, found) for at in range(len(words)) if (found := reader.in_play.beings.at(words, at))]
    taken = {at + step for at, found in named for step in range(found.size)}
    amounts = (amount_at(words, at) for at in range(len(words)) if at not in taken and not span_at(words, at))
    amount = next(filter(None, amounts), None)
    if amount is None or any(f"={amount.number} " in f"{line} " for line in meant):
        return []
    change = f"{value or reader.scope.vital_value()} {'+' if is_gain else '-'}{amount.number}"
    lines = [
        f"{GM_MARK} {in_line(name)} {change} {quote(typed.strip())}"
        for name in dict.fromkeys(name for _, found in named for name in found.readings[0])
    ]
    return [
        each for each in lines[:NAMED_MOST] if not why_not_said(each, reader.ledger_state, reader.book, reader.scope)
    ]


def unsaid_amount(text: str, by: str, reader: Reader) -> Unreadable | None:
    """Return the error for what changes a value by no number, `loses half her health`; None for any other deed."""
    words, values = split_words(text), reader.in_play.values()
    value = next((values[word.text] for word in words[1:] if word.text in values), "")
    first = base_forms(words[0].text) if words else frozenset()
    if not value or first.isdisjoint(ENGLISH.gains | ENGLISH.losses):
        return None
    sign = "-" if first.isdisjoint(ENGLISH.gains) else "+"
    return Unreadable(f"'{text}' does not say by how many", hint=f"Write a number: {in_line(by)} {value} {sign}2.")
