"""Build the ledgers in a temporary folder, measure, and print one table."""

from __future__ import annotations

import argparse
import platform
import sqlite3
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from tests.bench.append import appends
from tests.bench.areas import areas
from tests.bench.commands import imports, surroundings, whole
from tests.bench.disputes import disputes
from tests.bench.fold import dice, folds, replays
from tests.bench.odds import attack_odds
from tests.bench.pages import pages
from tests.bench.play import fresh, played
from tests.bench.read_models import changes_cost
from tests.bench.serve import watched
from tests.bench.shell import shell_lines
from tests.bench.timer import table


@dataclass(frozen=True)
class Size:
    """The sizes and rounds of a run."""

    facts: int
    commands: int
    folds: int
    replays: int
    rounds: int
    appends: int
    faces: int
    watched: int
    sessions: int


FULL = Size(
    facts=100_000, commands=15, folds=7, replays=3, rounds=15, appends=100, faces=100_000, watched=10, sessions=300
)
QUICK = Size(facts=6_000, commands=5, folds=5, replays=3, rounds=5, appends=20, faces=20_000, watched=5, sessions=30)


def main() -> None:
    """Run all benchmarks; with `--quick` smaller ones."""
    options = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    options.add_argument("--quick", action="store_true", help="a smaller ledger and fewer rounds")
    size = QUICK if options.parse_args().quick else FULL
    start = perf_counter()
    with tempfile.TemporaryDirectory(prefix="campaign-bench-") as name:
        folder = Path(name)
        fresh(folder / "fresh").store.close()
        facts = played(folder / "big", size.facts)
        built = perf_counter() - start
        environment = surroundings(folder)
        figures = whole(folder / "fresh", folder / "big", size.commands, environment)
        lines, line = shell_lines(folder / "fresh", folder / "big", 3 * size.commands)
        figures += lines
        figures += appends(folder, size.rounds, size.appends)
        figures += changes_cost(folder, size.rounds, size.appends)
        figures += folds(folder / "big", size.folds)
        figures += replays(folder / "big", size.replays)
        figures += dice(size.rounds, size.faces)
        disputed, wanted = disputes(folder, size.folds, environment)
        figures += disputed
        crowds, area = areas(size.rounds)
        figures += crowds
        outlooks, outlook = attack_odds(size.replays)
        figures += outlooks
        crowded, delay = watched(folder, size.rounds, size.watched, environment)
        figures += crowded
        written = pages(folder, size.sessions, size.watched, environment)
        weights = pages(folder)
        modules = imports(folder / "fresh", environment)
    print(f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {sys.platform}")
    print(f"The big ledger has {facts:,} facts (built in {built:.1f} s)")
    print()
    print("\n".join(table(figures)))
    print()
    print(wanted)
    print(area)
    print(outlook)
    print(line)
    print(delay)
    print("\n".join(weights))
    print("\n".join(written))
    print()
    print("On the way of `do`:", modules[0])
    print("\n".join(modules[1:]))
    print(f"\n{perf_counter() - start:.0f} s in all; ratios are medians of the ratios within each round")


if __name__ == "__main__":
    main()
