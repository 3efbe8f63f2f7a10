"""A shelf verified in one process, in two, and by two Dask workers on this machine: campaigns a second by the clock.

    python -m tests.bench.shelf [--campaigns 200]

Each way does all of its work, from the start of its processes to the last row; the cluster has started before, as one
has. The campaigns are evenings of all games, each several times, because it is the checking that is measured.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from time import perf_counter

from cli.commands.shelf import own_worker
from cli.shelf.dask import dask_workers
from cli.shelf.job import name_of
from cli.shelf.places import Shelf
from cli.shelf.results import FINE, ResultsFile
from cli.shelf.run import Run, run_name
from cli.shelf.verify import VerifyTask
from ledger.processes import worker_processes
from ledger.tasks import Begin
from tests.bench.decade import SCRIPTS, play_decade
from tests.bench.timer import Figure, figure, interleaved, table
from tests.cluster import NO_DASK, running_cluster

CAMPAIGNS = 200
DIFFERENT = 4  # of each game; the others are copies of them
ONE, TWO = "shelf verify in one process", "shelf verify in two processes"
DASK = "shelf verify on two Dask workers"


def generated(top: Path, number: int) -> None:
    """Play evenings of all games into folders, and copy them until there are so many."""
    evenings = [(game, seed) for seed in range(DIFFERENT) for game in SCRIPTS][:number]
    for index, (game, seed) in enumerate(evenings):
        play_decade(top / f"{index:04}", game, 1, seed).ledger.store.close()
    for index in range(len(evenings), number):
        shutil.copytree(top / f"{index % len(evenings):04}", top / f"{index:04}")


def verified(top: Path, results: Path, begin: Begin) -> float:
    """Verify a shelf into a new file, and return how many campaigns a second that was."""
    task = VerifyTask()
    results.unlink(missing_ok=True)
    start = perf_counter()
    with ResultsFile(results, *name_of(task), run_name()) as file:
        run = Run(task, Shelf([top], top), file, again=False)
        run.do(begin)
        assert [row.outcome for row in run.answer()] == [FINE] * len(run.places)
    return len(run.places) / (perf_counter() - start)


def shelves(folder: Path, number: int, rounds: int) -> tuple[list[Figure], list[str]]:
    """Measure a shelf of so many campaigns; return the figures, and what could not be measured."""
    top = folder / "shelf"
    generated(top, number)
    ways: dict[str, Begin] = {ONE: own_worker, TWO: partial(worker_processes, 2)}
    with ExitStack() as stack:
        if not NO_DASK:
            where = folder / "cluster"
            where.mkdir()
            ways[DASK] = partial(dask_workers, stack.enter_context(running_cluster(where)).address)
        jobs: dict[str, Callable[[], float]] = {
            name: partial(verified, top, folder / "rows.db", begin) for name, begin in ways.items()
        }
        measured = interleaved(rounds, jobs)
    figures = [figure(name, measured, name, ONE, "per second") for name in ways if name != ONE]
    return figures, [f"{DASK}: {NO_DASK}"] if NO_DASK else []


def main() -> None:
    """Measure, and print a table."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.shelf", description=__doc__)
    options.add_argument("--campaigns", type=int, default=CAMPAIGNS)
    options.add_argument("--rounds", type=int, default=1)
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="campaign-bench-") as name:
        figures, left_out = shelves(Path(name), arguments.campaigns, arguments.rounds)
    print("\n".join((*table(figures), *left_out)))
    print(f"{arguments.campaigns} campaigns, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
