"""Helpers for the tests of the ledger: records, ledgers, a played ledger, and forged files."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from ledger.corrections.undo import corrected_takes, undo
from ledger.declarations import Declaration
from ledger.dice import fixed_seed
from ledger.facts import Declared, EntryId, Fact, Judged, PointsSpent, parse_entry_id
from ledger.ledger_state import LedgerState, initial_state
from ledger.memory_store import MemorySeeds, MemoryStore
from ledger.projection import Projection
from ledger.record_rows import SELECT_RECORDS, record_row, stored_record
from ledger.records import EMPTY, ENCODER, Head, Record, StoredRecord, latest_takes, record_hash
from ledger.service import Ledger
from ledger.sqlite_schema import INSERT_RECORD
from ledger.store import Snapshot, Store
from ledger.verify import verify
from tests.ledger.coin import Coin, Coins, Flip, Purse, Purses

AT = "2026-01-01T20:00:00Z"
LEDGER = "0" * 32
SEED = fixed_seed("a coin 70")


def spent(points: int, now: int) -> PointsSpent:
    return PointsSpent(who="Ana", pool="points", points=points, now=now, because="tea")


def record(position: int, entry: str = "", take: int = 1, **changes: Any) -> Record:
    """Return a record with one fact, at entry `0.<position-1>` unless it is given."""
    id_ = parse_entry_id(entry) if entry else EntryId(0, position - 1)
    plain: dict[str, Any] = {
        "position": position,
        "session": id_.session,
        "number": id_.number,
        "insert": id_.insert,
        "take": take,
        "cause": None,
        "request": None,
        "by": "Ana",
        "at": AT,
        "seen": "table",
        "facts": (spent(1, position),),
    }
    return Record(**{**plain, **changes})


def new_ledger(
    store: Store | None = None, game: Coin | None = None, seeds: Any = None, projection: Coins | None = None
) -> Ledger[Purses]:
    return Ledger(store or MemoryStore(), game or Coin(), projection or Coins(), seeds or MemorySeeds())


def create_ledger(store: Store | None = None, *, points: int = 20, opened: bool = True, **more: Any) -> Ledger[Purses]:
    """Return a ledger in which Ana has a purse and the first session is open, with a fixed seed."""
    ledger = new_ledger(store, **more)
    ledger.create("Coins", at=AT, ledger=LEDGER)
    ledger.declare(Purse(by="Ana", points=points), at=AT, line="ana purse")
    if opened:
        ledger.open_session("one", at=AT, seed=SEED)
    return ledger


def played(store: Store | None = None) -> Ledger[Purses]:
    """Return a ledger of two closed sessions with words, a request, typed faces, an undo and a claim."""
    from ledger.builtin import AddWords, Claim

    ledger = create_ledger(store)
    ledger.declare(AddWords(by="Ana", words="brass kettle"), at=AT)  # 1.1
    flip(ledger)  # 1.2
    flip(ledger, again=True, request="k1")  # 1.3, undone and declared again
    undo(ledger, by="gm", at=AT)  # 1.4
    flip(ledger, again=True)  # 1.3, third take
    flip(ledger, faces=(2,))  # 1.5
    ledger.declare(Claim(by="Ana", values=(("Ana.points", 16),)), at=AT)  # 1.6
    ledger.close_session(at=AT)  # 1.7
    ledger.open_session("two", at=AT, seed=fixed_seed("more coins"))
    flip(ledger)  # 2.1
    ledger.close_session(at=AT)  # 2.2
    return ledger


def flip(ledger: Ledger[Purses], who: str = "Ana", *, again: bool = False, **more: Any) -> Record:
    return ledger.declare(Flip(by=who, again=again), at=AT, line="ana flip again" if again else "ana flip", **more)


def say(said: Declaration, **more: Any) -> Callable[[Ledger[Purses]], Record]:
    """Return a function that makes a declaration, for tables of refusals."""
    return lambda ledger: ledger.declare(said, at=AT, **more)


def undone_take(ledger: Ledger[Purses], amendment: Record) -> Record:
    """Return the take that an undo voided."""
    return corrected_takes(ledger.store, amendment)[0]


def faces(record: Record) -> dict[str, tuple[int, ...]]:
    """Return the faces of an entry, by purpose."""
    return {fact.purpose: tuple(die.face for die in fact.dice) for fact in record.facts if hasattr(fact, "purpose")}


def bytes_of(store: Store) -> list[StoredRecord]:
    return list(store.read())


def findings_of(store: Store, game: Coin | None = None, **more: Any) -> list[str]:
    """Return the findings of verify as lines."""
    return [str(finding) for finding in verify(store, game or Coin(), Coins(), **more)[1]]


class Failing:
    """A connection that raises an error at its n-th statement."""

    def __init__(self, db: sqlite3.Connection, error: type[BaseException], at: int, after: bool = False) -> None:
        self.connection, self._error, self._at, self._after = db, error, at, after
        self.count = 0

    def _do(self, act: Callable[[], Any]) -> Any:
        self.count += 1
        if self.count != self._at:
            return act()
        if self._after:
            act()
        raise self._error("on purpose")

    def execute(self, sql: str, values: Any = ()) -> Any:
        return self._do(lambda: self.connection.execute(sql, values))

    def executemany(self, sql: str, rows: Any) -> Any:
        return self._do(lambda: self.connection.executemany(sql, rows))

    @property
    def in_transaction(self) -> bool:
        return self.connection.in_transaction

    def close(self) -> None:
        self.connection.close()


@dataclass
class Forger:
    """Somebody who owns the file, drops its triggers and changes records."""

    path: Path

    def sql(self, *statements: str) -> None:
        db = sqlite3.connect(self.path, isolation_level=None)
        try:
            for statement in statements:
                db.execute(statement)
        finally:
            db.close()

    def change(self, *statements: str) -> None:
        """Run statements without the triggers that forbid them, and make the triggers again."""
        db = sqlite3.connect(self.path, isolation_level=None)
        triggers = db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        db.close()
        drops, creates = [f"DROP TRIGGER {name}" for name, _ in triggers], [sql for _, sql in triggers]
        self.sql(*drops, *statements, *creates)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        db = sqlite3.connect(self.path)
        try:
            return db.execute(query).fetchall()
        finally:
            db.close()

    def rewrite(self, edit: Callable[[list[Record]], list[Record]], *, chained: bool) -> None:
        """Replace all records by `edit` of them, with right columns, and right hashes if `chained`."""
        db = sqlite3.connect(self.path, isolation_level=None)
        try:
            stored = list(map(stored_record, db.execute(f"{SELECT_RECORDS} ORDER BY position")))
            triggers = db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
            db.execute("BEGIN")
            for name, _ in triggers:
                db.execute(f"DROP TRIGGER {name}")
            old = {kept.body: kept for kept in stored}
            db.execute("DELETE FROM records")
            before = EMPTY.hash
            for made in edit([msgspec.json.decode(kept.body, type=Record) for kept in stored]):
                whole = ENCODER.encode(made)
                forged = old.get(whole, StoredRecord(made.position, whole, None, "f" * 64))
                if chained:
                    before = record_hash(before, forged.leaf)
                    forged = msgspec.structs.replace(forged, hash=before)
                db.execute(INSERT_RECORD, record_row(forged, made))
            for _, sql in triggers:
                db.execute(sql)
            db.execute("COMMIT")
        finally:
            db.close()


def empty_snapshot(entry: str, position: int) -> Snapshot:
    return Snapshot(position=position, entry=parse_entry_id(entry), body=b"{}")


def changing(entry: str, take: int = 1, /, **changes: Any) -> Callable[[list[Record]], list[Record]]:
    """Return an edit of one take: its fields, or with `fact=(index, {...})` those of one of its facts."""

    def edit(records: list[Record]) -> list[Record]:
        return [_changed(old, changes) if (str(old.id), old.take) == (entry, take) else old for old in records]

    return edit


def _changed(old: Record, changes: dict[str, Any]) -> Record:
    changes = dict(changes)
    index, fields = changes.pop("fact", (0, {}))
    facts: list[Fact] = list(old.facts)
    if fields:
        facts[index] = msgspec.structs.replace(facts[index], **fields)
    return msgspec.structs.replace(old, **{"facts": tuple(facts), **changes})


def dropping(entry: str, take: int = 1) -> Callable[[list[Record]], list[Record]]:
    """Return an edit that deletes one take and renumbers positions."""

    def edit(records: list[Record]) -> list[Record]:
        kept = [old for old in records if (str(old.id), old.take) != (entry, take)]
        return [msgspec.structs.replace(old, position=n) for n, old in enumerate(kept, start=1)]

    return edit


def edits(*all_of_them: Callable[[list[Record]], list[Record]]) -> Callable[[list[Record]], list[Record]]:
    """Return several edits as one."""

    def edit(records: list[Record]) -> list[Record]:
        for each in all_of_them:
            records = each(records)
        return records

    return edit


def head_at(store: Store, position: int) -> Head:
    """Return the head that the log of a store had at a position, or one that it has never had there."""
    heads = {0: EMPTY} | {stored.position: Head(stored.position, stored.hash) for stored in store.read()}
    return heads.get(position, Head(position, "ff" * 32))


def declared(record: Record) -> Declared:
    first = record.facts[0]
    assert isinstance(first, Declared)
    return first


def points(ledger: Ledger[Purses], who: str = "Ana") -> int | None:
    """Return the points of somebody's purse."""
    return ledger.state.state.points.get(who)


def results(record: Record) -> list[str]:
    """Return the results that an entry judged."""
    return [fact.result for fact in record.facts if isinstance(fact, Judged)]


def packed_state(state: LedgerState[Any]) -> tuple[Any, ...]:
    """Return everything that a state holds, for comparison."""
    packed = state.projection.pack(state.state)
    return packed, state.session, state.last, dict(state.reusable_numbers), state.position


def folded_state(store: Store, projection: Projection[Any] | None = None) -> LedgerState[Any]:
    """Return the current state, folded without snapshots."""
    state = initial_state(projection or Coins())
    for record in latest_takes(store.takes()):
        state.fold(record)
    state.head = store.head()
    return state
