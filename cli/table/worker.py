"""A thread with a connection to the ledger of its own: all work is done one after the other."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, Protocol, TypeVar

from cli.context import CampaignContext
from cli.errors import REFUSALS
from ledger.campaign_source import Source
from ledger.errors import Unreadable
from ledger.postgres_address import DatabaseAddress


class OnContext(Protocol):
    """What works on a campaign."""

    context: CampaignContext


T = TypeVar("T", bound=OnContext)
R = TypeVar("R")


class Worker(Generic[T]):
    """Does work on a campaign in one thread. The ledger is opened when it is first needed, and again for another file.

    After an error of the file or of the program it is opened again too: what was read may be wrong.
    """

    def __init__(self, source: Source, make: Callable[[], T]) -> None:
        self._source, self._make = source, make
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._at_work: T | None = None
        self._file: tuple[int, int] | None = None

    async def run(self, work: Callable[[T], R]) -> R:
        """Return what work returns. Raises what it raises."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._run, work)

    def _run(self, work: Callable[[T], R]) -> R:
        file = self._file_now()
        if self._at_work is not None and file != self._file:
            self._drop()
        if self._at_work is None:
            self._at_work, self._file = self._make(), file
        try:
            return work(self._at_work)
        except Exception as error:
            if not isinstance(error, (*REFUSALS, Unreadable)):
                self._drop()
            raise

    def _file_now(self) -> tuple[int, int] | None:
        """Return which file the ledger is; None where it is in a database, or gone."""
        if isinstance(self._source, DatabaseAddress):
            return None
        try:
            stat = os.stat(self._source)
        except OSError:
            return None
        return stat.st_dev, stat.st_ino

    def _drop(self) -> None:
        """Close the ledger."""
        if self._at_work is not None:
            self._at_work.context.close()
            self._at_work = None

    def close(self) -> None:
        """Close the ledger once the work that has begun is done."""
        self._thread.submit(self._drop)
        self._thread.shutdown(wait=True, cancel_futures=False)
