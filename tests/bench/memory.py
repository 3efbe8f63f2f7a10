"""The most memory that a command takes at any time, on a big ledger and on a fresh one.

    python -m tests.bench.memory FOLDER [--facts 1000000]

A command that streams takes about as much on both; the bound is for a million facts. FOLDER is made and played if it
is not there. Of several processes of a command the one with the most counts.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tests.bench.commands import CAMPAIGN, surroundings
from tests.bench.play import fresh, played
from tests.bench.timer import Figure, figure, table

BOUND = 80  # MiB, for a million facts
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "log": ("log",),
    "verify": ("verify",),
    "verify --jobs 1": ("verify", "--jobs", "1"),
    "verify --quick": ("verify", "--quick"),
    "rebuild": ("rebuild",),
    "export --csv": ("export", "--csv", "{output}"),
    "export --json": ("export", "--json"),
    "export --notation": ("export", "--notation"),
}
MEASURE = (
    "import resource, subprocess, sys;"
    "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL);"
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
)


def memory(big: Path, small: Path, environment: Mapping[str, str]) -> tuple[list[Figure], str]:
    """Measure each command once on both ledgers; return the figures and the highest of them."""
    figures = []
    for name, words in COMMANDS.items():
        ours, floor = f"{name}, big ledger", f"{name}, fresh ledger"
        measured = {ours: [peak(words, big, environment)], floor: [peak(words, small, environment)]}
        figures.append(figure(ours, measured, ours, floor, "MiB"))
    highest = max(figures, key=lambda one: one.ours)
    return figures, f"{highest.what}: {highest.ours:.0f} MiB (at most {BOUND} wanted for a million facts)"


def peak(words: tuple[str, ...], ledger: Path, environment: Mapping[str, str]) -> float:
    """Return the most memory in MiB that a command has taken at any time."""
    with tempfile.TemporaryDirectory() as output:
        filled = [word.format(output=Path(output, "tables")) for word in words]
        command = [sys.executable, "-c", MEASURE, str(CAMPAIGN), "-C", str(ledger), *filled]
        run = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return int(run.stdout) / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def main() -> None:
    """Play a ledger if it is not there, and measure."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.memory", description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--facts", type=int, default=1_000_000)
    arguments = options.parse_args()
    if not arguments.folder.exists():
        played(arguments.folder, arguments.facts)
    with tempfile.TemporaryDirectory(prefix="campaign-bench-") as name:
        small = Path(name, "fresh")
        fresh(small).store.close()
        figures, highest = memory(arguments.folder, small, surroundings(Path(name)))
    print("\n".join(table(figures)))
    print(highest)


if __name__ == "__main__":
    main()
