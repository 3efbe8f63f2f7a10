"""The server of a simulated table: its own writer and view on a real file, killed, restarted and starved of disk."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import msgspec

from cli.context import CampaignContext
from cli.errors import REFUSALS
from cli.play.declare import declare_line
from cli.table.answers import Answer, LogPart, Problem, Refusal, TypedLine
from cli.table.line_writer import LineWriter, refusal_of
from cli.table.seats import Seat
from cli.table.view import TableView
from ledger.errors import InputError, LedgerError, Unreadable

CLOCK: Final = "2026-01-09T19:30:00Z"
STEPS: Final = 100  # of SQLite's machine, after which a disturbed statement is asked whether it goes on


class Killed(Exception):
    """The server was killed while it worked on a request."""


class Shell:
    """The game master's shell beside the server, with a connection of its own."""

    def __init__(self, folder: Path) -> None:
        self._context = CampaignContext(folder, CLOCK)
        self._ledger = self._context.ledger(write=True, door="shell")

    def say(self, line: str) -> bool:
        """Say a line, and return whether it was taken."""
        self._ledger.refresh()
        try:
            return declare_line(self._ledger, self._context.game(), line, at=CLOCK) is not None
        except (*REFUSALS, Unreadable):
            return False

    def close(self) -> None:
        """Close the file."""
        self._context.close()


class Server:
    """Answers requests as the routes do, without sockets and threads.

    Args:
        folder: the campaign's.
        chance: when it is disturbed, and how.
        between: what another process may write between a decision and its append.
    """

    def __init__(self, folder: Path, chance: random.Random, between: Callable[[], object]) -> None:
        self.folder, self.chance, self.between = folder, chance, between
        self.is_full = False
        self.has_taps = chance.random() < 0.2  # they take most of the time
        self._writer: LineWriter | None = None
        self._view: TableView | None = None

    @property
    def view(self) -> TableView:
        """What it reads with."""
        if self._view is None:
            self._view = TableView(CampaignContext(self.folder, CLOCK))
        return self._view

    def stop(self) -> None:
        """Leave everything as it is now, as a kill does: what is not committed is rolled back by who opens the file."""
        for each in (self._writer, self._view):
            if each is not None:
                each.context.close()
        self._writer = self._view = None

    def read(self, seat: Seat, path: str) -> tuple[int, Any]:
        """Return the status and the answer to a question."""
        return self._answered(lambda: (200, self._read(seat, path)))

    def say(self, said: Sequence[tuple[Seat, Any]], disturbed: str) -> list[tuple[int, Any]]:
        """Return the status and the answer to lines that came together. `disturbed`: kill or error. Raises Killed."""
        lines = [(seat, msgspec.convert(body, TypedLine)) for seat, body in said]
        answers: list[Answer] = []
        failed = self._answered(lambda: (200, answers.extend(self._say(lines, disturbed))))
        if not answers:
            return [failed] * len(lines)
        return [(422 if isinstance(each, Refusal) else 200, msgspec.to_builtins(each)) for each in answers]

    def _answered(self, work: Callable[[], tuple[int, Any]]) -> tuple[int, Any]:
        """Return what work returns, or the answer to its error."""
        try:
            return work()
        except (*REFUSALS, Unreadable) as error:
            return 422, msgspec.to_builtins(refusal_of(error))
        except (LedgerError, sqlite3.Error) as error:
            self._drop_writer()
            return 503, msgspec.to_builtins(Problem(code="L-LEDGER", message=str(error)))

    def log(self, seat: Seat, after: int) -> LogPart | None:
        """Return what is new after a position; None for one behind the end."""
        try:
            return self.view.log(seat, after)
        except InputError:
            return None

    def _read(self, seat: Seat, path: str) -> Any:
        parts = urlsplit(path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/state":
            return msgspec.json.decode(self.view.state_json(seat))
        if parts.path == "/log":
            return msgspec.to_builtins(self.view.log(seat, int(query["after"])))
        assert parts.path == "/acts", path
        return msgspec.json.decode(self.view.taps_json(seat, "", [])) if self.has_taps else {}

    def _say(self, lines: Sequence[tuple[Seat, TypedLine]], disturbed: str) -> list[Answer]:
        if self._writer is None:
            self._writer = LineWriter(CampaignContext(self.folder, CLOCK))
        writer = self._writer
        connection = writer.ledger.store.connection
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages if self.is_full else 1 << 30}")
        overtaken = self._overtaken(writer) if len(lines) == 1 else nullcontext()
        with overtaken, _disturbed(connection, self.chance.randrange(1, 40) if disturbed else 0) as done:
            try:
                return writer.say_each(lines)
            except BaseException:
                if disturbed == "kill" and done:
                    self.stop()
                    raise Killed from None
                raise

    @contextmanager
    def _overtaken(self, writer: LineWriter) -> Iterator[None]:
        """Have another process write before the next append, now and then."""
        store = writer.ledger.store
        if self.chance.random() > 0.1:
            yield
            return
        append = store.append

        def late(*given: Any, **named: Any) -> Any:
            vars(store).pop("append", None)
            self.between()
            return append(*given, **named)

        vars(store)["append"] = late
        try:
            yield
        finally:
            vars(store).pop("append", None)

    def _drop_writer(self) -> None:
        if self._writer is not None:
            with suppress(sqlite3.Error, LedgerError):
                self._writer.context.close()
            self._writer = None


@contextmanager
def _disturbed(connection: sqlite3.Connection, steps: int) -> Iterator[list[bool]]:
    """Interrupt whatever the connection does after so many hundred steps; 0: never. Yield a list with one item then."""
    done: list[bool] = []
    left = [steps]

    def step() -> int:
        left[0] -= 1
        if left[0] > 0:
            return 0
        done.append(True)
        return 1

    if steps:
        connection.set_progress_handler(step, STEPS)
    try:
        yield done
    finally:
        with suppress(sqlite3.ProgrammingError):
            connection.set_progress_handler(None, 0)
