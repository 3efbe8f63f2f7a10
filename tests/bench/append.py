"""Durable appends: a whole declaration, the store alone, SQLite with the same rows, and SQLite with the same bytes.

The bare INSERT writes the body into one table without index, trigger or chain. SQLite alone with the same rows writes
the tables to read, the index of words and the hash as well: what the store takes more is the work of the program.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter

from ledger.builtin import BUILTIN
from ledger.errors import Refused
from ledger.game import decoder
from ledger.memory_store import MemorySeeds, MemoryStore
from ledger.read_model_sql import Statement, statements_for
from ledger.record_rows import record_row
from ledger.records import EMPTY, Record, StoredRecord, decode
from ledger.service import Ledger
from ledger.sqlite_schema import INSERT_RECORD
from ledger.sqlite_store import SqliteStore
from ledger.sqlite_store import create_store as new_store
from projections.projection import StateProjection
from projections.state import State
from tests.bench.play import AT, GAME, fresh, plausible
from tests.bench.timer import Figure, figure

SAID = decoder(GAME, BUILTIN)
BARE = "bare INSERT, durable"
ROWS = "SQLite alone, the same rows, durable"
DECLARE = "Table.declare, durable"
STORE = "SqliteStore.append, durable"
MEMORY = "Table.declare, in memory"


def appends(folder: Path, rounds: int, each: int) -> list[Figure]:
    """Measure rounds of `each` declarations; each record is appended in all five ways before the next."""
    ledger = fresh(folder / "table")
    ways = Ways(ledger, folder)
    chance = random.Random(2)
    measured: dict[str, list[float]] = {DECLARE: [], STORE: [], ROWS: [], BARE: [], MEMORY: []}
    for _ in range(rounds):
        seconds = dict.fromkeys(measured, 0.0)
        for turn in range(each):
            seconds[DECLARE] += declared(ledger, chance)
            (stored,) = ledger.store.read(after=ledger.state.position - 1)
            record = decode(stored)
            jobs: list[tuple[str, Callable[[], object]]] = [
                (STORE, partial(ways.store.append, [record], after=ways.store.head())),
                (ROWS, partial(ways.insert_rows, ways.rows_of(stored, record))),
                (BARE, partial(ways.insert, (stored.position, stored.body.decode()))),
                (MEMORY, partial(ways.decide, record)),
            ]
            for name, job in jobs[turn % 4 :] + jobs[: turn % 4]:
                seconds[name] += taken(job)
        for name, sum_of_them in seconds.items():
            measured[name].append(each / sum_of_them)
    ways.close()
    ledger.store.close()
    pairs = ((DECLARE, BARE), (STORE, BARE), (STORE, ROWS), (MEMORY, BARE))
    return [figure(name, measured, name, against, "per second") for name, against in pairs]


class Ways:
    """Four more ways to append the records of a ledger."""

    def __init__(self, ledger: Ledger[State], folder: Path) -> None:
        stored = list(ledger.store.read())
        records = [decode(one) for one in stored]
        self.store: SqliteStore = new_store(folder / "store.db")
        self.store.append(records, after=EMPTY)
        self.rows: SqliteStore = new_store(folder / "rows.db")
        self.rows.append(records, after=EMPTY)
        self.bare = bare(folder / "bare.db")
        self.bare.executemany(
            "INSERT INTO records VALUES (?, ?)", [(one.position, one.body.decode()) for one in stored]
        )
        store, seeds = MemoryStore(), MemorySeeds()
        store.append(records, after=EMPTY)
        promise = ledger.state.session.commitment
        seeds.save(promise, ledger.seeds.get(promise) or b"")
        self.memory = Ledger(store, GAME, StateProjection(), seeds)

    def rows_of(self, stored: StoredRecord, record: Record) -> list[Statement]:
        """Return what the store writes of a record."""
        return [(INSERT_RECORD, [record_row(stored, record)]), *statements_for([record], (), SqliteStore.dialect)]

    def insert_rows(self, statements: Sequence[Statement]) -> None:
        """Write rows that are given in one transaction."""
        insert(self.rows.connection, statements)

    def insert(self, row: tuple[int, str]) -> None:
        """Insert one row in one transaction: the minimum."""
        insert(self.bare, [("INSERT INTO records VALUES (?, ?)", [row])])

    def decide(self, record: Record) -> None:
        """Make the same declaration in memory."""
        if record.declared is not None:
            self.memory.declare(SAID.decode(record.declared.said), at=AT, line=record.line)

    def close(self) -> None:
        """Close all files."""
        self.store.close()
        self.rows.close()
        self.bare.close()


def insert(db: sqlite3.Connection, statements: Sequence[Statement]) -> None:
    """Run statements in one transaction."""
    db.execute("BEGIN IMMEDIATE")
    for sql, rows in statements:
        db.executemany(sql, rows)
    db.execute("COMMIT")


def bare(path: Path) -> sqlite3.Connection:
    """Return a SQLite file with the pragmas of a ledger, without index, trigger or chain."""
    db = sqlite3.connect(path, isolation_level=None)
    for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0", "synchronous = EXTRA"):
        db.execute(f"PRAGMA {pragma}")
    db.execute("CREATE TABLE records (position INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT")
    return db


def declared(ledger: Ledger[State], chance: random.Random) -> float:
    """Return the seconds of the next declaration that is not refused."""
    for said in plausible(ledger, chance):
        start = perf_counter()
        try:
            ledger.declare(said, at=AT, line="k sneak v5 e1")
        except Refused:
            continue
        return perf_counter() - start
    raise AssertionError("somebody can always rest")


def taken(job: Callable[[], object]) -> float:
    """Return the seconds of a job."""
    start = perf_counter()
    job()
    return perf_counter() - start
