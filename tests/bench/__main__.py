"""Build the ledgers in a temporary folder, measure, and print one table."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sqlite3
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter

from tests.bench.append import appends
from tests.bench.areas import areas
from tests.bench.batches import batches
from tests.bench.commands import imports, played_samples, spending, surroundings, whole
from tests.bench.decade import play_decade
from tests.bench.decade_reads import decade_figures
from tests.bench.disputes import disputes
from tests.bench.fold import dice, folds, replays
from tests.bench.forecast import forecasts
from tests.bench.leaves import leaves
from tests.bench.memory import memory
from tests.bench.odds import attack_odds
from tests.bench.pages import pages
from tests.bench.play import crowd, fresh, played
from tests.bench.read_models import changes_cost
from tests.bench.rivals import processors, rivals
from tests.bench.serve import on_screen, watched
from tests.bench.shelf import CAMPAIGNS, shelves
from tests.bench.shell import shell_lines
from tests.bench.speech import sentences
from tests.bench.timer import Figure, table
from tests.bench.walk import sample_walks, walks
from tests.postgres import missing_postgres


@dataclass(frozen=True)
class Size:
    """The sizes and rounds of a run."""

    facts: int
    commands: int
    folds: int
    replays: int
    batches: int
    rounds: int
    appends: int
    faces: int
    watched: int


FULL = Size(
    facts=100_000,
    commands=15,
    folds=7,
    replays=5,
    batches=15,
    rounds=15,
    appends=100,
    faces=100_000,
    watched=10,
)
DECADE_GAME, DECADE_SESSIONS = "dusk-bastards", 300
CLUB_NOT_RUN = "club: not measured: --club builds databases in a server of its own"
NOT_READ = "not read: --decade FOLDER reads or makes a campaign"
QUICK = Size(
    facts=6_000,
    commands=5,
    folds=5,
    replays=5,
    batches=5,
    rounds=5,
    appends=20,
    faces=20_000,
    watched=5,
)


def club_figures(folder: Path) -> tuple[list[Figure], list[str]]:
    """Return the figures of a club and sentences about them, or why no database can be measured here."""
    if missing_postgres():
        return [], [f"club: {missing_postgres()}"]
    from tests.bench import club  # psycopg may not be installed

    (folder / "club").mkdir()
    return club.clubs(folder / "club", club.CAMPAIGNS, club.ROUNDS, club.AT_ONCE)


def main() -> None:
    """Run all benchmarks; with `--quick` smaller ones."""
    options = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    options.add_argument("--quick", action="store_true", help="a smaller ledger and fewer rounds")
    options.add_argument("--json", type=Path, metavar="FILE", help="write all figures and the conditions to a file")
    options.add_argument(
        "--decade",
        type=Path,
        metavar="FOLDER",
        help="also read a campaign of ten years, of tests.bench.decade; one is played there, in 20 minutes, if none is",
    )
    options.add_argument("--shelf", action="store_true", help="also verify a shelf of 200 campaigns in three ways")
    options.add_argument("--club", action="store_true", help="also append to databases of 100 and 10,000 campaigns")
    arguments = options.parse_args()
    if arguments.decade and not arguments.decade.exists():
        play_decade(arguments.decade, DECADE_GAME, DECADE_SESSIONS, seed=1).ledger.store.close()
    size = QUICK if arguments.quick else FULL
    start = perf_counter()
    with tempfile.TemporaryDirectory(prefix="campaign-bench-") as name:
        folder = Path(name)
        fresh(folder / "fresh").store.close()
        facts = played(folder / "big", size.facts)
        built = perf_counter() - start
        crowd(folder / "crowd")
        environment = surroundings(folder)
        samples = played_samples(folder, environment)
        figures = whole(folder / "fresh", folder / "big", folder / "crowd", samples, size.commands, environment)
        lines, line = shell_lines(folder, folder / "fresh", folder / "big", samples, 3 * size.commands)
        figures += lines
        figures += appends(folder, size.rounds, size.appends)
        figures += leaves(folder / "leaves", size.rounds, size.appends)
        figures += changes_cost(folder, size.rounds, size.appends)
        figures += batches(folder / "big", folder, size.batches)
        figures += folds(folder / "big", size.folds)
        figures += replays(folder / "big", size.replays)
        figures += processors(folder / "big", size.replays)
        beside, left_out = rivals(folder / "big", folder, size.folds)
        figures += beside
        figures += dice(size.rounds, size.faces)
        disputed, wanted = disputes(folder, size.folds, environment)
        figures += disputed
        crowds, area = areas(size.rounds)
        figures += crowds
        outlooks, outlook = attack_odds(size.replays)
        figures += outlooks
        fights, foretold = forecasts(samples, size.replays)
        figures += fights
        heard, slowest = sentences(size.replays)
        figures += heard
        crowded, delay = watched(folder, size.rounds, size.watched, environment)
        figures += crowded
        screen = on_screen(folder / "watched", size.watched, environment)
        weights = pages(folder)
        peaks, highest = memory(folder / "big", folder / "fresh", environment)
        figures += peaks
        modules = imports(folder / "fresh", environment)
        spent = spending(folder / "fresh", size.commands, environment)
        book_walks = [*walks(), *sample_walks(samples)]
        years = [f"ten years of use: {NOT_READ}"]
        if arguments.decade:
            long, years = decade_figures(arguments.decade, environment)
            figures += long
        if arguments.shelf:
            many, not_run = shelves(folder, CAMPAIGNS, rounds=3)
            figures += many
            left_out += not_run
        clubbed = [CLUB_NOT_RUN]
        if arguments.club:
            appended, clubbed = club_figures(folder)
            figures += appended
    print(f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {sys.platform}")
    print(f"The big ledger has {facts:,} facts (built in {built:.1f} s)")
    print()
    print("\n".join((*table(figures), *left_out)))
    print()
    print(wanted)
    print(area)
    print("\n".join((outlook, *foretold)))
    print(line)
    print(slowest)
    print(delay)
    print(screen)
    print("\n".join(weights))
    print(highest)
    print("\n".join(years))
    print("\n".join(clubbed))
    print("\n".join(book_walks))
    print()
    print("\n".join(spent))
    print("On the way of `do`:", modules[0])
    print("\n".join(modules[1:]))
    if arguments.json:
        conditions = {
            "python": platform.python_version(),
            "sqlite": sqlite3.sqlite_version,
            "platform": platform.platform(),
            "processors": os.cpu_count(),
            "load": os.getloadavg(),
            "facts": facts,
        }
        content = {"conditions": conditions, "figures": list(map(asdict, figures)), "left_out": left_out}
        arguments.json.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    print(f"\n{perf_counter() - start:.0f} s in all; ratios are medians of the ratios within each round")


if __name__ == "__main__":
    main()
