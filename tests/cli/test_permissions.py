"""Test ledgers and folders that may not be written or read."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator

import pytest

from tests.cli.conftest import PROGRAM, Folder, environment, one_error


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


def test_read_only_ledger_can_be_read_and_verified(read_only):
    folder, before = read_only
    for command in (["show"], ["log"], ["log", "--takes", "--json"], ["replay"], ["verify"]):
        done = folder.run_process(*command, before=before)
        assert (done.returncode, done.stdout) == (0, folder.run(*command)), done.stderr


@pytest.mark.parametrize("command", [["do", "# One"], ["open"], ["rebuild"], ["cast", "x.toml"]])
def test_writing_to_read_only_ledger_is_one_line_of_error(read_only, command):
    folder, was = read_only[0], read_only[0].bytes
    one_error(folder.run_process(*command, before=read_only[1]), 3)
    assert folder.bytes == was


@pytest.mark.parametrize(
    ("modes", "said"),
    [((0o444, 0o755), "the ledger is read-only for you"), ((0o644, 0o555), "the folder of the ledger is read-only")],
)
def test_writing_says_which_of_the_two_is_read_only(read_only, modes, said):
    folder, before = read_only
    folder.ledger.chmod(modes[0])
    folder.path.chmod(modes[1])
    assert said in one_error(folder.run_process("do", "# One", before=before), 3)
    assert folder.run_process("show", before=before).returncode == 0


def test_unreadable_ledger_is_named(read_only):
    folder, before = read_only
    folder.ledger.chmod(0o000)
    done = folder.run_process("show", before=before)
    assert "ledger.db" in one_error(done, 3)


def test_closed_folder_is_named(read_only):
    folder, before = read_only
    folder.path.chmod(0o444)
    for command in (["show"], ["do", "# One"], ["cast", str(folder.path / "cast")]):
        assert "salt-ward" in one_error(folder.run_process(*command, before=before), 3)


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
