"""Whole commands, from spawn to exit, against a Python that does nothing; and what `do` imports on its way."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter

from tests.bench.timing import Figure, figure, interleaved

CAMPAIGN = Path(sys.executable).parent / "campaign"
LINE = "k sneak v5"
PASS = "python -c pass"
NEEDED = "its libraries"
LIBRARIES = "import click, msgspec, sqlite3, hashlib, hmac"
BIG_DO = "do, big ledger"
HEAVY = ("sqlite_utils", "watchfiles", "tomllib", "hypothesis", "importlib.metadata", "importlib.resources", "difflib")
UNWANTED = ("sqlite_utils", "watchfiles")

OURS_TO_SET = ("PYTHON", "CAMPAIGN_")
Spent = tuple[float, float]  # seconds on the wall, seconds of the processor


def surroundings(folder: Path) -> dict[str, str]:
    """An ordinary environment: nobody's PYTHON... settings (PYTHONDONTWRITEBYTECODE would have every command compile
    again what was edited since), and bytecode kept beside the ledgers.
    """
    plain = {name: value for name, value in os.environ.items() if not name.startswith(OURS_TO_SET)}
    return {**plain, "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}


def spent(command: Sequence[str], environment: Mapping[str, str]) -> Spent:
    """What one run of a command takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
    wall = perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def whole(fresh: Path, big: Path, rounds: int, environment: Mapping[str, str]) -> list[Figure]:
    """`do` and `show` on both ledgers, the libraries alone, and nothing at all."""
    commands: Mapping[str, Sequence[str]] = {
        PASS: (sys.executable, "-c", "pass"),
        NEEDED: (sys.executable, "-c", LIBRARIES),
        "do": (str(CAMPAIGN), "-C", str(fresh), "do", LINE),
        BIG_DO: (str(CAMPAIGN), "-C", str(big), "do", LINE),
        "show": (str(CAMPAIGN), "-C", str(fresh), "show"),
        "show, big ledger": (str(CAMPAIGN), "-C", str(big), "show"),
        "--version": (str(CAMPAIGN), "--version"),
    }
    for command in commands.values():
        spent(command, environment)  # compiles what has to be compiled
    processor: dict[str, list[float]] = {name: [] for name in commands}
    wall = interleaved(rounds, {name: job(command, environment, processor[name]) for name, command in commands.items()})
    pairs = [*((name, PASS) for name in commands if name != PASS), ("do", NEEDED), (BIG_DO, "do")]
    return [
        figure(ours, seconds, ours, floor, f"ms {clock}", scale=1000)
        for clock, seconds in (("wall", wall), ("CPU", processor))
        for ours, floor in pairs
    ]


def job(command: Sequence[str], environment: Mapping[str, str], processor: list[float]) -> Callable[[], float]:
    """A job that measures the wall and puts what the processor did aside."""

    def measured() -> float:
        on_the_wall, of_the_processor = spent(command, environment)
        processor.append(of_the_processor)
        return on_the_wall

    return measured


def imported(folder: Path, environment: Mapping[str, str]) -> dict[str, tuple[int, int]]:
    """Every module that `do` imports, and its microseconds: alone, and with all that it imports first."""
    command = (sys.executable, "-X", "importtime", str(CAMPAIGN), "-C", str(folder), "do", LINE)
    run = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    found = {}
    for line in run.stderr.splitlines():
        parts = line.removeprefix("import time:").split("|")
        if line.startswith("import time:") and parts[0].strip().isdigit():
            found[parts[2].strip()] = (int(parts[0]), int(parts[1]))
    return found


def imports(folder: Path, environment: Mapping[str, str], top: int = 12) -> list[str]:
    """What `do` imports, in a few lines: the heaviest modules of one run, and whether any should not be there."""
    found = imported(folder, environment)
    heaviest = sorted(found.items(), key=lambda pair: -pair[1][0])[:top]
    lines = [f"{len(found)} modules, {sum(alone for alone, _ in found.values()) / 1000:.1f} ms under -X importtime"]
    lines += [
        f"  {alone / 1000:5.1f} ms alone, {total / 1000:5.1f} in all  {name}" for name, (alone, total) in heaviest
    ]
    for name in HEAVY:
        verdict = "not imported" if name not in found else "imported"
        lines.append(f"  {name}: {verdict}{' AND MUST NOT BE' if name in found and name in UNWANTED else ''}")
    return lines
