"""Rulings as text."""

from __future__ import annotations

from collections.abc import Iterator

from cli.output import align_columns, paint
from cli.phrases.entries import INDENT
from cli.phrases.parts import settings
from cli.questions.rules import rule_text
from cli.questions.rulings import Decision
from ledger.names import escape
from rulebooks.common.texts import Texts


def ruling_lines(decision: Decision, texts: Texts) -> Iterator[str]:
    """Return a ruling: its text and scope, the reason, what it sets, and the rules that it cites."""
    scope = decision.scope if decision.in_force or decision.scope == "once" else f"{decision.scope}, no longer in force"
    yield f"{paint(decision.entry.ljust(5), bold=True)} {escape(decision.text)} ({scope})"
    optional = {
        "about": escape(decision.about),
        "repeals": escape(decision.repeals),
        "agreed": escape(", ".join(decision.agreed)),
        "sets": settings(decision.sets),
    }
    rows = [["because", escape(decision.because)], *([name, text] for name, text in optional.items() if text)]
    rows += [[escape(rule), rule_text(texts, rule)] for rule in decision.cites]
    yield from (INDENT + line for line in align_columns(rows))
