"""The lead of a session that is over: the moment of the evening, who fell, and what is open, in links."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Final

import msgspec

from cli.phrases.parts import in_brackets, readable
from cli.story.lead import BEFORE
from cli.story.line_words import with_small_articles
from cli.story.open_ends import last_rulings, leaves_more, open_threads, ruling_words
from cli.story.parts import NO_CALLED, brief_news, thread_lines
from cli.story.passages import as_alone
from cli.story.plain_words import cardinal, plural_noun
from cli.web.pages.content import SessionPage
from cli.web.pages.markup import Html, element, linked
from cli.web.pages.story import PLAIN
from ledger.names import capital, word_list
from projections.recap.falls import GRAVITY, Fall
from projections.recap.threads import AT_LARGE

FALLS: Final = {"died": ("died", "by"), "fell": ("fell", "to")}  # alone, and what stands before who did it
OTHERS_MOST: Final = 2  # who are no characters, each with who brought them down
NAMED_MOST: Final = 3  # of more than these, by name
ABOUT_MOST: Final = 4
LINKS: Final = ("With that ", "Then ", "The ")  # words with a capital letter only where they begin a sentence
ONE_OF_KIND: Final = re.compile(r"the \w+ (?P<kind>.+)")
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
        return capital("; ".join(part.text for part in self.parts))


def lead_lines(page: SessionPage) -> list[LeadLine]:
    """Return the lines of the lead. An open session has none, and so has what stands before the first session."""
    if page.recap.open or not page.recap.session:
        return []
    lines = (("The moment", moment(page)), ("Who fell", falls(page)), ("Open", open_parts(page)))
    return [LeadLine(name, tuple(parts)) for name, parts in lines if parts]


def moment(page: SessionPage) -> list[LeadPart]:
    """Return what turned the evening, as its post begins with it, without what came before that."""
    turned = map(as_alone, takewhile(lambda told: not told.text.startswith(BEFORE), page.recap.lead))
    return [
        LeadPart(
            with_small_link(PLAIN.text(told.text)) if index else PLAIN.text(told.text), entry_address(told.entries[0])
        )
        for index, told in enumerate(turned)
    ]


def with_small_link(text: str) -> str:
    """Return a sentence behind a semicolon: no capital letter for words that link it to the one before."""
    return text[:1].lower() + text[1:] if text.startswith(LINKS) else text


def falls(page: SessionPage) -> list[LeadPart]:
    """Return who died and who fell, each once, the players' own and the dead first. Many others are in one part."""
    own = {member.who: member.conditions for member in page.recap.party}
    about = {thread.who: thread.names for thread in page.recap.threads if thread.kind == AT_LARGE}
    gravest = dict[str, Fall]()
    for fall in sorted(page.recap.falls, key=lambda fall: (fall.who not in own, GRAVITY.index(fall.kind))):
        if fall.kind in FALLS:
            gravest.setdefault(fall.who, fall)
    party = [fall for fall in gravest.values() if fall.who in own]
    others = [fall for fall in gravest.values() if fall.who not in own]
    alone = others if len(others) <= OTHERS_MOST else []
    parts = [
        LeadPart(fall_text(fall, {**about, **own}.get(fall.who, ()), page.recap.called), entry_address(fall.entry))
        for fall in (*party, *alone)
    ]
    return [*parts, *(groups(others, page.recap.called) if not alone else ())] or [LeadPart("nobody")]


def groups(fallen: Sequence[Fall], called: Mapping[str, str]) -> Iterator[LeadPart]:
    """Yield those of the others who died in one part, and those who fell in another."""
    for kind, (verb, _) in FALLS.items():
        own = in_kinds([called_name(who, called) for who in sorted(fall.who for fall in fallen if fall.kind == kind)])
        if own:
            named = own if len(own) <= NAMED_MOST else [*own[:NAMED_MOST], f"{len(own) - NAMED_MOST} more"]
            yield LeadPart(f"{word_list(named)} {verb}", LINES)


def in_kinds(named: Sequence[str]) -> list[str]:
    """Return names with the number of several of a kind: `two ratcatchers` for the first and the second."""
    kinds = [found["kind"] if (found := ONE_OF_KIND.fullmatch(each)) else each for each in named]
    many = Counter(kinds)
    told = {each: f"{cardinal(many[each])} {plural_noun(each)}" for each in many if many[each] > 1}
    return list(dict.fromkeys(told.get(kind, name) for kind, name in zip(kinds, named, strict=True)))


def called_name(who: str, called: Mapping[str, str]) -> str:
    """Return what a story calls somebody, to stand inside a sentence."""
    return PLAIN.text(called.get(who, who))


def fall_text(fall: Fall, now: Sequence[str], called: Mapping[str, str] = NO_CALLED) -> str:
    """Return who fell, by whom, and how they are `now`: `Maren fell to Hob and came round`."""
    alone, by = FALLS[fall.kind]
    doers = [called_name(who, called) for who in fall.by]
    why = f" {by} {word_list(doers)}" if doers else in_brackets(PLAIN.text(fall.because))
    is_dead = fall.kind == GRAVITY[0]
    is_so = fall.lasting and fall.name in now  # with what belongs to it: who is dying is unconscious
    states = [fall.name] if is_so or (fall.lasting and not now) else now
    state = word_list([PLAIN.text(readable(each)) for each in states])
    end = "" if is_dead else f" and is {state}" if state else " and came round"
    verb = "was killed" if fall.by and is_dead else alone
    return with_small_articles(f"{called_name(fall.who, called)} {verb}{why}{end}")


def open_parts(page: SessionPage) -> list[LeadPart]:
    """Return what is unfinished at the end or ruled to be so, and how those of the others are who have not died."""
    fallen = {fall.who for fall in page.recap.falls if fall.kind in FALLS}  # which the line before tells
    threads = open_threads(page.recap)
    known = [thread for thread in threads if thread.kind == AT_LARGE]
    about = [thread for thread in known if not (thread.down and thread.who in fallen)]
    others = [thread for thread in threads if thread.kind != AT_LARGE]
    called = page.recap.called
    lines = [ruling_words(each, PLAIN) for each in last_rulings(page.recap) if leaves_more(each)]
    lines += [*thread_lines(others, PLAIN, called, brief=True)]
    lines += [brief_news(thread, PLAIN, called, entries=False) for thread in about[:ABOUT_MOST]]
    lines += [f"{len(about) - ABOUT_MOST} more"] if len(about) > ABOUT_MOST else []
    lines = [with_small_link(line) if index else line for index, line in enumerate(lines)]
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
    """Yield the parts of a line as links, in one sentence."""
    for index, part in enumerate(line.parts):
        yield linked(part.text if index else capital(part.text), part.address)
        yield "; " if part is not line.parts[-1] else "."


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
