"""Changes of values as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from cli.output import align_columns, paint, safe
from cli.queries.who import Histories, ValueReport
from cli.render.log import heading
from cli.render.phrases import cause
from ledger.facts import tag
from ledger.projection import Value
from projections.value_history import ValueChange


def value_json(report: ValueReport) -> dict[str, object]:
    """Return all changes of a value for JSON."""
    return {
        "value": report.name,
        "now": report.changes[-1].after,
        "entry": str(report.entry),
        "changes": [change_json(change, report.histories) for change in report.changes],
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
    yield f"{paint(safe(report.name), bold=True)} is {value_text(report.changes[-1].after)}"
    yield from align_columns([change_row(change, report.histories) for change in report.changes])


def change_row(change: ValueChange, histories: Histories) -> list[str]:
    """Return a change in columns: its fact, before and after, cause, rule, and the line of its entry."""
    fact, after = histories.fact(change), value_text(change.after)
    values = after if change.before is None else f"{value_text(change.before)}>{after}"
    rule = safe((fact.rules or ("",))[0])
    return [f"{change.entry}.{change.number}", values, cause(fact), rule, heading(histories.records[change.entry])]


def value_text(value: Value | None) -> str:
    """Return a value; `gone` where there is none, `none` for an empty text."""
    return "gone" if value is None else safe(str(value)) or "none"
