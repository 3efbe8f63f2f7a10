"""Rulings as text."""

from __future__ import annotations

from collections.abc import Iterator

from cli.output import align_columns, paint, safe
from cli.queries.rules import rule_text
from cli.queries.rulings import Decision
from cli.render.log import INDENT
from cli.render.phrases import settings
from rulebooks.common.texts import Texts


def ruling_lines(decision: Decision, texts: Texts) -> Iterator[str]:
    """Return a ruling: its text and scope, the reason, what it sets, and the rules that it cites."""
    scope = decision.scope if decision.in_force or decision.scope == "once" else f"{decision.scope}, no longer in force"
    yield f"{paint(decision.entry.ljust(5), bold=True)} {safe(decision.text)} ({scope})"
    optional = {
        "about": safe(decision.about),
        "repeals": safe(decision.repeals),
        "agreed": safe(", ".join(decision.agreed)),
        "sets": settings(decision.sets),
    }
    rows = [["because", safe(decision.because)], *([name, text] for name, text in optional.items() if text)]
    rows += [[safe(rule), rule_text(texts, rule)] for rule in decision.cites]
    yield from (INDENT + line for line in align_columns(rows))
