"""Session files: their lines, and which of them the ledger has taken already.

Each line is declared with a request key of session, file name and line number, so that no line is taken twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cli.context import CampaignContext
from cli.play.declare import declare_line, is_silent
from ledger.errors import LedgerError, Refused, Unreadable
from ledger.facts import EntryId
from ledger.records import Record
from ledger.service import Ledger
from ledger.store import Store
from projections.state import State

SESSION_BYTES_MOST: Final = 1 << 20


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


def declare_lines(context: CampaignContext, ledger: Ledger[State], file: Path, lines: list[str]) -> Iterator[Record]:
    """Declare the lines of a file that come after the last one taken, and yield their records.

    Raises with file and line number at the first line that is refused.
    """
    book = context.game()
    key = request_key(ledger.state.session.number, file)
    taken = declared_line_numbers(ledger, key)
    for number, line in enumerate(lines, start=1):
        try:
            if number not in taken and number < max(taken, default=0) and not is_silent(line):
                raise Refused(
                    "L-REQUEST",
                    "later lines of the file were taken already",
                    hint="Put the new line at the end of the file, or restore the old one",
                )
            record = declare_line(ledger, book, line, at=context.now, request=f"{key}{number}")
        except LedgerError as error:
            raise error.at(f"{file}:{number}") from error
        if record is not None and number not in taken:
            yield record


def request_key(session: int, file: Path) -> str:
    """Return how the request keys of a file's lines begin: a file is known by its session and its name."""
    return f"{session}:{file.name}:"


def declared_line_numbers(ledger: Ledger[State], key: str) -> set[int]:
    """Return the numbers of the lines taken before, of the file and session whose request keys begin with `key`."""
    takes = ledger.store.takes(after=EntryId(ledger.state.last.session, -1))
    requests = (take.request or "" for take in takes)
    numbers = (request.removeprefix(key) for request in requests if request.startswith(key))
    return {int(number) for number in numbers if number.isdecimal()}


def check_file_is_new(store: Store, file: Path, lines: list[str], session: int) -> None:
    """Raise Refused if the file's first line was taken in an earlier session and not in this one."""
    first = next((number for number, line in enumerate(lines, start=1) if not is_silent(line)), None)
    if first is None or store.find_request(f"{request_key(session, file)}{first}"):
        return
    for number in range(session - 1, -1, -1):
        earlier = store.find_request(f"{request_key(number, file)}{first}")
        if earlier is not None and earlier.line == lines[first - 1].strip():
            raise Refused(
                "L-REQUEST",
                f"the file was played in session {number}",
                where=str(file),
                hint=f"Give session {session} a file of its own",
            )
