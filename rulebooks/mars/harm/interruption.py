"""What breaks off a long action, or an action that is readied."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.facts import Fact
from projections.state import State
from rulebooks.common.conditions import condition_end, has_condition
from rulebooks.mars.guards import LONG_ACTION, READIED


def interrupt(who: str, because: str, state: State, *rules: str) -> Iterator[Fact]:
    """GR-STU-5, GR-GAP-63: a long action in progress and a readied action are lost."""
    for name, rule in ((LONG_ACTION, "GR-ACT-3"), (READIED, "GR-RDY-4")):
        if has_condition(who, name, state):
            yield condition_end(f"{name} {who}", state, because, *rules, rule)
