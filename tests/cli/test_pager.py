"""Test the pager: at a terminal, for long output only."""

from __future__ import annotations

import pytest

from tests.cli.conftest import PROGRAM, Folder, environment
from tests.cli.terminal import Terminal

pytestmark = pytest.mark.slow  # run with --long

LONG = f"# {'A rather long scene, ' * 5}\n" * 60  # more than the 40 lines of the terminal
PAGER = "sh -c 'echo paged; exec cat'"


def printed(folder: Folder, *arguments: str, **more: str) -> str:
    """Return what the program prints at a terminal."""
    terminal = Terminal([str(PROGRAM), "-C", str(folder.path), *arguments], environment(TERM="xterm", **more))
    text = terminal.read_until("session 1 opens") if "log" in arguments else ""
    text += terminal.read_until("A rather long scene") if "log" in arguments else terminal.read_until("entry 1")
    assert terminal.end() == 0
    return text


@pytest.fixture
def long_evening(folder: Folder) -> Folder:
    """Return a campaign whose log is longer than a screen."""
    folder.run("run", str(folder.file("long.session", LONG)))
    return folder


def test_long_log_at_a_terminal_goes_to_the_pager(long_evening):
    assert "paged" in printed(long_evening, "log", CAMPAIGN_PAGER=PAGER)
    assert "paged" in printed(long_evening, "log", PAGER=PAGER)


@pytest.mark.parametrize(
    ("arguments", "more"),
    [
        (["--no-pager", "log"], {"PAGER": PAGER}),
        pytest.param(["log"], {"PAGER": "cat"}, marks=pytest.mark.slow),
        (["log"], {"PAGER": "no-such-program"}),
        pytest.param(["show"], {"PAGER": PAGER}, marks=pytest.mark.slow),
    ],
)
def test_other_output_goes_to_the_terminal(long_evening, arguments, more):
    assert "paged" not in printed(long_evening, *arguments, **more)


def test_short_log_goes_to_the_terminal(folder):
    terminal = Terminal(
        [str(PROGRAM), "-C", str(folder.path), "log", "1"], environment(TERM="xterm", PAGER="sh -c 'echo paged'")
    )
    assert "paged" not in terminal.read_until("commitment")
    assert terminal.end() == 0


def test_reader_may_leave_the_pager(long_evening):
    terminal = Terminal(
        [str(PROGRAM), "-C", str(long_evening.path), "log"],
        environment(TERM="xterm", PAGER="sh -c 'head -1 >/dev/null; echo left'"),
    )
    terminal.read_until("left")
    assert terminal.end() == 0
    assert "Error" not in terminal.screen


def test_log_in_a_pipe_has_no_pager(long_evening):
    done = long_evening.run_process("log", env=environment(PAGER=PAGER))
    assert "paged" not in done.stdout
    assert len(done.stdout.splitlines()) > 60


def test_pager_runs_no_commands(long_evening):
    """In less a line that begins with ! would be one."""
    assert "secure 1" in printed(long_evening, "log", PAGER="sh -c 'echo secure $LESSSECURE; exec cat'")


def test_shell_has_no_pager(long_evening):
    """What is typed behind a question is meant for the shell."""
    terminal = Terminal([str(PROGRAM), "-C", str(long_evening.path), "play"], environment(TERM="xterm", PAGER=PAGER))
    terminal.read_until("»")
    assert "paged" not in terminal.enter("? log", "1.60") + terminal.read_until("»")
    terminal.type("quit\r")
    assert terminal.end() == 0
