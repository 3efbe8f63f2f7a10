"""The list of corrections as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cli.output import paint
from cli.phrases.entries import INDENT
from cli.phrases.parts import in_brackets
from cli.phrases.scene_phrases import CORRECTIONS
from cli.questions.undo_list import CorrectionItem
from ledger.names import escape


def correction_item_lines(items: Iterable[CorrectionItem]) -> Iterator[str]:
    """Yield each correction: when and by whom, what it did to which lines, and how it is undone."""
    for item in items:
        who = f"{escape(item.at)} by {escape(item.by)}{in_brackets(escape(item.because))}"
        yield f"{paint(item.entry.ljust(5), bold=True)} {who}"
        for outcome, take in zip(item.outcomes, item.takes, strict=True):
            yield f"{INDENT}{CORRECTIONS.get(outcome, escape(outcome))} {escape(take)}"
        yield from (f"{INDENT}it was: {escape(line)}" for line in item.lines)
        yield f"{INDENT}restore it: {item.restore}" if item.restore else f"{INDENT}{escape(item.refusal)}"
