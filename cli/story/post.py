"""The post: one message of a chat, in less than 2,000 characters for any session, or in less than 500.

It begins with the moment of the evening, keeps people's own words before single blows, and ends with how everybody
stands and what is open. Entries and corrections are for the chronicle.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final

import msgspec

from cli.phrases.verbs import OBJECTS, PREPOSITIONS
from cli.story.chronicle import page_title
from cli.story.page import Page
from cli.story.parts import HEADS, chance_words, name, night_line, players, sentence_line, thread_lines
from cli.story.party_words import loss_words, standing_lines
from cli.story.passages import Passage, Sentence, kept_sentences
from cli.story.selection import NEEDED, Needs, length, paragraphs, short_story, without_outcomes
from cli.story.style import Style
from ledger.facts import GM, parse_entry_id
from ledger.names import capital, plural, word_list
from projections.recap.events import RULING, RulingEvent

MOST: Final = 1999  # characters of a message
SHORT: Final = 499
TITLE: Final = 200
LEAD: Final = 500
PART: Final = 400  # characters of each part at the end
VERBS: Final = {"died": "died", "fell": "fell"}
SHORT_TITLE, SHORT_LEAD, SHORT_PART = 120, 200, 120


def post(page: Page, style: Style) -> Iterator[str]:
    """Yield the post line by line; with the line feeds it has less than 2,000 characters."""
    head = [title(page, style, TITLE)]
    lead = lead_text(page, style, LEAD)
    head += ["", lead] if lead else []
    tail = list(ending(page, style, PART))
    needs = Needs(
        low=frozenset(low_values(page)),
        pools=frozenset((each.who, level.name) for each in page.party for level in each.pools),
        lost=frozenset(loss.who for loss in page.lost),
        called=page.called,
    )
    yield from head
    told = {entry for sentence in page.lead if sentence.text in lead for entry in sentence.entries}
    told |= {ruling.entry for ruling in last_rulings(page) if ruling_words(ruling, style) in "".join(tail)}
    story = list(without_outcomes(without_lead(page, told), tail, style, page.called))
    yield from paragraphs(short_story(story, style, MOST - length([*head, *tail]), needs), style, page.called)
    yield from tail


def without_lead(page: Page, told: Collection[str]) -> Iterator[Passage]:
    """Yield the story. Where the lead tells the entries of a sentence, only who fell stays, in two words."""
    for passage in page.story:
        kept = [not is_in(each, told) or bool(falls_in(page, each)) for each in passage.sentences]
        sentences = kept_sentences(passage.sentences, kept)
        short = [in_two_words(page, each) if is_in(each, told) else each for each in sentences]
        yield msgspec.structs.replace(passage, sentences=tuple(one_for_each(short, told)))


def one_for_each(sentences: Iterable[Sentence], told: Collection[str]) -> Iterator[Sentence]:
    """Yield sentences; two in a row that say in two words what became of one being are one: `Quill fell and died`."""
    last: Sentence | None = None
    for sentence in sentences:
        name, _, verb = sentence.text.rpartition(" ")
        if last and is_in(last, told) and is_in(sentence, told) and last.text.startswith(f"{name} "):
            both = f"{last.text} and {verb}"
            last = msgspec.structs.replace(last, text=both, entries=last.entries + sentence.entries)
            continue
        yield from [last] if last else []
        last = sentence
    yield from [last] if last else []


def is_in(sentence: Sentence, told: Collection[str]) -> bool:
    """Return whether a sentence has nothing but these entries."""
    return {*sentence.entries} <= {*told}


def falls_in(page: Page, sentence: Sentence) -> dict[str, list[str]]:
    """Return who fell or died in a sentence, as the story calls them, by the verb for it."""
    done = dict[str, list[str]]()
    for fall in page.falls:
        if fall.entry in sentence.entries and fall.kind in VERBS:
            done.setdefault(VERBS[fall.kind], []).append(page.called.get(fall.who, fall.who))
    return done


def in_two_words(page: Page, sentence: Sentence) -> Sentence:
    """Return a sentence that says only who fell."""
    acts = [f"{word_list(who)} {verb}" for verb, who in falls_in(page, sentence).items()]
    text = capital(word_list(acts))
    short = {"text": text, "alone": "", "outcome": "", "harms": (), "changes": ()}
    return msgspec.structs.replace(sentence, **short, weight=NEEDED)


def short_post(page: Page, style: Style) -> Iterator[str]:
    """Yield the title, the moment and how everybody stands; with the line feeds less than 500 characters."""
    lines = [style.strong(fitting([page_title(page, style)], SHORT_TITLE, ", ") or f"Session {page.session}")]
    lead = lead_text(page, style, SHORT_LEAD)
    more = [lead] if lead else []
    for line in [*more, *(line for line in ending(page, style, SHORT_PART, brief=True) if line)]:
        if length([*lines, line]) <= SHORT:
            lines.append(line)
    yield from lines


def low_values(page: Page) -> set[tuple[str, str]]:
    """Return what the characters lack at the end, with whose it is; all of those who are wounded."""
    pools = ((each.who, level) for each in page.party for level in each.pools if each.who != GM)
    low = {(who, level.name) for who, level in pools if level.most is not None and level.now < level.most}
    return low | {(each.who, "") for each in page.party if each.wounds}


def title(page: Page, style: Style, most: int) -> str:
    """Return the title and who plays whom."""
    whole = style.strong(fitting([page_title(page, style)], most, ", ") or f"Session {page.session}")
    played = fitting(players(page.party, style), most, ", ")
    return whole + (f" ({played})" if played else "")


def lead_text(page: Page, style: Style, most: int) -> str:
    """Return the moment of the evening and who fell, as many whole sentences as have room."""
    told = list[Sentence]()
    for sentence in page.lead:
        if length([lead_line([*told, sentence], style)]) <= most:
            told.append(sentence)
    return lead_line(told, style)


def lead_line(sentences: Iterable[Sentence], style: Style) -> str:
    """Return sentences as a paragraph."""
    lines = (sentence_line(each, style, begins=not index) for index, each in enumerate(sentences))
    return " ".join(lines)


def ending(page: Page, style: Style, most: int, *, brief: bool = False) -> Iterator[str]:
    """Yield how everybody stands, what is open, the roll of the night, and how much was corrected."""
    corrected = sum(not each.is_slip for each in page.corrections) + len(page.claims)
    parts = {
        "Now": ("; ", standing_lines(page, style, brief=brief)),
        **{heading: (", ", who) for heading, who in loss_words(page, style)},
        "Open": ("; ", open_lines(page, style, brief=brief)),
        "Roll of the night": ("", night_words(page, style)),
        "Corrected": ("", [plural(corrected, "entry", "entries")] if corrected else []),
    }
    for heading, (between, lines) in parts.items():
        text = fitting(filter(None, lines), most, between)
        if text:
            yield ""
            yield f"{style.strong(f'{heading}:')} {text}."


def open_lines(page: Page, style: Style, *, brief: bool) -> list[str]:
    """Return what is open: what was ruled last, and who of the others is still about but those it was ruled of."""
    rulings = [] if brief else last_rulings(page)
    ruled = {ruling.entry for ruling in rulings}
    threads = [thread for thread in page.threads if not (thread.ruled and thread.last_entry in ruled)]
    lines = [
        *(ruling_words(ruling, style) for ruling in rulings),
        *thread_lines(threads, style, page.called, brief=True, entries=False),
    ]
    return [with_small_head(line) if index else line for index, line in enumerate(lines)] or ["nothing"]


def with_small_head(line: str) -> str:
    """Return a part of a list behind others: its heading begins with a small letter, a name does not."""
    return line[:1].lower() + line[1:] if line.startswith(HEADS) else line


def ruling_words(ruling: RulingEvent, style: Style) -> str:
    """Return a ruling as a list has it: without its end, a first word that is no name in small letters."""
    text = style.text(ruling.text).rstrip(".")
    is_name = text.partition(" ")[0].casefold() not in OBJECTS | PREPOSITIONS
    return text if is_name else text[:1].lower() + text[1:]


def last_rulings(page: Page) -> list[RulingEvent]:
    """Return the rulings in so many words that hold for the campaign, or were made behind the last fight."""
    fights = [entry for each in page.story if each.fight for sentence in each.sentences for entry in sentence.entries]
    last = max(map(parse_entry_id, fights), default=None)
    own = [ruling for ruling in page.rulings if ruling.name == RULING and ruling.text]
    return [each for each in own if each.scope == "campaign" or not last or parse_entry_id(each.entry) > last]


def night_words(page: Page, style: Style) -> Iterator[str]:
    """Yield the roll of the night, in a sentence or by whose it is, and how rare it was."""
    if page.night is not None:
        yield (night_line(page, style) or f"{name(page.night.who, style)}.{chance_words(page.night)}").rstrip(".")


def fitting(parts: Iterable[str], most: int, between: str) -> str:
    """Return as many whole parts as have room, and how many are left out; a part too long by itself is left out."""
    kept, left_out = list[str](), 0
    for part in parts:
        if left_out or len(between.join([*kept, part])) > most:
            left_out += 1
        else:
            kept.append(part)
    more = [f"{left_out} more"] if left_out and kept else []
    return between.join([*kept, *more])
