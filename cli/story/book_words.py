"""The words of a book for what a recap reads in facts: which conditions are falls, and which results are poor."""

from __future__ import annotations

from projections.recap.falls import FallWords
from projections.recap.night import NightWords
from rulebooks.common.game import Game
from rulebooks.common.narration import Narration


def night_words(book: Game) -> NightWords:
    """Return the words for the roll of the night."""
    narration, wording = book.texts().narration, book.texts().lexicon.wording
    return NightWords(
        low=narration.low,
        poor=narration.poor,
        rare=narration.rare,
        lost=narration.lost,
        grave=(*narration.lost, *narration.fallen) or wording.gone,
        turning=narration.turning,
        gone=wording.gone,
        unsaid=(*wording.unsaid, *wording.effects),
    )


def fall_words(narration: Narration) -> FallWords:
    """Return the words for those who die, fall and flee."""
    return FallWords(lost=narration.lost, fallen=narration.fallen, fled=narration.turning)
