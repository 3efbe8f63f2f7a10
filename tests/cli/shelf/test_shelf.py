"""Test `shelf`: a row for each campaign, what is not done again, and what a person reads."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.commands.shelf import progress_line
from cli.main import campaign
from cli.shelf import run as run_module
from cli.shelf.job import name_of
from cli.shelf.places import Shelf
from cli.shelf.results import ResultsFile
from cli.shelf.run import Run
from cli.shelf.tasks import VerifyTask
from tests.cli.conftest import Folder, copied, is_printable, one_error
from tests.cli.shelf.shelves import copies, poison, rows, shelf, stored
from tests.ledger.strategies import Forger

TASKS = (["verify"], ["verify", "--quick"], ["replay"], ["luck"], ["search", "lamp"], ["changes"])


@pytest.fixture
def two(evening: Folder, fight_folder: Folder, tmp_path: Path) -> Path:
    """Return a shelf of two campaigns, one of them deeper."""
    copied(evening, tmp_path)
    copied(fight_folder, tmp_path / "year")
    return tmp_path


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("task", TASKS)
def test_each_campaign_has_a_row_of_its_head_and_rules(two: Path, task: list[str]) -> None:
    found = rows(*task, str(two))
    assert set(found) == {"salt-ward", "year/lamp-room"}
    for name, row in found.items():
        head = Folder(two / name).run("head").splitlines()[0]
        assert f"head {row['position']} {row['head']}" == head
        assert (row["outcome"], row["revision"] >= 1, row["game"]) == ("fine", True, "dusk-bastards")


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("task", TASKS)
def test_nothing_is_looked_at_twice(two: Path, task: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    before = rows(*task, str(two))
    monkeypatch.setattr(run_module, "do_job", lambda job: pytest.fail("done again"))
    done = shelf(*task, str(two))
    assert (done.exit_code, "0 of 2 campaigns looked at now" in done.stderr) == (0, True)
    if task != ["changes"]:
        assert rows(*task, str(two)) == before


@pytest.mark.slow
def test_campaign_that_was_played_on_is_looked_at_again(two: Path) -> None:
    before = rows("verify", str(two))
    Folder(two / "salt-ward").run("open", "Again", "--seed", "x")
    done = shelf("verify", str(two))
    assert "1 of 2 campaigns looked at now" in done.stderr
    after = rows("verify", str(two))
    assert after["year/lamp-room"] == before["year/lamp-room"]
    assert after["salt-ward"]["position"] > before["salt-ward"]["position"]
    assert len(stored(two / "shelf.db")) == 3  # the row of the old head stays


@pytest.mark.slow
def test_again_looks_at_all_and_doubles_no_row(two: Path) -> None:
    shelf("verify", str(two))
    assert "2 of 2 campaigns looked at now" in shelf("verify", str(two), "--again").stderr
    assert len(stored(two / "shelf.db")) == 2


def test_later_revision_of_the_rules_is_looked_at_again(two: Path) -> None:
    shelf("replay", str(two))
    db = sqlite3.connect(two / "shelf.db")
    db.execute("UPDATE results SET revision = 0")
    db.commit()
    db.close()
    assert "2 of 2 campaigns looked at now" in shelf("replay", str(two)).stderr


@pytest.mark.slow
def test_file_with_the_same_head_and_other_bytes_is_verified_again(two: Path) -> None:
    assert shelf("verify", str(two)).exit_code == 0
    Forger(two / "salt-ward" / "ledger.db").sql("UPDATE pools SET points = 99")
    done = shelf("verify", str(two))
    assert done.exit_code == 1
    assert "2 campaigns: 1 is well, 1 differs\n  salt-ward: " in done.stdout


@pytest.mark.slow
def test_tampered_record_differs(two: Path) -> None:
    Forger(two / "salt-ward" / "ledger.db").change("UPDATE records SET hash = replace(hash, 'a', 'b')")
    assert shelf("verify", str(two)).exit_code == 1
    assert shelf("verify", str(two), "--quick").exit_code == 1


@pytest.mark.slow
def test_poisoned_ledgers_are_rows_and_no_end(two: Path, evening: Folder) -> None:
    bad = poison(two, evening)
    for task in TASKS:
        done = shelf(*task, str(two), "--all")
        assert done.exit_code == 3, task
        found = rows(*task, str(two))
        assert {name for name, row in found.items() if row["outcome"] == "unreadable"} == bad, task
        assert set(found) - bad == {"salt-ward", "year/lamp-room"}, task
        for name in bad:
            assert f"  {name}: {found[name]['text']}\n" in done.stdout, task
    assert "format 99" in found["later"]["text"]
    assert found["loop"]["text"] == "it is a symbolic link that leads to itself."
    assert found["dangling"]["text"] == "it is a symbolic link to nothing."


@pytest.mark.slow
def test_locked_ledger_is_a_row_and_tried_again(two: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ledger.sqlite_connection.BUSY_SECONDS", 0)
    db = sqlite3.connect(two / "salt-ward" / "ledger.db", isolation_level=None)
    db.execute("BEGIN EXCLUSIVE")
    done = shelf("verify", str(two))
    db.close()
    assert done.exit_code == 3
    assert "salt-ward: " in done.stdout
    assert "locked" in done.stdout or "busy" in done.stdout or "writes" in done.stdout
    assert shelf("verify", str(two)).exit_code == 0


def test_error_of_the_program_is_a_row(two: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("cli.shelf.tasks.verification", break_down)
    done = shelf("verify", str(two))
    assert done.exit_code == 3
    assert "the program failed on it: ZeroDivisionError: a bug" in done.stdout


@pytest.mark.slow
def test_list_finds_what_a_shelf_finds(two: Path, evening: Folder) -> None:
    deep = two / "a" / "b" / "c" / "d"
    shutil.copytree(evening.path, deep)
    shutil.copytree(evening.path, two / ".hidden")
    shutil.copytree(evening.path, two / os.fsdecode(b"bad\xff"))
    (two / "loop").symlink_to("loop")
    (two / "up").symlink_to(two)
    done = CliRunner().invoke(campaign, ["list", str(two), "--json"])
    found = {row["place"].removeprefix(f"{two}/").removesuffix("/ledger.db"): row for row in json.loads(done.stdout)}
    assert done.exit_code == 3
    assert set(found) == set(rows("verify", str(two)))
    assert set(found) == {"a/b/c/d", r"bad\xff", "loop", "salt-ward", "year/lamp-room"}
    assert found["loop"]["error"] == "it is a symbolic link that leads to itself"
    assert found["a/b/c/d"]["records"] > 1


def test_links_are_followed_once(two: Path, evening: Folder, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = copied(evening, tmp_path_factory.mktemp("elsewhere"))
    (two / "linked").symlink_to(elsewhere.path)
    (two / "year" / "up").symlink_to(two)
    (two / ".hidden").mkdir()
    shutil.copytree(evening.path, two / ".hidden" / "old")
    assert set(rows("verify", str(two))) == {"linked", "salt-ward", "year/lamp-room"}


def test_changes_are_told_once_and_from_the_last_time_that_they_were(two: Path) -> None:
    first = shelf("changes", str(two)).stdout
    assert first.startswith("2 of 2 campaigns changed\n  salt-ward: ")
    assert "session 1 (Rooftops) opened, session 1 closed, up to 1." in first
    assert shelf("changes", str(two)).stdout == "0 of 2 campaigns changed\n"
    folder = Folder(two / "salt-ward")
    folder.run("open", "The quay", "--seed", "x")
    folder.run("do", "k sneak v5 /7.6")
    told = shelf("changes", str(two)).stdout
    assert "1 of 2 campaigns changed\n  salt-ward: 2 new records, session 2 (The quay) opened, up to 2.1" in told
    assert shelf("changes", str(two)).stdout == "0 of 2 campaigns changed\n"


def test_changes_of_a_run_that_told_nobody_are_not_lost(two: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf("changes", str(two))
    folder = Folder(two / "salt-ward")
    folder.run("open", "The quay", "--seed", "x")

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("cli.commands.shelf.print_rows", die)
        assert shelf("changes", str(two)).exit_code == 1
    folder.run("do", "k sneak v5 /7.6")
    assert "salt-ward: 2 new records" in shelf("changes", str(two)).stdout


def test_another_history_and_a_campaign_that_is_gone_are_told(two: Path) -> None:
    shelf("changes", str(two))
    shutil.rmtree(two / "year" / "lamp-room")
    Forger(two / "salt-ward" / "ledger.db").rewrite(lambda records: records[:-2], chained=True)
    done = shelf("changes", str(two))
    assert done.exit_code == 3
    assert "salt-ward: another history: it no longer has the record" in done.stdout
    assert "year/lamp-room: it is not there any more" in done.stdout
    assert shelf("changes", str(two)).stdout == "0 of 1 campaign changed\n"


def test_search_shows_the_players_nothing_hidden(saints: Folder) -> None:
    saints.run("open", "Late", "--seed", "x")
    saints.run("do", "!! > Xyzzy waits")
    whole, seen = (shelf("search", "xyzzy", str(saints.path.parent), "--as", role) for role in ("gm", "players"))
    assert "Xyzzy waits" in whole.stdout
    assert seen.stdout == "No entry contains these words.\n"


def test_luck_of_all_is_the_sum_of_each(two: Path) -> None:
    counts = [each for row in rows("luck", str(two)).values() for each in row["content"]]
    reports = [report for name in ("salt-ward", "year/lamp-room")
               for report in json.loads(Folder(two / name).run("luck", "--json"))]  # fmt: skip
    for source in ("fixed", "typed"):
        dice = sum(each["count"] for each in counts if each["source"] == source)
        assert dice == sum(report["all"]["unweighted"]["dice"] for report in reports if report["source"] == source)
    assert f"{dice} dice, typed in: " in shelf("luck", str(two)).stdout


def test_results_are_written_where_they_are_asked_for(two: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("elsewhere") / "deep" / "rows.db"
    shelf("verify", str(two), "--results", str(file))
    assert {name for name, _ in stored(file)} == {str(two / "salt-ward"), str(two / "year" / "lamp-room")}
    assert not (two / "shelf.db").exists()


@pytest.mark.parametrize("bad", ["ledger.db", "notes.txt", "link", "other.db"])
def test_file_that_is_no_file_of_results_is_refused_unchanged(two: Path, bad: str) -> None:
    (two / "notes.txt").write_text("mine")
    (two / "link").symlink_to("notes.txt")
    sqlite3.connect(two / "other.db").execute("CREATE TABLE t (a)").connection.commit()
    before = (two / "other.db").read_bytes()
    one_error(shelf("verify", str(two), "--results", str(two / bad)), 2)
    assert ((two / "notes.txt").read_text(), (two / "other.db").read_bytes()) == ("mine", before)


@pytest.mark.slow
def test_results_of_another_version_are_refused(two: Path) -> None:
    shelf("verify", str(two))
    Forger(two / "shelf.db").sql("PRAGMA user_version = 9")
    assert "of another version. Name another one with --results" in one_error(shelf("verify", str(two)), 3)


@pytest.mark.quick_rows(3)
@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["verify", "nowhere"], "nowhere is not there. Name the folder above your campaigns."),
        (["verify", "file"], "file is no folder"),
        (["verify", "bare"], "there is no campaign in bare. Name the folder above them."),
        (["verify", "--dask", "tcp://127.0.0.1:1"], "--jobs is for this machine"),
        (["replay", ".", "--option", "nonsense=1"], "'nonsense' is not an option of this book"),
        (["replay", ".", "--option", "light_wound_cost=x"], "'x' is not a reading of light_wound_cost"),
        (["replay", ".", "--revision", "99"], "has no revision '99' of its rules"),
    ],
)
def test_bad_arguments_are_one_error(
    two: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], error: str
) -> None:
    monkeypatch.chdir(two)
    (two / "file").write_text("")
    (two / "bare").mkdir()
    assert error in one_error(shelf(*arguments), 2)


def test_named_campaign_is_a_shelf_of_one(two: Path, evening: Folder) -> None:
    done = evening.invoke("shelf", "replay", "--jobs", "1", "--results", str(two / "one.db"))
    assert (done.exit_code, done.stdout) == (0, "1 campaign: 1 is well\n")


def test_two_runs_at_once_leave_each_other_what_they_have_begun(
    evening: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second run begins in the middle of the first, and both write each row once."""
    top, looked, do_job = copies(evening, tmp_path, 6), list[str](), run_module.do_job

    def look(job):
        looked.append(job.place.campaign)
        row = do_job(job)
        if len(looked) == 3:
            assert "6 campaigns: 6 are well" in shelf("replay", str(top)).stdout
        return row

    monkeypatch.setattr(run_module, "do_job", look)
    done = shelf("replay", str(top))
    assert "6 campaigns: 6 are well" in done.stdout
    assert len(stored(top / "shelf.db")) == 6
    assert sorted(looked) == ["00", "01", "02", "02", "03", "04", "05"]  # 02 was begun and not yet written


def test_file_of_results_that_is_damaged_says_what_to_do(two: Path) -> None:
    shelf("verify", str(two))
    content = (two / "shelf.db").read_bytes()
    (two / "shelf.db").write_bytes(content[:100] + b"x" * (len(content) - 100))
    error = one_error(shelf("verify", str(two)), 3)
    assert "the file of results cannot be used: " in error
    assert "remove it: everything is looked at again then." in error


def test_folder_whose_name_is_no_text_has_a_row(two: Path, evening: Folder) -> None:
    odd = os.fsencode(two) + b"/a\xff\n\x1b[31m"
    shutil.copytree(os.fsencode(evening.path), odd)
    with open(odd + b"/ledger.db", "wb") as file:
        file.write(b"hello")
    done = shelf("verify", str(two))
    assert done.exit_code == 3
    assert is_printable(done.output)
    assert len(stored(two / "shelf.db")) == 3
    assert "1 of 3 campaigns looked at now" in shelf("verify", str(two)).stderr


def test_campaign_that_is_named_twice_has_one_row(two: Path) -> None:
    done = shelf("verify", str(two), str(two / "year"), str(two))
    assert (done.stdout, len(stored(two / "shelf.db"))) == ("2 campaigns: 2 are well\n", 2)


def test_progress_says_how_far_a_run_is(two: Path) -> None:
    with ResultsFile(two / "shelf.db", *name_of(VerifyTask()), "a run") as file:
        run = Run(VerifyTask(), Shelf([two], two), file, again=False)
        assert progress_line("verify", run, 1.5) == "verify: 0 of 2 campaigns, 1 s"
        run.done, run.outcomes = 1, {"differs": 1}
        assert progress_line("verify", run, 30) == "verify: 1 of 2 campaigns, 1 differing, 30 s, about 30 s more"


def test_row_of_a_game_that_is_not_installed_holds(two: Path) -> None:
    shelf("verify", str(two))
    Forger(two / "shelf.db").sql("UPDATE results SET game = 'no-such-game'")
    assert "0 of 2 campaigns looked at now" in shelf("verify", str(two)).stderr
