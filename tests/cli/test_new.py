"""`campaign new`."""

from __future__ import annotations

import signal
import subprocess
import sys
from fnmatch import fnmatch
from itertools import count

import pytest

from ledger.errors import LedgerError
from ledger.sqlite_store import SqliteStore
from tests.cli.commands import run
from tests.cli.conftest import LEDGER, Folder, environment, one_error


def test_new_creates_a_folder_of_the_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("new", "Salt Ward", "--id", LEDGER)
    assert (done.exit_code, done.stdout) == (0, "Created Salt Ward in salt-ward\n")
    assert done.stderr.startswith("Next: cd salt-ward")
    assert sorted(path.name for path in (tmp_path / "salt-ward").iterdir()) == [".gitignore", "ledger.db"]
    assert LEDGER in Folder(tmp_path / "salt-ward").run("log")


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

left = int(sys.argv.pop(1))

def count(event, arguments):
    global left
    if event.split(".")[0] in ("open", "os", "sqlite3", "fcntl") and "salt" in str(arguments):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

import cli.commands.new
from cli.main import main
sys.addaudithook(count)
main()
"""


def killed_new(folder: Folder, step: int) -> int:
    """Run `new` in a process that kills itself at a call which names the folder, and return its exit code."""
    command = [sys.executable, "-c", KILLED_AT, str(step), "new", "Salt Ward", str(folder.path)]
    return subprocess.run(command, env=environment(), capture_output=True, check=False).returncode


def test_new_after_a_killed_new_creates_the_campaign(tmp_path):
    for step in count(1):
        folder = Folder(tmp_path / f"salt-{step}")
        code = killed_new(folder, step)
        if code == 0:
            break
        assert code == -signal.SIGKILL
        if not folder.ledger.exists():
            assert run("new", "Salt Ward", str(folder.path)).exit_code == 0
        folder.run("verify")
        assert sorted(path.name for path in folder.path.iterdir()) == [".gitignore", "ledger.db"]
    assert step > 8


@pytest.mark.parametrize("error", [LedgerError("the disk is full"), KeyboardInterrupt()])
def test_failed_new_leaves_no_ledger(tmp_path, monkeypatch, error):
    def fail(*arguments, **more):
        raise error

    monkeypatch.setattr(SqliteStore, "append", fail)
    assert run("new", "Salt Ward", str(tmp_path)).exit_code != 0
    assert [path.name for path in tmp_path.iterdir()] == [".gitignore"]
    monkeypatch.undo()
    assert run("new", "Salt Ward", str(tmp_path)).exit_code == 0


def test_new_ledger_id_is_random(tmp_path):
    run("new", "One", str(tmp_path / "one"))
    run("new", "One", str(tmp_path / "two"))
    assert (tmp_path / "one" / "ledger.db").read_bytes() != (tmp_path / "two" / "ledger.db").read_bytes()


@pytest.mark.parametrize(
    "arguments",
    [
        ["new"],
        ["new", ""],
        ["new", "Salt/Ward"],
        ["new", "12"],
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
