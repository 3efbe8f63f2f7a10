"""What the read model `changes` costs: the same declarations with it and without it, in processor time."""

from __future__ import annotations

import gc
import random
from collections.abc import Iterable
from pathlib import Path
from time import process_time

from ledger.declarations import Declaration
from ledger.errors import NeverDrawn, Refused
from ledger.projection import ChangedValue
from ledger.seeds import SeedFiles
from ledger.service import Ledger
from projections.projection import StateProjection
from projections.state import State
from tests.bench.play import AT, GAME, fresh, hasty, plausible
from tests.bench.timer import Figure, figure

WITH = "Ledger.declare with `changes`"
WITHOUT = "Ledger.declare without"


class WithoutChanges(StateProjection):
    """The projection without the changes of values."""

    def value_changes(self, state: State) -> Iterable[ChangedValue]:
        """Return nothing."""
        return ()


def changes_cost(folder: Path, rounds: int, each: int) -> list[Figure]:
    """Measure rounds of `each` declarations, each made in two ledgers, in turn the one and the other first."""
    ours, bare = fresh(folder / "with-changes"), fresh(folder / "without-changes")
    hasty(ours.store)
    hasty(bare.store)
    bare = Ledger(bare.store, GAME, WithoutChanges(), SeedFiles(folder / "without-changes"))
    chance = random.Random(3)
    measured: dict[str, list[float]] = {WITH: [], WITHOUT: []}
    gc.disable()
    for _ in range(rounds):
        seconds = {WITH: 0.0, WITHOUT: 0.0}
        for turn in range(each):
            said = possible(ours, chance)
            pair = [(WITH, ours), (WITHOUT, bare)]
            for name, ledger in pair if turn % 2 else reversed(pair):
                start = process_time()
                ledger.declare(said, at=AT, line="k sneak v5 e1")
                seconds[name] += process_time() - start
        gc.collect()
        for name, spent in seconds.items():
            measured[name].append(spent / each)
    gc.enable()
    ours.store.close()
    bare.store.close()
    return [figure(WITH, measured, WITH, WITHOUT, "ms CPU", scale=1000)]


def possible(ledger: Ledger[State], chance: random.Random) -> Declaration:
    """Return the next declaration that is not refused."""
    for said in plausible(ledger, chance):
        try:
            ledger.preview(said)
        except Refused:
            continue
        except NeverDrawn:
            pass  # it needs dice, which is fine
        return said
    raise AssertionError("somebody can always rest")
