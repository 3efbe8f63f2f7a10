"""Session files: read their lines, and declare them one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

from cli.play.declare import declare_line
from cli.play.taken_lines import FileLine
from ledger.acts import CutShort
from ledger.errors import LedgerError, Unreadable
from ledger.records import Record
from ledger.service import Ledger
from projections.state import State
from rulebooks.common.game import Game

SESSION_BYTES_MOST: Final = 1 << 20
STANDARD_INPUT: Final = Path("standard input")  # as errors name it


def session_lines(file: Path, *, ended: bool = False) -> list[str]:
    """Return the lines of a file; with `ended` only those that end in a newline. Raises Unreadable if it is no text."""
    try:
        if not file.is_file():
            raise Unreadable("there is no such file", where=str(file), hint="Name a .session file.")
        if file.stat().st_size > SESSION_BYTES_MOST:
            raise Unreadable("the file is larger than 1 MiB", where=str(file), hint="Split it.")
        body = file.read_bytes()
        return (body[: body.rfind(b"\n") + 1] if ended else body).decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise Unreadable(f"it is not UTF-8 text: {error}", where=str(file)) from error
    except OSError as error:
        raise Unreadable(f"it cannot be read: {error.strerror}", where=str(file)) from error


def input_lines(stream: BinaryIO) -> Iterator[FileLine]:
    """Yield the lines of standard input as they come: without keys, so that each is declared like one that is typed.

    Raises Unreadable if a line is too long or no text.
    """
    number = 0
    while line := stream.readline(SESSION_BYTES_MOST + 1):
        number += 1
        where = f"{STANDARD_INPUT}:{number}"
        if len(line) > SESSION_BYTES_MOST:
            raise Unreadable("the line is longer than 1 MiB", where=where)
        try:
            yield FileLine(number, line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n"))
        except UnicodeDecodeError as error:
            raise Unreadable(f"it is not UTF-8 text: {error}", where=where) from error


def declare_lines(
    ledger: Ledger[State],
    book: Game,
    lines: Iterable[FileLine],
    clock: Callable[[], str],
    file: Path,
    note: Callable[[str], None] = lambda _: None,
) -> Iterator[Record]:
    """Declare lines, and yield their records; `note` takes what is remarked about them.

    Raises with file and line number at the first that is refused.
    """
    for line in lines:
        try:
            record = declare_line(ledger, book, line.text, at=clock(), request=line.key or None, note=note)
        except LedgerError as error:
            if isinstance(error, CutShort):
                yield error.record
            raise error.at(f"{file}:{line.number}") from error
        if record is not None:
            yield record
