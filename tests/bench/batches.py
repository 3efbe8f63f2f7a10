"""A hundred entries in one transaction, beside SQLite alone.

Two figures for storing entries that are given: against bare INSERTs of the same bytes (no hash, index, trigger, table
to read or word to search), and against SQLite alone writing the same rows into the same tables, which shows what the
program adds. A third, for information, is a whole run: lines are parsed and decided too, which is not appending.
By the clock both floors are mostly one sync, so the ratio says how fast the disk is: the processor time says the rest.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import perf_counter, process_time

from cli.notation.formatter import format_declaration
from cli.play.declare import declare_line
from ledger.errors import Refused
from ledger.read_model_sql import statements_for
from ledger.record_rows import record_row
from ledger.records import Record, StoredRecord, decode
from ledger.sqlite_schema import INSERT_RECORD
from ledger.sqlite_store import SqliteStore, create_store
from projections.projection import StateProjection
from tests.bench.append import bare, insert
from tests.bench.fold import stored
from tests.bench.play import AT, GAME, fresh, plausible
from tests.bench.timer import Figure, figure

SIZE = 100
STORED, BARE = "SqliteStore.append in a batch of 100", "bare INSERTs, 100 in a transaction"
ROWS, RUN = "SQLite alone, the same rows", "lines parsed, decided and appended, 100 in a transaction"


class Files:
    """Four new files, and a way to write a hundred entries into each."""

    def __init__(self, folder: Path) -> None:
        self.ours, self.rows = (
            create_store(folder / f"{name}-batches.db", StateProjection.read_models) for name in ("our", "row")
        )
        self.bare, self.run = bare(folder / "bare-batches.db"), fresh(folder / "run-batches")
        self.chance = random.Random(4)

    def jobs(self, part: Sequence[StoredRecord]) -> dict[str, Callable[[], None]]:
        """Return the ways to write these records, all prepared: what SQLite alone writes is given to it as rows."""
        records = [decode(kept) for kept in part]
        bodies = [(kept.position, kept.body.decode()) for kept in part]
        rows = [
            (INSERT_RECORD, list(map(record_row, part, records))),
            *statements_for(records, (), SqliteStore.dialect),
        ]
        return {
            STORED: partial(self.append, records),
            ROWS: partial(insert, self.rows.connection, rows),
            BARE: partial(insert, self.bare, [("INSERT INTO records VALUES (?, ?)", bodies)]),
            RUN: self.say,
        }

    def append(self, records: Sequence[Record]) -> None:
        """Append records to a store, one by one, in a batch."""
        head = self.ours.head()
        with self.ours.batch():
            for record in records:
                head = self.ours.append([record], after=head)

    def say(self) -> None:
        """Parse, decide and append lines in a batch."""
        with self.run.batch():
            for _ in range(SIZE):
                self.say_next()

    def say_next(self) -> None:
        """Say the next line that is not refused."""
        for said in plausible(self.run, self.chance):
            with suppress(Refused):
                declare_line(self.run, GAME, format_declaration(said), at=AT)
                return

    def close(self) -> None:
        """Close all files."""
        for file in (self.ours, self.rows, self.bare, self.run.store):
            file.close()


def batches(big: Path, folder: Path, rounds: int) -> list[Figure]:
    """Measure batches of the entries of a ledger in a new file, by the clock and in processor time."""
    store = stored(big)
    log = [kept for _, kept in zip(range(SIZE * rounds), store.read(), strict=False)]
    store.close()
    files = Files(folder)
    wall: dict[str, list[float]] = {name: [] for name in (STORED, ROWS, BARE, RUN)}
    spent: dict[str, list[float]] = {name: [] for name in wall}
    for turn in range(len(log) // SIZE):
        jobs = list(files.jobs(log[turn * SIZE : (turn + 1) * SIZE]).items())
        first = turn % len(jobs)
        for name, job in jobs[first:] + jobs[:first]:
            clock, processor = perf_counter(), process_time()
            job()
            spent[name].append(SIZE / (process_time() - processor))
            wall[name].append(SIZE / (perf_counter() - clock))
    files.close()
    return [
        figure(name, measured, name, against, unit)
        for measured, unit in ((wall, "per second"), (spent, "CPU per s"))
        for name, against in ((STORED, BARE), (STORED, ROWS), (RUN, BARE))
    ]
