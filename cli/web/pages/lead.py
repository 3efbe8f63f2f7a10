"""The lead of a session that is over: the moment of the evening, who fell, and what is open, in links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from cli.phrases.facts import in_brackets, readable
from cli.story.line_words import with_small_articles
from cli.story.parts import brief_news, thread_lines
from cli.story.passages import as_alone
from cli.web.pages.content import SessionPage
from cli.web.pages.markup import Html, element, linked
from cli.web.pages.story import PLAIN
from ledger.names import word_list
from projections.recap.falls import GRAVITY, Fall
from projections.recap.threads import AT_LARGE

FALLS: Final = {"died": ("died", "by"), "fell": ("fell", "to")}  # alone, and what stands before who did it
FALLS_MOST: Final = 4  # that are named
ABOUT_MOST: Final = 6
OPEN: Final = "#open"  # where the page says what is open
LINES: Final = "#lines"
DESCRIPTION_MOST: Final = 300  # letters


class LeadPart(msgspec.Struct, frozen=True):
    """A part of a line: a text, and the address that it leads to."""

    text: str
    address: str = ""


class LeadLine(msgspec.Struct, frozen=True):
    """A line of the lead: its name, and its parts."""

    name: str
    parts: tuple[LeadPart, ...]

    @property
    def text(self) -> str:
        """The line without its name."""
        return "; ".join(part.text for part in self.parts)


def lead_lines(page: SessionPage) -> list[LeadLine]:
    """Return the lines of the lead; none of a session that goes on, and of what is before the first."""
    if page.recap.open or not page.recap.session:
        return []
    lines = (("The moment", moment(page)), ("Who fell", falls(page)), ("Open", open_parts(page)))
    return [LeadLine(name, tuple(parts)) for name, parts in lines if parts]


def moment(page: SessionPage) -> list[LeadPart]:
    """Return what turned the evening, as its post begins with it."""
    return [
        LeadPart(PLAIN.text(told.text), entry_address(told.entries[0])) for told in map(as_alone, page.recap.lead[:1])
    ]


def falls(page: SessionPage) -> list[LeadPart]:
    """Return who died and who fell, each once and in order. Of many, the players' own and the dead are named."""
    own = {member.who for member in page.recap.party}
    found = dict[str, tuple[tuple[bool, int, int], LeadPart]]()  # by name
    for index, fall in enumerate(page.recap.falls):
        rank = (fall.who not in own, GRAVITY.index(fall.kind), index)
        if fall.kind in FALLS and (fall.who not in found or rank < found[fall.who][0]):
            found[fall.who] = rank, LeadPart(fall_text(fall), entry_address(fall.entry))
    heaviest = sorted(found.values(), key=lambda pair: pair[0])
    shown = sorted(heaviest[:FALLS_MOST], key=lambda pair: pair[0][2])
    more = [LeadPart(f"{len(heaviest) - FALLS_MOST} more", LINES)] if len(heaviest) > FALLS_MOST else []
    return [*(part for _, part in shown), *more] or [LeadPart("nobody")]


def fall_text(fall: Fall) -> str:
    """Return who fell, by whom, and how it ended: `Maren fell to Hob and got up again`."""
    alone, by = FALLS[fall.kind]
    why = f" {by} {word_list([*map(PLAIN.text, fall.by)])}" if fall.by else in_brackets(PLAIN.text(fall.because))
    is_dead = fall.kind == GRAVITY[0]
    end = "" if is_dead else f" and is {PLAIN.text(readable(fall.name))}" if fall.lasting else " and got up again"
    verb = "was killed" if fall.by and is_dead else alone
    return with_small_articles(f"{PLAIN.text(fall.who)} {verb}{why}{end}")


def open_parts(page: SessionPage) -> list[LeadPart]:
    """Return what is unfinished at the end, and how those of the others are who have not died."""
    about = [thread for thread in page.recap.threads if thread.kind == AT_LARGE]
    others = [thread for thread in page.recap.threads if thread.kind != AT_LARGE]
    lines = [*thread_lines(others, PLAIN, brief=True)]
    lines += [brief_news(thread, PLAIN, entries=False) for thread in about[:ABOUT_MOST]]
    lines += [f"{len(about) - ABOUT_MOST} more"] if len(about) > ABOUT_MOST else []
    return [LeadPart(with_small_articles(line), OPEN) for line in lines] or [LeadPart("nothing")]


def entry_address(entry: str) -> str:
    """Return where an entry stands on its page."""
    return f"#e{entry}"


def lead(page: SessionPage) -> Html:
    """Return the lead; its place is there also without any."""
    return element("section", {"id": "lead", "aria-label": "In short"}, *list_of(lead_lines(page)))


def list_of(lines: Sequence[LeadLine]) -> Iterator[Html]:
    """Yield the lines as a list of names and what they say."""
    if lines:
        rows = ([element("dt", None, line.name), element("dd", None, joined_parts(line))] for line in lines)
        yield element("dl", None, rows)


def joined_parts(line: LeadLine) -> Iterator[Html | str]:
    """Yield the parts of a line as links, each in a row of its own."""
    for part in line.parts:
        yield element("div", None, linked(part.text, part.address))


def description(page: SessionPage) -> str:
    """Return what a pasted link to the page shows. The link of the game master's page shows nothing that is in it."""
    if page.role == "gm":
        return "The game master's view of this session."
    text = ". ".join(f"{line.name}: {line.text}" for line in lead_lines(page))
    if not text:
        return "A session as it was played, entry by entry."
    return shortened(text)


def shortened(text: str) -> str:
    """Return a text as it is shown where a link is pasted."""
    return text if len(text) <= DESCRIPTION_MOST else f"{text[: DESCRIPTION_MOST - 1]}…"
