"""Failing statements, full disks and locks: all of an append is stored, or nothing."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

import ledger as package
from ledger import snapshot_rows, sql_reader, sqlite_connection
from ledger import sqlite_store as sqlite
from ledger.errors import LedgerError, Overtaken
from tests.ledger.strategies import Failing, bytes_of, empty_snapshot, record

ROOT = Path(package.__file__).parent.parent


BUSY, LONGEST = sqlite_connection.BUSY_SECONDS, max(sqlite_connection.PAUSES)
COMMIT = 9  # the number of this statement in an append without a snapshot
ERRORS = [sqlite3.OperationalError, KeyboardInterrupt, MemoryError]
RAISED = {sqlite3.OperationalError: LedgerError, KeyboardInterrupt: KeyboardInterrupt, MemoryError: MemoryError}


@pytest.mark.slow
@pytest.mark.parametrize("after", [False, True], ids=["before it ran", "after it ran"])
@pytest.mark.parametrize("error", ERRORS)
def test_when_the_nth_statement_fails_all_is_appended_or_nothing(filled, error, after):
    """Fail at the first statement, at the second, and so on until nothing fails."""
    db = sqlite.open_store(filled, write=True)
    outcomes = []
    for n in range(1, 20):
        head, records, snapshots = db.head(), bytes_of(db), list(db.snapshots())
        new = [record(head.position + 1), record(head.position + 2)]
        failing = Failing(db.connection, error, n, after)
        flaky = sqlite.SqliteStore(failing, filled)
        entry = str(new[-1].id)
        try:
            flaky.append(new, after=head, snapshot=empty_snapshot(entry, head.position + 2))
        except RAISED[error]:
            outcomes.append(db.head() != head)
        else:
            assert failing.count == n - 1  # success, when all statements have had their turn
            break
        assert not db.connection.in_transaction
        grown = len(bytes_of(db)) - len(records)
        assert grown == (2 if outcomes[-1] else 0)
        assert (list(db.snapshots()) == snapshots) == (grown == 0)
        db.append([record(head.position + grown + 1)], after=db.head())
    else:
        pytest.fail("it never succeeded")
    # BEGIN, the index, the last record, records, them read back, two of snapshots, entries, their index, COMMIT
    assert len(outcomes) == 10
    assert outcomes.count(True) == (1 if after else 0)  # only a failure behind the COMMIT finds all of it written
    assert (db.find_column_mismatch(), db.find_schema_mismatch()) == (None, None)
    db.close()


@pytest.mark.parametrize("error", ERRORS)
def test_failing_statement_replaces_all_snapshots_or_none(filled, error, monkeypatch):
    db = sqlite.open_store(filled, write=True)
    before, new = list(db.snapshots()), [empty_snapshot(f"1.{n}", 3) for n in range(250)]
    monkeypatch.setattr(snapshot_rows, "snapshot_row", fails_at(150, snapshot_rows.snapshot_row, error))
    with pytest.raises(RAISED[error]):
        db.replace_snapshots(new, after=db.head())
    assert list(db.snapshots()) == before
    monkeypatch.undo()
    db.replace_snapshots(new, after=db.head())
    assert list(db.snapshots()) == new
    db.close()


def disk_error(text):
    return sqlite3.OperationalError("disk I/O error")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("after", "positions", "said"),
    [(True, 4, r"entry 0\.3 is kept\. Do not say it again"), (False, 3, "Nothing was kept")],
)
def test_io_error_at_commit_says_what_was_kept(filled, after, positions, said):
    db = sqlite.open_store(filled, write=True)
    failing = Failing(db.connection, disk_error, COMMIT, after)
    with pytest.raises(LedgerError, match=said):
        sqlite.SqliteStore(failing, filled).append([record(4)], after=db.head())
    assert db.head().position == positions
    db.close()


def test_io_error_says_when_nobody_knows_what_was_kept(filled, monkeypatch):
    db = sqlite.open_store(filled, write=True)
    flaky = sqlite.SqliteStore(Failing(db.connection, disk_error, COMMIT, True), filled)

    def fail(**more):
        raise LedgerError("the disk is gone")

    monkeypatch.setattr(flaky, "read", fail)
    with pytest.raises(LedgerError, match=r"not known whether entry 0\.3 was kept"):
        flaky.append([record(4)], after=db.head())
    db.close()


def fails_at(count, function, error):
    left = iter(range(count))

    def failing(*arguments):
        if next(left, None) is None:
            raise error("on purpose")
        return function(*arguments)

    return failing


@pytest.mark.slow
def test_interrupted_sqlite_step_appends_nothing(filled):
    """A progress handler interrupts SQLite itself after n steps of its virtual machine, inside the statements."""
    db = sqlite.open_store(filled, write=True)
    head, stopped = db.head(), []
    for steps in range(1, 2000, 7):
        db.connection.set_progress_handler(stops_once_after(steps), 1)
        try:
            db.append([record(4), record(5)], after=head, snapshot=empty_snapshot("0.4", 5))
        except LedgerError as error:
            stopped.append(str(error))
            db.connection.set_progress_handler(None, 0)
            assert (db.head().position, db.connection.in_transaction) == (3, False)
        else:
            break
    db.connection.set_progress_handler(None, 0)
    assert len(stopped) > 10
    assert all("interrupted" in text or "entries_fts" in text for text in stopped)
    assert db.head().position == 5
    assert not db.is_search_stale()
    db.close()


def stops_once_after(steps):
    """It stops only once, because the ROLLBACK runs under it too."""
    left = iter(range(steps, -1, -1))
    return lambda: next(left, None) == 0


def test_full_disk_writes_nothing_until_space_is_free(filled):
    db = sqlite.open_store(filled, write=True)
    (pages,) = db.connection.execute("PRAGMA page_count").fetchone()
    db.connection.execute(f"PRAGMA max_page_count = {pages}")
    before = bytes_of(db)
    big = record(4, at="x" * 20_000)
    with pytest.raises(LedgerError, match="full") as caught:
        db.append([big], after=db.head())
    assert "Free some space" in caught.value.hint
    assert bytes_of(db) == before
    assert db.head().position == 3
    db.connection.execute("PRAGMA max_page_count = 1000000")
    db.append([big], after=db.head())
    assert db.head().position == 4
    db.close()


@pytest.mark.slow
def test_long_lock_is_a_ledger_error(filled, monkeypatch):
    monkeypatch.setattr(sqlite_connection, "BUSY_SECONDS", 0.05)
    store = sqlite.open_store(filled, write=True)
    holder = sqlite3.connect(filled, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerError, match="another program has held the ledger") as caught:
        store.append([record(4)], after=store.head())
    assert "database is locked" not in str(caught.value)
    holder.execute("ROLLBACK")
    holder.close()
    store.append([record(4)], after=store.head())
    store.close()


@pytest.fixture
def pauses(monkeypatch) -> list[float]:
    """The pauses that were made while a lock was waited for, in seconds: they take no time in a test."""
    made: list[float] = []
    monkeypatch.setattr(sqlite_connection.time, "sleep", made.append)
    return made


@pytest.mark.parametrize("write", [True, False])
def test_lock_is_waited_for_once_when_opening(filled, pauses, write):
    holder = sqlite3.connect(filled, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(LedgerError, match="another program has held the ledger"):
        sqlite.open_store(filled, write=write)
    assert BUSY <= sum(pauses) < BUSY + LONGEST
    holder.close()


def test_lock_is_waited_for_once_by_all_statements(filled, pauses):
    store = sqlite.open_store(filled, write=True)
    holder = sqlite3.connect(filled, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    for _ in range(3):
        with pytest.raises(LedgerError, match="another program has held the ledger"):
            store.append([record(4)], after=store.head())
        with pytest.raises(LedgerError, match="another program has held the ledger"):
            store.head()
    assert BUSY <= sum(pauses) < BUSY + LONGEST
    holder.execute("ROLLBACK")
    store.append([record(4)], after=store.head())
    holder.execute("BEGIN EXCLUSIVE")
    pauses.clear()
    with pytest.raises(LedgerError, match="another program has held the ledger"):
        store.head()
    assert BUSY <= sum(pauses) < BUSY + LONGEST  # after a commit there is patience again
    holder.close()
    store.close()


@pytest.mark.slow
def test_writer_waits_until_a_lock_is_released(filled):
    store = sqlite.open_store(filled, write=True)
    holder = sqlite3.connect(filled, isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN EXCLUSIVE")
    release = threading.Timer(0.05, holder.execute, ["ROLLBACK"])
    release.start()
    store.append([record(4)], after=store.head())
    release.join()
    assert store.head().position == 4
    holder.close()
    store.close()


def test_commit_waits_for_a_reader(filled):
    store = sqlite.open_store(filled, write=True)
    reader = sqlite3.connect(filled, isolation_level=None, check_same_thread=False)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM records").fetchone()
    release = threading.Timer(0.05, reader.execute, ["ROLLBACK"])
    release.start()
    store.append([record(4)], after=store.head())
    release.join()
    reader.close()
    store.close()


@pytest.mark.slow
def test_a_reader_in_the_middle_of_its_pages_holds_no_lock(filled, monkeypatch):
    monkeypatch.setattr(sqlite_connection, "BUSY_SECONDS", 0.05)
    monkeypatch.setattr(sql_reader, "PAGE", 1)
    reader, writer = sqlite.open_store(filled, write=False), sqlite.open_store(filled, write=True)
    reading, takes = reader.read(), reader.takes()
    next(reading)
    next(takes)
    writer.append([record(4)], after=writer.head())
    assert len(list(reading)) == len(list(takes)) == 3
    reader.close()
    writer.close()


@pytest.mark.slow
def test_of_two_connections_the_second_is_overtaken(filled):
    one, two = sqlite.open_store(filled, write=True), sqlite.open_store(filled, write=True)
    read = two.head()
    one.append([record(4)], after=read)
    with pytest.raises(Overtaken):
        two.append([record(4)], after=read)
    two.append([record(5)], after=two.head())
    assert one.head() == two.head()
    one.close()
    two.close()
