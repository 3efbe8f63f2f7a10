"""Fixtures for the tests of the ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ledger import sqlite_store as sqlite
from ledger.memory_store import MemoryStore
from ledger.records import EMPTY
from ledger.service import Ledger
from ledger.store import Store
from tests.ledger.coin import Purses
from tests.ledger.strategies import Forger, create_ledger, empty_snapshot, played, record
from tests.postgres import new_store

OpenStore = Callable[[], Store]


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Each kind of store, empty."""
    made: Store
    if request.param == "postgres":
        made = new_store(request.getfixturevalue("postgres"))
    else:
        made = MemoryStore() if request.param == "memory" else sqlite.create_store(tmp_path / "ledger.db")
    yield made
    made.close()


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of an empty ledger file."""
    file = tmp_path_factory.mktemp("empty") / "ledger.db"
    sqlite.create_store(file).close()
    return file.read_bytes()


@pytest.fixture
def path(empty: bytes, tmp_path: Path) -> Path:
    """An empty ledger file."""
    file = tmp_path / "ledger.db"
    file.write_bytes(empty)
    return file


@pytest.fixture
def db(path: Path) -> Iterator[sqlite.SqliteStore]:
    """That file, open for writing."""
    opened = sqlite.open_store(path, write=True)
    yield opened
    opened.close()


@pytest.fixture
def ledger() -> Ledger[Purses]:
    """A ledger in memory: Ana has 20 points, session 1 is open."""
    return create_ledger()


@pytest.fixture(scope="session")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger file with two sessions played. Copy it; do not write to it."""
    file = tmp_path_factory.mktemp("story") / "ledger.db"
    store = sqlite.create_store(file)
    played(store)
    store.close()
    return file


@pytest.fixture
def forger(story: Path, tmp_path: Path) -> Forger:
    """A forger with a copy of that file."""
    copy = tmp_path / "ledger.db"
    copy.write_bytes(story.read_bytes())
    return Forger(copy)


@pytest.fixture(scope="session")
def filled_once(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a file with three records and two snapshots."""
    file = tmp_path_factory.mktemp("filled") / "ledger.db"
    store = sqlite.create_store(file)
    store.append([record(1), record(2, request="k"), record(3)], after=EMPTY)
    store.replace_snapshots([empty_snapshot("0.0", 1), empty_snapshot("0.2", 3)], after=store.head())
    store.close()
    return file.read_bytes()


@pytest.fixture
def filled(filled_once: bytes, path: Path) -> Path:
    """A file with three records and two snapshots."""
    path.write_bytes(filled_once)
    return path
