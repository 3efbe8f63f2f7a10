"""Writers that are told what to do, one step at a time, so that they can be stopped or killed in the middle of it.

Each is a process of its own over a file or a database; over memory it is an object in this process.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Final, Literal

from ledger import sqlite_connection
from ledger.campaign_source import Source, open_campaign
from ledger.errors import LedgerError, Overtaken
from ledger.records import EMPTY
from ledger.store import Store
from projections.projection import StateProjection
from tests.ledger.strategies import record

Step = Literal["look", "append", "hold", "commit"]
Answer = Literal["seen", "taken", "held", "refused", "unknown"]
SECONDS: Final = 60  # until a writer has answered
LOCK_MILLISECONDS, IDLE_MILLISECONDS = 400, 200
LOCKED: Final = "another program has held"


class Hand:
    """A writer: its store, the head that it has seen, and the batch that it holds open."""

    def __init__(self, open_store: Callable[[], Store], name: str) -> None:
        """`open_store` opens its store with its first step, and again as long as that fails."""
        self._open, self.name = open_store, name
        self._opened: Store | None = None
        self.head = EMPTY
        self.held: AbstractContextManager[None] | None = None

    @property
    def store(self) -> Store:
        """Its store. Raises LedgerError if it cannot be opened."""
        if self._opened is None:
            self._opened = self._open()
            self.head = self._opened.head()
        return self._opened

    def do(self, step: Step, key: str) -> Answer:
        """Take a step, and return what became of it; `key` is the request key of a line."""
        try:
            return self._do(step, key)
        except Overtaken:
            return "refused"
        except LedgerError as error:
            return "refused" if LOCKED in error.what else "unknown"

    def _do(self, step: Step, key: str) -> Answer:
        if self.held is not None:
            return self._end_batch()
        if step == "look":
            self.head = self.store.head()
            return "seen"
        if step == "commit":
            return "seen"
        if self.store.find_request(key) is not None:
            return "taken"
        line = record(self.head.position + 1, by=self.name, request=key)
        if step == "hold":
            return self._begin_batch(line)
        self.store.append([line], after=self.head)
        self.head = self.store.head()
        return "taken"

    def _begin_batch(self, line: Any) -> Answer:
        """Write a line in a batch that is left open."""
        held = self.store.batch()
        held.__enter__()
        try:
            self.store.append([line], after=self.head)
            list(self.store.read())  # what was collected is written, and not committed
        except BaseException as error:
            held.__exit__(type(error), error, error.__traceback__)
            raise
        self.held = held
        return "held"

    def _end_batch(self) -> Answer:
        """Commit the batch that was left open."""
        held, self.held = self.held, None
        assert held is not None
        held.__exit__(None, None, None)
        self.head = self.store.head()
        return "taken"


def work(pipe: Connection, source: Source, name: str) -> None:
    """Do what comes through a pipe, until it ends: the life of a writer in a process. Locks are not waited for long."""
    sqlite_connection.BUSY_SECONDS = LOCK_MILLISECONDS / 1000
    with suppress(ImportError):
        from ledger import postgres_connection

        limits = postgres_connection.LIMITS
        limits = limits.replace(f"'{postgres_connection.LOCK_SECONDS}s'", f"'{LOCK_MILLISECONDS}'")
        postgres_connection.LIMITS = limits.replace(f"'{postgres_connection.IDLE_SECONDS}s'", f"'{IDLE_MILLISECONDS}'")
    hand = Hand(lambda: open_campaign(source, write=True, models=StateProjection.read_models), name)
    with suppress(EOFError):
        while True:
            pipe.send(hand.do(*pipe.recv()))


class ProcessWriter:
    """A writer in a process, which can be stopped and killed."""

    def __init__(self, source: Source, name: str) -> None:
        context = get_context("forkserver")
        context.set_forkserver_preload(["tests.faults.hands"])
        self._pipe, its_end = context.Pipe()
        self._process = context.Process(target=work, args=(its_end, source, name), daemon=True)
        self._process.start()
        its_end.close()

    def begin(self, step: Step, key: str) -> None:
        """Tell it to take a step, and do not wait."""
        self._pipe.send((step, key))

    def answer(self) -> Answer:
        """Wait for what became of the step."""
        assert self._pipe.poll(SECONDS), "a writer did not answer"
        answer: Answer = self._pipe.recv()
        return answer

    def _signal(self, number: int) -> None:
        assert self._process.pid is not None
        os.kill(self._process.pid, number)

    def stop(self) -> None:
        """Let it stand still wherever it is."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """End it without a word, wherever it is."""
        self._signal(signal.SIGKILL)
        self._process.join()
        self._pipe.close()


class OwnWriter:
    """A writer over a store in memory, which all of them share. What it is told while it is stopped, it does later."""

    def __init__(self, store: Store, name: str) -> None:
        self._hand = Hand(lambda: store, name)
        self._told: tuple[Step, str] | None = None

    def begin(self, step: Step, key: str) -> None:
        """Tell it to take a step."""
        self._told = (step, key)

    def answer(self) -> Answer:
        """Let it take the step, and return what became of it."""
        assert self._told is not None
        (step, key), self._told = self._told, None
        return self._hand.do(step, key)

    def stop(self) -> None:
        """Let it stand still."""

    def go_on(self) -> None:
        """Let it go on."""

    def kill(self) -> None:
        """End it: what it was told is not done."""
        self._told = None
