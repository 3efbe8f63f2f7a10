"""The server of a simulated table: its own writer and view on a real file, killed, restarted and starved of disk."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import msgspec
from msgspec.structs import replace

from cli.context import CampaignContext
from cli.errors import REFUSALS
from cli.play.declare import declare_line
from cli.play.running_table import player_of
from cli.table.answers import Answer, LogPart, Problem, Refusal, TypedLine
from cli.table.line_writer import LineWriter, refusal_of
from cli.table.links import SeatLinks
from cli.table.page_links import GivenLink, LinkWanted, PageLinks
from cli.table.seats import Seat
from cli.table.view import TableView
from ledger.errors import InputError, LedgerError, Unreadable
from ledger.links import ALONE, LinkAsked
from tests.simulation.clock import Clock
from tests.simulation.plan import SEATS

CLOCK: Final = "2026-01-09T19:30:00Z"
STEPS: Final = 100  # of SQLite's machine, after which a disturbed statement is asked whether it goes on
STEPS_MOST: Final = 40  # such steps, of which a disturbed append ends at one
Throw = tuple[str, int]  # its purpose and number


class Killed(Exception):
    """The server was killed while it worked on a request."""


class NotedLinks(PageLinks):
    """Asks pages for links, and notes for which throws one is given, and for which none."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.unanswered, self.given = list[LinkAsked](), list[Throw]()

    def link_for(self, player: str, asked: LinkAsked) -> str:
        """Return the next link for a throw of a player; empty if no page gives one in time."""
        link = super().link_for(player, asked)
        if link == ALONE:
            self.unanswered.append(asked)
        else:
            self.given.append((asked.purpose, asked.throw))
        return link


class Shell:
    """The game master's shell beside the server, with a connection of its own; it asks the server for links."""

    def __init__(self, folder: Path, server: Server) -> None:
        self._context, self._server = CampaignContext(folder, CLOCK), server
        self._ledger = self._context.ledger(write=True, door="keyboard")
        self._ledger.links = self
        self._is_busy = False

    def say(self, line: str) -> None:
        """Say a line, unless the one before is not answered yet."""
        if self._is_busy:
            return
        self._ledger.refresh()
        self._is_busy = True
        try:
            with self._server.noting_dropped():
                declare_line(self._ledger, self._context.game(), line, at=CLOCK)
        except (*REFUSALS, Unreadable):
            pass
        finally:
            self._is_busy = False

    def next_link(self, asked: LinkAsked) -> str:
        """Return the link that the server gives, as a running table does; empty if it does not answer."""
        by = player_of(self._ledger.state.state, asked.by)
        try:
            return self._server.page_links.link_for(by, replace(asked, by=by)) if self._server.is_up() else ALONE
        except Killed:
            return ALONE

    def close(self) -> None:
        """Close the file."""
        self._context.close()


class Server:
    """Answers requests as the routes do, without sockets and threads.

    Args:
        folder: the campaign's.
        chance: when it is disturbed, and how.
        clock: passes while a page is asked for a link.
        has_taps: what may be tapped is answered, which takes most of the time.
    """

    def __init__(self, folder: Path, chance: random.Random, clock: Clock, *, has_taps: bool) -> None:
        self.folder, self.chance, self.clock, self.has_taps = folder, chance, clock, has_taps
        self.is_full = False
        self.overtaken = 0  # how often another process wrote just before an append
        self.is_busy = False  # with lines
        self.between: Callable[[], object] = lambda: None  # what another process writes before an append
        self.want: Callable[[str, LinkWanted], None] = lambda who, wanted: None
        self.is_up: Callable[[], bool] = lambda: True
        self.dropped = set[Throw]()  # for which a link was given, and whose line was not taken then
        self._life = 0  # how often it was killed
        self._writer: LineWriter | None = None
        self._view: TableView | None = None
        self._start()

    def _start(self) -> None:
        """Begin a life."""
        self.links = SeatLinks(self.folder, SEATS)
        self.page_links = NotedLinks(self._send_wanted, clock=lambda: self.clock.now / 1000, wait=self._wait)

    @property
    def view(self) -> TableView:
        """What it reads with."""
        if self._view is None:
            self._view = TableView(CampaignContext(self.folder, CLOCK))
        return self._view

    def kill(self) -> None:
        """Leave everything as it is now: what is not committed is rolled back by who opens the file."""
        self._life += 1
        if self._view is not None:
            self._view.context.close()
            self._view = None
        if not self.is_busy:
            self._drop_writer()
        self._start()

    def renew(self, seat: Seat) -> None:
        """Replace the link of a seat, as another server does."""
        SeatLinks(self.folder, SEATS, new=[seat])
        self.links.has_changed()

    # Links for shared dice

    def _send_wanted(self, who: str, wanted: LinkWanted) -> None:
        self.want(who, wanted)

    def _wait(self, link: Future[str], seconds: float) -> str:
        """Return the link that a page gives while time passes. Raises TimeoutError, or Killed if the server was."""
        life = self._life
        self.clock.run(lambda: link.done() or self._life != life, self.clock.now + round(seconds * 1000))
        if self._life != life:
            raise Killed
        if not link.done():
            raise TimeoutError
        return link.result()

    def give(self, seat: Seat, body: Any) -> tuple[int, Any]:
        """Return the status and the answer to a link of a page."""
        return 200, msgspec.to_builtins(self.page_links.give(seat.holder, msgspec.convert(body, GivenLink)))

    @contextmanager
    def noting_dropped(self) -> Iterator[None]:
        """Note the throws of a line for which links are given, if it is not taken."""
        given = self.page_links.given
        start = len(given)
        try:
            yield
        except BaseException:
            self.dropped |= {*given[start:]}
            raise

    # Requests

    def read(self, seat: Seat, path: str) -> tuple[int, Any]:
        """Return the status and the answer to a question."""
        return self._answered(lambda: (200, self._read(seat, path)))

    def position(self) -> int:
        """Return where the log ends."""
        return self.view.ledger.store.head().position

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

    def say(self, said: Sequence[tuple[Seat, Any]], fault: str) -> list[tuple[int, Any]]:
        """Return the status and the answer to lines that came together, with a fault. Raises Killed."""
        lines = [(seat, msgspec.convert(body, TypedLine)) for seat, body in said]
        for seat, _ in lines:
            self.page_links.hear(seat.holder)
        answers: list[Answer] = []
        self.is_busy = True
        try:
            failed = self._answered(lambda: (200, answers.extend(self._say(lines, fault))))
        except Killed:
            self._drop_writer()
            raise
        finally:
            self.is_busy = False
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

    def _say(self, lines: Sequence[tuple[Seat, TypedLine]], fault: str) -> list[Answer]:
        if self._writer is None:
            self._writer = LineWriter(CampaignContext(self.folder, CLOCK), self.page_links)
        writer, life, start = self._writer, self._life, len(self.page_links.given)
        connection = writer.ledger.store.connection
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages if self.is_full else 1 << 30}")
        steps = self.chance.randrange(1, STEPS_MOST) if fault in ("kill", "error") else 0
        is_alone = len(lines) == 1 or writer.ledger.shares_dice
        with self._late(writer, fault, is_alone=is_alone), _disturbed(connection, steps) as done:
            try:
                with self.noting_dropped():
                    answers = writer.say_each(lines)
            except BaseException:
                if fault == "kill" and done:
                    raise Killed from None
                raise
        if any(isinstance(each, Refusal) for each in answers):
            self.dropped |= {*self.page_links.given[start:]}
        if self._life != life:
            raise Killed
        return answers

    @contextmanager
    def _late(self, writer: LineWriter, fault: str, *, is_alone: bool) -> Iterator[None]:
        """Let the next append come late, now and then: after what another process writes, or not at all.

        `is_alone`: it is a transaction of its own, so that others can write before it.
        """
        store, overtakes = writer.ledger.store, is_alone and self.chance.random() < 0.1
        append = store.append

        def late(*given: Any, **named: Any) -> Any:
            vars(store).pop("append", None)
            if overtakes:
                self.between()
                self.overtaken += 1
            if fault == "kill before":
                raise Killed
            head = append(*given, **named)
            if fault == "kill after":
                raise Killed
            if fault == "disk" and is_alone:
                raise LedgerError("SQLite says: disk I/O error, but the entry is kept")
            return head

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
