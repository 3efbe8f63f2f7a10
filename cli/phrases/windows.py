"""Windows in sentences: what is open and for whom it waits, and how it ended where no result says it."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from cli.phrases.conditions import joined
from cli.phrases.patterns import fill, find_pattern
from ledger.facts import WindowClosed
from ledger.names import escape
from rulebooks.common.texts import Wording

OPEN: Final = MappingProxyType({"announced": "announced for {who}[, waits for {waiting}]"})
CLOSED: Final = MappingProxyType(
    {
        "announced withdrawn": "what was announced is taken back",
        "announced void": "what was announced does not happen",
    }
)


def open_text(kind: str, who: str, awaits: Sequence[str], wording: Wording) -> str:
    """Return an open window in the words of the book, or with those for whom it waits; empty without any."""
    if not awaits:
        return ""
    awaited = joined([escape(each) for each in awaits], "and")
    pattern = wording.windows.get(kind) or OPEN.get(kind)
    if pattern:
        return fill(pattern, {"who": who, "awaits": awaited, "waiting": "" if (*awaits,) == (who,) else awaited})
    return f"{escape(kind)} for {escape(who)}" + (f", waits for {awaited}" if (*awaits,) != (who,) else "")


def closed_text(fact: WindowClosed, wording: Wording) -> str:
    """Return how a window ended, where the book has a sentence for it."""
    name, _, who = fact.window.partition(" ")
    found = find_pattern(wording.closed, name, fact.outcome) or find_pattern(CLOSED, name, fact.outcome)
    return fill(found[0], {"who": who}) if found else ""
