"""Replay a ledger in several processes, each from the state that is stored at the opening of its first session.

Nothing is taken on trust: the state with which a process began must equal, byte for byte, the one that the process
before it reached from the records. Where it does not, the sessions are replayed again from the state that was reached.
So the report is that of a replay in one process, whatever the snapshots say.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from threading import Thread
from types import TracebackType
from typing import Any, Final, ParamSpec, Self, TypeVar

import msgspec

from ledger.errors import LedgerError
from ledger.facts import EntryId
from ledger.game import GameProtocol
from ledger.ledger_state import BEFORE_FIRST, LedgerState, initial_state, load_state, unpack_state
from ledger.projection import Projection, S
from ledger.replay import Replay, ReplayReport
from ledger.store import Store
from ledger.tasks import Workers

Opened = tuple[Store, GameProtocol[Any], Projection[Any]]
P = ParamSpec("P")
T = TypeVar("T")
PARTS_OF_A_PROCESS: Final = 4  # so that all end at about the same time
TAKES_OF_A_PART: Final = 500  # at least: a process takes as long to start as to replay twice as many

_opened: list[Opened] = []  # the ledger of this process, if it is one of several


class Span(msgspec.Struct, frozen=True):
    """Sessions that one process works on: the first, the last, and how many takes they have."""

    first: int
    last: int
    takes: int

    @property
    def before(self) -> EntryId:
        """An id that sorts after every entry before these sessions."""
        return EntryId(self.first, -1)

    @property
    def upto(self) -> EntryId:
        """An id that sorts after every entry of these sessions."""
        return EntryId(self.last + 1, -1)


class ReplayedSpan(msgspec.Struct, frozen=True, kw_only=True):
    """The replay of some sessions: the packed states before and after them, and whether their facts add up.

    `began` is None if no state before them could be read.
    """

    began: bytes | None
    ended: bytes
    last: EntryId
    adds_up: bool
    report: ReplayReport


class Processes:
    """Processes that have opened the same ledger. A context manager: at its end they are gone."""

    def __init__(self, jobs: int, reopen: Callable[[], Opened]) -> None:
        """Begin `jobs` processes, each with the ledger that `reopen` returns there; `reopen` can be pickled."""
        self.jobs = jobs
        self.takes_done = 0
        self._pool = new_pool(jobs, reopen)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._pool.shutdown(wait=error is None, cancel_futures=True)

    def submit(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call a function of a module in one of the processes. It gets the ledger there from `process_ledger`."""
        return self._pool.submit(work, *args, **kwargs)

    def spans(self, store: Store) -> list[Span]:
        """Divide the sessions of a ledger into spans of about as many takes."""
        sizes = store.session_sizes()
        return list(spans_of(sizes, max(TAKES_OF_A_PART, sum(sizes.values()) // (self.jobs * PARTS_OF_A_PROCESS))))

    def parts(self, store: Store) -> Iterator[tuple[int, int]]:
        """Divide the log up to its head into parts of about as many takes: after one position, up to another."""
        head = store.head().position
        size = max(TAKES_OF_A_PART, head // (self.jobs * PARTS_OF_A_PROCESS))
        yield from ((after, min(after + size, head)) for after in range(0, head, size))

    def start_replay(self, store: Store, projection: Projection[S]) -> Callable[[], ReplayReport]:
        """Begin to replay all sessions up to the head of this store; return a function that waits for the report."""
        position = store.head().position
        spans = self.spans(store)
        begun = [self.submit(replay_span, span, position) for span in spans]

        def report() -> ReplayReport:
            whole, first = ReplayReport(), initial_state(projection)
            state, last = first.pack(), first.last
            for span, future in zip(spans, begun, strict=True):
                part = future.result()
                if part.began != state:
                    part = self.submit(replay_span, span, position, state, last).result()
                self.takes_done += span.takes
                whole.add(part.report)
                if not part.adds_up:
                    break
                state, last = part.ended, part.last
            return whole

        return report


def new_pool(jobs: int, reopen: Callable[[], Opened] | None = None) -> ProcessPoolExecutor:
    """Return so many processes that end with this one, each with the ledger that `reopen` returns there, if any."""
    return ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_begin, initargs=(reopen,))


@contextmanager
def worker_processes(jobs: int) -> Iterator[Workers]:
    """Begin so many processes for tasks. At the end, or after an error, they end with what they are doing."""
    pool = new_pool(jobs)
    try:
        yield Workers(pool, jobs + 1)  # one lies ready
    finally:
        pool.shutdown(cancel_futures=True)


def usable_processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spans_of(sizes: Mapping[int, int], takes: int) -> Iterator[Span]:
    """Yield spans of at least so many takes, but for the last; `sizes` are those of the sessions, in their order."""
    first, last, count = None, 0, 0
    for session, size in sizes.items():
        first, last, count = session if first is None else first, session, count + size
        if count >= takes:
            yield Span(first, last, count)
            first, count = None, 0
    if first is not None:
        yield Span(first, last, count)


def replay_span(span: Span, as_of: int, packed: bytes | None = None, last: EntryId = BEFORE_FIRST) -> ReplayedSpan:
    """Replay sessions of the ledger of this process, from a packed state or a stored one; `last` is its entry."""
    store, game, projection = process_ledger()
    before: LedgerState[Any]
    try:
        if packed is None:
            before = load_state(store, projection, at=span.before, as_of=as_of)
        else:
            before = unpack_state(packed, projection, last)
    except LedgerError:
        return ReplayedSpan(began=None, ended=b"", last=BEFORE_FIRST, adds_up=False, report=ReplayReport())
    report, began = ReplayReport(), before.pack()
    takes = store.takes(after=span.before, upto=span.upto, as_of=as_of)
    adds_up = Replay(store, game, projection).run_from(before, takes, report)
    return ReplayedSpan(began=began, ended=before.pack(), last=before.last, adds_up=adds_up, report=report)


def process_ledger() -> Opened:
    """Return the ledger that this process has opened."""
    return _opened[0]


def _begin(reopen: Callable[[], Opened] | None) -> None:
    """Begin a process, and open its ledger if it has one.

    Ctrl-C ends it without a word: the first process says what there is to say. It ends with that process, also where
    that was killed.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    Thread(target=_end_with_parent, daemon=True).start()
    if reopen is not None:
        _opened[:] = [reopen()]


def _end_with_parent() -> None:
    """Wait for the end of the process that began this one, and end this one."""
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)
