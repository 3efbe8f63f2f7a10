"""Reading a long campaign: processor time and memory of commands, and of moving to an entry inside the process.

    python -m tests.bench.decade_reads FOLDER

FOLDER is a campaign of `python -m tests.bench.decade`. Every figure is a median of five.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import process_time

from cli.context import LEDGER_FILE
from ledger.ledger_state import load_state
from ledger.sqlite_store import open_store
from projections.projection import StateProjection
from tests.bench.commands import CAMPAIGN

ROUNDS = 5
MOVES = 40
FIGHTS = "SELECT count(*) FROM fights"
WOUNDS = "SELECT session, sum(-change) FROM changes WHERE what = 'health' AND change < 0 AND counts GROUP BY session"
COMMANDS = (
    ("log", "-n", "20"),
    ("log",),
    ("log", "kess", "-n", "20"),
    ("who", "doom"),
    ("who", "doom", "-n", "20"),
    ("who", "kess"),
    ("recap", "--post"),
    ("recap", "--campaign"),
    ("recap", "--character", "kess"),
    ("luck",),
    ("search", "heron"),
    ("verify",),
)


def command_cost(folder: Path, words: tuple[str, ...]) -> tuple[float, float, int]:
    """Return processor seconds and MiB of a command, and the lines that it prints."""
    seconds, memory, lines = [], [], 0
    for _ in range(ROUNDS):
        run = subprocess.Popen([str(CAMPAIGN), *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert run.stdout is not None
        lines = sum(1 for _ in run.stdout)
        _, _, usage = os.wait4(run.pid, 0)
        run.returncode = 0
        seconds.append(usage.ru_utime + usage.ru_stime)
        memory.append(usage.ru_maxrss / 1024)
    return median(seconds), max(memory), lines


def travel_cost(folder: Path) -> tuple[float, float]:
    """Return the median and the longest seconds of loading the state at an entry, of entries at random."""
    store, chance = open_store(folder / LEDGER_FILE, write=False), random.Random(1)
    entries = [take.id for take in store.takes() if take.number > 0]
    times = []
    for entry in chance.choices(entries, k=MOVES):
        start = process_time()
        load_state(store, StateProjection(), at=entry)
        times.append(process_time() - start)
    store.close()
    return median(times), max(times)


def query_cost(folder: Path, sql: str) -> float:
    """Return the processor seconds of a query."""
    store, seconds = open_store(folder / LEDGER_FILE, write=False), []
    for _ in range(ROUNDS):
        start = process_time()
        store.connection.execute(sql).fetchall()
        seconds.append(process_time() - start)
    store.close()
    return median(seconds)


def main() -> None:
    """Measure and print."""
    folder = Path(sys.argv[1])
    for words in COMMANDS:
        seconds, memory, lines = command_cost(folder, words)
        print(f"{' '.join(words):20} {seconds:6.2f} s CPU {memory:6.0f} MiB {lines:7,} lines", flush=True)
    for name, sql in (("fights", FIGHTS), ("damage by session", WOUNDS)):
        print(f"{name:20} {1000 * query_cost(folder, sql):6.1f} ms CPU")
    typical, longest = travel_cost(folder)
    print(f"{'state at an entry':20} {1000 * typical:6.1f} ms CPU, at most {1000 * longest:.1f}")


if __name__ == "__main__":
    main()
