"""The chronicle: a session as a story, with the state at its end and the tables behind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

import msgspec

from cli.story import parts
from cli.story.lead_text import entries_in, introduced, joined_falls, led_sentences, with_blows_before, without_lead
from cli.story.night_words import night_words
from cli.story.open_ends import open_lines
from cli.story.page import Page
from cli.story.party_words import loss_words
from cli.story.passages import OWN_WORDS, Passage, Sentence
from cli.story.runs import blows_run_together
from cli.story.style import Style
from cli.story.tables import cast_table, dice_lines, resource_table

ENTRY: Final = r"[0-9]+\.[0-9]+(?:\+[0-9]+)*"
ENTRIES: Final = re.compile(  # in brackets by themselves, or last in them
    rf" \((?P<alone>{ENTRY}(?:, {ENTRY})*)\)|, (?P<more>{ENTRY})\)"
)
NOTHING_OPEN: Final = "Nothing is left open."
NO_RULINGS: Final = "No rulings."


def chronicle(page: Page, style: Style) -> Iterator[str]:
    """Yield the chronicle line by line."""
    yield from style.heading(1, page_title(page, style))
    yield ""
    yield " · ".join([*date_part(page, style), *parts.players(page.party, style)])
    led = led_sentences(page, style)
    told = story_with_lead(page, led)
    yield from story_lines(told, style)
    margin = Margin(style, sum(map(has_note, told)))
    yield from parts.section(style, "Where things stand", map(margin.line, party_items(page, style)))
    yield from parts.section(style, "Open", map(margin.line, items_or(open_lines(page, style), NOTHING_OPEN, style)))
    decided = items_or(parts.decision_lines(page, style), NO_RULINGS, style)
    yield from parts.section(style, "Decided", map(margin.line, decided))
    yield from parts.section(style, "Corrected", items(parts.correction_lines(page, style), style))
    night = (f"{words}." for words in night_words(page, style, ()))
    yield from parts.section(style, "Roll of the night", night)
    yield from parts.section(style, "Cast", cast_table(page.cast, style))
    yield from parts.section(style, "Points and tokens", resource_table(page.resources, style))
    yield from parts.section(style, "Dice", items(dice_lines(page, style), style))
    yield from parts.section(style, "Notes", [*note_lines(told, style), *margin.notes])


class Margin:
    """Takes the numbers of entries out of the lines of lists, into notes.

    Attributes:
        notes: the notes, which go on with the numbers of those before them.

    Args:
        style: the form of the text.
        number: the notes before.
    """

    def __init__(self, style: Style, number: int) -> None:
        self.notes: list[str] = []
        self._style, self._number = style, number

    def line(self, text: str) -> str:
        """Return a line with the mark of a note in place of the entries in it."""
        found = ENTRIES.findall(text)
        if not found:
            return text
        self._number += 1
        self.notes.append(self._style.note(self._number, ", ".join(dict.fromkeys(filter(None, chain(*found))))))
        bare = ENTRIES.sub(lambda each: ")" if each["more"] else "", text)
        return f"{bare}{self._style.note_mark(self._number)}"


def story_with_lead(page: Page, led: Sequence[Sentence]) -> list[Passage]:
    """Return the lead and the story behind it. The lead has the arithmetic of the entries that it alone tells."""
    behind = blows_run_together(with_blows_before(joined_falls(without_lead(page, page.story, entries_in(page, led)))))
    story = [passage for passage in behind if passage.kind in OWN_WORDS or passage.sentences]
    kept = {note for passage in story for each in passage.sentences for note in each.notes}
    notes = tuple(note for passage in page.story for each in passage.sentences for note in each.notes)
    sentences = [msgspec.structs.replace(each, notes=()) for each in introduced(page, led)]
    if led:
        sentences[0] = msgspec.structs.replace(sentences[0], notes=tuple(note for note in notes if note not in kept))
    return [*([Passage(kind="", sentences=tuple(sentences))] if led else []), *story]


def page_title(page: Page, style: Style) -> str:
    """Return `Gutter Saints, session 2: The Lamp Room`."""
    number = f"session {page.session}" if page.session else "before the first session"
    return f"{style.text(page.campaign)}, {number}" + (f": {style.text(page.title)}" if page.title else "")


def date_part(page: Page, style: Style) -> list[str]:
    """Return the days of the session, and whether it goes on."""
    dates = [" to ".join(map(style.text, page.dates))] if page.dates else []
    return [*dates, *(["still open"] if page.open else [])]


def story_lines(passages: Iterable[Passage], style: Style) -> Iterator[str]:
    """Yield the story: scenes as headings, a blank line between paragraphs, each with the mark of its note.

    An encounter does not say the title of its scene again.
    """
    number, title = 0, ""
    for passage in passages:
        yield ""
        title = passage.text if passage.kind == "scene" else title
        if passage.kind == "encounter" and passage.text.casefold() == title.casefold():
            passage = msgspec.structs.replace(passage, kind="")
        number += has_note(passage)
        if passage.kind == "scene":
            yield from style.heading(2, style.text(passage.text))
        else:
            yield parts.paragraph(passage, style, style.note_mark(number) if has_note(passage) else "")


def note_lines(passages: Iterable[Passage], style: Style) -> Iterator[str]:
    """Yield the notes of a story: the arithmetic of each paragraph."""
    noted = filter(has_note, passages)
    for number, passage in enumerate(noted, 1):
        yield style.note(number, parts.notes_text(passage, style))


def has_note(passage: Passage) -> bool:
    """Return whether a paragraph tells entries."""
    return any(sentence.notes for sentence in passage.sentences)


def party_items(page: Page, style: Style) -> Iterator[str]:
    """Yield where everybody stands as a list."""
    before = parts.starts(page, causes=True)
    dead = {loss.who for loss in page.lost}
    party = sorted((each for each in page.party if each.who not in dead), key=lambda each: not each.down)
    yield from items((parts.member_line(each, style, before) for each in party), style)
    yield from items(parts.unlisted_lines(page.unlisted, 1), style)
    yield from items((f"{heading}: {', '.join(who)}" for heading, who in loss_words(page, style, entries=True)), style)


def items_or(lines: Iterable[str], none: str, style: Style) -> Iterator[str]:
    """Yield lines as a list, or a sentence that there are none."""
    yield from list(items(lines, style)) or [none]


def items(lines: Iterable[str], style: Style) -> Iterator[str]:
    """Yield lines as a list."""
    yield from map(style.item, lines)
