"""One page for many watchers: its version now, the patches that led to it, and who waits for the next.

A patch is encoded once, whoever watches. A watcher that does not keep up is dropped: its browser comes back with the
last version it has, and gets what is missing, or has to load the page's data again.
"""

from __future__ import annotations

from asyncio import Queue, QueueFull
from collections import deque
from collections.abc import AsyncIterator
from typing import Any, Final, Protocol

import msgspec

from cli.web.patches import patch_operations

KEPT: Final = 16  # patches, for watchers that come back
NUMBER_LENGTH_MOST: Final = 12  # of a version
RELOAD: Final = b"event: reload\ndata: \n\n"
UNREADABLE: Final = b"event: unreadable\ndata: \n\n"  # the ledger; what is shown may be old
READABLE: Final = b"event: readable\ndata: \n\n"


class LivePage(Protocol):
    """A page as the ledger is at one time."""

    @property
    def content(self) -> Any:
        """What the browser keeps of it, as JSON values: the changes that it is sent are changes of this."""

    @property
    def html(self) -> str:
        """The whole page."""

    @property
    def policy(self) -> str:
        """Its content security policy."""


class Subscription:
    """The messages for one watcher, until it ends."""

    def __init__(self) -> None:
        self._messages: Queue[bytes | None] = Queue(maxsize=2 * KEPT)

    def send(self, message: bytes) -> bool:
        """Add a message. Returns False if the watcher has not taken the ones before."""
        try:
            self._messages.put_nowait(message)
        except QueueFull:
            return False
        return True

    def end(self) -> None:
        """End it at once: what is not taken is lost."""
        while not self._messages.empty():
            self._messages.get_nowait()
        self._messages.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the messages as they come."""
        while (message := await self._messages.get()) is not None:
            yield message


class Channel:
    """A page for one role, and who watches it."""

    def __init__(self, name: str, page: LivePage) -> None:
        self._name = name  # of this run of the server: versions of another run mean nothing
        self._number = 1
        self._patches: deque[tuple[int, bytes]] = deque(maxlen=KEPT)
        self._is_readable = True
        self.page = page
        self.subscriptions: set[Subscription] = set()

    @property
    def version(self) -> str:
        """The version of the page, as a browser names it when it comes back."""
        return f"{self._name}-{self._number}"

    def publish(self, page: LivePage) -> None:
        """Set the page, and send what has changed to all who watch."""
        operations = list(patch_operations(self.page.content, page.content))
        if not operations:
            return
        self.page = page
        self._number += 1
        message = b"id: %s\ndata: %s\n\n" % (self.version.encode(), msgspec.json.encode(operations))
        self._patches.append((self._number, message))
        self.send(message)

    def set_readable(self, is_readable: bool) -> None:
        """Note whether the page can be made now, and tell it to all who watch if that is new."""
        if is_readable != self._is_readable:
            self._is_readable = is_readable
            self.send(READABLE if is_readable else UNREADABLE)

    def send(self, message: bytes) -> None:
        """Send a message to all who watch, and drop those who do not keep up."""
        for subscription in [each for each in self.subscriptions if not each.send(message)]:
            self.unsubscribe(subscription)

    def subscribe(self, version: str) -> Subscription:
        """Return the messages from a version on: first the patches that it lacks, or the word to load all again."""
        subscription = Subscription()
        missing = self._missing(version)
        for message in [RELOAD] if missing is None else missing:
            subscription.send(message)
        self.subscriptions.add(subscription)
        return subscription

    def _missing(self, version: str) -> list[bytes] | None:
        """Return the patches after a version; None if they are not known."""
        name, _, number = version.rpartition("-")
        is_number = number.isdecimal() and len(number) <= NUMBER_LENGTH_MOST
        if name != self._name or not is_number or int(number) > self._number:
            return None
        messages = [message for after, message in self._patches if after > int(number)]
        return messages if len(messages) == self._number - int(number) else None

    def unsubscribe(self, subscription: Subscription) -> None:
        """End a subscription."""
        self.subscriptions.discard(subscription)
        subscription.end()
