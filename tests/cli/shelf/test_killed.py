"""Test kill -9 of a run and of its workers, and two runs at once, in processes of their own."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli.conftest import PROGRAM, Folder, environment, interruptible
from tests.cli.shelf.shelves import copies, poison, shelf, stored

pytestmark = pytest.mark.slow  # run with --long

NUMBER = 16


@pytest.fixture
def top(saints: Folder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a shelf of copies of the sample."""
    return copies(saints, tmp_path_factory.mktemp("shelf"), NUMBER)


@pytest.fixture
def runs() -> Iterator[list[subprocess.Popen[str]]]:
    """Collect runs to end."""
    begun: list[subprocess.Popen[str]] = []
    yield begun
    for process in begun:
        process.kill()
        process.communicate()


def start(runs: list[subprocess.Popen[str]], top: Path, *more: str) -> subprocess.Popen[str]:
    """Begin to verify a shelf in two processes."""
    command = [str(PROGRAM), "shelf", "verify", str(top), "--jobs", "2", *more]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    runs.append(subprocess.Popen(command, env=environment(), text=True, preexec_fn=interruptible, **pipes))
    return runs[-1]


def wait_for_rows(top: Path, number: int) -> None:
    """Wait until so many rows are written."""
    for _ in range(600):
        with suppress(sqlite3.OperationalError):
            if len(stored(top / "shelf.db")) >= number:
                return
        time.sleep(0.05)
    pytest.fail("no rows are written")


def children(process: int) -> list[int]:
    """Return the processes that a process has begun and that import this program."""
    found = []
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):
            if (
                f"PPid:\t{process}\n" in status.read_text()
                and b"spawn_main" in (status.parent / "cmdline").read_bytes()
            ):
                found.append(int(status.parent.name))
    return found


def test_killed_run_goes_on_and_leaves_no_process(top: Path, runs: list[subprocess.Popen[str]]) -> None:
    run = start(runs, top)
    wait_for_rows(top, 3)
    workers = children(run.pid)
    assert len(workers) == 2
    run.kill()
    run.communicate()
    before = stored(top / "shelf.db", "number, campaign, written")
    assert 3 <= len(before) < NUMBER
    again = start(runs, top)
    output, remarks = again.communicate(timeout=120)
    assert (again.returncode, output) == (0, f"{NUMBER} campaigns: {NUMBER} are well\n")
    after = stored(top / "shelf.db", "number, campaign, written")
    assert after[: len(before)] == before  # what was written is not done again
    assert f"{len(after) - len(before)} of {NUMBER} campaigns looked at now" in remarks
    assert len({campaign for _, campaign, _ in after}) == len(after) == NUMBER
    assert not [worker for worker in workers if os.path.exists(f"/proc/{worker}")]


def test_killed_worker_is_replaced(top: Path, runs: list[subprocess.Popen[str]]) -> None:
    run = start(runs, top)
    wait_for_rows(top, 2)
    os.kill(children(run.pid)[0], signal.SIGKILL)
    output, _ = run.communicate(timeout=120)
    assert (run.returncode, output) == (0, f"{NUMBER} campaigns: {NUMBER} are well\n")
    assert len(stored(top / "shelf.db")) == NUMBER


def test_two_runs_write_each_result_once(top: Path, saints: Folder, runs: list[subprocess.Popen[str]]) -> None:
    bad = poison(top, saints)
    one, other = start(runs, top), start(runs, top)
    ended = [run.communicate(timeout=240) for run in (one, other)]
    for run, (output, remarks) in zip((one, other), ended, strict=True):
        assert (run.returncode, f"{NUMBER} are well" in output, "Traceback" in remarks) == (3, True, False), remarks
    rows = stored(top / "shelf.db")
    assert len(rows) == len(set(rows)) == NUMBER + len(bad)
    looked_at = [int(remarks.partition(" of ")[0]) for _, remarks in ended]
    assert min(looked_at) > len(bad)  # both did something
    assert sum(looked_at) <= len(rows) + len(bad) + 6  # at the end each does what the other has begun


def test_interrupted_run_says_so_and_goes_on(top: Path, runs: list[subprocess.Popen[str]]) -> None:
    run = start(runs, top)
    wait_for_rows(top, 2)
    run.send_signal(signal.SIGINT)
    _, remarks = run.communicate(timeout=60)
    assert (run.returncode, remarks.strip()) == (130, "interrupted")
    assert shelf("verify", str(top)).exit_code == 0
