"""Counts over a session: dice by source, results by what was judged."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Final

import msgspec

from ledger.facts import Judged, Rolled
from projections.recap.entries import Causes, Entry, facts_of, rank

SOURCES: Final = ("seed", "unmixed", "sealed", "fixed", "unproved", "revealed", "table")


class DiceTally(msgspec.Struct, frozen=True, kw_only=True):
    """The number of rolls and dice from one source."""

    source: str
    rolls: int
    dice: int


class ResultTally(msgspec.Struct, frozen=True, kw_only=True):
    """The count of each final result by judgement."""

    what: str
    results: Causes


def dice_tallies(entries: Iterable[Entry], origin: Callable[[str], str]) -> list[DiceTally]:
    """Return the rolls and dice by source; `origin` returns what can be shown of a source that a roll names."""
    rolls: dict[str, list[int]] = {}
    for _, fact in facts_of(entries, Rolled):
        rolls.setdefault(origin(fact.source), []).append(len(fact.dice))
    return [
        DiceTally(source=source, rolls=len(rolls[source]), dice=sum(rolls[source]))
        for source in sorted(rolls, key=lambda source: rank(SOURCES, source))
    ]


def result_tallies(entries: Iterable[Entry], told: Collection[str]) -> list[ResultTally]:
    """Return the final results of dice of the judgements in `told`, by what was judged, as they first appear."""
    tallies: dict[str, dict[str, int]] = {}
    for _, fact in facts_of(entries, Judged):
        if fact.final and fact.rolls and fact.what in told:
            results = tallies.setdefault(fact.what, {})
            results[fact.result] = results.get(fact.result, 0) + 1
    return [ResultTally(what=what, results=tuple(results.items())) for what, results in tallies.items()]
