"""Recaps over all sessions as text: the story of one character, and the campaign on one page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from cli.questions.state_at import as_one_word
from cli.story.chronicle import items
from cli.story.history import RECENT, CampaignPage, Chapter, CharacterPage
from cli.story.parts import loss_lines, member_line, name, paragraph, ruling_line, section, thread_lines, unlisted_lines
from cli.story.passages import Passage
from cli.story.selection import Needs, merged_paragraphs, paragraphs, short_story, without_outcomes
from cli.story.style import Style

MANY: Final = 40  # sessions of which a list is too long for a page
LISTED: Final = 12
LAST_TIME: Final = 1500  # characters of what happened last time


def character_lines(page: CharacterPage, style: Style) -> Iterator[str]:
    """Yield the story of a being line by line, session by session."""
    player = f" ({style.text(page.member.player)})" if page.member.player else ""
    yield from style.heading(1, f"{name(page.who, style)}{player}")
    yield ""
    yield style.text(page.campaign)
    if not page.whole:
        last = page.chapters[-1].session if page.chapters else 1
        one = f"campaign recap {last} --character {as_one_word(page.who)}"
        yield ""
        yield style.text(f"The gravest moments of {page.sessions} sessions. All of one: {one}")
    for chapter in page.chapters:
        yield ""
        yield from style.heading(2, chapter_title(chapter, style))
        yield from chapter_lines(chapter.story, style)
    yield from section(style, "Now", items([member_line(page.member, style)], style))


def chapter_title(chapter: Chapter, style: Style) -> str:
    """Return `Session 2: The Lamp Room`."""
    number = f"Session {chapter.session}" if chapter.session else "Before the first session"
    return number + (f": {style.text(chapter.title)}" if chapter.title else "")


def when_told(chapter: Chapter) -> str:
    """Return what the story of the last session is called: that of an open session is not over."""
    return "So far" if chapter.open else "Last time"


def chapter_lines(passages: Iterable[Passage], style: Style) -> Iterator[str]:
    """Yield the passages of a session, with its scenes one level below."""
    for passage in merged_paragraphs(passages):
        yield ""
        if passage.kind == "scene":
            yield from style.heading(3, style.text(passage.text))
        else:
            yield paragraph(passage, style)


def campaign_lines(page: CampaignPage, style: Style) -> Iterator[str]:
    """Yield the campaign on one page: last time, where everybody stands, what is open and what holds."""
    yield from style.heading(1, style.text(page.campaign))
    left = [*(member_line(each, style) for each in page.party), *unlisted_lines(page.unlisted, RECENT)]
    left += loss_lines(page.last.lost, style)
    about = list(thread_lines(page.threads, style, brief=True))
    last = list(paragraphs(last_time(page, style, [*left, *about]), style))
    yield from section(style, f"{when_told(page.last)} ({chapter_title(page.last, style)})", last[1:])
    yield from section(style, "Where things stand", items(left, style))
    yield from section(style, "Open", items(about, style))
    rulings = (ruling_line(ruling, style) for ruling in page.rulings)
    answers = map(style.text, page.answers)
    yield from section(style, "Decided", items([*answers, *rulings], style))
    yield from section(style, "Sessions", items(session_lines(page.chapters, style), style))


def last_time(page: CampaignPage, style: Style, tail: Sequence[str] = ()) -> list[Passage]:
    """Return what mattered most in the last session, without what the `tail` of the page tells."""
    lost = frozenset(loss.who for loss in page.last.lost if tail)
    return short_story(list(without_outcomes(page.last.story, tail, style)), style, LAST_TIME, Needs(lost=lost))


def session_lines(chapters: Sequence[Chapter], style: Style) -> Iterator[str]:
    """Yield the sessions. If there are many, the older ones come year by year."""
    older = chapters[:-LISTED] if len(chapters) > MANY else ()
    for year, own in groupby(older, key=lambda chapter: chapter.dates[0][:4] if chapter.dates else ""):
        numbers = [chapter.session for chapter in own]
        first, last = numbers[0], numbers[-1]
        told = f"Session {first}" if first == last else f"Sessions {first} to {last}"
        yield told + (f" ({style.text(year)})" if year else "")
    for chapter in chapters[len(older) :]:
        yield session_line(chapter, style)


def session_line(chapter: Chapter, style: Style) -> str:
    """Return a session in a list."""
    dates = f" ({' to '.join(map(style.text, chapter.dates))})" if chapter.dates else ""
    return chapter_title(chapter, style) + dates
