"""A line in the shell: to read, decide, append and answer it, and to print the next prompt; and one under `watch`.

Its processor time has a bound. Its time on the wall is compared with the durable commit of a row as long as a record,
which a disk without a cache makes slow and others fast: the difference is the work.
"""

from __future__ import annotations

import io
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from threading import Event
from time import perf_counter, process_time

import click

from cli.commands.watch import Follower
from cli.context import CampaignContext
from cli.shell.shell import Shell
from tests.bench.append import bare
from tests.bench.commands import LINE
from tests.bench.play import SAMPLE_LINES
from tests.bench.timer import Figure, figure, interleaved

SHELL = "a line in the shell"
BIG_SHELL = "a line in the shell, big ledger"
COMMIT = "a durable commit"
WATCH_LINES = 80  # that the file has already
RECORD = "x" * 900
MOST = 0.010  # seconds


def shell_lines(
    folder: Path, fresh: Path, big: Path, samples: Mapping[str, Path], rounds: int
) -> tuple[list[Figure], str]:
    """Measure lines on both ledgers, in each game and under `watch`; return figures, and the slowest with its bound."""
    places = {f"a line, {sample}": (path, (SAMPLE_LINES[sample],)) for sample, path in samples.items()}
    shells = {SHELL: (fresh, (LINE, "")), BIG_SHELL: (big, (LINE, "")), **places}
    saves = {f"a line under watch, {sample}": (path, SAMPLE_LINES[sample]) for sample, path in samples.items()}
    db, wall = bare(folder / "commits.db"), {name: list[float]() for name in (*shells, *saves, COMMIT)}
    with click.Context(click.Command("play")):
        jobs = {name: line_job(path, lines, wall[name]) for name, (path, lines) in shells.items()}
        jobs |= {name: save_job(path, line, wall[name]) for name, (path, line) in saves.items()}
        jobs[COMMIT] = partial(commit, db, wall[COMMIT])
        measured = interleaved(rounds, jobs)
    db.close()
    names = [*shells, *saves]
    figures = [figure(name, measured, name, SHELL, "ms CPU", scale=1000) for name in names]
    slowest = max(one.ours for one in figures)
    figures += [figure(name, wall, name, COMMIT, "ms wall", scale=1000) for name in names]
    return figures, f"{SHELL}, or under watch: {slowest:.1f} ms of processor time (at most {MOST * 1000:.0f})"


def line_job(folder: Path, lines: tuple[str, ...], wall: list[float]) -> Callable[[], float]:
    """Return a job that measures the answers to lines and the prompts after them: one that is empty closes a roll."""
    shell = Shell(CampaignContext(folder, None), lambda arguments: None, input)

    def job() -> float:
        before = shell.ledger.store.head().position
        start, start_of_work = perf_counter(), process_time()
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            for line in lines:
                shell.prompt()
                shell.answer(line)
        spent = process_time() - start_of_work
        wall.append((perf_counter() - start) / len(lines))
        if shell.ledger.store.head().position != before + len(lines):
            raise AssertionError(f"{lines} were not all taken")
        return spent / len(lines)

    return job


def save_job(folder: Path, line: str, wall: list[float]) -> Callable[[], float]:
    """Return a job that measures what follows when a file is saved with one more line."""
    file = folder / "evening.session"
    file.write_text(f"{line}\n" * WATCH_LINES, encoding="utf-8")
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        follower = Follower(CampaignContext(folder, None), file, Event(), json=False)
        follower.look(True)

    def job() -> float:
        before = follower.head.position
        with file.open("a", encoding="utf-8") as stream:
            stream.write(f"{line}\n")
        start, start_of_work = perf_counter(), process_time()
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            follower.look(True)
        spent = process_time() - start_of_work
        wall.append(perf_counter() - start)
        if follower.head.position == before:
            raise AssertionError(f"{line} was not taken")
        return spent

    return job


def commit(db: sqlite3.Connection, wall: list[float]) -> float:
    """Insert one row in a transaction of its own; return the processor time."""
    start, start_of_work = perf_counter(), process_time()
    db.execute("BEGIN IMMEDIATE")
    db.execute("INSERT INTO records (body) VALUES (?)", (RECORD,))
    db.execute("COMMIT")
    wall.append(perf_counter() - start)
    return process_time() - start_of_work
