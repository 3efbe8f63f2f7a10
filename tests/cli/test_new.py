"""`campaign new`."""

from __future__ import annotations

from fnmatch import fnmatch

import pytest

from tests.cli.commands import run
from tests.cli.conftest import LEDGER, Folder, one_error


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
