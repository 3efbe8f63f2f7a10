"""A hundred entries in one transaction, beside bare inserts of the same bytes in one transaction."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time

from ledger.records import Record, StoredRecord, decode
from ledger.sqlite_store import create_store
from projections.projection import StateProjection
from tests.bench.append import bare
from tests.bench.fold import stored
from tests.bench.timer import Figure, figure

SIZE = 100
STORED, BARE = "SqliteStore.append in a batch of 100", "bare INSERTs, 100 in a transaction"


def batches(big: Path, folder: Path, rounds: int) -> list[Figure]:
    """Measure batches of the entries of a ledger in a new file, by the clock and in processor time."""
    store = stored(big)
    log = [kept for _, kept in zip(range(SIZE * rounds), store.read(), strict=False)]
    store.close()
    ours, floor = create_store(folder / "batches.db", StateProjection.read_models), bare(folder / "bare-batches.db")

    def append(records: list[Record]) -> None:
        with ours.batch():
            for record in records:
                ours.append([record], after=record.position - 1)

    def insert(rows: list[StoredRecord]) -> None:
        floor.execute("BEGIN IMMEDIATE")
        for row in rows:
            floor.execute("INSERT INTO records VALUES (?, ?)", (row.position, row.body.decode()))
        floor.execute("COMMIT")

    wall: dict[str, list[float]] = {STORED: [], BARE: []}
    spent: dict[str, list[float]] = {STORED: [], BARE: []}
    for start in range(0, len(log) - SIZE + 1, SIZE):
        part = log[start : start + SIZE]
        records = [decode(each) for each in part]
        jobs: dict[str, Callable[[], None]] = {STORED: lambda r=records: append(r), BARE: lambda p=part: insert(p)}
        for name, job in jobs.items():
            clock, processor = perf_counter(), process_time()
            job()
            wall[name].append(SIZE / (perf_counter() - clock))
            spent[name].append(SIZE / (process_time() - processor))
    ours.close()
    floor.close()
    return [
        figure(STORED, measured, STORED, BARE, unit) for measured, unit in ((wall, "per second"), (spent, "CPU per s"))
    ]
