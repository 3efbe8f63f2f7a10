"""Test the signs of life of long work: on standard error, at a terminal only, and gone when the work is done."""

from __future__ import annotations

import io
import sys
import time

import pytest

from cli import progress as module
from cli.progress import progress, progress_line
from tests.cli.conftest import Folder


class Screen(io.StringIO):
    """A terminal or a file, as it says."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


def shown(monkeypatch: pytest.MonkeyPatch, *, terminal: bool, seconds: float, first_after: float = 0.01) -> str:
    """Return what a piece of work writes to standard error."""
    screen = Screen(terminal)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(module, "FIRST_AFTER", first_after)
    monkeypatch.setattr(module, "EVERY", 0.01)
    with progress("verify", lambda: 12000):
        time.sleep(seconds)
    return screen.getvalue()


def test_long_work_shows_a_line_and_blanks_it(monkeypatch: pytest.MonkeyPatch) -> None:
    written = shown(monkeypatch, terminal=True, seconds=0.1)
    line = "verify: 12,000 records read, 0 s"
    assert written.startswith(f"\r{line}\r")
    assert written.endswith(f"\r{' ' * len(line)}\r")


def test_short_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, terminal=True, seconds=0, first_after=5) == ""


def test_nothing_is_shown_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, terminal=False, seconds=0.05) == ""


def test_line_counts_records_and_seconds() -> None:
    assert progress_line("rebuild", 1234567, 61.9) == "rebuild: 1,234,567 records read, 61 s"


@pytest.mark.parametrize(
    "command", [["verify"], ["replay"], ["luck"], ["export", "--json"], ["whatif", "1.10", "no", "knotted rope"]]
)
def test_commands_say_how_many_records_they_read(
    command: list[str], demo: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    from importlib import import_module

    counts = list[int]()

    class Counted:
        def __init__(self, what: str, records_read: object) -> None:
            assert callable(records_read)
            self.what, self.read = what, records_read

        def __enter__(self) -> None: ...

        def __exit__(self, *_: object) -> None:
            assert self.what == command[0]
            counts.append(self.read())

    monkeypatch.setattr(import_module(f"cli.commands.{command[0]}"), "progress", Counted)
    demo.run(*command)
    assert counts[0] > 100
