"""The rules that a campaign has used: those that a fact or a step of a sum names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from ledger.facts import BaseFact, Judged
from ledger.records import Record
from rulebooks.common.texts import Rule


class RuleUse(msgspec.Struct, frozen=True, kw_only=True):
    """A rule, the number of entries that used it, and the first of them (empty: none)."""

    id: str
    heading: str
    kind: str
    entries: int
    first: str


def rule_uses(rules: Iterable[Rule], records: Iterable[Record]) -> list[RuleUse]:
    """Return the rules in the order of the book, each with its use in these entries."""
    counts: dict[str, int] = {}
    first: dict[str, str] = {}
    for record in records:
        for rule in cited_rules(record.facts):
            counts[rule] = counts.get(rule, 0) + 1
            first.setdefault(rule, str(record.id))
    return [
        RuleUse(
            id=rule.id,
            heading=rule.heading,
            kind=rule.kind,
            entries=counts.get(rule.id, 0),
            first=first.get(rule.id, ""),
        )
        for rule in rules
    ]


def cited_rules(facts: Iterable[BaseFact]) -> Iterator[str]:
    """Yield the rules that these facts and the steps of their sums name, each once, in the order of use."""
    rules: dict[str, None] = {}
    for fact in facts:
        steps = [step.rule for total in fact.sums for step in total.steps] if isinstance(fact, Judged) else []
        rules |= dict.fromkeys(rule for rule in (*steps, *fact.rules) if rule)
    yield from rules
