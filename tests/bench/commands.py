"""Whole commands, from spawn to exit, compared with an idle Python; and the imports of `do`."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from time import perf_counter

from tests.bench.play import SAMPLE_LINES
from tests.bench.timer import Figure, figure, interleaved

CAMPAIGN = Path(sys.executable).parent / "campaign"
LINE = "k pick v2"  # it hardly ever fails, and nobody picks anything in the big ledger: a retry needs Effort
OFF_THE_SHEET = "o lift v1"  # what the book has to be asked about
DO = (str(CAMPAIGN), "do", LINE)
LEAVE = "import os; os._exit(0)"  # as the program ends
PACKAGES = ("ledger", "projections", "rulebooks", "cli")
PASS = "python -c pass"
NEEDED = "its libraries"
LIBRARIES = "import msgspec, sqlite3, hashlib, hmac"
BIG_DO = "do, big ledger"
BIG_SHOW = "show, big ledger"
SEED = "bench 4"  # the line of no sample fails in its first 300 times
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


def imported(words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> dict[str, tuple[int, int]]:
    """Return every module that Python imports with these arguments.

    With each are its microseconds: alone, and with its own imports.
    """
    found = {}
    for line in Command((sys.executable, "-X", "importtime", *words), folder, environment).run().splitlines():
        parts = line.removeprefix("import time:").split("|")
        if line.startswith("import time:") and parts[0].strip().isdigit():
            found[parts[2].strip()] = (int(parts[0]), int(parts[1]))
    return found


def spending(folder: Path, rounds: int, environment: Mapping[str, str]) -> list[str]:
    """Return what `do` spends its processor time on, in times of an idle Python.

    The steps are measured one after the other; the modules of the program share theirs as -X importtime has them.
    """
    whole, libraries = imported(DO, folder, environment), ("-c", f"import cli; {LIBRARIES}; {LEAVE}")
    known = imported(libraries, folder, environment)
    own = [name for name in whole if package(name)]
    steps = {
        "Python": ("-c", "pass"),
        "libraries": libraries,
        "modules": ("-c", f"import {', '.join(own)}; {LEAVE}"),
        "line": DO,
    }
    commands = {name: Command((sys.executable, *words), folder, environment) for name, words in steps.items()}
    for command in commands.values():
        command.run()
    measured = interleaved(rounds, {name: partial(processor_seconds, each) for name, each in commands.items()})
    python, *others = (min(seconds) for seconds in measured.values())  # a busy machine only adds to it
    spent = [later - before for before, later in pairwise((python, *others))]
    alone = {
        name: sum(time for each, (time, _) in whole.items() if each not in known and package(each) == name)
        for name in (*PACKAGES, "")
    }
    share = spent[1] / sum(alone.values())
    rows = [
        ("Python itself", python),
        ("libraries: msgspec, sqlite3, hashlib", spent[0]),
        *((f"modules of {name or 'Python that these need'}", time * share) for name, time in alone.items()),
        ("the line: read, decided, written durably, printed", spent[2]),
        ("in all", others[-1]),
    ]
    return ["Where the processor time of `do` goes, in times of `python -c pass`:"] + [
        f"  {seconds / python:5.2f}  {seconds * 1000:6.1f} ms  {what}" for what, seconds in rows
    ]


def processor_seconds(command: Command) -> float:
    """Run a command; return the processor seconds that it took."""
    return command.spent()[1]


def package(module: str) -> str:
    """Return the package of the program that a module belongs to; empty for those of Python."""
    name = module.partition(".")[0]
    return name if name in PACKAGES else ""


def imports(folder: Path, environment: Mapping[str, str], top: int = 12) -> list[str]:
    """Return the heaviest imports of `do`, and whether modules are imported that should not be."""
    found = imported(DO, folder, environment)
    heaviest = sorted(found.items(), key=lambda pair: -pair[1][0])[:top]
    lines = [f"{len(found)} modules, {sum(alone for alone, _ in found.values()) / 1000:.1f} ms under -X importtime"]
    lines += [
        f"  {alone / 1000:5.1f} ms alone, {total / 1000:5.1f} in all  {name}" for name, (alone, total) in heaviest
    ]
    for name in HEAVY:
        verdict = "not imported" if name not in found else "imported"
        lines.append(f"  {name}: {verdict}{' AND MUST NOT BE' if name in found and name in UNWANTED else ''}")
    return lines
