"""Reading a long campaign: processor time, memory and lines of commands, and moving to an entry inside the process.

    python -m tests.bench.decade_reads FOLDER

FOLDER is a campaign of `python -m tests.bench.decade`. Every figure is a median of five, with the bytecode compiled.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time

from cli.questions.ledger_file import LEDGER_FILE
from ledger.ledger_state import load_state
from ledger.sqlite_store import open_store
from projections.projection import StateProjection
from tests.bench.commands import CAMPAIGN, PASS, surroundings
from tests.bench.timer import Figure, figure

ROUNDS = 5
WANTED = 0.5  # seconds of processor time
MOVES = 40
FIGHTS = "SELECT count(*) FROM fights"
WOUNDS = "SELECT session, sum(-change) FROM changes WHERE change < 0 AND counts GROUP BY session"
FIRST_CHARACTER = "SELECT name FROM characters WHERE kind = 'pc' ORDER BY joined, name LIMIT 1"
BUSIEST_VALUE = (
    "SELECT value FROM changes WHERE change IS NOT NULL GROUP BY value ORDER BY count(*) DESC, value LIMIT 1"
)
MARKED = (
    "log -n 20",
    "log {who} -n 20",
    "who {value}",
    "who {who}",
    "recap",
    "recap --post",
    "recap --campaign",
    "recap --character {who}",
    "luck",
    "search heron",
)
UNMARKED = (
    "log",
    "log --oneline",
    "log --scene 1",
    "log --csv",
    "who {value} --all",
    "who {value} --csv",
    "when {value}>3",
    "when {value}>3 --as players",
    "luck --as players",
    "verify --quick",
)


@dataclass(frozen=True)
class Reading:
    """What a command takes: processor seconds, MiB, and the lines that it prints."""

    name: str
    seconds: list[float]
    memory: float
    lines: int
    is_marked: bool

    def __str__(self) -> str:
        took = median(self.seconds)
        verdict = f"  {'within' if took <= WANTED else 'above'} {WANTED} s" if self.is_marked else ""
        return f"{self.name:30} {took:6.2f} s CPU {self.memory:6.0f} MiB {self.lines:8,} lines{verdict}"


def readings(folder: Path, environment: Mapping[str, str]) -> list[Reading]:
    """Measure the commands with a mark, and those that print everything or are seldom asked."""
    return [reading(folder, command, environment, is_marked=command in MARKED) for command in (*MARKED, *UNMARKED)]


def reading(folder: Path, command: str, environment: Mapping[str, str], *, is_marked: bool) -> Reading:
    """Measure a command, after a run that compiles what has to be compiled."""
    subjects = {"who": first_of(folder, FIRST_CHARACTER).casefold(), "value": first_of(folder, BUSIEST_VALUE)}
    words = [str(CAMPAIGN), *(word.format(**subjects) for word in command.split())]
    command_cost(folder, words, environment)
    costs = [command_cost(folder, words, environment) for _ in range(ROUNDS)]
    seconds, memory, lines = zip(*costs, strict=True)
    return Reading(" ".join(words[1:]), [*seconds], max(memory), lines[0], is_marked)


def first_of(folder: Path, sql: str) -> str:
    """Return what a query finds first."""
    store = open_store(folder / LEDGER_FILE, write=False)
    (name,) = store.connection.execute(sql).fetchone()
    store.close()
    return str(name)


def command_cost(folder: Path, words: list[str], environment: Mapping[str, str]) -> tuple[float, float, int]:
    """Return processor seconds and MiB of a command, and the lines that it prints."""
    run = subprocess.Popen(words, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert run.stdout is not None
    with run.stdout:
        lines = sum(1 for _ in run.stdout)
    _, status, usage = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode not in (0, 1):  # `when` exits with 1 where nothing held
        raise SystemExit(f"{' '.join(words)} in {folder.name}: exit code {run.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, lines


def decade_figures(folder: Path, environment: Mapping[str, str]) -> tuple[list[Figure], list[str]]:
    """Measure a long campaign; return a figure for each command, and the readings in words."""
    measured = readings(folder, environment)
    floor = [command_cost(folder, [sys.executable, "-c", "pass"], environment)[0] for _ in range(ROUNDS)]
    figures = [
        figure(f"{each.name}, ten years", {"ours": each.seconds, PASS: floor}, "ours", PASS, "ms CPU", scale=1000)
        for each in measured
    ]
    slowest = max((each for each in measured if each.is_marked), key=lambda each: median(each.seconds))
    mark = f"ten years, {slowest.name}: {median(slowest.seconds):.2f} s of processor time (at most {WANTED} wanted)"
    return figures, [mark, *map(str, measured)]


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
    with tempfile.TemporaryDirectory(prefix="campaign-bench-") as name:
        environment = surroundings(Path(name))
        for command in (*MARKED, *UNMARKED):
            print(reading(folder, command, environment, is_marked=command in MARKED), flush=True)
    for what, sql in (("fights", FIGHTS), ("losses by session", WOUNDS)):
        print(f"{what:30} {1000 * query_cost(folder, sql):6.1f} ms CPU")
    typical, longest = travel_cost(folder)
    print(f"{'state at an entry':30} {1000 * typical:6.1f} ms CPU, at most {1000 * longest:.1f}")


if __name__ == "__main__":
    main()
