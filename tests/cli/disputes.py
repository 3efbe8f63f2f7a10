"""Helpers for the tests of `whatif`, `amend`, `undo` and `~`."""

from __future__ import annotations

import json
import re

from tests.cli.conftest import Folder, one_error

OPENED = ("open", "The Tide Returns", "--seed", "gutter saints 4 8144")


LAMP = ("--drop", "2.39")


BECAUSE = ("--because", "the wall")


WHATIF_KEYS = {"position", "entries", "values", "need", "rule_difference"}


SETTLED = WHATIF_KEYS | {"age", "outcome", "left", "written"}


RECORD = {
    "v", "position", "session", "number", "insert", "take", "cause", "request", "by", "holder", "door", "at",
    "seen", "facts",
}  # fmt: skip


def unchanged(folder: Folder, *command: str, code: int) -> str:
    """Return the error of a command, and check that it writes nothing."""
    before = folder.bytes
    error = one_error(folder.invoke(*command), code)
    assert folder.bytes == before
    return error


def outcomes(printed: str) -> dict[str, str]:
    """Return the outcome of each entry that is printed."""
    matches = re.finditer(r"^(\d+\.\d+(?:\+\d+)?) +([a-z][a-z ]+): ", printed, re.MULTILINE)
    return {match[1]: match[2] for match in matches}


def values(folder: Folder, *more: str) -> dict[str, object]:
    """Return all values."""
    shown: dict[str, object] = json.loads(folder.run("show", "--json", *more))["values"]
    return shown


def unchanged_after_preview(folder: Folder, *command: str) -> str:
    """Return the error of a command that prints a preview and writes nothing."""
    before = folder.bytes
    done = folder.invoke(*command)
    assert (done.exit_code, folder.bytes) == (1, before), done.output
    return done.stderr.splitlines()[-1].removeprefix("Error: ")


WOUND = ("--insert", "4.0", '! ruling "the wound opens" "the damp" tamsin.wound=4')
