"""Durable appends: a declaration decided and kept, the store alone, and SQLite with the same bytes and pragmas."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from ledger.records import Record, decode, encode
from ledger.seeds import SeedsInMemory
from ledger.sqlite import SqliteStore
from ledger.sqlite import found as new_store
from ledger.store import MemoryStore
from ledger.table import Table
from projections.state import State
from projections.tally import Books
from tests.bench.playing import AT, GAME, fresh, plausible
from tests.bench.timing import Figure, figure

BARE = "bare INSERT, durable"
DECLARE = "Table.declare, durable"
STORE = "SqliteStore.append, durable"
MEMORY = "Table.declare, in memory"


def appends(folder: Path, rounds: int, each: int) -> list[Figure]:
    """Rounds of `each` declarations: three ways to keep the same records, and one that only decides them."""
    table = fresh(folder / "table")
    store = store_beside(table, folder)
    bare = bare_beside(table, folder)
    memory = memory_beside(table)
    chance = random.Random(2)
    measured: dict[str, list[float]] = {DECLARE: [], STORE: [], BARE: [], MEMORY: []}
    for _ in range(rounds):
        seconds, records = declared(table, chance, each)
        bodies = [(record.position, encode(record).decode()) for record in records]
        measured[DECLARE].append(each / seconds)
        start = perf_counter()
        for record in records:
            store.append([record], after=record.position - 1)
        measured[STORE].append(each / (perf_counter() - start))
        start = perf_counter()
        for row in bodies:
            bare.execute("BEGIN IMMEDIATE")
            bare.execute("INSERT INTO records VALUES (?, ?)", row)
            bare.execute("COMMIT")
        measured[BARE].append(each / (perf_counter() - start))
        said = [memory.decoder.decode(record.declared.said) for record in records if record.declared]
        start = perf_counter()
        for one, record in zip(said, records, strict=True):
            memory.declare(one, at=AT, line=record.line)
        measured[MEMORY].append(each / (perf_counter() - start))
    for opened in (table.store, store, bare):
        opened.close()
    return [
        figure(DECLARE, measured, DECLARE, BARE, "per second"),
        figure(STORE, measured, STORE, BARE, "per second"),
        figure(MEMORY, measured, MEMORY, BARE, "per second"),
    ]


def declared(table: Table[State], chance: random.Random, count: int) -> tuple[float, list[Record]]:
    """So many declarations that the rules allow, and the seconds that they took; refusals are tried in memory."""
    seconds, made = 0.0, []
    while len(made) < count:
        for said in plausible(table, chance):
            start = perf_counter()
            try:
                record = table.declare(said, at=AT, line="k sneak v5 e1")
            except Exception as error:  # refused: nothing was written
                del error
                continue
            seconds += perf_counter() - start
            made.append(record)
            break
    return seconds, made


def kept(table: Table[State]) -> Iterator[Record]:
    """What is in the ledger so far."""
    return (decode(stored) for stored in table.store.read())


def store_beside(table: Table[State], folder: Path) -> SqliteStore:
    """A store of its own with the same records."""
    store = new_store(folder / "store.db")
    store.append(list(kept(table)), after=0)
    return store


def bare_beside(table: Table[State], folder: Path) -> sqlite3.Connection:
    """SQLite with the same bodies, the same pragmas, and nothing else: no index, no trigger, no chain."""
    db = sqlite3.connect(folder / "bare.db", isolation_level=None)
    for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0", "synchronous = EXTRA"):
        db.execute(f"PRAGMA {pragma}")
    db.execute("CREATE TABLE records (position INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT")
    db.executemany(
        "INSERT INTO records VALUES (?, ?)", [(record.position, encode(record).decode()) for record in kept(table)]
    )
    return db


def memory_beside(table: Table[State]) -> Table[State]:
    """A table in memory with the same records and seeds."""
    store, seeds = MemoryStore(), SeedsInMemory()
    store.append(list(kept(table)), after=0)
    sitting = table.standing.sitting
    seeds.keep(sitting.commitment, table.seeds.get(sitting.commitment) or b"")
    return Table(store, GAME, Books(), seeds)
