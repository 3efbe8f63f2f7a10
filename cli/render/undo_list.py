"""The list of corrections as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cli.output import paint, safe
from cli.queries.undo_list import CorrectionItem
from cli.render.log import CORRECTIONS, INDENT
from cli.render.phrases import in_brackets


def correction_item_lines(items: Iterable[CorrectionItem]) -> Iterator[str]:
    """Yield each correction: when and by whom, what it did to which lines, and how it is undone."""
    for item in items:
        who = f"{safe(item.at)} by {safe(item.by)}{in_brackets(safe(item.because))}"
        yield f"{paint(item.entry.ljust(5), bold=True)} {who}"
        for outcome, take in zip(item.outcomes, item.takes, strict=True):
            yield f"{INDENT}{CORRECTIONS.get(outcome, safe(outcome))} {safe(take)}"
        yield from (f"{INDENT}it was: {safe(line)}" for line in item.lines)
        yield f"{INDENT}restore it: {item.restore}" if item.restore else f"{INDENT}{safe(item.refusal)}"
