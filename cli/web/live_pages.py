"""The pages that somebody looks at, computed again when the ledger changes: once for each page and role."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

from cli.web.channels import Channel, LivePage
from cli.web.reports import REPORTS, page_error

CAMPAIGN: Final = "campaign"  # the name of its page
POLL_SECONDS: Final = 0.05
RESTS: Final = 4  # times as long as pages took to make: lines that are said meanwhile go first
REST_MOST: Final = 2.0
RETRY_SECONDS: Final = 1.0  # after a page could not be made
RETRY_MOST: Final = 16.0  # after it could not be made many times; a change of the ledger is tried at once
UNWATCHED_MOST: Final = 8  # pages that are kept although nobody watches them

Source = Callable[[], LivePage]
"""Return a page as it is now. May take long."""
Sources = Callable[[str, str], Source]
"""Return the source of a page: for a role, and with this name."""


class Failure(NamedTuple):
    """A page could not be made: at which state of the ledger, and when it is tried again."""

    state: int
    delay: float
    again: float


class LivePages:
    """All pages of a campaign. One thread computes those of sessions, another that of the campaign.

    The page of a campaign of years takes seconds, and the session goes on meanwhile. All else happens in the loop.
    """

    def __init__(self, sources: Sources, has_changed: Callable[[], bool]) -> None:
        self._new_source, self._has_changed = sources, has_changed
        self._channels: dict[tuple[str, str], Channel] = {}
        self._sources: dict[tuple[str, str], Source] = {}
        self._states: dict[tuple[str, str], int] = {}  # the state of the ledger that each page was computed at
        self._failures: dict[tuple[str, str], Failure] = {}  # of pages that cannot be made
        self._state = 0
        self._name = secrets.token_hex(4)
        self._session_lock, self._campaign_lock = asyncio.Lock(), asyncio.Lock()
        self._workers = ThreadPoolExecutor(max_workers=2)

    async def page(self, role: str, name: str) -> Channel:
        """Return a page as the ledger is now. Raises LedgerError if it cannot be read or has no such page."""
        self._look()
        await self._refresh(role, name)
        return self._channels[role, name]

    @property
    def watchers(self) -> int:
        """How many watch a page."""
        return sum(len(channel.subscriptions) for channel in self._channels.values())

    async def watch(self) -> None:
        """Keep the pages that somebody watches as the ledger is, for ever: no error ends it."""
        loop, took = asyncio.get_running_loop(), 0.0
        while True:
            await asyncio.sleep(max(POLL_SECONDS, min(RESTS * took, REST_MOST)))
            begun = loop.time()
            try:
                self._look()
                await self._refresh_watched()
                took = loop.time() - begun
            except Exception as error:  # nobody would notice that the pages stand still
                REPORTS.say(page_error(error))
                await asyncio.sleep(RETRY_SECONDS)

    async def _refresh_watched(self) -> None:
        """Compute the pages that are watched, and forget some of the others."""
        watched = [key for key, channel in self._channels.items() if channel.subscriptions]
        for key in watched:
            await self._keep(key)
        for key in [key for key in self._channels if key not in watched][:-UNWATCHED_MOST]:
            del self._channels[key], self._sources[key], self._states[key]
            self._failures.pop(key, None)

    async def _keep(self, key: tuple[str, str]) -> None:
        """Compute a page that is watched. Who watches is told if it cannot be made; the other pages go on."""
        now, failure, channel = asyncio.get_running_loop().time(), self._failures.get(key), self._channels[key]
        if failure and failure.state == self._state and now < failure.again:
            return
        try:
            await self._refresh(*key)
        except Exception as error:  # of the ledger, of a rulebook, of what shows it
            REPORTS.say(page_error(error))
            delay = min(2 * failure.delay, RETRY_MOST) if failure else RETRY_SECONDS
            self._failures[key] = Failure(self._state, delay, now + delay)
            channel.set_readable(False)

    def _look(self) -> None:
        """Note whether the ledger has changed."""
        self._state += self._has_changed()

    async def _refresh(self, role: str, name: str) -> None:
        """Compute a page again, unless it is as the ledger is."""
        async with self._campaign_lock if name == CAMPAIGN else self._session_lock:
            state = self._state
            if self._states.get((role, name)) == state:
                return
            loop = asyncio.get_running_loop()
            source = self._sources.get((role, name)) or self._new_source(role, name)
            page = await loop.run_in_executor(self._workers, source)
            self._sources[role, name] = source
            if (role, name) in self._channels:
                self._channels[role, name].publish(page)
            else:
                self._channels[role, name] = Channel(self._name, page)
            self._states[role, name] = state
            if self._failures.pop((role, name), None):
                REPORTS.forget()
            self._channels[role, name].set_readable(True)

    def close(self) -> None:
        """End all subscriptions, and wait for no page that is being computed."""
        for channel in self._channels.values():
            for subscription in list(channel.subscriptions):
                channel.unsubscribe(subscription)
        self._workers.shutdown(wait=False, cancel_futures=True)
