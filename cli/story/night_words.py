"""The roll of the night in words: what it came to, what hung on it, and how rare it was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from cli.story.page import Page
from cli.story.parts import name
from cli.story.passages import Sentence, without_outcome
from cli.story.style import Style
from ledger.names import capital, word_list
from projections.recap.night import NightRoll

COMMON: Final = 2  # of so many throws one: not worth a word


def night_line(page: Page, style: Style, *, is_told: bool = False) -> str:
    """Return the roll of the night; empty without one. `is_told`: only whose it was, as its reader knows the rest."""
    if page.night is None or page.night_sentence is None:
        return ""
    text = style.text(without_outcome(page.night_sentence).text.rstrip("."))
    text = f"{capital(name(page.night.who, style, page.called))}'s" if is_told else text
    return f"{text}{score_words(page.night)}.{stake_words(page, style)}{chance_words(page.night)}"


def night_words(page: Page, style: Style, led: Iterable[Sentence]) -> Iterator[str]:
    """Yield the roll of the night and how rare it was. What the lead says of it is left out."""
    if page.night is None:
        return
    is_told = any(page.night.entry in each.entries for each in led)
    if is_told and not (score_words(page.night) or chance_words(page.night)):
        return
    line = night_line(page, style, is_told=is_told)
    yield (line or f"{name(page.night.who, style)}.{chance_words(page.night)}").rstrip(".")


def score_words(night: NightRoll) -> str:
    """Return what was thrown and what was needed; empty where nobody says what was needed."""
    return f" ({night.total} against {night.target})" if None not in (night.total, night.target) else ""


def stake_words(page: Page, style: Style) -> str:
    """Return what hung on the roll of the night: whom it felled for whom, and whether it ended a fight."""
    night = page.night
    if night is None:
        return ""
    who = word_list([name(each, style, page.called) for each in night.felled])
    avenged = f" It felled the one who had brought {who} down." if who else ""
    return avenged + (" It ended the fight." if night.ended else "")


def chance_words(night: NightRoll) -> str:
    """Return how rare a throw as good as the roll of the night is; empty for one that every second does."""
    return f" One throw in {night.one_in} does as well." if night.one_in > COMMON else ""
