"""Test the signs of life of long work: on standard error, at a terminal only, and gone when the work is done."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

import pytest

from cli import progress as module
from cli.progress import deciding_line, progress, progress_line
from cli.render import settlement
from ledger.whatif import WhatIf
from projections.state import State
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


def test_line_counts_entries_and_the_seconds_left() -> None:
    assert deciding_line("amend", 120, 412, 2.9) == "amend: 120 of 412 entries decided again, 2 s, at most 8 s more"
    assert deciding_line("undo", 0, 412, 1.2) == "undo: 0 of 412 entries decided again, 1 s"


@pytest.mark.slow
@pytest.mark.parametrize("command", [["verify"], ["replay"], ["luck"], ["export", "--json"]])
def test_commands_say_how_many_records_they_read(
    command: list[str], demo: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
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


AMENDED = ["amend", "4.1", "v6", "--because", "so it was"]


@pytest.mark.parametrize("command", [["whatif", "4.1", "v6"], AMENDED])
def test_preview_counts_entries_and_announces_a_retcon(
    command: list[str], night: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = list[tuple[int, int]]()

    @contextmanager
    def count(what: str, what_if: WhatIf[State]) -> Iterator[None]:
        assert what == command[0]
        yield
        counted.append((what_if.decided, what_if.entries))

    monkeypatch.setattr(import_module(f"cli.commands.{command[0]}"), "deciding", count)
    monkeypatch.setattr(settlement, "WAIT", 0)
    run = night.invoke(*command)
    (decided, entries) = counted[0]
    assert 0 < decided <= entries
    assert f"A retcon takes about 1 s: {decided} entries are decided again." in " ".join(run.stderr.split())
