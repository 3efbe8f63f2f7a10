"""The differences of two operands as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import click

from cli.output import align_columns, paint
from cli.phrases.entries import fact_lines, heading, record_lines
from cli.phrases.parts import titled
from cli.phrases.value_names import ValueNames
from cli.questions.diff_operands import DiffReport, Side
from ledger.diff import EntryDiff, FactDiff
from ledger.names import escape, plural
from ledger.records import Head, Record
from rulebooks.common.texts import Wording

DiffSign = tuple[str, str]  # a sign and its colour

LEFT, RIGHT = ("-", "red"), ("+", "green")
BOTH: Final = (" ", "")


def diff_json(report: DiffReport) -> dict[str, object]:
    """Return a report for JSON."""
    return {
        "kind": report.kind,
        "same": report.same,
        "left": _side_json(report.left),
        "right": _side_json(report.right),
        "agree": report.agree,
        "entries": [
            {
                "left": _record_json(pair.left, report.left.wording),
                "right": _record_json(pair.right, report.right.wording),
                "facts": pair.facts,
            }
            for pair in report.entries
        ],
        "values": report.values,
    }


def _side_json(side: Side) -> dict[str, object]:
    """Return a side without its entries."""
    return {"name": side.name, "ledger": side.ledger, "entry": side.entry, "position": side.position}


def _record_json(record: Record | None, wording: Wording) -> dict[str, object] | None:
    """Return an entry with its results in the words of the log."""
    if record is None:
        return None
    return {
        "entry": str(record.id),
        "take": record.take,
        "position": record.position,
        "by": record.by,
        "line": record.line,
        "results": [click.unstyle(line) for line in fact_lines(record.facts[1:], wording, record.by)],
    }


def diff_lines(report: DiffReport) -> Iterator[str]:
    """Return how much differs, both names, the chains of two ledgers, entries and values; values first for moments."""
    if not report.same:
        yield paint(_summary(report), bold=True)
    yield _with_mark(LEFT, report.left.name)
    yield _with_mark(RIGHT, report.right.name)
    if report.agree is not None:
        yield from _chains(report, report.agree)
    if report.same:
        yield paint("they are the same", fg="green")
        return
    if report.kind == "moment":
        yield from _values(report)
        yield from titled("entries", (line for pair in report.entries for line in _entry_in_brief(pair)))
    else:
        for pair in report.entries:
            yield ""
            yield from _entry_in_full(pair, report)
        yield from _values(report)


def _with_mark(mark: DiffSign, line: str) -> str:
    """Return a line with the mark of its side."""
    sign, colour = mark
    return f"{paint(sign, fg=colour)} {line}"


def _chains(report: DiffReport, agree: Head) -> Iterator[str]:
    """Return up to where the chains of two ledgers agree, and how far each continues."""
    if report.left.ledger != report.right.ledger:
        yield f"two ledgers: their ids are {escape(report.left.ledger)} and {escape(report.right.ledger)}"
        return
    yield f"the chains agree up to position {agree}"
    for mark, side in ((LEFT, report.left), (RIGHT, report.right)):
        more = side.position - agree.position
        yield _with_mark(mark, f"continues to position {side.position}" if more else "has nothing more")


def _entry_in_full(pair: EntryDiff, report: DiffReport) -> Iterator[str]:
    """Return an entry that differs: line and results on each side, or the field that differs where no line does."""
    takes = report.kind == "take"
    sides = [(mark, record_lines(record, report.left.wording, takes=takes)) for mark, record in _marks(pair)]
    bodies = [lines[1:] if takes else lines for _, lines in sides]
    if pair.left is None or pair.right is None:
        record, side = (pair.right, report.right) if pair.left is None else (pair.left, report.left)
        assert record is not None
        yield f"{paint(str(record.id), bold=True)} only in {side.name}"
    else:
        entry = " and ".join(ids := list(dict.fromkeys((str(pair.left.id), str(pair.right.id)))))
        same = len(bodies) == 2 and bodies[0] == bodies[1] and pair.left.line == pair.right.line
        yield f"{paint(entry, bold=True)} differ{'s' * (len(ids) == 1)}{_silent(pair.facts[0]) if same else ''}"
        if same and not takes:
            sides = [(BOTH, sides[0][1])]
    for mark, lines in sides:
        yield from (_with_mark(mark, line) for line in lines)


def _marks(pair: EntryDiff) -> Iterator[tuple[DiffSign, Record]]:
    """Yield the existing sides of an entry with their marks."""
    for mark, record in ((LEFT, pair.left), (RIGHT, pair.right)):
        if record is not None:
            yield mark, record


def _silent(parting: FactDiff) -> str:
    """Return where two takes of the same words differ: ` in what no line says: fact 2 (rolled), rules`."""
    return f" in what no line says: fact {parting.fact} ({parting.kind}), {escape(parting.field)}"


def _entry_in_brief(pair: EntryDiff) -> Iterator[str]:
    """Return an entry on a line; on two where another take of it counts."""
    both = pair.left is not None and pair.right is not None
    for mark, record in _marks(pair):
        name = f"{record.id}@{record.take}" if both else str(record.id)
        yield _with_mark(mark, f"{paint(name.ljust(5), bold=True)} {heading(record)}")


def _values(report: DiffReport) -> Iterator[str]:
    """Return the values that differ in two columns, under the names that people give them."""
    records = (*report.left.records.values(), *report.right.records.values())
    names = ValueNames(fact for record in records for fact in record.facts)
    rows = [
        [names.name(diff.value), *(names.text(diff.value, value, none="-") for value in (diff.left, diff.right))]
        for diff in report.values
    ]
    if rows:
        yield from titled("values", align_columns([["", LEFT[0], RIGHT[0]], *rows]))


def _summary(report: DiffReport) -> str:
    """Return how much differs, on a line."""
    only = [
        (sum(pair.right is None for pair in report.entries), report.left),
        (sum(pair.left is None for pair in report.entries), report.right),
    ]
    differ = len(report.entries) - sum(number for number, _ in only)
    parts = [plural(differ, "entry differs", "entries differ")] if differ else []
    parts += [f"{number} only in {side.name}" for number, side in only if number]
    parts += [plural(len(report.values), "value differs", "values differ")] if report.values else []
    return "; ".join(parts) or "all facts are the same; their metadata (time, request, takes) differs"
