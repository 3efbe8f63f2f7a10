"""Test ledgers and folders that may not be written or read."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import PROGRAM, Folder, environment, one_error
from tests.cli.killed import killed_writer

pytestmark = pytest.mark.slow  # run with --long


def without_power() -> list[str] | None:
    """How to run a command that modes hold for; None where root cannot be made to heed them."""
    if os.geteuid():
        return []
    tool = shutil.which("setpriv")
    return [tool, "--bounding-set", "-dac_override,-dac_read_search"] if tool else None


@pytest.fixture
def read_only(played: Folder) -> Iterator[tuple[Folder, list[str]]]:
    before = without_power()
    played.ledger.chmod(0o444)
    played.path.chmod(0o555)
    try:
        probe = [*(before or []), "sh", "-c", f'! touch "{played.path}/probe"']
        if before is None or subprocess.run(probe, capture_output=True, check=False).returncode:
            pytest.skip("modes do not hold for this user")
        yield played, before
    finally:
        played.path.chmod(0o755)


COMMANDS = """
import json, sys
from click.testing import CliRunner
from cli.main import campaign
for command in json.loads(sys.argv[1]):
    done = CliRunner().invoke(campaign, command, catch_exceptions=False)
    print(json.dumps([done.exit_code, done.stdout, done.stderr]))
"""


def results(read_only: tuple[Folder, list[str]], *commands: list[str]) -> list[subprocess.CompletedProcess[str]]:
    """Run commands one after the other in one process without power, and return what each did."""
    folder, before = read_only
    asked = json.dumps([["-C", str(folder.path), *command] for command in commands])
    command = [*before, sys.executable, "-c", COMMANDS, asked]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True)
    return [subprocess.CompletedProcess("", *json.loads(line)) for line in done.stdout.splitlines()]


def test_read_only_ledger_can_be_read_and_verified(read_only):
    commands = (["show"], ["log"], ["log", "--takes", "--json"], ["replay"], ["verify"])
    for command, done in zip(commands, results(read_only, *commands), strict=True):
        assert (done.returncode, done.stdout) == (0, read_only[0].run(*command)), done.stderr


def test_writing_to_read_only_ledger_is_one_line_of_error(read_only):
    folder, was = read_only[0], read_only[0].bytes
    for done in results(read_only, ["do", "# One"], ["open"], ["rebuild"], ["cast", "x.toml"]):
        one_error(done, 3)
    one_error(folder.run_process("do", "# One", before=read_only[1]), 3)
    assert folder.bytes == was


@pytest.mark.parametrize(
    ("modes", "said"),
    [((0o444, 0o755), "the ledger is read-only for you"), ((0o644, 0o555), "the folder of the ledger is read-only")],
)
def test_writing_says_which_of_the_two_is_read_only(read_only, modes, said):
    folder, _ = read_only
    folder.ledger.chmod(modes[0])
    folder.path.chmod(modes[1])
    written, shown = results(read_only, ["do", "# One"], ["show"])
    assert said in one_error(written, 3)
    assert shown.returncode == 0


def switch_to_wal(ledger: Path) -> None:
    db = sqlite3.connect(ledger, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.close()


@pytest.mark.parametrize("command", ["verify", "show", "log"])
def test_reading_a_write_ahead_log_leaves_no_files(folder, command):
    switch_to_wal(folder.ledger)
    before = sorted(path.name for path in folder.path.iterdir())
    folder.run(command)
    assert sorted(path.name for path in folder.path.iterdir()) == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("damage", "modes", "said"),
    [
        (killed_writer, (0o444, 0o755), "a writer was killed, .*, but the ledger is read-only for you"),
        (killed_writer, (0o644, 0o555), "a writer was killed, .*, but the folder of the ledger is read-only for you"),
        (switch_to_wal, (0o644, 0o555), r"\(WAL\), .*, but the folder of the ledger is read-only for you"),
    ],
)
def test_recovery_of_read_only_ledger_says_what_it_needs(read_only, damage, modes, said):
    folder, before = read_only
    folder.ledger.chmod(0o644)
    folder.path.chmod(0o755)
    damage(folder.ledger)
    folder.ledger.chmod(modes[0])
    folder.path.chmod(modes[1])
    assert re.search(said, one_error(folder.run_process("show", before=before), 3))
    assert "reading works" not in one_error(folder.run_process("do", "# One", before=before), 3)
    folder.ledger.chmod(0o644)
    folder.path.chmod(0o755)
    folder.run("do", "# One")
    folder.run("verify")


def test_unreadable_ledger_is_named(read_only):
    folder, before = read_only
    folder.ledger.chmod(0o000)
    done = folder.run_process("show", before=before)
    assert "ledger.db" in one_error(done, 3)


def test_closed_folder_is_named(read_only):
    folder, _ = read_only
    folder.path.chmod(0o444)
    for done in results(read_only, ["show"], ["do", "# One"], ["cast", str(folder.path / "cast")]):
        assert "salt-ward" in one_error(done, 3)


def test_new_in_read_only_folder_is_refused(read_only):
    folder, before = read_only
    done = subprocess.run(
        [*before, PROGRAM, "new", "Salt Ward", folder.path / "deeper"],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "deeper" in one_error(done, 3)
