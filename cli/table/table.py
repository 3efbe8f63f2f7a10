"""The table: lines are decided in one thread, questions answered in another, and all who watch hear what is new."""

from __future__ import annotations

import asyncio
import secrets
import time
from asyncio import Future, Task
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, NamedTuple, TypeVar

import msgspec

from cli.context import CampaignContext
from cli.shell import questions
from cli.table.answers import Answer, Answered, ForecastCard, InWords, LogPart, Question, Refusal, TypedLine
from cli.table.aside import HERE, HeardLine
from cli.table.commands import command_lines
from cli.table.forecasts import ForecastWanted, TableForecasts, card_lines
from cli.table.line_writer import LineWriter, refusal_of
from cli.table.links import Reseated, SeatLinks
from cli.table.page_links import LinkWanted, PageLinks
from cli.table.seats import Seat
from cli.table.time_limit import Countdown
from cli.table.view import TableChanges, TableView
from cli.table.worker import Worker
from cli.web.channels import READABLE, RELOAD, UNREADABLE, Subscription
from cli.web.live_pages import POLL_SECONDS, RETRY_SECONDS
from cli.web.reports import REPORTS, page_error
from ledger.errors import InputError, Refused
from ledger.names import name_key

STREAMS_MOST: Final = 8  # of one link
COMMANDS_MOST: Final = 2  # that run at once
ASIDE_MOST: Final = 3  # times that a line is heard aside
TOGETHER_MOST: Final = 16  # lines that are made durable at once
R = TypeVar("R")


class Listener(Subscription):
    """Who hears what is new: with the token of which link, and up to where they have heard."""

    def __init__(self, seat: Seat, token: str, position: int) -> None:
        super().__init__()
        self.seat, self.token, self.position = seat, token, position


class WaitingLine(NamedTuple):
    """A line that waits to be decided: whose it is, how it was heard aside, and where its answer is awaited."""

    seat: Seat
    said: TypedLine
    reading: HeardLine | None
    answer: Future[Answer | Question | InWords]

    def fail(self, error: Exception) -> None:
        """Answer with an error."""
        if not self.answer.done():
            self.answer.set_exception(error)


class HandsTable:
    """A campaign that is played over its links."""

    def __init__(
        self,
        campaign: CampaignContext,
        links: SeatLinks,
        has_changed: Callable[[], bool],
        on_reseat: Callable[[Reseated], None] = lambda _: None,
    ) -> None:
        """`on_reseat` is called when a session with other players has been opened, and they have their links."""
        self.links, self._has_changed, self._place, self._on_reseat = links, has_changed, campaign.place, on_reseat
        self.page_links = PageLinks(self._want_link)
        self._writer = Worker(campaign.source, lambda: LineWriter(campaign.copy(), self.page_links))
        self._view, self._trials = (Worker(campaign.source, lambda: TableView(campaign.copy())) for _ in range(2))
        self._forecasts = TableForecasts(campaign.place)
        self.countdown = Countdown(time.monotonic)
        self._waiting = deque[WaitingLine]()
        self._commands, self._asking = ThreadPoolExecutor(COMMANDS_MOST), set[Seat]()
        self._deciding: Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None  # of the server, known once it runs
        self._listeners = set[Listener]()
        self._is_new = asyncio.Event()
        self._is_readable = True

    async def say(self, seat: Seat, said: TypedLine) -> Answer:
        """Return what becomes of a line. Raises LedgerError if the ledger cannot be read or written.

        Those that come while others are decided are decided together then, and made durable at once. One in other words
        than the grammar's is heard aside before; if others overtake it again and again, it is heard in its turn.
        """
        self.page_links.hear(seat.holder)
        answer = await self._queue(seat, said, None)
        for tries in range(ASIDE_MOST, -1, -1):
            if not isinstance(answer, InWords):
                break
            hearing = partial(TableView.hear, seat=seat, line=answer.line)
            answer = await self._queue(seat, said, await self.ask(hearing, tries=True) if tries else HERE)
        assert not isinstance(answer, InWords)
        return await self._answer_question(seat, answer)

    async def _queue(self, seat: Seat, said: TypedLine, reading: HeardLine | None) -> Answer | Question | InWords:
        """Return the answer to a line once it is its turn. Raises LedgerError."""
        self._loop = asyncio.get_running_loop()
        answer: Future[Answer | Question | InWords] = self._loop.create_future()
        self._waiting.append(WaitingLine(seat, said, reading, answer))
        if self._deciding is None or self._deciding.done():
            self._deciding = asyncio.create_task(self._decide())
        return await answer

    async def _answer_question(self, seat: Seat, answer: Answer | Question) -> Answer:
        """Return the answer to a question that a command answers, one at once for a link; any other answer as it is."""
        if not isinstance(answer, Question):
            return answer
        if answer.command[0] == questions.FORECAST:
            return await self._foretell(seat, answer.question)
        if seat in self._asking:
            return Refusal(code="L-RATE", message="the question before is not answered yet", hint="Wait for it.")
        self._asking.add(seat)
        try:
            run = partial(command_lines, self._place, seat, answer.command)
            lines = await asyncio.get_running_loop().run_in_executor(self._commands, run)
            return Answered(question=answer.question, reply=lines)
        except Refused as error:
            return refusal_of(error, seat)
        finally:
            self._asking.discard(seat)

    async def _foretell(self, seat: Seat, question: str) -> Answered | Refusal:
        """Return the forecast of the fight that is on, as the holder of a link may see it, in lines of text."""
        try:
            return Answered(question=question, reply=card_lines(await self.forecast(seat, ForecastWanted())))
        except Refused as error:
            return refusal_of(error, seat)

    async def _decide(self) -> None:
        """Decide the lines that wait, until none does."""
        while self._waiting:
            lines = [self._waiting.popleft() for _ in range(min(len(self._waiting), TOGETHER_MOST))]
            try:
                await self._decide_together(lines)
            except Exception as error:
                if len(lines) == 1:
                    lines[0].fail(error)
                for each in lines if len(lines) > 1 else ():  # one of them may be at fault
                    try:
                        await self._decide_together([each])
                    except Exception as own:
                        each.fail(own)
            self._is_new.set()

    async def _decide_together(self, lines: Sequence[WaitingLine]) -> None:
        """Decide lines one after the other, and answer them once they are durable. Raises what keeps them from it."""
        said, readings = [(each.seat, each.said) for each in lines], [each.reading for each in lines]
        answers = await self._writer.run(lambda writer: writer.say_each(said, readings))
        for each, answer in zip(lines, answers, strict=True):
            if not each.answer.done():  # else its sender has gone
                each.answer.set_result(answer)

    async def ask(self, question: Callable[[TableView], R], *, tries: bool = False) -> R:
        """Return the answer to a question. Raises LedgerError.

        `tries`: it tries many lines, or counts chances; what others ask for does not wait for it.
        """
        return await (self._trials if tries else self._view).run(question)

    async def forecast(self, seat: Seat, wanted: ForecastWanted) -> ForecastCard:
        """Return what comes of the fight that is on. Raises LedgerError, Unreadable or Refused."""
        return await self._forecasts.ask(seat, wanted, await self.ask(lambda view: view.context.wording))

    def listen(self, seat: Seat, token: str, after: int) -> Listener | None:
        """Return what is new after a position, as it comes; None if the link has too many who listen."""
        if sum(each.token == token for each in self._listeners) >= STREAMS_MOST:
            return None
        listener = Listener(seat, token, after)
        self._listeners.add(listener)
        self.page_links.hear(seat.holder)
        self._is_new.set()
        return listener

    def _want_link(self, who: str, wanted: LinkWanted) -> None:
        """Ask the pages of a player for a link, from the thread that decides."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._send_wanted, who, wanted)

    def _send_wanted(self, who: str, wanted: LinkWanted) -> None:
        """Ask all pages that listen with the link of a player."""
        pages = [each for each in self._listeners if name_key(each.seat.holder) == name_key(who)]
        for each in pages:
            self._send(each, b"event: link\ndata: %s\n\n" % msgspec.json.encode(wanted))
        if not pages:
            self.page_links.pass_over(wanted.id)

    def leave(self, listener: Listener) -> None:
        """End what somebody hears."""
        self._listeners.discard(listener)
        listener.end()

    async def watch(self) -> None:
        """Tell all who listen what is new, for ever: no error ends it."""
        self._loop = asyncio.get_running_loop()
        while True:
            try:
                async with asyncio.timeout(POLL_SECONDS):
                    await self._is_new.wait()
            except TimeoutError:
                pass
            try:
                self._end_revoked()
                if self._has_changed() or self._is_new.is_set():
                    self._is_new.clear()
                    self._keep_up(await self._view.run(TableView.changes))
                    await self._tell()
                if self.countdown.is_over:
                    await self._let_come()
                self._note_readable(is_readable=True)
            except Exception as error:  # nobody would notice that nothing is told any more
                REPORTS.say(page_error(error))
                self._note_readable(is_readable=False)
                self._is_new.set()
                await asyncio.sleep(RETRY_SECONDS)

    async def _let_come(self) -> None:
        """Throw the dice of what nobody has answered in time, with a line of its own. Raises LedgerError."""
        limit = self.countdown.limit
        self.countdown.set(None)  # whatever becomes of it, it is looked at anew
        if limit is not None:
            await self._writer.run(lambda writer: writer.let_come(limit, secrets.token_urlsafe(12)))
        self._is_new.set()

    def _keep_up(self, changes: TableChanges) -> None:
        """Count the time of what is announced, and seat the players of a session that was opened."""
        self.countdown.set(changes.limit)
        try:
            reseated = self.links.reseat(changes.players)
        except InputError as error:  # more than there are links: those who sit there stay
            REPORTS.say(page_error(error))
            return
        if reseated is not None:
            self._end_moved()
            self._on_reseat(reseated)

    def _end_revoked(self) -> None:
        """End what is heard with a token that was replaced."""
        if self.links.has_changed():
            self._end_moved()

    def _end_moved(self) -> None:
        """End what is heard with a token that is not for the same seat any more: the page comes back by itself."""
        for each in [each for each in self._listeners if self.links.find(each.token) != each.seat]:
            self.leave(each)

    def _note_readable(self, *, is_readable: bool) -> None:
        """Tell whether the ledger can be read, if that is new."""
        if is_readable != self._is_readable:
            self._is_readable = is_readable
            for each in list(self._listeners):
                self._send(each, READABLE if is_readable else UNREADABLE)

    async def _tell(self) -> None:
        """Send what is new to all who have not heard it: it is read once for each view and position."""
        behind = list(self._listeners)
        while behind:
            groups: dict[tuple[str, int], list[Listener]] = {}
            for each in behind:
                groups.setdefault((each.seat.view, each.position), []).append(each)
            behind = []
            for (_, position), group in groups.items():
                log = await self._read_log(group[0].seat, position)
                message = _event(log) if log is not None and log.position > position else None
                for each in group:
                    if log is None:
                        each.position = 0
                        self._send(each, RELOAD)
                        behind += [each] if each in self._listeners else []
                    elif message is not None:
                        each.position = log.position
                        self._send(each, message)
                        behind += [each] if log.more and each in self._listeners else []

    async def _read_log(self, seat: Seat, after: int) -> LogPart | None:
        """Return what is new after a position; None if the log ends before it: it is another ledger's."""
        try:
            return await self._view.run(partial(TableView.log, seat=seat, after=after))
        except InputError:
            return None

    def _send(self, listener: Listener, message: bytes) -> None:
        """Send a message to somebody, who hears no more if they do not keep up."""
        if not listener.send(message):
            self.leave(listener)

    def close(self) -> None:
        """End all that is heard, and the work that has begun."""
        for each in list(self._listeners):
            self.leave(each)
        self._forecasts.close()
        self._writer.close()
        self._view.close()
        self._trials.close()
        self._commands.shutdown(wait=False, cancel_futures=True)


def _event(log: LogPart) -> bytes:
    """Return an event that says what is new."""
    return b"id: %d\ndata: %s\n\n" % (log.position, msgspec.json.encode(log))
