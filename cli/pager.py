"""The pager: long output at a terminal is shown page by page, as git does. Pipes and scripts get plain output.

The program is CAMPAIGN_PAGER, PAGER or `less`; `cat` or an empty text means none, as `--no-pager` does. It starts only
when the output is longer than the screen.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

import click

from cli.output import LINES, at_terminal, write_plainly

LESS: Final = "FRX"  # leave at once what fits the screen, keep colours, do not clear the screen


class PagerOutput:
    """The lines of one output: kept back until they are more than the screen has, then written to the pager."""

    def __init__(self, program: list[str]) -> None:
        self._program, self._kept = program, list[str]()
        self._height = shutil.get_terminal_size().lines - 1
        self._process: subprocess.Popen[str] | None = None

    def write(self, line: str) -> None:
        """Take one line. Lines for a reader who has left the pager are dropped."""
        if self._process is None and len(self._kept) < self._height:
            self._kept.append(line)
            return
        if self._process is None:
            self._start()
        self._send(line)

    def end(self) -> None:
        """Print what was kept back, or wait until the reader leaves the pager."""
        for line in self._kept:
            write_plainly(line)
        self._kept.clear()
        if self._process is None:
            return
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        while True:
            try:
                self._process.wait()
                return
            except KeyboardInterrupt:  # it is for the pager, which goes on
                continue

    def _start(self) -> None:
        """Start the pager, and hand it what was kept back; without it lines are printed as they come."""
        environment = {"LESS": LESS, "LV": "-c", "LESSCHARSET": "utf-8"} | dict(os.environ) | {"LESSSECURE": "1"}
        with suppress(OSError):
            self._process = subprocess.Popen(
                self._program, stdin=subprocess.PIPE, encoding="utf-8", errors="backslashreplace", env=environment
            )
        kept, self._kept, self._height = self._kept, [], 0
        for line in kept:
            self._send(line)

    def _send(self, line: str) -> None:
        """Write a line to the pager, or to standard output where it could not start."""
        if self._process is None:
            write_plainly(line)
            return
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # the reader has left
            self._process.stdin.write(f"{line}\n")


def pager_program() -> list[str]:
    """Return the command of the pager; empty where there is none, or nobody at a terminal to read it."""
    context = click.get_current_context(silent=True)
    unwanted = context is not None and context.meta.get("no_pager", False)
    if unwanted or not at_terminal() or os.environ.get("TERM") == "dumb":
        return []
    named = next((os.environ[name] for name in ("CAMPAIGN_PAGER", "PAGER") if name in os.environ), "less")
    try:
        program = shlex.split(named)
    except ValueError:
        return []
    return [] if program in ([], ["cat"]) or shutil.which(program[0]) is None else program


@contextmanager
def paged() -> Iterator[None]:
    """Show what is printed inside page by page, if somebody reads at a terminal."""
    program = pager_program()
    if not program:
        yield
        return
    output = PagerOutput(program)
    token = LINES.set(output.write)
    try:
        yield
    finally:
        LINES.reset(token)
        output.end()
