"""The episodes of a session: each entry with everything that came of it, also what a later line closed.

A roll that stays open is decided by the line that closes it. Its final result and its effects belong to the entry that
rolled, and so does what was spent on it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from ledger.facts import (
    Amended,
    Declared,
    Fact,
    Invalidated,
    Judged,
    OrderSet,
    Rolled,
    Ruled,
    WindowChanged,
    WindowClosed,
    WindowOpened,
)
from projections.recap.entries import Entry


class Episode(msgspec.Struct, kw_only=True):
    """What somebody did: the entries that it took, the line and declaration of the first, and all that came of it."""

    entries: list[str]
    by: str
    line: str
    said: Mapping[str, Any]
    facts: list[Fact]


def episodes(entries: Iterable[Entry], *, one_for_each: bool = False) -> list[Episode]:
    """Return the episodes in order, without corrections and the entries that they made impossible.

    What is spent on an open roll is of its episode; `one_for_each`: it is an episode of its own, as all lines are.
    """
    done: list[Episode] = []
    opened: dict[str, Episode] = {}  # by window
    for entry in entries:
        if any(isinstance(fact, Amended | Invalidated) for fact in entry.facts):
            continue
        facts: list[Fact] = [fact for fact in entry.facts if not isinstance(fact, Declared)]
        count = closing_count(facts, opened)
        if count:
            closed = next(fact.window for fact in facts[:count] if isinstance(fact, Judged) and fact.window)
            opened.pop(closed).facts += facts[:count]
        own = facts[count:]
        changed = changed_window(own, opened)
        episode = opened.get(changed)
        if episode is None or one_for_each:
            episode = Episode(entries=[], by=entry.by, line=entry.line, said=entry.said, facts=[])
            done.append(episode)
        episode.entries.append(str(entry.id))
        episode.facts += own
        opened |= {fact.window: episode for fact in own if isinstance(fact, WindowOpened)}
        opened |= {changed: episode} if changed else {}
    return done


def leave_out_superseded_orders(done: Sequence[Episode]) -> None:
    """Remove each ruling on the order of turns that another one replaces before anybody rolls."""
    last: Episode | None = None
    for episode in done:
        if any(isinstance(fact, Judged) for fact in episode.facts):
            last = None
        elif any(isinstance(fact, Ruled) for fact in episode.facts) and any(
            isinstance(fact, OrderSet) for fact in episode.facts
        ):
            if last is not None:
                last.facts = [fact for fact in last.facts if not isinstance(fact, Ruled)]
            last = episode


def changed_window(facts: Iterable[Fact], opened: Mapping[str, Episode]) -> str:
    """Return the open roll that these facts judge anew; empty if they judge none."""
    judged = {fact.window for fact in facts if isinstance(fact, Judged) and not fact.final}
    changed = (fact.window for fact in facts if isinstance(fact, WindowChanged))
    return next((window for window in changed if window in judged and window in opened), "")


def closing_count(facts: Sequence[Fact], opened: Container[str]) -> int:
    """Return how many of the first facts close a roll that an earlier entry opened: its result and its effects.

    A window is closed when the effects of its final result have come: what follows is the closing line's own.
    """
    final = {fact.window for fact in facts if isinstance(fact, Judged) and fact.final and fact.window in opened}
    closed = (index for index, fact in enumerate(facts) if isinstance(fact, WindowClosed) and fact.window in final)
    return max(closed, default=-1) + 1


def without_closing(facts: Sequence[Fact]) -> Sequence[Fact]:
    """Return the facts of an entry without the end of a roll that an earlier entry opened: its result and its effects.

    An entry that does nothing else is returned whole.
    """
    opens = (index for index, fact in enumerate(facts) if isinstance(fact, Rolled | WindowOpened))
    before = list(facts[: next(opens, len(facts))])
    final = {fact.window for fact in before if isinstance(fact, Judged) and fact.final and fact.window}
    return facts[closing_count(before, final) :] or facts


def final_results(facts: Sequence[Fact]) -> list[Judged]:
    """Return the results that count: of a roll that stayed open the last one."""
    last: dict[object, Judged] = {}
    for index, fact in enumerate(facts):
        if isinstance(fact, Judged):
            last[(fact.window, fact.who, fact.what, fact.against) if fact.window else index] = fact
    return list(last.values())
