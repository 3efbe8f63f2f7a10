"""Test broken and foreign ledger files: one line of error, and nothing is changed."""

from __future__ import annotations

import random
import sqlite3

import pytest

from ledger.records import FORMAT
from ledger.upcasts import MOVED
from tests.cli.bad_files import broken_ledgers
from tests.cli.conftest import Folder, is_printable, one_error
from tests.ledger.strategies import Forger

FIRST_PAGE = 4096
COMMANDS = [
    ["show"],
    ["log"],
    ["log", "--takes", "--json"],
    ["replay"],
    ["verify"],
    ["when", "doom > 1"],
    ["diff", "1.1"],
    ["rebuild"],
    ["undo"],
    ["close"],
    ["open"],
    ["do", "k sneak v5"],
    ["run", "x.session"],
    ["cast", "x.toml"],
]


@pytest.mark.slow
def test_broken_ledger_is_one_line_of_error(played, tmp_path):
    folder = Folder(tmp_path / "broken")
    folder.file("x.session", "# One\n")
    folder.file("x.toml", "name = 'Ana'")
    for kind, content in broken_ledgers(played.bytes):
        for command in COMMANDS:
            folder.ledger.write_bytes(content)
            done = folder.invoke(*[str(folder.path / word) if word.startswith("x.") else word for word in command])
            if done.exit_code == 1 and command in (["verify"], ["replay"]):
                continue
            if kind == "a write-ahead log":
                continue  # an ordinary file is made of it again
            one_error(done, 3)
            assert is_printable(done.output), (kind, command)
            assert folder.bytes == content, (kind, command)
            for more in folder.path.glob("ledger.db-*"):
                more.unlink()


@pytest.mark.parametrize(
    ("version", "hint"),
    [
        (0, "Open it with the version that wrote it."),
        (MOVED, "Move it into a new campaign: campaign upgrade FOLDER."),
        (FORMAT + 1, "The newest version reads it: pip install -U campaign-ledger"),
    ],
)
def test_ledger_of_another_format_is_refused_with_both_numbers(played, tmp_path, version, hint):
    folder = Folder(tmp_path)
    folder.ledger.write_bytes(played.bytes[:60] + version.to_bytes(4, "big") + played.bytes[64:])
    error = one_error(folder.invoke("show"), 3)
    assert f"the ledger has format {version}, this program reads format {FORMAT}. {hint}" in error


def test_folder_named_ledger_db_is_no_ledger(tmp_path):
    (tmp_path / "ledger.db").mkdir()
    for command in COMMANDS:
        one_error(Folder(tmp_path).invoke(*command), 3)


def test_foreign_database_is_refused_unchanged(tmp_path):
    folder = Folder(tmp_path)
    db = sqlite3.connect(folder.ledger)
    db.execute("CREATE TABLE records (position INTEGER PRIMARY KEY, body TEXT)")
    db.commit()
    db.close()
    before = folder.bytes
    for command in COMMANDS:
        assert "not a campaign ledger" in one_error(folder.invoke(*command), 3)
    assert folder.bytes == before


def test_write_ahead_log_is_named_and_set_back(folder):
    Forger(folder.ledger).sql("PRAGMA journal_mode = WAL")
    assert "write-ahead log" in folder.invoke("show").stderr
    done = folder.invoke("do", "# One")
    assert (done.exit_code, "holds it all again" in done.stderr) == (0, True)
    assert folder.invoke("do", "# Two").stderr == ""
    assert list(folder.path.glob("ledger.db-*")) == []


def test_ledger_with_a_trigger_of_its_own_is_refused(folder):
    Forger(folder.ledger).sql("CREATE TRIGGER sly BEFORE INSERT ON records BEGIN SELECT RAISE(IGNORE); END")
    before, seeds = folder.bytes, folder.seeds
    for command in COMMANDS:
        assert "stored: 'sly'. If you made it, remove it" in one_error(folder.invoke(*command), 3)
    assert (folder.bytes, folder.seeds) == (before, seeds)


def test_read_model_of_another_shape_is_rebuilt(folder):
    Forger(folder.ledger).sql("ALTER TABLE pools ADD COLUMN more TEXT")
    assert "'pools' differs" in one_error(folder.invoke("do", "k sneak v5"), 3)
    folder.run("rebuild")
    folder.run("do", "k sneak v5")


def test_ledger_without_first_record_is_damaged(closed):
    Forger(closed.ledger).rewrite(lambda records: [], chained=True)
    for command in (["show"], ["log"], ["replay"], ["verify"], ["do", "# x"]):
        done = closed.invoke(*command)
        assert done.exit_code in (0, 3)
        assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_verify_sees_any_changed_byte_that_matters(played, tmp_path):
    chance, good = random.Random(6), played.bytes
    folder = Folder(tmp_path / "flipped")
    folder.path.mkdir()
    (folder.path / "ledger.db").write_bytes(good)
    log = folder.run("log", "--takes", "--json")
    for _ in range(100):
        place = chance.randrange(FIRST_PAGE, len(good))
        flipped = bytes([good[place] ^ (1 << chance.randrange(8))])
        folder.ledger.write_bytes(good[:place] + flipped + good[place + 1 :])
        done = folder.invoke("verify")
        assert done.exit_code in (0, 1, 3), place
        assert is_printable(done.output), place
        read = folder.invoke("log", "--takes", "--json")
        assert read.exit_code in (0, 3), place
        if done.exit_code == 0:
            assert read.stdout == log, place
        assert folder.invoke("show").exit_code in (0, 3), place


def test_binary_schema_is_damaged(played):
    place = played.bytes.index(b"records_by_request")
    for command in COMMANDS[:5]:
        played.ledger.write_bytes(played.bytes[:place] + b"\xd2" + played.bytes[place + 1 :])
        one_error(played.invoke(*command), 3)


@pytest.mark.slow
def test_changed_header_reads_nothing_new(played):
    chance, good = random.Random(7), played.bytes
    log = played.run("log", "--takes", "--json")
    for _ in range(100):
        place = chance.randrange(FIRST_PAGE)
        played.ledger.write_bytes(good[:place] + bytes([good[place] ^ (1 << chance.randrange(8))]) + good[place + 1 :])
        try:
            done = played.invoke("log", "--takes", "--json")
        except UnicodeDecodeError:
            continue  # see above
        assert done.exit_code in (0, 3), place
        assert done.exit_code or done.stdout == log, place
