"""The folder, the ledger and the clock of a command."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import campaign
from tests.cli.commands import records, run
from tests.cli.conftest import CLOCK, Folder, environment, one_error


def test_ledger_is_found_in_a_folder_above(folder, monkeypatch):
    deep = folder.path / "notes" / "deep"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    assert run("show").stdout == folder.run("show")


def test_folder_from_option_or_environment(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CAMPAIGN_DIR", str(folder.path))
    assert run("show").stdout == folder.run("show")
    assert "no ledger here or above" in one_error(run("-C", str(tmp_path), "show"), 3)


def test_clock_from_option_or_environment(folder, monkeypatch):
    monkeypatch.setenv("CAMPAIGN_CLOCK", "2026-02-03")
    done = CliRunner().invoke(campaign, ["-C", str(folder.path), "do", "# One", "--json"])
    assert json.loads(done.stdout)["at"] == "2026-02-03"
    assert records(folder.run("do", "# Two", "--json"))[0]["at"] == CLOCK
    monkeypatch.delenv("CAMPAIGN_CLOCK")
    done = CliRunner().invoke(campaign, ["-C", str(folder.path), "do", "# Three", "--json"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", json.loads(done.stdout)["at"])


@pytest.mark.parametrize("time", ["nonsense", "", "2026-13-01", "the third bell"])
def test_clock_that_is_no_time_is_refused(folder, time):
    before = folder.bytes
    assert f"--clock: '{time}' is not a time" in one_error(folder.invoke("do", "# One", clock=time), 2)
    assert folder.bytes == before


@pytest.mark.parametrize("command", ["show", "log", "replay", "verify", "rebuild", "undo", "close", "open"])
def test_missing_ledger_error_names_campaign_new(tmp_path, command):
    assert 'campaign new "' in one_error(Folder(tmp_path).invoke(command), 3)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_deleted_working_directory_is_an_error(tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    done = subprocess.run(
        ["sh", "-c", f'rmdir ../gone && "{Path(sys.executable).parent}/campaign" show'],
        cwd=gone,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "is gone" in one_error(done, 3)


def test_reading_commands_write_nothing(played):
    before, files = played.bytes, sorted(played.path.rglob("*"))
    for command in (["show"], ["show", "--at", "1.1"], ["log"], ["log", "--takes"], ["replay"], ["verify"]):
        played.run(*command)
    assert (played.bytes, sorted(played.path.rglob("*"))) == (before, files)
