"""What is printed: facts to standard output, remarks to standard error, nothing that a terminal could act on."""

from __future__ import annotations

import os
import sys
from typing import Any

import click
import msgspec

from ledger.names import shown

RESULT_COLOURS = {
    "success": "green",
    "routine": "green",
    "failure": "red",
    "automatic failure": "red",
    "dawn": "yellow",
    "dusk": "magenta",
    "eclipse": "cyan",
}


def coloured() -> bool:
    """Whether colour helps: at a terminal that wants it (NO_COLOR and TERM=dumb say no)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, **style: Any) -> str:
    """`text` in colour at a terminal, plain when piped."""
    return click.style(text, **style) if coloured() else text


def result(word: str) -> str:
    """A result in its colour."""
    return paint(word, fg=RESULT_COLOURS.get(word), bold=word in RESULT_COLOURS)


def say(text: str = "") -> None:
    """One line of facts."""
    click.echo(text, color=coloured())


def remark(text: str) -> None:
    """One line about the program's own doing, to standard error."""
    click.echo(text, err=True)


def as_json(value: object) -> None:
    """One value as a line of JSON, in exact bytes."""
    body = value if isinstance(value, bytes) else msgspec.json.encode(value, order="deterministic")
    sys.stdout.flush()
    sys.stdout.buffer.write(body + b"\n")
    sys.stdout.buffer.flush()


def aligned(rows: list[list[str]]) -> list[str]:
    """Rows as columns, two spaces apart; the last one is not padded."""
    if not rows:
        return []
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]) - 1)]
    return [
        "  ".join([cell.ljust(width) for cell, width in zip(row, widths, strict=False)] + [row[-1]]).rstrip()
        for row in rows
    ]


def safe(text: str) -> str:
    """Text out of a ledger, with everything invisible spelled out."""
    return shown(text)
