"""The roll of the night in words: what it came to, what hung on it, and how rare it was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from cli.phrases.parts import in_brackets, readable
from cli.story.page import Page
from cli.story.parts import name
from cli.story.passages import Sentence, without_outcome
from cli.story.style import Style
from ledger.names import capital, word_list
from projections.recap.night import NightRoll

COMMON: Final = 2  # of so many throws one: not worth a word
CLOSE: Final = 1  # points beside what was needed
CLOSELY: Final = ", by a hair"
SPARE: Final = ", with points to spare"
FELLED: Final = {"died": "killed {who}", "fell": "felled {who}", "left": "put {who} to flight"}


def night_line(page: Page, style: Style) -> str:
    """Return the roll of the night; empty without one."""
    if page.night is None or page.night_sentence is None:
        return ""
    text = f"{style.text(without_outcome(page.night_sentence).text.rstrip('.'))}{close_score(page.night)}."
    return text + stake_words(page, style) + chance_words(page.night)


def night_words(page: Page, style: Style, led: Iterable[Sentence]) -> Iterator[str]:
    """Yield the roll of the night and how rare it was; in other words than the lead, if that tells it."""
    if page.night is None:
        return
    told = [each.text for each in led if page.night.entry in each.entries]
    sentence = page.night_sentence.text if page.night_sentence else ""
    short = short_night(page, style) if told else ""
    is_again = any(each.startswith(sentence) for each in told)
    short = short or (f"{capital(name(page.night.who, style, page.called))}'s." if is_again or not sentence else "")
    yield (f"{short}{chance_words(page.night)}" if short else night_line(page, style)).rstrip(".")


def short_night(page: Page, style: Style) -> str:
    """Return whose the roll of the night was, and whom it felled or how close it was; empty if it was neither."""
    night = page.night
    if night is None:
        return ""
    called = page.called
    roll = f"{capital(name(night.who, style, called))}'s {readable(night.what) or 'throw'}"
    numbers = f"{CLOSELY}{close_score(night)}" if close_score(night) else ""
    done = list[str]()
    for kind, pattern in FELLED.items():
        own = [fall for fall in page.falls if fall.entry == night.entry and fall.kind == kind and fall.who != night.who]
        if who := list(dict.fromkeys(name(fall.who, style, called) for fall in own)):
            done.append(pattern.format(who=word_list(who)))
            break
    if done:
        return f"{roll}{numbers}, which {done[0]}{' and ended the fight' if night.ended else ''}."
    own = [fall for fall in page.falls if fall.entry == night.entry and fall.who == night.who]
    if own:
        by = word_list([name(each, style, called) for each in own[0].by])
        return f"{roll}{f' against {by}' if by else ''}{numbers}, which was not enough."
    if night.total is None or night.target is None or (night.total < night.target) != night.low:
        return ""
    return f"{roll}{CLOSELY if close_score(night) else SPARE}{close_score(night)}."


def close_score(night: NightRoll) -> str:
    """Return in brackets what was thrown and needed, where it was close; empty where it was not, or nobody says it."""
    is_close = night.total is not None and night.target is not None and abs(night.total - night.target) <= CLOSE
    return in_brackets(score(night)) if is_close else ""


def score(night: NightRoll) -> str:
    """Return what was thrown and what was needed; empty where nobody says it."""
    return "" if night.total is None or night.target is None else f"{night.total} against {night.target}"


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
