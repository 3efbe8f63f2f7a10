"""Declarations in one transaction: a refusal leaves all before it, a failure of the disk none."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import sqlite_store as sqlite
from ledger.corrections.undo import undo
from ledger.errors import LedgerError, Refused
from ledger.facts import EntryId
from ledger.memory_store import MemorySeeds, MemoryStore
from ledger.read_model_check import check_read_models
from ledger.read_models import BUILTIN_MODELS
from ledger.service import Ledger
from ledger.snapshots import FACTS_BETWEEN_SNAPSHOTS
from tests.budget import BUDGET
from tests.ledger.coin import Banked, Coin, Coins
from tests.ledger.strategies import AT, Failing, bytes_of, create_ledger, findings_of, flip, packed_state, points

EXAMPLES = BUDGET.examples(6, 50)
COMMITS = ("BEGIN", "COMMIT", "ROLLBACK;")


def declare(ledger, lines):
    """Declare lines one after the other, and leave out what is refused."""
    for line in lines:
        try:
            flip(ledger, who="Ana" if line == "flip" else "Nobody")
        except Refused:
            continue


@pytest.mark.slow
@settings(max_examples=EXAMPLES)
@given(st.lists(st.sampled_from(["flip", "refused"]), max_size=8), st.integers(1, 4))
def test_batches_write_what_single_lines_write(lines, size):
    alone, together = create_ledger(MemoryStore()), create_ledger(MemoryStore())
    declare(alone, lines)
    for start in range(0, len(lines), size):
        with together.batch():
            declare(together, lines[start : start + size])
    assert bytes_of(together.store) == bytes_of(alone.store)
    assert packed_state(together.state) == packed_state(alone.state)


@pytest.mark.slow
@settings(max_examples=EXAMPLES)
@given(st.lists(st.sampled_from(["flip", "refused", "undo", "asked"]), max_size=9), st.integers(1, 4))
def test_batches_write_the_tables_that_single_lines_write(lines, size):
    with TemporaryDirectory() as folder:
        alone, together = (new_file(Path(folder, name)) for name in ("alone", "together"))
        say(alone, lines, 0)
        for start in range(0, len(lines), size):
            with together.batch():
                say(together, lines[start : start + size], start)
        assert content(together.store) == content(alone.store)
        assert (findings_of(together.store), list(check_read_models(together.store, Banked()))) == ([], [])
        alone.store.close()
        together.store.close()


def say(ledger, lines, start):
    """Flip, undo what was flipped, and ask the store, each as a request of its own."""
    for number, line in enumerate(lines, start):
        if line == "asked":
            assert ledger.store.head().position == len(bytes_of(ledger.store)) == len(list(ledger.store.takes()))
            assert ledger.store.find_request("nobody's") is None
            continue
        with suppress(Refused):
            if line == "undo":
                undo(ledger, by="Ana", at=AT, request=f"{number}")
            else:
                made = flip(ledger, who="Ana" if line == "flip" else "Nobody", request=f"{number}")
                assert ledger.store.find_request(f"{number}") == made


def new_file(path):
    """Return a ledger in a file that is not synced."""
    store = sqlite.create_store(path, Banked.read_models)
    store.connection.execute("PRAGMA synchronous = OFF")
    return create_ledger(store, projection=Banked())


def content(store):
    """Return all that a file holds."""
    models = (*BUILTIN_MODELS, *Banked.read_models)
    return bytes_of(store), list(store.snapshots()), {model.name: store.read_model_rows(model) for model in models}


@pytest.mark.slow
@pytest.mark.parametrize("statement", range(3, 8))
def test_a_write_that_failed_in_a_batch_leaves_nothing_of_it(path, statement):
    """The write before something is read may fail half done, and the batch goes on: then its end fails as well."""
    first, seeds = sqlite.open_store(path, write=True), MemorySeeds()
    create_ledger(first, seeds=seeds)
    before = bytes_of(first)
    failing = Failing(first.connection, sqlite3.OperationalError, 100 + statement)
    ledger = Ledger(sqlite.SqliteStore(failing, path), Coin(), Coins(), seeds)
    assert ledger.state.session.open
    failing.count = 100
    with pytest.raises(LedgerError, match="on purpose"):
        read_in_a_batch(ledger)
    assert bytes_of(first) == before
    flip(ledger)
    assert findings_of(first) == []
    first.close()


def read_in_a_batch(ledger):
    """Read what was appended, and append more when that fails, as the player of a session file does."""
    with ledger.batch():
        flip(ledger)
        with suppress(LedgerError):
            ledger.store.session_sizes()
        flip(ledger)


@pytest.mark.slow
def test_file_commits_a_batch_once(db):
    ledger = create_ledger(db)
    statements = []
    db.connection.set_trace_callback(statements.append)
    with ledger.batch():
        declare(ledger, ["flip", "refused", "flip"])
    db.connection.set_trace_callback(None)
    assert [said for said in statements if said.startswith(COMMITS)] == ["BEGIN IMMEDIATE", "COMMIT"]
    alone = create_ledger(MemoryStore())
    declare(alone, ["flip", "flip"])
    assert bytes_of(db) == bytes_of(alone.store)
    assert findings_of(db) == []


@pytest.mark.slow
def test_reader_sees_a_batch_when_it_is_whole(path, db):
    ledger = create_ledger(db)
    reader = sqlite.open_store(path, write=False)
    before = reader.head()
    with ledger.batch():
        flip(ledger)
        assert reader.head() == before
    assert reader.head() == ledger.store.head() != before
    reader.close()


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_error_that_leaves_a_batch_leaves_nothing_of_it(kind, db):
    ledger = create_ledger(db if kind == "sqlite" else MemoryStore())
    before, had = bytes_of(ledger.store), points(ledger)
    with pytest.raises(KeyboardInterrupt):
        interrupted_batch(ledger)
    assert (bytes_of(ledger.store), points(ledger)) == (before, had)
    flip(ledger)
    assert len(bytes_of(ledger.store)) == len(before) + 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("after", "kept", "said"),
    [(False, 0, "Nothing was kept"), (True, 2, r"entry 1\.1 and all that was said after it is kept\. Do not say it")],
)
def test_io_error_at_the_end_of_a_batch_says_what_was_kept(path, after, kept, said):
    first = sqlite.open_store(path, write=True)
    seeds = MemorySeeds()
    create_ledger(first, seeds=seeds)
    failing = FailingCommit(first.connection, sqlite3.OperationalError, after)
    ledger = Ledger(sqlite.SqliteStore(failing, path), Coin(), Coins(), seeds)
    before = first.head().position
    with pytest.raises(LedgerError, match=said):
        batch_of_two(ledger)
    assert first.head().position == before + kept
    assert ledger.state.position == before + kept
    first.close()


def interrupted_batch(ledger):
    """Be stopped in the middle of a batch."""
    with ledger.batch():
        flip(ledger)
        raise KeyboardInterrupt


def batch_of_two(ledger):
    """Append two entries in one transaction."""
    with ledger.batch():
        flip(ledger)
        flip(ledger)


class FailingCommit(Failing):
    """A connection that raises an I/O error at its commit, or after it."""

    def __init__(self, db, error, after):
        super().__init__(db, error, 0, after)

    def execute(self, sql, values=()):
        if sql != "COMMIT":
            return self.connection.execute(sql, values)
        if self._after:
            self.connection.execute(sql)
        raise sqlite3.OperationalError("disk I/O error")


@pytest.mark.slow
def test_snapshots_of_a_batch_are_those_of_its_end(db):
    ledger = create_ledger(db, points=1000)
    with ledger.batch():
        while ledger.state.last < EntryId(1, FACTS_BETWEEN_SNAPSHOTS // 2):
            flip(ledger)
    assert len(list(db.snapshots())) > 1
    assert findings_of(db) == []
