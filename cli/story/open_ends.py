"""What a table ruled in so many words, and what of it is still open at the end of a session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from cli.phrases.parts import in_brackets
from cli.story.page import Page
from cli.story.parts import NO_CALLED, brief_news, thread_lines
from cli.story.plain_words import plain_words, says_more, several_of_a_kind, small_start
from cli.story.style import Style
from ledger.facts import EntryId, parse_entry_id
from ledger.names import capital, word_list
from projections.recap.events import RULING, RulingEvent
from projections.recap.threads import AT_LARGE, Thread


def ruling_words(ruling: RulingEvent, style: Style, *, reason: bool = False) -> str:
    """Return a ruling as a list has it: without its end, a first word that is no name in small letters.

    `reason`: with the one that people gave.
    """
    because = style.text(ruling.because.rstrip(".")) if reason else ""
    return small_start(style.text(ruling.text).rstrip(".")) + in_brackets(because)


def leaves_more(ruling: RulingEvent) -> bool:
    """Return whether a ruling leaves something to come; any other is only decided."""
    return says_more(ruling.text)


def last_rulings(page: Page) -> list[RulingEvent]:
    """Return the rulings in so many words that hold for the campaign, and what was ruled once behind the last fight.

    What came of a failure is no news at the end: the story tells it there.
    """
    costs = {
        entry
        for each in page.story
        if each.kind != RULING
        for sentence in each.sentences
        if sentence.is_ruling
        for entry in sentence.entries
    }
    fights = [entry for each in page.story if each.fight for sentence in each.sentences for entry in sentence.entries]
    last = max(map(parse_entry_id, fights), default=None)
    own = [ruling for ruling in page.rulings if ruling.name == RULING and ruling.text and ruling.entry not in costs]
    return [each for each in own if each.scope == "campaign" or (each.scope != "session" and is_behind(each, last))]


def is_behind(ruling: RulingEvent, last: EntryId | None) -> bool:
    """Return whether a ruling was made behind the last entry of a fight, if there was any."""
    return last is not None and parse_entry_id(ruling.entry) > last


def open_threads(page: Page, *, settled: bool = False) -> list[Thread]:
    """Return the open threads, but those of whom one of the rulings that are open says enough.

    How somebody is who gave up, or stands and is hurt, no ruling says. `settled`: only one that says for certain what
    became of them.
    """
    listed = {ruling.entry for ruling in last_rulings(page)}
    return [
        each
        for each in page.threads
        if each.last_entry not in listed
        or not each.ruled
        or (settled and not each.settled)
        or (each.status and not settled)
        or is_left_so(each)
    ]


def is_left_so(thread: Thread) -> bool:
    """Return whether somebody gave up, or stands and is hurt."""
    return (
        thread.kind == AT_LARGE
        and not thread.down
        and (thread.gave_up or bool({*thread.names} - {plain_words().health[0]}))
    )


def open_lines(page: Page, style: Style) -> Iterator[str]:
    """Yield the rulings that are open, each with its entry, and then the other open threads."""
    for ruling in filter(leaves_more, last_rulings(page)):
        yield f"{capital(ruling_words(ruling, style))} ({style.text(ruling.entry)})"
    yield from thread_lines(open_threads(page, settled=True), style, page.called)


def said_lines(
    threads: Iterable[Thread], style: Style, called: Mapping[str, str] = NO_CALLED, told: str = ""
) -> Iterator[str]:
    """Yield those of whom something was said last, each with how they are, and what it was unless it is `told`."""
    said = dict[str, list[str]]()
    for thread in threads:
        if thread.status:
            said.setdefault(thread.status, []).append(brief_news(thread, style, called, entries=False))
    for text, who in said.items():
        yield word_list(several_of_a_kind(who)) + (f": {style.text(text)}" if text not in told else "")
