"""A response of server-sent events."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Final, Protocol

from starlette.types import Receive, Scope, Send

from cli.web.channels import Subscription

SEND_SECONDS: Final = 10  # a watcher that takes nothing for so long is dropped
BEAT_SECONDS: Final = 15  # between two signs of life, so that nothing on the way closes a silent connection
EVENTS_TYPE: Final = "text/event-stream"
BEAT: Final = b": \n\n"
START: Final = b"retry: 1000\n\n"


class MessageSource(Protocol):
    """What is heard."""

    def subscribe(self, version: str) -> Subscription:
        """Return the messages from a version on."""

    def unsubscribe(self, subscription: Any) -> None:
        """End a subscription."""


class EventStream:
    """The changes of a channel as an ASGI application, until the server ends or the watcher is gone."""

    def __init__(self, channel: MessageSource, version: str) -> None:
        self._channel, self._version = channel, version

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send what comes after the version. The server closes a connection whose response is not complete."""
        subscription = self._channel.subscribe(self._version)
        tasks = [
            asyncio.create_task(self._end_when_gone(subscription, receive)),
            asyncio.create_task(beat(subscription)),
        ]
        headers = [(b"content-type", f"{EVENTS_TYPE}; charset=utf-8".encode())]
        try:
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": START, "more_body": True})
            with suppress(TimeoutError):
                async for message in subscription:
                    async with asyncio.timeout(SEND_SECONDS):
                        await send({"type": "http.response.body", "body": message, "more_body": True})
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self._channel.unsubscribe(subscription)
            for task in tasks:
                task.cancel()

    async def _end_when_gone(self, subscription: Subscription, receive: Receive) -> None:
        """End the subscription when the watcher closes the connection."""
        while (await receive())["type"] != "http.disconnect":
            pass
        self._channel.unsubscribe(subscription)


async def beat(subscription: Subscription) -> None:
    """Send signs of life."""
    while subscription.send(BEAT):
        await asyncio.sleep(BEAT_SECONDS)
