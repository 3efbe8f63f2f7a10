"""The processor time of a line in the shell: to read, decide, append and answer it, and to print the next prompt."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from time import process_time

import click

from cli.context import CampaignContext
from cli.shell.shell import Shell
from tests.bench.commands import LINE
from tests.bench.timer import Figure, figure, interleaved

SHELL = "a line in the shell"
BIG_SHELL = "a line in the shell, big ledger"
MOST = 0.025  # seconds


def shell_lines(fresh: Path, big: Path, rounds: int) -> tuple[list[Figure], str]:
    """Measure lines on both ledgers; return the figures and the time of one line beside the bound."""
    with click.Context(click.Command("play")):
        jobs = {SHELL: line_job(fresh), BIG_SHELL: line_job(big)}
        measured = interleaved(rounds, jobs)
    figures = [figure(name, measured, name, SHELL, "ms CPU", scale=1000) for name in jobs]
    slowest = max(one.ours for one in figures)
    return figures, f"{SHELL}: {slowest:.1f} ms of processor time (at most {MOST * 1000:.0f})"


def line_job(folder: Path) -> Callable[[], float]:
    """Return a job that measures an answer and the prompt after it: half of a roll and its close with Enter."""
    shell = Shell(CampaignContext(folder, None), lambda arguments: None, input)

    def job() -> float:
        before, start = shell.ledger.store.head().position, process_time()
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            for line in (LINE, ""):
                shell.prompt()
                shell.answer(line)
        spent = (process_time() - start) / 2
        if shell.ledger.store.head().position != before + 2:
            raise AssertionError(f"{LINE} and its close were not both taken")
        return spent

    return job
