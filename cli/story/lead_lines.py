"""The lead of a page: the moment of the evening, who fell, and what is open, in three lines that are read at a glance.

Each line is the fullest of several ways to say it that has room; what it leaves out stands where it leads to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Final

import msgspec

from cli.story.lead_falls import fall_ways
from cli.story.lead_parts import LeadPart, Parts, entry_address, fullest, text_of
from cli.story.line_words import with_small_articles
from cli.story.open_ends import last_rulings, leaves_more, open_threads, ruling_words
from cli.story.page import Page
from cli.story.parts import brief_news, thread_lines
from cli.story.plain_words import small_start
from cli.story.style import STYLES
from projections.recap.threads import AT_LARGE

PLAIN: Final = STYLES["text"]
OPEN_MOST: Final = 2  # things
LINK: Final = re.compile(r"^(?:With that|Then) ")  # to the sentence before
LINKS: Final = ("With that ", "Then ", "The ")  # words with a capital letter only where they begin a sentence
FIGHT_OVER: Final = re.compile(
    r', and (?:with that |in the end )?(?P<end>(?:the fight|it) was \w+) \((?P<said>"[^"]+")\)'
)
OVER: Final = "over"  # an end that says no more than people's own words
BRACKETS: Final = re.compile(r" \([^()]*\)")
NO_CUT, NO_END, NO_BRACKETS = 0, 1, 2  # what is left out of a sentence: one of two ends of the fight; all remarks
CUTS: Final = (NO_CUT, NO_END, NO_BRACKETS)
OPEN: Final = "#open"  # where the page says what is open


class LeadLine(msgspec.Struct, frozen=True):
    """A line of the lead: its name, and its parts."""

    name: str
    parts: tuple[LeadPart, ...]

    @property
    def text(self) -> str:
        """The line without its name."""
        return text_of(self.parts)


def lead_lines(page: Page) -> list[LeadLine]:
    """Return the lines of the lead. An open session has none, and so has what stands before the first session."""
    if page.open or not page.session:
        return []
    who_fell = fall_ways(page) if any(fall.kind != "left" for fall in page.falls) else bloodless_ways(page)
    lines = (("The moment", moment_ways(page)), ("Who fell", who_fell), ("Open", open_ways(page)))
    told = [LeadLine(name, tuple(fullest(ways))) for name, ways in lines]
    return [line for line in told if line.parts]


def moment_ways(page: Page) -> Iterator[Parts]:
    """Yield the ways to say what turned the evening, each with less and less behind it."""
    for sentence, cut in product((*page.lead[:1], *page.moment), CUTS):
        yield [LeadPart(LINK.sub("", with_cut(sentence.text, cut)), entry_address(sentence.entries[0]))]


def with_small_link(text: str, index: int) -> str:
    """Return a sentence behind a semicolon: no capital letter for words that link it to the one before, if any is."""
    if not index:
        return LINK.sub("", text)
    return text[:1].lower() + text[1:] if text.startswith(LINKS) else text


def with_cut(text: str, cut: int) -> str:
    """Return a sentence without a part of it."""
    if cut == NO_BRACKETS:
        return BRACKETS.sub("", text)
    return FIGHT_OVER.sub(one_end, text) if cut == NO_END else text


def one_end(found: re.Match[str]) -> str:
    """Return the end of a fight said once: in people's own words where it was only over."""
    return f": {found['said']}" if found["end"].endswith(OVER) else f", and {found['end']}"


def bloodless_ways(page: Page) -> Iterator[Parts]:
    """Yield the ways to say that nobody fell, and what was ruled at the end of the evening."""
    rulings = [each for each in page.lead if each.is_ruling][: 1 if len(page.lead) > 1 else 0]
    for ruling, cut in product(rulings, CUTS):
        text = small_start(with_cut(ruling.text, cut).replace('"', "").removesuffix("."))
        yield [LeadPart("nobody"), LeadPart(text, entry_address(ruling.entries[0]))]
    if not rulings:
        yield [LeadPart("nobody")]


def open_ways(page: Page) -> Iterator[Parts]:
    """Yield the ways to say what is open, the first of it and how much more there is."""
    items = [LeadPart(text, OPEN) for text in open_items(page)] or [LeadPart("nothing")]
    for most in range(OPEN_MOST, 0, -1):
        more = len(items) - most
        told = [msgspec.structs.replace(each, text=with_small_link(each.text, at)) for at, each in enumerate(items)]
        yield [
            *told[:most],
            *([LeadPart(f"{more} more", OPEN, " and " if most == 1 else "; and ")] if more > 0 else []),
        ]


def open_items(page: Page) -> list[str]:
    """Return what is unfinished at the end or ruled to be so, and how those of the others are who have not died."""
    fallen = {fall.who for fall in page.falls if fall.kind != "left"}  # which the line before tells
    threads = open_threads(page)
    known = [thread for thread in threads if thread.kind == AT_LARGE]
    about = [thread for thread in known if not (thread.down and thread.who in fallen)]
    others = [thread for thread in threads if thread.kind != AT_LARGE]
    lines = [ruling_words(each, PLAIN) for each in last_rulings(page) if leaves_more(each)]
    lines += [*thread_lines(others, PLAIN, page.called, brief=True)]
    lines += [brief_news(thread, PLAIN, page.called, entries=False) for thread in about]
    return [*map(with_small_articles, lines)]
