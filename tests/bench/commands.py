"""Whole commands, from spawn to exit, compared with an idle Python; and the imports of `do`."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from tests.bench.play import SAMPLE_LINES
from tests.bench.timer import Figure, figure, interleaved

CAMPAIGN = Path(sys.executable).parent / "campaign"
LINE = "k pick v2"  # it hardly ever fails, and nobody picks anything in the big ledger: a retry needs Effort
OFF_THE_SHEET = "o lift v1"  # what the book has to be asked about
PASS = "python -c pass"
NEEDED = "its libraries"
LIBRARIES = "import msgspec, sqlite3, hashlib, hmac"
BIG_DO = "do, big ledger"
BIG_SHOW = "show, big ledger"
SEED = "bench"  # no task of the samples fails with it
CROWD_DO = "do, 50 beings with 200 conditions"
HEAVY = (
    "sqlite_utils",
    "watchfiles",
    "click",
    "pathlib",
    "tomllib",
    "hypothesis",
    "importlib.metadata",
    "importlib.resources",
    "difflib",
)
UNWANTED = ("sqlite_utils", "watchfiles", "click", "pathlib")

OURS_TO_SET = ("PYTHON", "CAMPAIGN_")


def surroundings(folder: Path) -> dict[str, str]:
    """An ordinary environment: nobody's PYTHON... settings (PYTHONDONTWRITEBYTECODE would have every command compile
    again what was edited since), and bytecode kept beside the ledgers.
    """
    plain = {name: value for name, value in os.environ.items() if not name.startswith(OURS_TO_SET)}
    return {**plain, "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}


@dataclass(frozen=True)
class Command:
    """A command line, and the folder and the environment in which it is given."""

    words: Sequence[str]
    folder: Path
    environment: Mapping[str, str]

    def run(self) -> str:
        """Run it; return its standard error. Ends the benchmark with what a command that fails has said."""
        run = subprocess.run(
            self.words, cwd=self.folder, env=self.environment, check=False, capture_output=True, text=True
        )
        if run.returncode:
            raise SystemExit(f"{' '.join(self.words)} in {self.folder.name}: {run.stderr}")
        return run.stderr

    def spent(self) -> tuple[float, float]:
        """Run it; return wall and processor seconds."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = perf_counter()
        self.run()
        wall = perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def played_samples(folder: Path, environment: Mapping[str, str]) -> dict[str, Path]:
    """Play the sample of each game and open a session in it; return their folders."""
    for sample in SAMPLE_LINES:
        Command((str(CAMPAIGN), "demo", "--sample", sample, sample), folder, environment).run()
        Command((str(CAMPAIGN), "open", "Once more", "--seed", SEED), folder / sample, environment).run()
    return {sample: folder / sample for sample in SAMPLE_LINES}


def whole(
    fresh: Path, big: Path, crowd: Path, samples: Mapping[str, Path], rounds: int, environment: Mapping[str, str]
) -> list[Figure]:
    """Measure `do` and `show` on small and big ledgers, `do` in a crowd and in each game, its libraries, and Python.

    The program starts as pip installed it: with its script, and found through the path of an editable install.
    """
    campaign, python = str(CAMPAIGN), sys.executable
    lines: Mapping[str, tuple[Path, Sequence[str]]] = {
        PASS: (fresh, (python, "-c", "pass")),
        NEEDED: (fresh, (python, "-c", LIBRARIES)),
        "do": (fresh, (campaign, "do", LINE)),
        BIG_DO: (big, (campaign, "do", LINE)),
        CROWD_DO: (crowd, (campaign, "do", LINE)),
        "do, a task off the sheet": (fresh, (campaign, "do", OFF_THE_SHEET)),
        "show": (fresh, (campaign, "show")),
        BIG_SHOW: (big, (campaign, "show")),
        "--version": (fresh, (campaign, "--version")),
        **{f"do, {sample}": (path, (campaign, "do", SAMPLE_LINES[sample])) for sample, path in samples.items()},
    }
    commands = {name: Command(words, folder, environment) for name, (folder, words) in lines.items()}
    for command in commands.values():
        command.run()  # compiles what has to be compiled
    processor: dict[str, list[float]] = {name: [] for name in commands}
    wall = interleaved(rounds, {name: job(command, processor[name]) for name, command in commands.items()})
    pairs = [
        *((name, PASS) for name in commands if name != PASS),
        ("do", NEEDED),
        (BIG_DO, "do"),
        (CROWD_DO, "do"),
        (BIG_SHOW, "show"),
    ]
    return [
        figure(ours, seconds, ours, floor, f"ms {clock}", scale=1000)
        for clock, seconds in (("wall", wall), ("CPU", processor))
        for ours, floor in pairs
    ]


def job(command: Command, processor: list[float]) -> Callable[[], float]:
    """Return a job that measures wall time and collects processor time."""

    def measured() -> float:
        on_the_wall, of_the_processor = command.spent()
        processor.append(of_the_processor)
        return on_the_wall

    return measured


def imported(folder: Path, environment: Mapping[str, str]) -> dict[str, tuple[int, int]]:
    """Return every module that `do` imports with its microseconds: alone, and with its own imports."""
    words = (sys.executable, "-X", "importtime", str(CAMPAIGN), "do", LINE)
    found = {}
    for line in Command(words, folder, environment).run().splitlines():
        parts = line.removeprefix("import time:").split("|")
        if line.startswith("import time:") and parts[0].strip().isdigit():
            found[parts[2].strip()] = (int(parts[0]), int(parts[1]))
    return found


def imports(folder: Path, environment: Mapping[str, str], top: int = 12) -> list[str]:
    """Return the heaviest imports of `do`, and whether modules are imported that should not be."""
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
