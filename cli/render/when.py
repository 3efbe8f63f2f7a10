"""The stretches in which a comparison held, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from cli.output import align_columns, paint
from cli.phrases.entries import INDENT, heading
from cli.phrases.value_names import ValueNames
from cli.questions.when import StretchAnswer
from cli.render.csv import csv_objects
from cli.render.who import change_json, change_row, value_text
from ledger.facts import EntryId
from ledger.names import escape
from ledger.projection import Value
from projections.query import Stretch, format_question, value_names
from projections.value_history import ValueChange
from rulebooks.common.texts import Wording

WORDS_MOST: Final = 6


def answer_json(answer: StretchAnswer, shown: Sequence[Stretch]) -> dict[str, object]:
    """Return an answer with these stretches for JSON."""
    return {
        "asked": format_question(answer.question),
        "entry": str(answer.last),
        "held": bool(shown),
        "stretches": [_stretch_json(answer, stretch) for stretch in shown],
    }


def answer_csv(answer: StretchAnswer, shown: Sequence[Stretch]) -> Iterator[str]:
    """Return these stretches as CSV, one a line."""
    return csv_objects(("since", "until", "by", "line"), [_stretch_json(answer, stretch) for stretch in shown])


def _stretch_json(answer: StretchAnswer, stretch: Stretch) -> dict[str, object]:
    """Return a stretch: its first and last entry, the values there, and the facts that changed them."""
    record = answer.histories.records[stretch.since]
    return {
        "since": str(stretch.since),
        "until": None if stretch.until is None else str(stretch.until),
        "by": record.by,
        "line": record.line,
        "values": _values_json(answer, answer.changes_before(stretch.since)),
        "ended": _values_json(answer, answer.changes_ending(stretch)),
    }


def _values_json(answer: StretchAnswer, changes: Iterable[tuple[str, ValueChange]]) -> list[dict[str, object]]:
    """Return values with their last changes."""
    return [{"value": name, "now": change.after, **change_json(change, answer.histories)} for name, change in changes]


def answer_lines(answer: StretchAnswer, shown: Sequence[Stretch], wording: Wording) -> Iterator[str]:
    """Return each stretch: its first entry with its values, then the entry that ended it."""
    question, records = escape(format_question(answer.question)), answer.histories.records
    names = ValueNames((), wording)
    if not shown:
        yield from _never(answer, question, names)
    for stretch in shown:
        yield f"{paint(str(stretch.since).ljust(5), bold=True)} {heading(records[stretch.since])}"
        yield from _value_rows(answer, answer.changes_before(stretch.since), stretch.since, names)
        if stretch.until is None:
            yield f"{INDENT}{question} still holds at {answer.last}"
            continue
        yield f"{INDENT}{question} held until {stretch.until}: {heading(records[stretch.until])}"
        yield from _value_rows(answer, answer.changes_ending(stretch), stretch.until, names)


def _value_rows(
    answer: StretchAnswer, changes: Iterable[tuple[str, ValueChange]], entry: EntryId, names: ValueNames
) -> Iterator[str]:
    """Return values with the fact that set each, and its line unless it is of this entry."""
    rows = []
    for name, change in changes:
        *cells, line = change_row(change, answer.histories)
        rows.append([names.name(name), value_text(change.after), *cells, "" if change.entry == entry else line])
    yield from (INDENT + row for row in align_columns(rows))


def _never(answer: StretchAnswer, question: str, names: ValueNames) -> Iterator[str]:
    """Return that the question never held, and the range of its values."""
    yield f"{question} never held"
    rows = [[names.name(name), _range(answer.changes(name), answer.start)] for name in value_names(answer.question)]
    yield from (f"{INDENT}{row}, up to {answer.last}" for row in align_columns(rows))


def _range(changes: Sequence[ValueChange], start: EntryId) -> str:
    """Return all values since an entry: `was 3 to 14`."""
    before = [change.after for change in changes if change.entry <= start]
    values: list[Value | None] = [*before[-1:], *(change.after for change in changes if change.entry > start)]
    numbers = [value for value in values if isinstance(value, int)]
    words = sorted({escape(value) or "none" for value in values if isinstance(value, str)})
    least, most = min(numbers, default=0), max(numbers, default=0)
    span = [f"{least} to {most}" if most > least else f"{most}"] if numbers else []
    return f"was {', '.join([*span, *words[:WORDS_MOST], *(['...'] if words[WORDS_MOST:] else [])]) or 'not there'}"
