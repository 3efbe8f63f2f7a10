"""A ledger file from somebody else: what its schema adds or changes is refused before it can run."""

from __future__ import annotations

import shlex
import sqlite3
from contextlib import closing

import pytest

from ledger import sqlite_connection
from ledger import sqlite_store as sqlite
from ledger.errors import Damaged, LedgerError
from ledger.read_models import BUILTIN_MODELS
from tests.ledger.strategies import AT, Forger, bytes_of, create_ledger, record

IGNORE = "CREATE TRIGGER sly BEFORE INSERT ON records BEGIN SELECT RAISE(IGNORE); END"
ENDLESS = "WITH RECURSIVE n (x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n)"
ENDLESS_VIEW = f"CREATE VIEW snapshots AS {ENDLESS} SELECT x AS position FROM n"
CHANGES = [
    ((IGNORE,), "sly"),
    (("CREATE TRIGGER sly AFTER INSERT ON entries BEGIN DELETE FROM snapshots; END",), "sly"),
    (("DROP TABLE snapshots", ENDLESS_VIEW), "snapshots"),
    (("DROP TABLE rulings", "CREATE VIEW rulings AS SELECT * FROM entries"), "rulings"),
    (("CREATE UNIQUE INDEX once ON records (take, number)",), "once"),
    (("CREATE VIRTUAL TABLE words USING fts5(word)",), "words"),
    (("DROP TRIGGER records_in_order",), "records_in_order"),
    (("DROP INDEX records_by_entry",), "records_by_entry"),
    (("DROP TABLE snapshots",), "snapshots"),
    (("ALTER TABLE records ADD COLUMN more TEXT",), "records"),
    (("ALTER TABLE entries ADD COLUMN more TEXT CHECK (more IS NULL)",), "entries"),
]


@pytest.mark.quick_rows(10)
@pytest.mark.parametrize("models", [None, ()], ids=["any tables", "no tables"])
@pytest.mark.parametrize("write", [True, False])
@pytest.mark.parametrize(("statements", "name"), CHANGES)
def test_foreign_schema_is_refused_unchanged(filled, statements, name, write, models):
    Forger(filled).sql(*statements)
    before = filled.read_bytes()
    with pytest.raises(Damaged, match=f"'{name}'") as caught:
        sqlite.open_store(filled, write=write, models=models)
    assert str(filled) in str(caught.value)
    assert filled.read_bytes() == before


HARMLESS = {
    "statistics": (("ANALYZE",), None),
    "view": (("CREATE VIEW mine AS SELECT * FROM records",), 'DROP VIEW "mine"'),
    "index": (("CREATE INDEX mine ON records (take)",), 'DROP INDEX "mine"'),
    "index of a read model": (("CREATE INDEX mine ON entries (line)",), 'DROP INDEX "mine"'),
    "table": (("CREATE TABLE mine (x)",), 'DROP TABLE "mine"'),
    "table with a key": (("CREATE TABLE mine (x TEXT PRIMARY KEY, y UNIQUE)",), 'DROP TABLE "mine"'),
    "counted table": (("CREATE TABLE mine (x INTEGER PRIMARY KEY AUTOINCREMENT)",), 'DROP TABLE "mine"'),
    "view of quotes": (('CREATE VIEW "my ""own""" AS SELECT 1 AS x',), 'DROP VIEW "my ""own"""'),
}


@pytest.mark.quick_rows(5)
@pytest.mark.parametrize("models", [None, ()], ids=["any tables", "no tables"])
@pytest.mark.parametrize("case", HARMLESS)
def test_harmless_thing_of_somebody_else_may_stay(filled, case, models):
    statements, removal = HARMLESS[case]
    Forger(filled).sql(*statements)
    store = sqlite.open_store(filled, write=True, models=models)
    before = bytes_of(store)
    store.append([record(4)], after=store.head())
    assert bytes_of(store)[:-1] == before
    assert [each.removal for each in store.strangers()] == [removal] * (removal is not None)
    assert store.find_schema_mismatch(lenient=True) is None
    assert store.find_schema_mismatch() is not None
    store.close()
    if removal:
        Forger(filled).sql(removal)
        with closing(sqlite.open_store(filled, write=False, models=models)) as again:
            assert again.strangers() == []


def test_trigger_of_somebody_else_is_named_with_its_removal(filled):
    Forger(filled).sql("CREATE TRIGGER sly AFTER INSERT ON records BEGIN SELECT 1; END")
    with pytest.raises(Damaged, match="it has a trigger that no ledger has") as caught:
        sqlite.open_store(filled, write=False, models=())
    command, _, _ = caught.value.hint.partition("look at what it did: ")[2].partition(";")
    program, path, statement = shlex.split(command)
    assert (program, path, statement) == ("sqlite-utils", str(filled), 'DROP TRIGGER "sly"')
    Forger(filled).sql(statement)
    sqlite.open_store(filled, write=False, models=()).close()


@pytest.mark.parametrize("table", [*(model.name for model in BUILTIN_MODELS), "entries_fts"])
def test_missing_read_model_can_be_opened(filled, table):
    Forger(filled).sql(f"DROP TABLE {table}")
    store = sqlite.open_store(filled, write=True, models=())
    assert f"'{table}" in str(store.find_schema_mismatch())
    store.close()


@pytest.mark.slow
def test_tables_of_an_older_version_are_made_again(filled):
    """Read models have other columns, and one is now a view; the records are the same."""
    Forger(filled).sql(
        "DROP TABLE rolls",
        "DROP VIEW wounds",
        "CREATE TABLE rolls (\n    position INTEGER PRIMARY KEY,\n    face INTEGER\n) STRICT",
        "CREATE TABLE wounds (\n    name TEXT,\n    PRIMARY KEY (name)\n) STRICT, WITHOUT ROWID",
    )
    with pytest.raises(Damaged, match="'rolls' is of another version") as caught:
        sqlite.open_store(filled, write=True, models=())
    assert "campaign rebuild" in caught.value.hint
    store = sqlite.open_store(filled, write=True)
    store.replace_read_models([(model, []) for model in BUILTIN_MODELS], after=store.head())
    assert store.find_schema_mismatch() is None
    store.close()


@pytest.mark.slow
def test_view_of_an_older_version_is_made_again(filled):
    Forger(filled).sql("DROP VIEW fights", "CREATE VIEW fights AS SELECT position AS old FROM entries")
    with pytest.raises(Damaged, match="'fights' is of another version"):
        sqlite.open_store(filled, write=False, models=())
    store = sqlite.open_store(filled, write=True)
    store.replace_read_models([(model, []) for model in BUILTIN_MODELS], after=store.head())
    assert store.find_schema_mismatch() is None
    store.close()


@pytest.mark.slow
def test_endless_statement_is_interrupted(filled, monkeypatch):
    monkeypatch.setattr(sqlite_connection, "STEPS_MOST", 1_000_000)
    store = sqlite.open_store(filled, write=True)
    with pytest.raises(LedgerError, match="interrupted"), sqlite_connection.translate_errors(filled):
        store.connection.execute(f"{ENDLESS} SELECT count(*) FROM n")
    for _ in range(30):  # together they take more steps than one may
        store.connection.execute(f"{ENDLESS} SELECT x FROM n LIMIT 5000").fetchall()
    store.close()


@pytest.mark.parametrize(
    "trigger",
    [
        IGNORE,
        "CREATE TRIGGER sly AFTER INSERT ON records BEGIN"
        " INSERT INTO records VALUES (NEW.position + 1, '{}', NULL, 'x', 9, 9, 0, 1, NULL); END",
    ],
)
def test_append_that_is_not_kept_raises_damaged(filled, trigger):
    """The trigger comes after the file was opened and checked."""
    store = sqlite.open_store(filled, write=True)
    before = bytes_of(store)
    Forger(filled).sql(trigger)
    with pytest.raises(Damaged, match="does not keep"):
        store.append([record(4)], after=store.head())
    assert bytes_of(store) == before
    store.close()


def test_seed_is_kept_until_its_closing_is_read_back(monkeypatch):
    ledger = create_ledger()
    commitment = ledger.state.session.commitment
    monkeypatch.setattr(ledger.store, "append", lambda *_, **__: None)
    with pytest.raises(Damaged, match="closing"):
        ledger.close_session(at=AT)
    assert ledger.seeds.get(commitment) is not None
    monkeypatch.undo()
    ledger.refresh()
    ledger.close_session(at=AT)
    assert ledger.seeds.get(commitment) is None


def test_recovering_connection_runs_nothing_of_the_file(filled):
    """An endless view called `records` neither hangs the opening nor keeps a lock."""
    Forger(filled).sql(
        "DROP TABLE records", f"CREATE VIEW records AS {ENDLESS} SELECT x AS position, '' AS hash FROM n"
    )
    with pytest.raises(Damaged, match="'records"):
        sqlite.open_store(filled, write=True)
    other = sqlite3.connect(filled, isolation_level=None, timeout=0)
    other.execute("BEGIN EXCLUSIVE")
    other.close()
