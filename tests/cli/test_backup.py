"""Backups while somebody plays, and campaigns that are made of them."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from ledger.sqlite_store import open_store
from tests.cli.conftest import Folder, copied, one_error
from tests.ledger.strategies import Forger, bytes_of


def records_of(ledger: Path) -> list[object]:
    """The stored records of a ledger."""
    with closing(open_store(ledger, write=False)) as store:
        return bytes_of(store)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """Where a backup goes."""
    return tmp_path / "backups" / "salt.backup"


@pytest.mark.slow
def test_backup_is_restored_to_the_byte_and_played_on(played: Folder, target: Path, tmp_path: Path) -> None:
    assert "is written and checked: head" in played.run("backup", str(target))
    again = Folder(tmp_path / "again")
    assert "is restored into" in played.run("restore", str(target), str(again.path))
    assert records_of(again.ledger) == records_of(played.ledger)
    assert again.run("verify").startswith("all is well")
    assert again.run("log") == played.run("log")
    again.run("open", "Two")
    again.run("do", "k climb v4")


def test_nightly_backup_replaces_the_older_one(played: Folder, target: Path) -> None:
    played.run("backup", str(target))
    played.run("do", "> Rain")
    played.run("backup", str(target))
    assert records_of(target) == records_of(played.ledger)
    assert [path.name for path in target.parent.iterdir()] == [target.name]


def test_backup_while_a_batch_is_written_has_all_of_it_or_nothing(played: Folder, target: Path) -> None:
    with closing(open_store(played.ledger, write=True)) as store:
        before = bytes_of(store)
        with store.batch():
            assert "is written and checked" in played.run("backup", str(target))
    assert records_of(target) == before


def test_open_session_is_told_with_its_seed(folder: Folder, target: Path, tmp_path: Path) -> None:
    told = folder.invoke("backup", str(target)).stderr
    (seed,) = folder.seeds
    assert f"its seed is not in the backup. Copy it too, for your eyes only: {seed}." in told
    assert seed.read_bytes().strip() not in target.read_bytes()
    again = Folder(tmp_path / "again")
    assert seed.name in folder.invoke("restore", str(target), str(again.path)).stderr
    assert again.invoke("do", "k climb v4").exit_code == 1
    shutil.copy(seed, again.path)
    again.run("do", "k climb v4")


@pytest.mark.parametrize("kind", ["text", "empty", "folder", "link", "other campaign", "other history", "database"])
def test_what_is_no_older_backup_is_left(played: Folder, target: Path, tmp_path: Path, kind: str) -> None:
    target.parent.mkdir()
    other = copied(played, tmp_path / "other")
    match kind:
        case "text":
            target.write_text("my notes")
        case "empty":
            target.write_bytes(b"")
        case "folder":
            target.mkdir()
        case "link":
            target.symlink_to(other.ledger)
        case "other campaign":
            other = Folder(tmp_path / "third")
            other.path.mkdir()
            other.run("new", "Third", str(other.path), "--game", "mars")
            shutil.copy(other.ledger, target)
        case "other history":
            other.run("do", "> Snow")
            shutil.copy(other.ledger, target)
            played.run("do", "> Rain")
        case "database":
            with closing(sqlite3.connect(target)) as db:
                db.execute("CREATE TABLE notes (text)")
    before = target.read_bytes() if target.is_file() else b""
    done = played.invoke("backup", str(target))
    assert done.exit_code == 2, done.output
    assert (target.read_bytes() if target.is_file() else b"") == before
    assert [path.name for path in target.parent.iterdir()] == [target.name]


@pytest.mark.parametrize("name", ["ledger.db", "seed-0123456789abcdef.secret"])
def test_name_of_a_ledger_or_seed_is_refused(played: Folder, tmp_path: Path, name: str) -> None:
    assert played.invoke("backup", str(tmp_path / name)).exit_code == 2
    assert not (tmp_path / name).exists()


def test_damaged_ledger_gives_no_backup_and_leaves_the_older(played: Folder, target: Path) -> None:
    played.run("backup", str(target))
    before = target.read_bytes()
    Forger(played.ledger).change("UPDATE records SET hash = 'no' WHERE position = 4")
    done = played.invoke("backup", str(target))
    assert (done.exit_code, "the copy is not well" in done.output) == (3, True), done.output
    assert target.read_bytes() == before
    assert [path.name for path in target.parent.iterdir()] == [target.name]


def test_restore_never_overwrites_and_takes_only_what_is_well(played: Folder, target: Path, tmp_path: Path) -> None:
    played.run("backup", str(target))
    before = played.bytes
    done = played.invoke("restore", str(target), str(played.path))
    assert (done.exit_code, "there is a ledger already" in done.output) == (3, True), done.output
    assert played.bytes == before
    Forger(target).change("UPDATE records SET hash = 'no' WHERE position = 4")
    bad = tmp_path / "bad"
    assert played.invoke("restore", str(target), str(bad)).exit_code != 0
    assert not (bad / "ledger.db").exists()
    for file in (tmp_path / "none", tmp_path, played.path / "kess.toml"):
        assert played.invoke("restore", str(file), str(bad)).exit_code != 0
        assert not (bad / "ledger.db").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_folder_that_cannot_be_written_is_named(played: Folder, tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o500)
    assert played.invoke("backup", str(tmp_path / "closed" / "x.backup")).exit_code == 2


@pytest.mark.parametrize("end", ["-wal", "-journal"])
def test_backup_refuses_where_another_program_left_its_log(played: Folder, target: Path, end: str) -> None:
    played.run("backup", str(target))
    before = target.read_bytes()
    log = Path(f"{target}{end}")
    log.write_bytes(b"pages of another database")
    assert f"{log}: this file belongs to a ledger that was here" in one_error(played.invoke("backup", str(target)), 3)
    assert target.read_bytes() == before


def test_copies_have_the_rights_of_what_is_copied(played: Folder, target: Path, tmp_path: Path) -> None:
    played.ledger.chmod(0o600)
    played.run("backup", str(target))
    again = Folder(tmp_path / "again")
    played.run("restore", str(target), str(again.path))
    assert [stat.S_IMODE(path.stat().st_mode) for path in (target, again.ledger)] == [0o600, 0o600]
    target.chmod(0o640)
    played.run("backup", str(target))
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_what_is_no_backup_makes_no_folder(played: Folder, target: Path, tmp_path: Path) -> None:
    played.run("backup", str(target))
    Forger(target).change("UPDATE records SET hash = 'no' WHERE position = 4")
    played.run("export", "--bundle", str(tmp_path / "bundle"))
    (tmp_path / "half").write_bytes(target.read_bytes()[:20_000])
    os.mkfifo(tmp_path / "pipe")
    for name, code, said in (
        ("backups/salt.backup", 3, "the copy is not well"),
        ("half", 3, "the backup is damaged: database disk image is malformed. Use another backup"),
        ("bundle", 3, "this file is no backup. Name a backup. A bundle is taken in with: campaign import"),
        ("pipe", 2, "there is no such file"),
        ("none", 2, "there is no such file"),
    ):
        assert said in one_error(played.invoke("restore", str(tmp_path / name), str(tmp_path / "new")), code)
        assert not (tmp_path / "new").exists()


@pytest.mark.slow
def test_restore_makes_the_tables_of_a_backup_anew(played: Folder, target: Path, tmp_path: Path) -> None:
    played.run("backup", str(target))
    Forger(target).change("UPDATE pools SET points = points + 1")
    again = Folder(tmp_path / "again")
    played.run("restore", str(target), str(again.path))
    assert again.run("verify").startswith("all is well")


@pytest.mark.slow
def test_restore_compares_the_heads_that_were_kept(
    played: Folder, target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CAMPAIGN_HEADS", str(tmp_path / "heads"))
    played.run("backup", str(target))
    first = played.run("head").splitlines()[0].removeprefix("head ")
    played.run("head", "--keep", first)
    played.run("do", "> Rain")
    played.run("head", "--keep", played.run("head").splitlines()[1].removeprefix("words "))
    position = int(first.split()[0]) + 1
    done = played.invoke("restore", str(target), str(tmp_path / "older"))
    assert f"What was said since is not in it: a head was kept at {position}." in done.stderr
    assert done.exit_code == 0
    other = Folder(tmp_path / "older")
    other.run("do", "> Snow")
    other.run("backup", str(tmp_path / "other"))
    done = played.invoke("restore", str(tmp_path / "other"), str(tmp_path / "new"))
    assert (done.exit_code, "the head that was kept does not fit" in done.stdout) == (1, True)
    assert (tmp_path / "new" / "ledger.db").exists()
