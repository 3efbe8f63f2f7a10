"""Windows in sentences: what is open and for whom it waits, and how it ended where no result says it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Final

from cli.phrases.patterns import fill, find_pattern
from ledger.facts import AUTO, Fact, Judged, WindowClosed
from ledger.names import escape, word_list
from rulebooks.common.texts import Wording

OPEN: Final = MappingProxyType({"announced": "announced for {who}[, waits for {waiting}]"})
CLOSED: Final = MappingProxyType(
    {"announced withdrawn": "what was announced is taken back", "announced void": "what was announced does not happen"}
)


def split_by_closing(facts: Sequence[Fact], by: str) -> Iterator[tuple[Sequence[Fact], str]]:
    """Yield what closing another roll has caused, if the line closed one, then what the line itself has caused.

    Each part has the name of the one whose numbers stand in it without a name: the speaker `by`, in the first part
    only if the roll was theirs.
    """
    closed = [index for index, fact in enumerate(facts) if isinstance(fact, WindowClosed) and fact.outcome == AUTO]
    start = closed[-1] + 1 if closed else 0
    if start:
        rollers = {fact.who for fact in facts[:start] if isinstance(fact, Judged) and fact.window}
        yield facts[:start], by if rollers <= {by} else ""
    yield facts[start:], by


def open_text(kind: str, who: str, awaits: Sequence[str], wording: Wording) -> str:
    """Return an open window in the words of the book, or with those for whom it waits; empty without any."""
    if not awaits:
        return ""
    awaited = word_list([escape(each) for each in awaits])
    pattern = wording.windows.get(kind) or OPEN.get(kind)
    if pattern:
        return fill(pattern, {"who": who, "awaits": awaited, "waiting": "" if (*awaits,) == (who,) else awaited})
    return f"{escape(kind)} for {escape(who)}" + (f", waits for {awaited}" if (*awaits,) != (who,) else "")


def closed_text(fact: WindowClosed, wording: Wording) -> str:
    """Return how a window ended, where the book has a sentence for it."""
    name, _, who = fact.window.partition(" ")
    found = find_pattern(wording.closed, name, fact.outcome) or find_pattern(CLOSED, name, fact.outcome)
    return fill(found[0], {"who": who}) if found else ""
