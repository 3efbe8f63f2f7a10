"""The processes that play the runs of a forecast."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Final

from ledger.processes import usable_processors

ALONE: Final = 100  # runs that one process has played before others have started


@contextmanager
def executor(jobs: int | None, runs: int) -> Iterator[tuple[Executor | None, int]]:
    """Open processes that play, and say how many; none where one is done before they have started."""
    workers = jobs or (usable_processors() if runs > ALONE else 1)
    if workers < 2:
        yield None, 1
        return
    pool = ProcessPoolExecutor(workers, get_context("spawn"))
    try:
        yield pool, workers
    finally:
        pool.shutdown(cancel_futures=True)
