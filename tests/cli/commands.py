"""Helpers for the tests of commands."""

from __future__ import annotations

import json
import re

from click.testing import CliRunner

from cli.main import campaign
from tests.cli.conftest import CLOCK, Folder

RECORD = {
    "v", "position", "session", "number", "insert", "take", "cause", "request", "by", "holder", "door", "at",
    "seen", "facts",
}  # fmt: skip


def run(*arguments: str):
    return CliRunner().invoke(campaign, ["--clock", CLOCK, *arguments])


def records(printed: str) -> list[dict]:
    return [json.loads(line) for line in printed.splitlines()]


def heads(printed: str) -> list[str]:
    """Return the ids of the entries that are printed."""
    return re.findall(r"^(\d+\.\d+(?:@\d+)?) ", printed, re.MULTILINE)


def evening(folder: Folder, *lines: str, name: str = "evening.session") -> str:
    return str(folder.file(name, "".join(f"{line}\n" for line in lines)))
