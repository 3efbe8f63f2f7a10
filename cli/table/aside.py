"""How a line in other words than the grammar's is heard aside: it may take long, and nobody else is to wait for it."""

from __future__ import annotations

from typing import Final, NamedTuple

from cli.shell.line_reader import LineReader
from cli.shell.speaker import SpokenLine
from cli.table.seats import Seat, own_beings
from ledger.errors import Refused, Unreadable
from ledger.records import Head


class HeardAside(Exception):
    """The line has to be heard aside first: it is in other words, or others have come before it since it was heard."""


class HeardLine(NamedTuple):
    """How a line was heard at a head of the ledger: as what, or with which error. `head` is None: it is heard here."""

    head: Head | None
    spoken: SpokenLine | None = None
    error: Refused | Unreadable | None = None


HERE: Final = HeardLine(None)


class WordedLine(NamedTuple):
    """A line with the key of its request, and how it was heard aside, if it was."""

    text: str
    request: str
    reading: HeardLine | None


def hear(reader: LineReader, seat: Seat, line: str) -> HeardLine:
    """Return how a line is heard now that the holder of a link says."""
    reader.refresh()
    head = reader.ledger.state.head
    try:
        return HeardLine(head, reader.spoken_line(line, own_beings(seat, reader)))
    except (Refused, Unreadable) as error:
        return HeardLine(head, None, error.with_hint(error.hint))  # the hint is made now, from the state as it is


def spoken_line(reader: LineReader, seat: Seat, line: WordedLine) -> SpokenLine:
    """Return a line with its speaker. Raises what it was heard with, or HeardAside if it has to be heard first."""
    own, reading = own_beings(seat, reader), line.reading
    if (plain := reader.plain_line(line.text, own)) is not None:
        return plain
    if reading is HERE:
        return reader.spoken_line(line.text, own)
    if reading is None or reading.head != reader.ledger.state.head:
        raise HeardAside(line.text)
    if reading.error is not None:
        raise reading.error
    assert reading.spoken is not None
    return reading.spoken
