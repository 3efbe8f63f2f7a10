"""The luck of some dice in a sentence."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from cli.notation.tokens import NUMBER_WORDS
from projections.luck import Luck, figures

SOURCE_WORDS: Final = {
    "seeded": "seeded",
    "fixed": "of a fixed seed",
    "unproved": "unproved (their seed is lost)",
    "revealed": "drawn after the seed was revealed",
    "typed": "typed in",
}


def sentence(luck: Luck) -> str:
    """Say how many groups that throw the same dice do worse or better: the smaller share."""
    share, word = min((luck.worse, "worse"), (luck.better, "better"))
    if share == 0:
        return f"no group sees {word}"
    _, groups = figures(share)
    if groups is None:
        return f"fewer than one group in a million see {word}"
    if groups < 3:
        return f"about half of all groups see {word}"
    number = NUMBER_WORDS.get(str(groups), f"{groups:,}")
    return "one group in {} sees {}".format(number, word)  # noqa: UP032 - a test takes pieces of f-strings for words


def decimal(number: Fraction) -> str:
    """Return a whole number or a half."""
    return f"{int(number)}.5" if number.denominator == 2 else str(int(number))
