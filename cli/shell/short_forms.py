"""Lines that the shell takes in a shorter or longer form: `u 11`, and what a command proposes with `campaign`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from cli.notation.known_beings import match_being
from cli.notation.scope import Scope
from cli.notation.tokens import UNDO, UNDO_SHORT
from cli.shell.questions import entry_in_full
from ledger.service import Ledger
from projections.state import State

UNDO_OF_ENTRY: Final = re.compile(rf"(?:{UNDO}|{UNDO_SHORT})(?:\s+([0-9][0-9.+]*))?", re.ASCII)
PROGRAM: Final = "campaign"


def in_full(line: str, ledger: Ledger[State], scope: Callable[[], Scope]) -> str:
    """Return `undo` for `u`, `undo 3.11` for `u 11`, a line without the name of the program; any other as it is.

    `scope`: asked for whether somebody in play is called like the program.
    """
    program, _, command = line.partition(" ")
    if program == PROGRAM and command and not match_being(PROGRAM, scope()).words:
        line = command.lstrip()  # what a command proposes may be typed here
    undone = UNDO_OF_ENTRY.fullmatch(line)
    if undone is None:
        return line
    return " ".join([UNDO, *(entry_in_full(entry, ledger) for entry in undone.groups() if entry)])
