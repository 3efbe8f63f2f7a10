"""Which rules a campaign has used, how often and where first: those that a fact or a step of a sum names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from cli.output import aligned, paint, safe
from cli.queries.explain import cited
from ledger.records import Record
from rulebooks.common.texts import Rule


class Use(msgspec.Struct, frozen=True, kw_only=True):
    """A rule of the book, in how many entries it was used, and the first of them (empty: none)."""

    id: str
    heading: str
    kind: str
    entries: int
    first: str


def uses(rules: Iterable[Rule], records: Iterable[Record]) -> list[Use]:
    """The rules of the book in its order, each with its use in these entries."""
    counts: dict[str, int] = {}
    first: dict[str, str] = {}
    for record in records:
        for rule in cited(record.facts):
            counts[rule] = counts.get(rule, 0) + 1
            first.setdefault(rule, str(record.id))
    return [
        Use(
            id=rule.id,
            heading=rule.heading,
            kind=rule.kind,
            entries=counts.get(rule.id, 0),
            first=first.get(rule.id, ""),
        )
        for rule in rules
    ]


def covered(found: list[Use]) -> Iterator[str]:
    """Headings with their rules, each with its use; then how many of how many."""
    rows: dict[str, list[list[str]]] = {}
    for use in found:
        told = [str(use.entries), f"first in {safe(use.first)}"] if use.entries else ["-", ""]
        rows.setdefault(use.heading, []).append([use.id, *told])
    for heading, lines in rows.items():
        yield paint(heading, bold=True)
        yield from (f"  {line}" for line in aligned(lines))
    used = sum(bool(use.entries) for use in found)
    yield f"{used} of {len(found)} rules used"
