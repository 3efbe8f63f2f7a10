"""What is printed: facts to standard output, remarks to standard error, nothing that a terminal could act on."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click
import msgspec

from cli.errors import OutputError
from ledger.names import escaped

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


@contextmanager
def printing() -> Iterator[None]:
    """Standard output that fails ends the command. Raises OutputError, once: what waits to be written is let go."""
    try:
        yield
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise OutputError(error) from error


def print_line(text: str = "") -> None:
    """One line of facts."""
    with printing():
        click.echo(text, color=coloured())


def remark(text: str) -> None:
    """One line about the program's own doing, to standard error."""
    click.echo(safe(text), err=True)


def print_json(value: object) -> None:
    """One value as a line of JSON, in exact bytes; at a terminal with everything invisible spelled out."""
    body = value if isinstance(value, bytes) else msgspec.json.encode(value, order="deterministic")
    if sys.stdout.isatty():
        body = visible(body)
    with printing():
        sys.stdout.flush()
        sys.stdout.buffer.write(body + b"\n")
        sys.stdout.buffer.flush()


def visible(body: bytes) -> bytes:
    """The same JSON, with escapes for whatever in its texts a terminal could act on."""
    return "".join(
        letter if escaped(letter) == letter else json_escape(letter) for letter in body.decode("utf-8", "replace")
    ).encode()


def json_escape(letter: str) -> str:
    """A letter as JSON spells it out."""
    units = letter.encode("utf-16-be")
    return "".join(f"\\u{units[place]:02x}{units[place + 1]:02x}" for place in range(0, len(units), 2))


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
    return escaped(text)
