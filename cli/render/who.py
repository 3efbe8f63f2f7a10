"""Changes of values as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from cli.output import align_columns, paint
from cli.phrases.entries import heading
from cli.phrases.fact_phrases import cause
from cli.phrases.results import sum_text
from cli.phrases.value_names import ValueNames
from cli.questions.histories import Histories
from cli.questions.who import BeingReport, ValueReport
from cli.render.csv import csv_objects
from ledger.facts import Sum, tag
from ledger.names import escape, plural
from ledger.projection import Value
from projections.value_history import ValueChange
from rulebooks.common.texts import Wording

CHANGE_COLUMNS: Final = ("entry", "fact", "kind", "before", "after", "cause", "rules", "by", "line")
HEADER: Final = ("fact", "change", "cause", "rule", "line")


def who_json(report: ValueReport | BeingReport) -> dict[str, object]:
    """Return all changes of a value, or of all values of a being, for JSON."""
    if isinstance(report, ValueReport):
        return value_json(report)
    return {
        "who": report.name,
        "entry": str(report.entry),
        "values": [value_json(value) for value in report.values],
        "unchanged": report.unchanged,
    }


def who_csv(report: ValueReport | BeingReport) -> Iterator[str]:
    """Return all changes as CSV, one a line."""
    reports = [report] if isinstance(report, ValueReport) else report.values
    changes = [
        {"value": each.name, **change_json(change, each.histories)} for each in reports for change in each.listed
    ]
    return csv_objects(("value", *CHANGE_COLUMNS), changes)


def who_lines(report: ValueReport | BeingReport, wording: Wording) -> Iterator[str]:
    """Return the changes of a value, or of all values of a being, one a line, oldest first."""
    return value_lines(report) if isinstance(report, ValueReport) else being_lines(report, wording)


def being_lines(report: BeingReport, wording: Wording) -> Iterator[str]:
    """Return all values of a being that have changed and have words, then their changes in order."""
    silent = ValueNames((), wording)
    values = [value for value in report.values if not silent.is_silent(value.name)]
    names = _names(report.values[0]) if report.values else silent
    own = {value.name: names.name(value.name).removeprefix(f"{escape(names.owner(value.name))} ") for value in values}
    now = ", ".join(f"{own[value.name]} {value_text(value.now)}" for value in values if value.now is not None)
    yield paint(escape(report.name), bold=True) + (f": {now}" if now else "")
    changes = [(change, value) for value in values for change in value.changes]
    changes.sort(key=lambda pair: (pair[0].entry, pair[0].number))
    earlier = max(len(changes) - report.most, 0) if report.most else 0
    changes = changes[earlier:]
    rows = [["fact", "value", *HEADER[1:]]] if changes else []
    for change, value in changes:
        fact, *rest = change_row(change, value.histories)
        rows.append([fact, own[value.name], *rest])
    yield from align_columns(rows)
    if earlier:
        yield earlier_line(earlier, report.name)
    if report.unchanged:
        yield f"{plural(report.unchanged, 'value', 'values')} never changed: show {escape(report.name)}"


def _names(report: ValueReport) -> ValueNames:
    """Return the names of values in the records of a report."""
    facts = (fact for record in report.histories.records.values() for fact in record.facts)
    return ValueNames(facts, beings=report.histories.beings)


def value_json(report: ValueReport) -> dict[str, object]:
    """Return all changes of a value for JSON."""
    return {
        "value": report.name,
        "now": report.now,
        "entry": str(report.entry),
        "changes": [change_json(change, report.histories) for change in report.listed],
    }


def change_json(change: ValueChange, histories: Histories) -> dict[str, object]:
    """Return one change for JSON."""
    fact, record = histories.fact(change), histories.records[change.entry]
    return {
        "entry": str(change.entry),
        "fact": change.number,
        "kind": tag(type(fact)),
        "before": change.before,
        "after": change.after,
        "cause": cause(fact),
        "rules": fact.rules,
        "by": record.by,
        "line": record.line,
    }


def value_lines(report: ValueReport) -> Iterator[str]:
    """Return the changes of a value, one a line, oldest first."""
    never = "" if report.changes else ": it never changed"
    yield f"{paint(_names(report).name(report.name), bold=True)} is {value_text(report.now)}{never}"
    if report.changes:
        yield from align_columns([[*HEADER], *(change_row(change, report.histories) for change in report.listed)])
    if earlier := len(report.changes) - len(report.listed):
        yield earlier_line(earlier, report.name)


def in_force_lines(totals: Iterable[Sum]) -> list[str]:
    """Return what is in force now in place of numbers of a sheet, as the history of the sheet does not say."""
    return [f"the number of the sheet; in force now: {sum_text(total)}" for total in totals]


def earlier_line(earlier: int, name: str) -> str:
    """Return how many changes are not listed, and what lists them."""
    return f"{plural(earlier, 'earlier change', 'earlier changes')}: who {escape(name)} --all"


def change_row(change: ValueChange, histories: Histories) -> list[str]:
    """Return a change in columns: its fact, before and after, cause, rule, and the line of its entry."""
    fact, after = histories.fact(change), value_text(change.after)
    values = after if change.before is None else f"{value_text(change.before)}>{after}"
    rule = escape((fact.rules or ("",))[0])
    return [f"{change.entry}.{change.number}", values, cause(fact), rule, heading(histories.records[change.entry])]


def value_text(value: Value | None) -> str:
    """Return a value; `gone` where there is none, `none` for an empty text."""
    return "gone" if value is None else escape(str(value)) or "none"
