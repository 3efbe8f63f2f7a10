"""The SQLite store: triggers, authorizer, creating, opening, reading, schema."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import ledger as package
from ledger import sqlite_schema
from ledger import sqlite_store as sqlite
from ledger.errors import Damaged, LedgerError
from ledger.records import EMPTY, FORMAT
from tests.ledger.strategies import Forger, bytes_of, create_ledger, record

ROOT = Path(package.__file__).parent.parent


# Triggers: they guard the file against every program

ROW = "'{}', NULL, 'x', 0, 9, 0, 1, NULL"


@pytest.mark.quick_rows(8)
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE records SET public = 'x' WHERE position = 2",
        "UPDATE records SET sealed = 'x'",
        "UPDATE records SET request = NULL",
        "UPDATE OR REPLACE records SET position = 1 WHERE position = 2",
        "DELETE FROM records WHERE position = 3",
        "DELETE FROM records",  # the truncate optimisation does not step round the trigger
        f"INSERT OR REPLACE INTO records VALUES (2, {ROW})",
        f"REPLACE INTO records VALUES (3, {ROW})",
        f"INSERT INTO records VALUES (3, {ROW}) ON CONFLICT DO UPDATE SET public = 'x'",
        f"INSERT INTO records VALUES (3, {ROW})",
        f"INSERT INTO records VALUES (5, {ROW})",  # a gap
        f"INSERT INTO records VALUES (0, {ROW})",
        f"INSERT INTO records VALUES (-1, {ROW})",
        f"INSERT INTO records VALUES (99, {ROW})",
        f"INSERT INTO records VALUES (NULL, {ROW})",
        f"INSERT INTO records VALUES ('four', {ROW})",
        f"INSERT INTO records VALUES (4, {ROW}), (6, {ROW})",  # the second of two
        "INSERT INTO records VALUES (4, x'00', NULL, 'x', 0, 9, 0, 1, NULL)",  # STRICT: bytes are no text
        "INSERT INTO records VALUES (4, '{}', NULL, 'x', 'zero', 9, 0, 1, NULL)",
        "INSERT INTO records VALUES (4, NULL, '{}', 'x', 0, 9, 0, 1, NULL)",
    ],
)
def test_no_plain_statement_changes_the_records(filled, statement):
    before = sqlite.open_store(filled, write=False)
    records = bytes_of(before)
    before.close()
    with pytest.raises(sqlite3.IntegrityError):
        Forger(filled).sql(statement)
    after = sqlite.open_store(filled, write=False)
    assert (bytes_of(after), after.find_column_mismatch(), after.find_schema_mismatch()) == (records, None, None)
    after.close()


def test_ignoring_conflicts_inserts_nothing(filled):
    with pytest.raises(sqlite3.IntegrityError):
        Forger(filled).sql(f"INSERT OR IGNORE INTO records VALUES (2, {ROW})")


def test_the_next_position_is_the_one_that_is_open(filled):
    Forger(filled).sql(f"INSERT INTO records VALUES (4, {ROW})")
    store = sqlite.open_store(filled, write=False)
    assert store.head().position == 4
    assert store.find_column_mismatch() == 4
    store.close()


# The authorizer: it guards the file against statements of our own


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE records SET public = 'x'",
        "DELETE FROM records",
        "DELETE FROM Records WHERE position = 1",
        "DROP TABLE records",
        "DROP TRIGGER records_not_changed",
        "ALTER TABLE records RENAME TO old",
        "ALTER TABLE records ADD COLUMN more TEXT",
        "CREATE TEMP TABLE records (position)",
        "CREATE TEMP VIEW records AS SELECT 1",
        "CREATE TEMP TRIGGER t BEFORE INSERT ON records BEGIN SELECT 1; END",
        "PRAGMA writable_schema = ON",
        "PRAGMA Writable_Schema = ON",
        "ATTACH ':memory:' AS other",
    ],
)
def test_authorizer_denies_changes_of_records(filled, statement):
    store = sqlite.open_store(filled, write=True)
    with pytest.raises(sqlite3.DatabaseError, match="not authorized"):
        store.connection.execute(statement)
    store.close()


def test_new_ledger_has_the_authorizer(tmp_path):
    store = sqlite.create_store(tmp_path / "new.db")
    with pytest.raises(sqlite3.DatabaseError, match="not authorized"):
        store.connection.execute("DELETE FROM records")
    store.close()


def test_connections_have_durable_settings(filled):
    store = sqlite.open_store(filled, write=True)
    names = ("journal_mode", "synchronous", "trusted_schema", "cell_size_check", "mmap_size")
    assert [store.connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names] == ["delete", 3, 0, 1, 0]
    store.close()


# Creating and opening


def test_create_refuses_an_existing_file(filled):
    before = filled.read_bytes()
    with pytest.raises(LedgerError, match="there is a ledger already") as caught:
        sqlite.create_store(filled)
    assert str(filled) in str(caught.value)
    assert filled.read_bytes() == before


def test_create_in_a_missing_folder_is_a_ledger_error(tmp_path):
    with pytest.raises(LedgerError, match="cannot be created"):
        sqlite.create_store(tmp_path / "missing" / "ledger.db")


def test_failed_create_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite_schema, "SCHEMA", (*sqlite_schema.SCHEMA, "CREATE NONSENSE"))
    with pytest.raises(LedgerError):
        sqlite.create_store(tmp_path / "ledger.db")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("write", [True, False])
def test_a_ledger_that_is_not_there_is_not_made(tmp_path, write):
    with pytest.raises(LedgerError, match="there is no ledger") as caught:
        sqlite.open_store(tmp_path / "ledger.db", write=write)
    assert str(tmp_path) in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def zero_bytes(path):
    path.write_bytes(b"")


def text(path):
    path.write_text("k sneak v5 e1\n" * 300)


def short_text(path):
    path.write_text("no ledger")


def another_database(path):
    path.unlink()
    Forger(path).sql("CREATE TABLE notes (text)")


def another_application(path):
    Forger(path).sql("PRAGMA application_id = 7")


def a_newer_version(path):
    Forger(path).sql(f"PRAGMA user_version = {FORMAT + 1}")


def no_version(path):
    Forger(path).sql("PRAGMA user_version = 0")


def cut_within_the_header(path):
    path.write_bytes(path.read_bytes()[:60])


def header_zeroed(path):
    path.write_bytes(bytes(100) + path.read_bytes()[100:])


@pytest.mark.parametrize("write", [True, False])
@pytest.mark.parametrize(
    "spoil",
    [
        zero_bytes,
        text,
        short_text,
        another_database,
        another_application,
        a_newer_version,
        no_version,
        cut_within_the_header,
        header_zeroed,
    ],
)
def test_other_files_are_refused_and_unchanged(filled, spoil, write):
    spoil(filled)
    before = filled.read_bytes()
    with pytest.raises(Damaged) as caught:
        sqlite.open_store(filled, write=write)
    assert str(filled) in str(caught.value)
    assert filled.read_bytes() == before
    assert [each.name for each in filled.parent.iterdir()] == [filled.name]


@pytest.mark.parametrize("version", [FORMAT - 1, FORMAT + 1])
def test_ledger_of_another_format_is_refused_with_both_numbers(filled, version):
    Forger(filled).sql(f"PRAGMA user_version = {version}")
    with pytest.raises(Damaged, match=f"has format {version}, this program reads format {FORMAT}"):
        sqlite.open_store(filled, write=False)


@pytest.mark.parametrize("write", [True, False])
def test_a_folder_is_no_ledger(tmp_path, write):
    with pytest.raises(LedgerError) as caught:
        sqlite.open_store(tmp_path, write=write)
    assert str(tmp_path) in str(caught.value)


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_a_file_that_lost_its_end_is_damaged_wherever_it_is_read(filled, cut):
    whole = filled.read_bytes()
    filled.write_bytes(whole[: len(whole) - 4096 * cut])
    with pytest.raises(Damaged, match=re.escape(str(filled))):
        everything_of(filled)


def everything_of(path):
    store = sqlite.open_store(path, write=False)
    try:
        return bytes_of(store), list(store.takes()), list(store.snapshots()), store.find_request("k")
    finally:
        store.close()


def test_a_hard_link_is_refused_for_writing_and_read_all_the_same(filled):
    os.link(filled, filled.with_name("second.db"))
    with pytest.raises(LedgerError, match="second name") as caught:
        sqlite.open_store(filled, write=True)
    assert str(filled) in str(caught.value)
    store = sqlite.open_store(filled, write=False)
    assert store.head().position == 3
    store.close()


def test_a_symbolic_link_leads_to_the_one_file(filled, tmp_path):
    link = tmp_path / "elsewhere.db"
    link.symlink_to(filled)
    store = sqlite.open_store(link, write=True)
    store.append([record(4)], after=store.head())
    store.close()
    assert len(everything_of(filled)[0]) == 4


@pytest.mark.parametrize("name", ["a b.db", "a%20b.db", "what?.db", "no#1.db", "é🎲.db", "mode=rwc&x.db"])
def test_any_file_name_will_do(tmp_path, name):
    path = tmp_path / name
    store = sqlite.create_store(path)
    store.append([record(1)], after=EMPTY)
    store.close()
    assert len(everything_of(path)[0]) == 1
    assert [each.name for each in tmp_path.iterdir()] == [name]


# Reading


def test_reading_creates_nothing_and_changes_nothing(filled):
    before, time = filled.read_bytes(), filled.stat().st_mtime_ns
    everything_of(filled)
    assert [each.name for each in filled.parent.iterdir()] == [filled.name]
    assert (filled.read_bytes(), filled.stat().st_mtime_ns) == (before, time)


def test_a_reader_cannot_append(filled):
    store = sqlite.open_store(filled, write=False)
    with pytest.raises(LedgerError, match="readonly") as caught:
        store.append([record(4)], after=store.head())
    assert "writable" in caught.value.hint
    store.close()
    assert len(everything_of(filled)[0]) == 3


SOMEBODY = """
import os, sys
from pathlib import Path
from ledger import sqlite_store as sqlite
from ledger.errors import LedgerError
from tests.ledger.strategies import record
if os.getuid() == 0:
    os.setgid(65534); os.setuid(65534)
path = Path(sys.argv[1])
store = sqlite.open_store(path, write=False)
print(len(list(store.read())), len(list(store.takes())), store.find_schema_mismatch())
store.close()
try:
    store = sqlite.open_store(path, write=True)
    store.append([record(4)], after=store.head())
except LedgerError as error:
    print(type(error).__name__)
print(sorted(os.listdir(path.parent)))
"""


@pytest.mark.slow
def test_a_read_only_file_in_a_read_only_folder_can_be_read(filled):
    """Run as another user than root, who may read everything."""
    with tempfile.TemporaryDirectory(prefix="ledger-readonly-") as name:
        folder = Path(name)
        copy = folder / "ledger.db"
        shutil.copy(filled, copy)
        copy.chmod(0o444)
        folder.chmod(0o555)
        done = subprocess.run(
            [sys.executable, "-c", SOMEBODY, str(copy)],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
        )
        folder.chmod(0o755)
    assert (done.stderr, done.stdout.splitlines()) == ("", ["3 3 None", "LedgerError", "['ledger.db']"])


def journal_left_behind(path, folder):
    """Copy the file and its journal as a killed writer leaves them."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA cache_size = 1")
    db.execute("BEGIN IMMEDIATE")
    for position in range(4, 60):
        db.execute("INSERT INTO records VALUES (?, ?, NULL, 'x', 0, 9, 0, 1, NULL)", (position, "x" * 3000))
    copy = folder / "ledger.db"
    shutil.copy(path, copy)
    shutil.copy(f"{path}-journal", f"{copy}-journal")
    db.execute("ROLLBACK")
    db.close()
    return copy


@pytest.mark.slow
@pytest.mark.parametrize("write", [True, False])
def test_journal_of_a_killed_writer_is_rolled_back_on_open(filled, tmp_path, write):
    (tmp_path / "killed").mkdir()
    whole = everything_of(filled)
    copy = journal_left_behind(filled, tmp_path / "killed")
    assert copy.read_bytes() != filled.read_bytes()
    store = sqlite.open_store(copy, write=write)
    assert store.head().position == 3
    store.close()
    assert everything_of(copy) == whole
    assert [each.name for each in copy.parent.iterdir()] == ["ledger.db"]


# A write-ahead log, which another program has switched on


@pytest.mark.slow
def test_write_ahead_log_is_set_back_by_a_writer(filled, tmp_path):
    Forger(filled).sql("PRAGMA journal_mode = WAL")
    store = sqlite.open_store(filled, write=True)
    assert store.wal
    store.append([record(4)], after=store.head())
    copy = tmp_path / "copy.db"
    copy.write_bytes(filled.read_bytes())
    store.close()
    assert len(everything_of(copy)[0]) == 4
    again = sqlite.open_store(filled, write=True)
    assert not again.wal
    again.close()


@pytest.mark.slow
def test_lines_in_a_write_ahead_log_are_read_and_kept(filled):
    other = sqlite3.connect(filled, isolation_level=None)
    other.execute("PRAGMA journal_mode = WAL")
    other.execute(f"INSERT INTO records VALUES (4, {ROW})")
    reader = sqlite.open_store(filled, write=False)
    assert (reader.wal, reader.head().position) == (True, 4)
    reader.close()
    with pytest.raises(LedgerError, match="switched the ledger to a write-ahead log, and has it open"):
        sqlite.open_store(filled, write=True)
    other.close()
    sqlite.open_store(filled, write=True).close()
    assert sorted(path.name for path in filled.parent.iterdir()) == [filled.name]
    assert sqlite.open_store(filled, write=False).head().position == 4


# Schema and columns


def test_unchanged_schema_has_no_mismatch(filled):
    store = sqlite.open_store(filled, write=False)
    assert (store.find_schema_mismatch(), store.find_column_mismatch()) == (None, None)
    store.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        "session = 1",
        "number = 7",
        "inserted = 1",
        "take = 2",
        "request = NULL",
        "request = 'other'",
        "public = replace(public, '\"Ana\"', '7')",  # no record any more
        "public = '{}'",
        "sealed = '{}'",
    ],
)
def test_columns_that_differ_from_the_bytes_are_found(filled, change):
    Forger(filled).change(f"UPDATE records SET {change} WHERE position = 2")
    store = sqlite.open_store(filled, write=False)
    assert store.find_column_mismatch() == 2
    with pytest.raises(Damaged, match="position 2"):
        list(store.takes())
    store.close()


def test_a_body_that_is_no_utf_8_is_damaged_and_not_a_traceback(filled):
    Forger(filled).change(
        "UPDATE records SET public = CAST(x'7bff7d' AS TEXT), hash = CAST(x'ff' AS TEXT) WHERE position = 2"
    )
    store = sqlite.open_store(filled, write=False)
    assert bytes_of(store)[1].public == b"{\xff}"
    assert store.find_column_mismatch() == 2
    with pytest.raises(Damaged, match="position 2"):
        list(store.takes())
    store.close()


# The source


@pytest.mark.parametrize(
    ("pattern", "allowed"),
    [
        (r"\bBEGIN (IMMEDIATE|DEFERRED|EXCLUSIVE|TRANSACTION)|[\"']BEGIN", 1),
        (r"\bCOMMIT\b.*\)", 1),
        (r"(?<!projection)\.commit\(", 0),
        (r"\bROLLBACK\b(?! TO).*\)", 1),
        (r"with [a-z_.]*(db|conn)\b:", 0),  # opens nothing and commits too early
        (r"executescript", 0),  # commits what is open
        (r"\.transform\(", 0),  # drops triggers without a word
        (r"\.drop\(", 0),
        (r"journal_mode *=", 2),  # they set back what another program has changed: in the file, and in a copy
        (r"\batomic\(", 0),
    ],
)
def test_only_one_place_in_the_source_begins_and_ends_transactions(pattern, allowed):
    lines = [
        f"{file.name}: {line.strip()}"
        for file in sorted((ROOT / "ledger").glob("*.py"))
        if not file.stem.startswith("postgres")
        for line in file.read_text().splitlines()
        if re.search(pattern, line) and not line.lstrip().startswith("#")
    ]
    assert len(lines) == allowed, lines


@pytest.mark.slow
def test_one_declaration_needs_no_sqlite_utils(tmp_path):
    """It is heavy to import: only creating and rebuilding use it."""
    store = sqlite.create_store(tmp_path / "ledger.db")
    create_ledger(store)
    store.close()
    script = (
        "import sys; from pathlib import Path; from ledger import sqlite_store as sqlite;"
        "from tests.ledger.strategies import new_ledger, AT; from tests.ledger.coin import Purse;"
        "store = sqlite.open_store(Path(sys.argv[1]), write=True);"
        "new_ledger(store).declare(Purse(by='Bo', points=3), at=AT); store.close();"
        "print('sqlite_utils' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "ledger.db")], cwd=ROOT, capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("False\n", "")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a b", "50 %", "%41", "what?mode=ro", "#1", "né", "\udcff", "a;b&c=d", "'\"\\"])
def test_ledger_may_be_in_a_folder_of_any_name(tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    sqlite.create_store(folder / "ledger.db").close()
    store = sqlite.open_store(folder / "ledger.db", write=True)
    store.append([record(1)], after=EMPTY)
    store.close()
    assert [path.name for path in folder.iterdir()] == ["ledger.db"]
    assert [path.name for path in tmp_path.iterdir()] == [name]
    again = sqlite.open_store(str(folder / "ledger.db"), write=False)
    assert again.head().position == 1
    again.close()
