"""A shelf verified by the command, in files and in a database, in processes and by two Dask workers of this machine.

    python -m tests.bench.shelf [--campaigns 10000] [--files-only]

Each way does all of its work anew, from the start of the command to the last row; the cluster and the server have
started before, as they have. The campaigns are evenings of all games, about a hundred records each; a few are played
and the others are copies of them, because it is the checking that is measured.

A rate is by the clock. A machine that does other work too is told by the processor time, which counts the workers and
the server as well, and the memory of a worker or of the command, whichever has more, by that of a shelf of a hundred.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from cli.play.copy_campaign import copy_to_database
from cli.questions.ledger_file import LEDGER_FILE
from ledger.postgres_address import parse_address
from ledger.sqlite_store import open_store
from tests.bench.commands import CAMPAIGN, surroundings
from tests.bench.decade import SCRIPTS, play_decade
from tests.bench.timer import Figure, figure, interleaved, table
from tests.cluster import NO_DASK, running_cluster
from tests.postgres import missing_postgres, running_server

CAMPAIGNS = 200
FEW = 100
DIFFERENT = 4  # of each game; the others are copies of them
ONE_MOST = 1000  # campaigns that are verified in one process too
ONE, TWO = "shelf verify, SQLite, one process", "shelf verify, SQLite, two processes"
DASK = "shelf verify, SQLite, two Dask workers"
DATABASE = "shelf verify, PostgreSQL, two processes"
MEASURE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
spent = resource.getrusage(resource.RUSAGE_CHILDREN)
print(spent.ru_utime + spent.ru_stime, spent.ru_maxrss / (1 << (20 if sys.platform == "darwin" else 10)))
"""


class Cost(NamedTuple):
    """What a command cost: seconds by the clock, seconds of processors, and MiB of its process with the most."""

    seconds: float
    processors: float
    memory: float


class Way(NamedTuple):
    """How a shelf is verified: what the command is told, and the processes elsewhere that work for it."""

    words: Sequence[str]
    helpers: Sequence[int] = ()


def evenings(number: int) -> list[tuple[str, int]]:
    """Return the games and seeds of the evenings that are played for so many campaigns."""
    return [(game, seed) for seed in range(DIFFERENT) for game in SCRIPTS][:number]


def generated(top: Path, number: int) -> None:
    """Play evenings of all games into folders, and copy them until there are so many."""
    played = evenings(number)
    for index, (game, seed) in enumerate(played):
        play_decade(top / f"{index:05}", game, 1, seed).ledger.store.close()
    for index in range(len(played), number):
        shutil.copytree(top / f"{index % len(played):05}", top / f"{index:05}")


def processor_seconds(process: int) -> float:
    """Return the processor time of a process and of its children, as far as they have ended."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def most_memory(process: int) -> float:
    """Return the most memory in MiB that a process has had."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def verified(way: Way, results: Path) -> Cost:
    """Verify a shelf into a new file of results, and return what that cost."""
    results.unlink(missing_ok=True)
    words = [str(CAMPAIGN), "shelf", "verify", *way.words, "--results", str(results)]
    before, start = sum(map(processor_seconds, way.helpers)), perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, *words],
        env=surroundings(results.parent),
        check=True,
        capture_output=True,
        text=True,
    )
    seconds = perf_counter() - start
    own, memory = map(float, done.stdout.split())
    spent = own + sum(map(processor_seconds, way.helpers)) - before
    return Cost(seconds, spent, max(memory, *map(most_memory, way.helpers), 0.0))


def ways(top: Path, number: int, folder: Path, stack: ExitStack, others: bool) -> Iterator[tuple[str, Way]]:
    """Yield the ways that are there on this machine, by name; the stack ends what they need.

    Without `others`: only those of the processes of the command, with files.
    """
    if number <= ONE_MOST:
        yield ONE, Way([str(top), "--jobs", "1"])
    yield TWO, Way([str(top), "--jobs", "2"])
    if others and not NO_DASK:
        where = folder / "cluster"
        where.mkdir()
        cluster = stack.enter_context(running_cluster(where))
        yield DASK, Way([str(top), "--dask", cluster.address], [each.pid for each in cluster.processes])
    if others and not missing_postgres():
        from tests.bench.club import multiply  # psycopg may not be installed

        server = stack.enter_context(running_server())
        for index in range(len(evenings(number))):
            address = parse_address(server.uri("club", campaign=f"e{index}"))
            with closing(open_store(top / f"{index:05}" / LEDGER_FILE, write=False)) as store:
                copy_to_database(store, address)
        multiply(server, "club", number)
        yield DATABASE, Way([server.uri("club"), "--jobs", "2"], [server.process])


def shelves(folder: Path, number: int, rounds: int, others: bool = True) -> tuple[list[Figure], list[str]]:
    """Measure a shelf of so many campaigns; return the figures, sentences about them, and what was not measured."""
    top, few, results = folder / "shelf", folder / "few", folder / "rows.db"
    generated(top, number)
    for index in range(min(FEW, number)):
        shutil.copytree(top / f"{index:05}", few / f"{index:05}")
    costs = {
        f"{TWO}, {len(list(few.iterdir()))} campaigns": [
            verified(Way([str(few), "--jobs", "2"]), results) for _ in range(2)
        ]
    }
    lines = []

    def job(name: str, way: Way) -> Callable[[], float]:
        def measure() -> float:
            cost = verified(way, results)
            costs.setdefault(name, []).append(cost)
            print(f"{name}: {cost.seconds:.0f} s", file=sys.stderr)
            return number / cost.seconds

        return measure

    with ExitStack() as stack:
        jobs = {name: job(name, way) for name, way in ways(top, number, folder, stack, others)}
        measured = interleaved(rounds, jobs)
    for name, spent in costs.items():
        least = min(spent, key=lambda cost: cost.processors)
        lines.append(
            f"{name}: {least.seconds:,.0f} s by the clock, {least.processors:,.0f} s of processors,"
            f" at most {max(cost.memory for cost in spent):.0f} MiB a process"
        )
    floor = ONE if ONE in jobs else TWO
    lines += [f"{name}: {why}" for name, why in ((DASK, NO_DASK), (DATABASE, missing_postgres())) if why]
    return [figure(name, measured, name, floor, "per second") for name in jobs if name != floor], lines


def main() -> None:
    """Measure, and print a table."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.shelf", description=__doc__)
    options.add_argument("--campaigns", type=int, default=CAMPAIGNS)
    options.add_argument("--rounds", type=int, default=1)
    options.add_argument("--files-only", action="store_true", help="leave Dask and PostgreSQL out")
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="campaign-bench-") as name:
        figures, lines = shelves(Path(name), arguments.campaigns, arguments.rounds, not arguments.files_only)
    print("\n".join((*table(figures), "", *lines)))
    print(f"{arguments.campaigns:,} campaigns, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
