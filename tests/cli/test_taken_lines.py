"""Test which takes of a session are read again at each save of its file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cli.play.declare import declare_line
from cli.play.taken_lines import KeptTakes
from ledger.facts import EntryId
from ledger.records import StoredRecord
from rulebooks.testing.seat import AT
from tests.rulebooks.dusk_bastards.seat import Seat

SESSION = EntryId(1, -1)


@pytest.fixture
def seat() -> Seat:
    seat = Seat("Ash", "Bryn")
    say(seat, "ash climb v3 /7.6", "bryn climb v4 /7.6")
    return seat


def say(seat: Seat, *lines: str) -> None:
    for line in lines:
        declare_line(seat.ledger, seat.book, line, at=AT)


def test_only_appended_takes_are_read_again(seat, monkeypatch):
    takes, sizes, read = KeptTakes(), list[int](), seat.store.read

    def counted(*, after: int = 0) -> Iterator[StoredRecord]:
        records = list(read(after=after))
        sizes.append(len(records))
        return iter(records)

    assert takes.read(seat.store, 1) == list(seat.store.takes(after=SESSION))
    monkeypatch.setattr(seat.store, "read", counted)
    say(seat, "close", "undo", "~ 1 v4 retcon")  # the last two write takes of earlier entries
    assert takes.read(seat.store, 1) == list(seat.store.takes(after=SESSION))
    assert sizes == [1 + seat.store.head().position - takes_before(seat)]


def takes_before(seat: Seat) -> int:
    """Return the position of the second line, which was the last that was read before."""
    return next(take.position for take in seat.store.takes() if take.line.startswith("bryn"))


@pytest.mark.parametrize("lines", [(), ("ash climb v3 /7.6", "bryn climb v5 /7.6"), ("ash climb v3 /7.6",)])
def test_takes_of_another_log_are_all_read(seat, lines):
    takes, other = KeptTakes(), Seat("Ash", "Bryn")
    takes.read(seat.store, 1)
    say(other, *lines)
    assert takes.read(other.store, 1) == list(other.store.takes(after=SESSION))
    assert takes.read(seat.store, 1) == list(seat.store.takes(after=SESSION))


def test_takes_of_another_session_are_all_read(seat):
    takes = KeptTakes()
    takes.read(seat.store, 1)
    assert takes.read(seat.store, 0) == list(seat.store.takes(after=EntryId(0, -1)))
