"""Test the watch for changes of a ledger file: every commit is seen, and no lock is waited for."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ledger.file_watch import FileWatch


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "ledger.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE records (position INTEGER)")
    return path


def insert(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("INSERT INTO records VALUES (1)")


@pytest.mark.slow
def test_each_commit_is_a_change(file: Path) -> None:
    with closing(FileWatch(file)) as changes:
        assert changes.has_changed()
        assert not changes.has_changed()
        for _ in range(3):
            insert(file)
            assert changes.has_changed()
            assert not changes.has_changed()


def test_transaction_that_is_open_is_no_change_yet(file: Path) -> None:
    with closing(FileWatch(file)) as changes, closing(sqlite3.connect(file, isolation_level=None)) as db:
        changes.has_changed()
        db.execute("BEGIN EXCLUSIVE")
        db.execute("INSERT INTO records VALUES (1)")
        assert not changes.has_changed()
        db.execute("COMMIT")
        assert changes.has_changed()


def test_file_that_is_gone_is_a_change_once(file: Path, tmp_path: Path) -> None:
    with closing(FileWatch(file)) as changes:
        changes.has_changed()
        away = file.rename(tmp_path / "away.db")
        assert [changes.has_changed(), changes.has_changed()] == [True, False]
        away.rename(file)
        assert [changes.has_changed(), changes.has_changed()] == [True, False]


def test_watch_keeps_no_lock(file: Path) -> None:
    with closing(FileWatch(file)) as changes, closing(sqlite3.connect(file, isolation_level=None, timeout=0)) as db:
        changes.has_changed()
        db.execute("BEGIN EXCLUSIVE")
        db.execute("COMMIT")


def test_file_in_its_place_is_a_change(file: Path, tmp_path: Path) -> None:
    with closing(FileWatch(file)) as changes:
        changes.has_changed()
        backup = Path(shutil.copy(file, tmp_path / "backup.db"))
        backup.replace(file)
        assert changes.has_changed()


def test_file_that_is_gone_comes_back(file: Path, tmp_path: Path) -> None:
    with closing(FileWatch(file)) as changes:
        changes.has_changed()
        file.rename(tmp_path / "away.db")
        assert changes.has_changed()
        (tmp_path / "away.db").rename(file)
        insert(file)
        assert changes.has_changed()


@pytest.mark.parametrize("content", [b"x" * 8192, b""])
def test_other_bytes_over_it_are_a_change(file: Path, content: bytes) -> None:
    with closing(FileWatch(file)) as changes:
        changes.has_changed()
        before = file.read_bytes()
        file.write_bytes(content)
        assert changes.has_changed()
        assert [changes.has_changed() for _ in range(3)][1:] == [False, False]
        file.write_bytes(before)
        assert changes.has_changed()
