"""The move list: every entry of a session with what came of it, by scene and by round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from cli.web.pages.content import BeforeCorrection, LaterOutcome, Mark, PageEntry, Variation
from cli.web.pages.marks import turn_signs
from cli.web.pages.markup import Html, element
from ledger.redaction.fact_redaction import SECRET

SPOKEN: Final = ("said", "pass")  # kinds of entries whose lines begin with who says them


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


def move_list(entries: Sequence[PageEntry], before: Iterable[Variation]) -> Iterator[Html]:
    """Yield the headings and the lists of entries."""
    yield from map(variation, before)
    for group in groups(entries, "Opening"):
        yield element(f"h{group.level}", None, group.title)
        yield element("ol", {"class": "lines"}, map(move, group.entries))


def move(entry: PageEntry) -> Html:
    """Return an entry as an item of the list: its id, its line, its results, and its variations."""
    link = element("a", {"href": f"#e{entry.id}"}, element("span", {"class": "id"}, entry.id), " ", line_of(entry))
    results = "; ".join(entry.results)
    of = ["of ", element("a", {"href": f"#e{entry.of}"}, entry.of), ": "] if entry.of else None
    parts = [
        element("div", {"class": "said"}, link, turn_signs(entry.turns), secret_label(entry)),
        correction(entry.corrected) if entry.corrected else None,
        element("p", {"class": "results"}, of, signs(entry.marks), results) if results else None,
        outcome(entry.outcome) if entry.outcome else None,
        *map(variation, entry.variations),
    ]
    return element("li", {"id": f"e{entry.id}", "class": f"entry {entry.kind}"}, parts)


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


def line_of(entry: PageEntry) -> Html:
    """Return the line of an entry, with the whole name where it begins with it, or with letters of one of its words."""
    if entry.kind == "quote":
        return element("q", {"class": "line"}, element("b", None, f"{entry.by}: "), entry.line)
    is_whole = entry.line.startswith(f"{entry.by} ")
    word, _, rest = (entry.by, "", entry.line[len(entry.by) + 1 :]) if is_whole else entry.line.partition(" ")
    is_part = word.isalpha() and any(part.startswith(word.casefold()) for part in entry.by.casefold().split())
    if entry.kind in SPOKEN and (is_whole or is_part):
        return element("span", {"class": "line"}, element("b", None, entry.by), f" {rest}")
    return element("span", {"class": "line"}, entry.line)


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
