"""Test a shelf on a Dask cluster of two workers on this machine, and what is said without one."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli.conftest import Folder, environment, one_error
from tests.cli.shelf.shelves import copies, poison, shelf, stored
from tests.cluster import NO_DASK, Cluster, running_cluster

NUMBER = 8
needs_dask = pytest.mark.skipif(bool(NO_DASK), reason=NO_DASK)


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Return a cluster, and end it."""
    with running_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


def run(top: Path, address: str, *more: str) -> subprocess.CompletedProcess[str]:
    """Verify a shelf on a cluster."""
    command = [sys.executable, "-m", "cli.main", "shelf", "verify", str(top), "--dask", address, *more]
    return subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=240, check=False)


@pytest.mark.slow
@needs_dask
def test_cluster_gives_the_rows_that_processes_give(saints: Folder, tmp_path: Path, cluster: Cluster) -> None:
    top = copies(saints, tmp_path / "shelf", NUMBER)
    bad = poison(top, saints)
    columns = "campaign, head, revision, outcome, text, content"
    on_cluster = run(top, cluster.address)
    assert (on_cluster.returncode, f"{NUMBER} are well" in on_cluster.stdout) == (3, True), on_cluster.stderr
    here = tmp_path / "here.db"
    shelf("verify", str(top), "--results", str(here))
    assert len(stored(here)) == NUMBER + len(bad)
    rows = {row[0].rpartition("/")[2]: row[1:] for row in stored(here, columns)}
    assert {row[0]: row[1:] for row in stored(top / "shelf.db", columns)} == rows


@pytest.mark.slow
@needs_dask
def test_killed_dask_worker_costs_nothing_but_time(saints: Folder, tmp_path: Path, cluster: Cluster) -> None:
    top = copies(saints, tmp_path / "shelf", NUMBER)
    command = [sys.executable, "-m", "cli.main", "shelf", "verify", str(top), "--dask", cluster.address]
    process = subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for_a_row(top)
    os.kill(cluster.processes[1].pid, signal.SIGKILL)
    output, remarks = process.communicate(timeout=240)
    assert (process.returncode, output) == (0, f"{NUMBER} campaigns: {NUMBER} are well\n"), remarks
    assert len(stored(top / "shelf.db")) == NUMBER


@pytest.mark.slow
@needs_dask
def test_killed_scheduler_ends_the_run_and_the_next_goes_on(saints: Folder, tmp_path: Path, cluster: Cluster) -> None:
    top = copies(saints, tmp_path / "shelf", NUMBER)
    command = [sys.executable, "-m", "cli.main", "shelf", "verify", str(top), "--dask", cluster.address]
    process = subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for_a_row(top)
    cluster.processes[0].kill()
    _, remarks = process.communicate(timeout=240)
    assert process.returncode == 3, remarks
    assert "the workers are gone before all was done. What was written is kept" in remarks
    before = len(stored(top / "shelf.db"))
    done = shelf("verify", str(top))
    assert (done.exit_code, f"{NUMBER - before} of {NUMBER} campaigns looked at now" in done.stderr) == (0, True)


def wait_for_a_row(top: Path) -> None:
    """Wait until a row is written."""
    for _ in range(1200):
        with suppress(sqlite3.OperationalError):  # there is a file before there is a table in it
            if (top / "shelf.db").exists() and stored(top / "shelf.db"):
                return
        time.sleep(0.05)
    pytest.fail("no row is written")


@needs_dask
def test_scheduler_that_does_not_answer_is_one_error(
    evening: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cli.shelf.dask.CONNECT_SECONDS", 0.2)
    top = copies(evening, tmp_path, 1)
    for address in ("tcp://127.0.0.1:1", "nonsense://x", "tcp://[::"):
        error = one_error(shelf("verify", str(top), "--dask", address, jobs=None), 2)
        assert error.startswith(f"no Dask scheduler answers at {address}. Start one (dask scheduler)")


def test_without_dask_the_extra_is_named(evening: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    error = one_error(shelf("verify", str(copies(evening, tmp_path, 1)), "--dask", "tcp://x", jobs=None), 3)
    assert 'pip install "campaign-ledger[shelf]"' in error
