"""The move list: every entry of a session with what came of it, by scene and by round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias

import msgspec

from cli.web.pages.content import BeforeCorrection, LaterOutcome, Mark, PageEntry, Variation
from cli.web.pages.hues import hue_class
from cli.web.pages.idle_entries import run_text, runs
from cli.web.pages.marks import TURN_SIGNS, turn_signs
from cli.web.pages.markup import Html, element
from cli.web.pages.throws import throw_lines
from ledger.facts import GM
from ledger.names import capital
from ledger.redaction.fact_redaction import SECRET

SPOKEN: Final = ("said", "pass")  # kinds of entries that say something in words
Hues: TypeAlias = Mapping[str, int]
NO_HUES: Final[Hues] = MappingProxyType({})


class Group(msgspec.Struct):
    """Entries below a heading: of a scene (level 3) or a round (level 4)."""

    level: int = 3
    title: str = ""
    entries: list[PageEntry] = []


def groups(entries: Iterable[PageEntry], first: str) -> list[Group]:
    """Return the entries by scene and round. A scene begins with its entry, a round behind the entry that begins it."""
    done = [Group(title=first)]
    for entry in entries:
        if entry.kind == "scene":
            done.append(Group(title=entry.line))
        done[-1].entries.append(entry)
        if entry.begins:
            done.append(Group(level=4, title=entry.begins))
    return [group for group in done if group.entries]


def move_list(entries: Sequence[PageEntry], before: Iterable[Variation], hues: Hues = NO_HUES) -> Iterator[Html]:
    """Yield the headings and the lists of entries; `hues` has the colours of those who speak."""
    yield from map(variation, before)
    for group in groups(entries, "Opening"):
        yield element(f"h{group.level}", None, group.title)
        yield element("ol", {"class": "lines"}, (run_or_move(run, hues) for run in runs(group.entries)))


def run_or_move(run: Sequence[PageEntry], hues: Hues) -> Html:
    """Return an entry as an item, or a run of those in which nothing happens as one item that opens."""
    if len(run) == 1:
        return move(run[0], hues)
    first, last = run[0].id, run[-1].id
    ids = element("span", {"class": "id"}, first)
    summary = element("summary", {"title": f"{first} to {last}"}, ids, " ", run_text(run))
    return element(
        "li",
        {"class": "run"},
        element("details", None, summary, element("ol", None, (move(entry, hues) for entry in run))),
    )


def move(entry: PageEntry, hues: Hues) -> Html:
    """Return an entry as an item of the list: its id, its line in words and as typed, its results, its variations."""
    link = element(
        "a", {"href": f"#e{entry.id}"}, element("span", {"class": "id"}, entry.id), " ", line_of(entry, hues)
    )
    results = "" if is_said_by_results(entry) else "; ".join(entry.results)
    of = ["of ", element("a", {"href": f"#e{entry.of}"}, entry.of), ": "] if entry.of else None
    parts = [
        element("div", {"class": "said"}, link, result_signs(entry), turn_signs(entry.turns), secret_label(entry)),
        correction(entry.corrected) if entry.corrected else None,
        element("p", {"class": "results"}, of, None if entry.told else signs(entry.marks), results)
        if results
        else None,
        throw_lines(entry.throws),
        outcome(entry.outcome) if entry.outcome else None,
        typed(entry),
        *map(variation, entry.variations),
    ]
    kinds = " ".join(
        ("entry", entry.kind, *(["idle"] if entry.idle else ["brief"] if entry.told or entry.quiet else []))
    )
    turn = entry.turns[0].kind if entry.turns else None
    return element("li", {"id": f"e{entry.id}", "class": kinds, "data-turn": turn}, parts)


def correction(corrected: BeforeCorrection) -> Html:
    """Return which entry corrected this one, and what it was."""
    line = element("s", None, corrected.line) if corrected.line else None
    between = ": " if corrected.line and corrected.results else ""
    link = element("a", {"href": f"#e{corrected.by}"}, corrected.by)
    return element(
        "p", {"class": "corrected"}, f"{corrected.how} by ", link, "; was: ", line, between, corrected.results
    )


def outcome(later: LaterOutcome) -> Html:
    """Return what came of an entry's roll when a later entry made it final."""
    link = element("a", {"href": f"#e{later.entry}"}, later.entry)
    return element("p", {"class": "outcome"}, "final in ", link, f": {'; '.join(later.results)}")


def secret_label(entry: PageEntry) -> Html | None:
    """Return the word for a line that was said in secret, so that nobody reads it out; `!!` may not be in its text."""
    return element("small", {"class": "label"}, "in secret") if entry.secret and entry.kind != SECRET else None


def is_said_by_results(entry: PageEntry) -> bool:
    """Return whether what came of a line says all of it: it has no words of its own."""
    is_spoken = entry.kind in SPOKEN and not entry.told
    return is_spoken and not entry.words and not entry.of and bool(entry.results)


def typed(entry: PageEntry) -> Html | None:
    """Return the line as it was typed, where the list has it in words."""
    is_in_words = bool(entry.words or entry.told) or is_said_by_results(entry)
    return element("p", {"class": "typed"}, element("code", None, entry.line)) if is_in_words and entry.line else None


def line_of(entry: PageEntry, hues: Hues) -> Html:
    """Return what an entry says: as the story tells it, or its line in words, or what came of it; a text as it is."""
    speaker = name_of(entry.by, hues)
    if entry.kind == "quote":
        return element("q", {"class": "line"}, speaker, ": ", entry.line)
    if is_said_by_results(entry):
        results = "; ".join(entry.results)
        own = [speaker, ": ", results] if entry.by != GM else capital(results)
        return element("span", {"class": "line"}, own)
    text = f"{capital(entry.told)}." if entry.told else capital(entry.words) or entry.line
    if entry.kind in SPOKEN and text.startswith(entry.by):
        return element("span", {"class": "line"}, speaker, text[len(entry.by) :])
    return element("span", {"class": "line"}, text)


def name_of(who: str, hues: Hues) -> Html:
    """Return a name, in the colour of its player if it has one."""
    hue = hue_class(who, hues)
    return element("b", {"class": f"who {hue}"} if hue else None, who)


def result_signs(entry: PageEntry) -> Html | None:
    """Return the signs of the results behind a line that tells them, without those that its turning points have too."""
    turns = {TURN_SIGNS[turn.kind][0] for turn in entry.turns}
    own = [mark for mark in entry.marks if mark.sign not in turns] if entry.told else []
    return element("span", {"class": "signs"}, signs(own)) if own else None


def signs(marks: Iterable[Mark]) -> Iterator[Html | str]:
    """Yield the signs of results, in their colours; their words are in the text behind."""
    for each in marks:
        yield element("span", {"class": f"mark {each.tone}", "aria-hidden": "true"}, each.sign or "●")
        yield " "


def variation(take: Variation) -> Html:
    """Return a take that does not count, closed until it is asked for."""
    why = element("span", {"class": "fate"}, f"superseded: {take.because}" if take.because else "superseded")
    named = element("span", {"class": "id"}, take.take)
    summary = element("summary", None, named, " ", element("s", None, take.line), " ", why)
    results = "; ".join(take.results)
    return element(
        "details", {"class": "variation"}, summary, element("p", {"class": "results"}, signs(take.marks), results)
    )
