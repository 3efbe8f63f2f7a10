"""Two leaves for each record: what they cost in time and bytes, beside the same declarations with one leaf.

Two tables play the same: one that hides nothing, and one with a hidden foe who is struck in every third declaration.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from time import process_time

from cli.questions.ledger_file import LEDGER_FILE
from ledger.facts import GM
from ledger.records import Record
from ledger.redaction.public_records import PublicRecords
from ledger.service import Ledger
from projections.state import State
from rulebooks.dusk_bastards.declarations.harm import Damage
from tests.bench.play import AT, GAME, declared, fresh, hasty
from tests.bench.timer import Figure, figure

TWO, ONE = "two leaves", "the same declarations, one leaf"
FOE = {"sheet": "npc", "name": "Wight", "kind": "minion", "difficulty": 4, "health": 900, "damage": 3}


class OneLeaf(PublicRecords):
    """Everybody sees all of every record."""

    def of_line(self, records: Sequence[Record], *_: object) -> list[Record]:
        """Return the records."""
        return list(records)


def leaves(folder: Path, rounds: int, each: int) -> list[Figure]:
    """Measure rounds of `each` declarations of both tables, in processor time and in bytes of the file."""
    return [
        *_leaves(folder / "open", rounds, each, hides=False),
        *_leaves(folder / "hidden", rounds, each, hides=True),
    ]


def _leaves(folder: Path, rounds: int, each: int, *, hides: bool) -> list[Figure]:
    """Measure one table."""
    ledgers = {TWO: _table(folder / "two", hides), ONE: _table(folder / "one", hides)}
    ledgers[ONE]._public = OneLeaf(ledgers[ONE].store, GAME)
    chances = {name: random.Random(3) for name in ledgers}
    seconds: dict[str, list[float]] = {name: [] for name in ledgers}
    sizes: dict[str, list[float]] = {name: [] for name in ledgers}
    for turn in range(rounds):
        for name in sorted(ledgers, reverse=turn % 2 == 1):
            start = process_time()
            for number in range(each):
                _declare(ledgers[name], chances[name], number, hides)
            seconds[name].append((process_time() - start) / each)
    for name, ledger in ledgers.items():
        ledger.store.close()
        sizes[name].append((folder / name.split()[0].replace("the", "one") / LEDGER_FILE).stat().st_size)
    what = "a hidden foe" if hides else "nothing hidden"
    return [
        figure(f"declare, {what}", seconds, TWO, ONE, "ms of processor time", scale=1e3),
        figure(f"ledger.db, {what}", sizes, TWO, ONE, "MB", scale=1e-6),
    ]


def _table(folder: Path, hides: bool) -> Ledger[State]:
    """Return a table; with a hidden foe if it `hides`."""
    ledger = fresh(folder)
    if hides:
        ledger.declare(GAME.sheet(FOE, "wight.toml"), at=AT)
    hasty(ledger.store)
    return ledger


def _declare(ledger: Ledger[State], chance: random.Random, number: int, hides: bool) -> None:
    """Append one declaration; in every third the hidden foe is struck."""
    if hides and number % 3 == 0:
        ledger.declare(Damage(by=GM, target="Wight", amount=1), at=AT, line="! damage wight 1")
    else:
        declared(ledger, chance)
