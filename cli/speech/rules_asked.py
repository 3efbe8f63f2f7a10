"""Questions about the rules in any words: `does the shield stop one hit?` asks for the rule of Defend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from math import log, sqrt
from typing import Final

from cli.speech.english import ENGLISH
from cli.speech.readings import Reader
from cli.speech.words import Word, is_passed_over, split_words
from ledger.number_words import NUMBERS
from rulebooks.common.game import Game
from rulebooks.common.word_forms import base_forms

RULES: Final = "rules"  # the question of the shell
MEANING: Final = ("mean", "happen", "work")  # what is asked of any rule
SHARED_LEAST: Final = 2  # words that a question and its rule share, unless it has fewer


def rule_question(words: Sequence[Word], reader: Reader, *, is_last: bool = False) -> str:
    """Return the question for the rule that shares the rarest words with a question; empty if none shares enough.

    One that names somebody is not about the rules. `is_last`: nothing else answers it, so that it is in any case, and
    one shared word is enough.
    """
    named = (reader.in_play.beings.at(words, at) for at in range(len(words)))
    if not is_last and any(len(names) == 1 for each in named if each for names in each.readings):
        return ""
    book = reader.book
    said = (word for word in words if not is_passed_over(word) and word.text not in ENGLISH.asking | NUMBERS.keys())
    asked = [forms for word in said if (forms := base_forms(word.text)).isdisjoint(MEANING)]
    rules = _forms_of_rules(book)
    counts = _counts(book)
    best, score = "", 0.0
    for id, forms in rules.items():
        shared = [min(each & forms, key=lambda form: counts[form]) for each in asked if each & forms]
        worth = sum(log(len(rules) / counts[form]) for form in shared) / sqrt(len(forms))  # a long rule says many words
        if len(shared) >= (1 if is_last else min(SHARED_LEAST, len(asked))) and worth > score:
            best, score = id, worth
    return f"{RULES} {best}" if best else ""


@cache
def _forms_of_rules(book: Game) -> Mapping[str, frozenset[str]]:
    """Return the words of each rule of a book, in their base forms."""
    return {
        rule.id: frozenset(
            form for word in split_words(f"{rule.heading} {rule.text}") for form in base_forms(word.text)
        )
        for rule in book.texts().content.rules
    }


@cache
def _counts(book: Game) -> Counter[str]:
    """Return how many rules of a book have each word."""
    return Counter(form for forms in _forms_of_rules(book).values() for form in forms)
