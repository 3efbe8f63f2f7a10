"""A Dask cluster on this machine for tests and benchmarks: a scheduler and two workers, each a process."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from tests.cli.conftest import environment

NO_DASK: Final = "" if find_spec("distributed") else "distributed is not installed (extra shelf)"
WORKERS: Final = 2


class Cluster:
    """A scheduler and two workers, each a process."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.processes = folder, list[subprocess.Popen]()
        self.address = ""

    def begin(self) -> None:
        """Begin all of them."""
        file = self.folder / "scheduler.json"
        self.run("scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
        for _ in range(WORKERS):
            more = ("--no-dashboard", "--no-nanny", "--nthreads", "1", "--local-directory", str(self.folder))
            self.run("worker", "--scheduler-file", str(file), *more)
        from distributed import Client

        for _ in range(300):
            if file.exists():
                break
            time.sleep(0.1)
        with Client(scheduler_file=str(file), timeout=30, set_as_default=False) as client:
            client.wait_for_workers(WORKERS, timeout=60)
            self.address = client.scheduler.address

    def run(self, *arguments: str) -> None:
        """Begin a process of Dask."""
        command = [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:]]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.processes.append(subprocess.Popen(command, env=environment(), cwd=self.folder, **quiet))

    def end(self) -> None:
        """End them, each by its number."""
        for process in reversed(self.processes):
            process.kill()
            process.wait()


@contextmanager
def running_cluster(folder: Path) -> Iterator[Cluster]:
    """Yield a cluster that runs; it is ended at the end."""
    cluster = Cluster(folder)
    try:
        cluster.begin()
        yield cluster
    finally:
        cluster.end()
