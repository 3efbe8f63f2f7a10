"""`campaign new`."""

from __future__ import annotations

import errno
import os
import signal
import sqlite3
import subprocess
import sys
from fnmatch import fnmatch
from itertools import count
from pathlib import Path

import pytest

from cli.play import new_campaign
from ledger import sqlite_connection
from ledger.errors import LedgerError
from ledger.sqlite_store import SqliteStore, create_store
from projections.projection import StateProjection
from rulebooks import GAMES, load_game
from tests.cli.commands import run
from tests.cli.conftest import LEDGER, Folder, environment, one_error
from tests.cli.killed import killed_writer


@pytest.mark.slow
def test_new_creates_a_folder_of_the_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("new", "Salt Ward", "--id", LEDGER)
    assert (done.exit_code, done.stdout) == (0, "Created Salt Ward in salt-ward\n")
    assert done.stderr.startswith("Next: cd salt-ward")
    assert sorted(path.name for path in (tmp_path / "salt-ward").iterdir()) == [".gitignore", "ledger.db"]
    assert LEDGER in Folder(tmp_path / "salt-ward").run("log")


@pytest.mark.parametrize(
    ("folder", "next_step"),
    [("my table", "Next: cd 'my table', write"), (".", "Next: write"), ("a/b", "Next: cd a/b, ")],
)
def test_next_step_can_be_typed(tmp_path, monkeypatch, folder, next_step):
    monkeypatch.chdir(tmp_path)
    assert run("new", "Salt Ward", folder).stderr.startswith(next_step)


@pytest.mark.parametrize(
    ("name", "folder"),
    [("Über Ort: 3/4", "über-ort-3-4"), ("../../etc", "etc"), ("Ash & Oak (2)", "ash-oak-2"), ("12", "12")],
)
def test_folder_has_the_letters_of_the_name(tmp_path, monkeypatch, name, folder):
    monkeypatch.chdir(tmp_path)
    assert run("new", name).stdout == f"Created {name} in {folder}\n"
    assert [path.name for path in tmp_path.iterdir()] == [folder]
    assert name in run("-C", folder, "log").stdout


def test_new_creates_a_campaign_once_in_a_named_folder(tmp_path):
    assert run("new", "Salt Ward", str(tmp_path / "a" / "b")).exit_code == 0
    before = (tmp_path / "a" / "b" / "ledger.db").read_bytes()
    assert "there is a ledger already" in one_error(run("new", "Salt Ward", str(tmp_path / "a" / "b")), 3)
    assert (tmp_path / "a" / "b" / "ledger.db").read_bytes() == before


def test_new_keeps_seeds_out_of_a_repository(tmp_path):
    folder = Folder(tmp_path)
    run("new", "Salt Ward", str(tmp_path))
    assert (tmp_path / ".gitignore").read_text() == "seed-*\n"
    folder.run("open")
    assert all(fnmatch(seed.name, "seed-*") for seed in folder.seeds)


@pytest.mark.parametrize(
    ("before", "after"), [("notes\n", "notes\n\nseed-*\n"), ("a\nseed-*\n", "a\nseed-*\n"), ("", "seed-*\n")]
)
def test_new_adds_to_a_gitignore_once(tmp_path, before, after):
    (tmp_path / ".gitignore").write_text(before)
    run("new", "Salt Ward", str(tmp_path))
    assert (tmp_path / ".gitignore").read_text() == after


KILLED_AT = """
import os, signal, sys
import cli.commands.new
from cli.main import main

folder, step = sys.argv.pop(), 0
while True:
    step += 1
    child = os.fork()
    if not child:
        break
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(code)
    if not code:
        sys.exit()
left = step

def count(event, arguments):
    global left
    if event.split(".")[0] in ("open", "os", "sqlite3", "fcntl") and "salt" in str(arguments):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

sys.argv.append(f"{folder}-{step}")
sys.stdout = open(os.devnull, "w")
sys.addaudithook(count)
main()
"""


def killed_news(path: Path) -> list[int]:
    """Run `new` in processes that kill themselves at the first, second, ... call which names the folder.

    Return their exit codes; the last one is not killed. The folders are `path` with `-1`, `-2`, ...
    """
    command = [sys.executable, "-uc", KILLED_AT, "new", "Salt Ward", str(path)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True)
    return [int(line) for line in done.stdout.splitlines()]


@pytest.mark.slow
def test_new_after_a_killed_new_creates_the_campaign(tmp_path):
    *codes, last = killed_news(tmp_path / "salt")
    assert last == 0
    for step, code in enumerate(codes, start=1):
        folder = Folder(tmp_path / f"salt-{step}")
        assert code == -signal.SIGKILL
        if not folder.ledger.exists():
            assert run("new", "Salt Ward", str(folder.path)).exit_code == 0
        folder.run("verify")
        assert sorted(path.name for path in folder.path.iterdir()) == [".gitignore", "ledger.db"]
    assert len(codes) >= 8


@pytest.mark.parametrize("error", [LedgerError("the disk is full"), KeyboardInterrupt()])
def test_failed_new_leaves_no_ledger(tmp_path, monkeypatch, error):
    def fail(*arguments, **more):
        raise error

    monkeypatch.setattr(SqliteStore, "append", fail)
    assert run("new", "Salt Ward", str(tmp_path)).exit_code != 0
    assert [path.name for path in tmp_path.iterdir()] == [".gitignore"]
    monkeypatch.undo()
    assert run("new", "Salt Ward", str(tmp_path)).exit_code == 0


def fail_at(error, calls=0):
    """Return a function that raises an error after some calls."""
    left = count(-calls)

    def failing(*arguments, **more):
        if next(left) >= 0:
            raise error

    return failing


EIO = OSError(errno.EIO, os.strerror(errno.EIO))
KEPT = LedgerError("SQLite says: disk I/O error, but entry 0.0 is kept", hint="Do not say it again.")
KEPT.__cause__ = LedgerError("SQLite says: disk I/O error", hint="Free some space.")


@pytest.mark.parametrize(
    ("module", "name", "error"),
    [
        (SqliteStore, "append", KEPT),
        (new_campaign.os, "replace", EIO),
        (sqlite_connection, "connect", sqlite3.OperationalError("disk I/O error")),
        (new_campaign, "remove_with_journal", EIO),
    ],
)
def test_disk_error_of_new_says_that_nothing_is_created(tmp_path, monkeypatch, module, name, error):
    with monkeypatch.context() as patch:
        patch.setattr(module, name, fail_at(error))
        said = one_error(run("new", "Salt Ward", str(tmp_path)), 3)
    assert "ledger.db: no campaign is created: " in said
    assert "is kept" not in said
    assert not (tmp_path / "ledger.db").exists()
    assert run("new", "Salt Ward", str(tmp_path)).exit_code == 0


@pytest.mark.parametrize(
    ("name", "error"), [("sync_folder", fail_at(EIO, calls=1)), ("open_store", fail_at(LedgerError("disk I/O error")))]
)
def test_disk_error_after_new_says_that_it_is_created(tmp_path, monkeypatch, name, error):
    with monkeypatch.context() as patch:
        patch.setattr(new_campaign, name, error)
        assert "the campaign is created, but: " in one_error(run("new", "Salt Ward", str(tmp_path)), 3)
    Folder(tmp_path).run("verify")


def test_new_syncs_every_folder_that_it_makes(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(new_campaign, "sync_folder", synced.append)
    run("new", "Salt Ward", str(tmp_path / "a" / "b"))
    assert synced == [tmp_path / "a", tmp_path, tmp_path / "a" / "b"]


def test_new_works_below_a_folder_that_cannot_be_listed(tmp_path, monkeypatch):
    real = new_campaign.sync_folder

    def sync_folder(folder):
        if folder == tmp_path:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        real(folder)

    monkeypatch.setattr(new_campaign, "sync_folder", sync_folder)
    assert run("new", "Salt Ward", str(tmp_path / "a")).exit_code == 0


def test_new_never_rewrites_a_gitignore(tmp_path, monkeypatch):
    (tmp_path / ".gitignore").write_text("notes\n")
    monkeypatch.setattr(new_campaign.os, "fsync", fail_at(EIO, calls=1))
    assert ".gitignore" in one_error(run("new", "Salt Ward", str(tmp_path)), 3)
    assert (tmp_path / ".gitignore").read_text().startswith("notes\n")


LEFT = {
    "no bytes": lambda path: path.touch(),
    "a hot journal": killed_writer,
    "no records": lambda path: create_store(path, StateProjection.read_models).close(),
}


@pytest.mark.parametrize("left", LEFT)
def test_new_takes_over_what_a_killed_new_left(tmp_path, left):
    folder = Folder(tmp_path)
    LEFT[left](folder.ledger)
    assert "campaign new" in one_error(folder.invoke("show"), 3)
    assert run("new", "Salt Ward", str(tmp_path)).exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [".gitignore", "ledger.db"]
    folder.run("verify")


@pytest.mark.parametrize("command", [["show"], ["do", "# One"], ["verify"], ["rebuild"]])
def test_empty_ledger_is_named(tmp_path, command):
    folder = Folder(tmp_path)
    folder.ledger.touch()
    said = one_error(folder.invoke(*command), 3)
    assert "this ledger is an empty file. What a killed campaign new left, campaign new takes over" in said


def test_new_takes_over_no_other_file(tmp_path):
    (tmp_path / "ledger.db").write_bytes(b"notes")
    assert "there is a ledger already" in one_error(run("new", "Salt Ward", str(tmp_path)), 3)
    assert (tmp_path / "ledger.db").read_bytes() == b"notes"


@pytest.mark.parametrize("end", ["-journal", "-wal"])
def test_new_refuses_a_place_with_a_left_journal(tmp_path, end):
    folder = Folder(tmp_path)
    run("new", "One", str(tmp_path))
    killed_writer(folder.ledger)
    folder.ledger.rename(tmp_path / "broken.db")  # and its journal, which SQLite would play into the new ledger, stays
    journal = Path(f"{folder.ledger}-journal").rename(f"{folder.ledger}{end}")
    before = journal.read_bytes()
    said = one_error(run("new", "Two", str(tmp_path)), 3)
    assert f"{journal}: this file belongs to a ledger that was here" in said
    assert journal.read_bytes() == before
    assert not folder.ledger.exists()
    journal.unlink()
    run("new", "Two", str(tmp_path))
    assert folder.run("verify").startswith("all is well")


def test_new_ledger_id_is_random(tmp_path):
    run("new", "One", str(tmp_path / "one"))
    run("new", "One", str(tmp_path / "two"))
    assert (tmp_path / "one" / "ledger.db").read_bytes() != (tmp_path / "two" / "ledger.db").read_bytes()


@pytest.mark.parametrize("arguments", [["new", "--game"], ["new", "Salt Ward", "--game"]])
def test_new_lists_the_games_with_a_line_each(tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "300")
    done = run(*arguments)
    assert (done.exit_code, [line.split()[0] for line in done.stdout.splitlines()]) == (0, list(GAMES))
    for game, line in zip(GAMES, done.stdout.splitlines(), strict=True):
        assert load_game(game).texts().content.title in line
    assert list(tmp_path.iterdir()) == []


def test_new_wraps_the_list_of_games_at_words(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    assert max(map(len, run("new", "--game").stdout.splitlines())) <= 60


def test_new_with_an_unknown_game_names_all_games(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = one_error(run("new", "Salt Ward", "--game", "chess"), 2)
    assert all(game in said for game in (*GAMES, "chess"))


@pytest.mark.parametrize(
    "arguments",
    [
        ["new"],
        ["new", ""],
        ["new", "?!"],
        ["new", "/srv/salt-ward"],
        ["new", "~/salt-ward"],
        ["new", "Salt\nWard"],
        ["new", "Salt Ward", "--id", "12"],
        ["new", "Salt Ward", "--id", LEDGER.replace("1", "F")],
        ["new", "Salt Ward", "--game", "chess"],
        ["--clock", "\x1b[31m", "new", "Salt Ward"],
        ["--clock", "9" * 50, "new", "Salt Ward"],
    ],
)
def test_new_with_unreadable_arguments_makes_no_folder(tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    one_error(run(*arguments), 2)
    assert list(tmp_path.iterdir()) == []
