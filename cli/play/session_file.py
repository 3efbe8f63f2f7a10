"""Session files: read their lines, and declare those that the ledger has not taken yet (`taken_lines`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

from cli.context import CampaignContext
from cli.play.declare import declare_line, only_lets_go
from cli.play.taken_lines import FileLine
from ledger.errors import LedgerError, Unreadable
from ledger.records import Record
from ledger.service import Ledger
from projections.state import State

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
    context: CampaignContext,
    ledger: Ledger[State],
    file: Path,
    lines: Iterable[FileLine],
    report: Callable[[LedgerError], None] | None = None,
) -> Iterator[Record]:
    """Declare the new lines of a file, and yield their records.

    Raises with file and line number at the first line that is refused. A taken line that was changed, or a new one
    before it, is refused too; with `report` it is reported, and the lines after it are declared.
    """
    for line in lines:
        try:
            if line.problem is not None:
                if line.is_late and only_lets_go(ledger, context.game(), line.text):
                    continue
                raise line.problem
            if not line.is_taken:
                record = declare_line(ledger, context.game(), line.text, at=context.now, request=line.key or None)
                if record is not None:
                    yield record
        except LedgerError as error:
            placed = error.at(f"{file}:{line.number}")
            if error is not line.problem or report is None:
                raise placed from error
            report(placed)
