"""The questions of a table that a command answers: it is run in a process of its own, as the reader may see it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Final

from cli.options import VIEW_VARIABLE
from cli.questions.roles import GM_VIEW, PLAYERS
from cli.shell import questions
from cli.table.seats import SEAT, Seat
from ledger.errors import LedgerError, Refused
from ledger.names import escape

START: Final = "from cli.start import main; main()"
SHOWN: Final = (  # they print what a role may see
    questions.ODDS, questions.WHY, "who", questions.WHEN, "show", "log", "rules", "rulings", "search", "recap", "luck",
)  # fmt: skip
OF_EVERYBODY: Final = (*SHOWN, questions.HELP, questions.FORECAST)
OF_GAME_MASTER: Final = (*OF_EVERYBODY, questions.WHATIF, "diff", questions.LISTING[0])
OWN_OPTIONS: Final = ("--short", questions.LISTING[1])  # that a question stands for
SECONDS_MOST: Final = 20
WIDTH: Final = 80


def check_command(seat: Seat, command: Sequence[str]) -> None:
    """Raise Refused for a command that is not for the holder of a link, or that has options: some write files."""
    name, *arguments = command
    if name not in (OF_GAME_MASTER if seat.role == GM_VIEW else OF_EVERYBODY):
        raise Refused(SEAT, f"'{name}' is asked in the shell alone", hint=f"Here: {', '.join(OF_EVERYBODY)}")
    mark = "--" if seat.role == GM_VIEW else "-"  # the game master's changes may begin with a minus
    given = [] if name == questions.ODDS else [each for each in arguments if each not in OWN_OPTIONS]
    if options := [each for each in given if each.startswith(mark)]:
        raise Refused(SEAT, f"'{options[0]}' is an option of a command", hint="Ask it in the shell.")
    if name == questions.FORECAST and arguments:
        raise Refused(SEAT, f"'{escape(arguments[0])}' stands behind forecast", hint="Ask '? forecast' alone.")


def command_lines(place: str, seat: Seat, command: Sequence[str]) -> list[str]:
    """Return what a command prints for the holder of a link. Raises Refused with its error, LedgerError if it hangs."""
    behind = ["--as", PLAYERS] if seat.view == PLAYERS and command[0] in SHOWN else []
    if command[0] == questions.ODDS:
        command = [command[0], *behind, "--", *command[1:]]
        behind = []
    done = run_command(place, [*command, *behind], PLAYERS if seat.view == PLAYERS else "")
    lines = done.stdout.splitlines()
    if done.returncode != 0 and not lines:
        raise Refused("L-QUESTION", done.stderr.strip() or "it cannot be answered")
    return lines


def run_command(place: str, words: Sequence[str], view: str) -> subprocess.CompletedProcess[str]:
    """Run a command on a campaign in a process of its own, with nobody to ask. Raises LedgerError if it hangs.

    Args:
        place: what names the campaign as an argument of -C.
        words: the command and its arguments.
        view: the role of all that is printed; empty: as each command has it.
    """
    program, environment = command_process(place, words, view)
    try:
        return subprocess.run(
            program,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=SECONDS_MOST,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise LedgerError("the question takes too long", hint="Ask it in the shell.") from error


def command_process(place: str, words: Sequence[str], view: str) -> tuple[list[str], dict[str, str]]:
    """Return the program that runs a command on a campaign, and its environment; as `run_command` has them."""
    own = {name: value for name, value in os.environ.items() if name != VIEW_VARIABLE}
    role = {VIEW_VARIABLE: view} if view else {}
    program = [sys.executable, "-c", START, "--no-pager", "--color", "never", "-C", place, *words]
    return program, own | role | {"COLUMNS": str(WIDTH)}
