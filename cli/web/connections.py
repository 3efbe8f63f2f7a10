"""Connections with bounds: a time for the head of a request, and a most for how many there are.

A connection that only waits holds a file of this process, and a stranger in the network needs no token to open one.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any, Final

import msgspec
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS: Final = 10.0  # from the connection, or from the answer before, to the end of a request's head
FILES_WANTED: Final = 4096
FILES_KEPT: Final = 64  # for the ledger, the program and its libraries
BACKLOG_MOST: Final = 32  # connections that are accepted in one go
NO_HTTP_PROBLEM: Final = msgspec.json.encode(
    {
        "code": "L-HTTP",
        "message": "the request cannot be read: it is no HTTP/1.1",
        "hint": "Send its headers in at most 16,384 bytes, with one Host and the length of its body.",
    }
)
NO_HTTP: Final = (
    b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-type: application/json\r\n"
    b"content-length: %d\r\n\r\n%s" % (len(NO_HTTP_PROBLEM), NO_HTTP_PROBLEM)
)
GOES: Final = 3  # until those that had to make room for the first are closed


class ClientConnection(H11Protocol):
    """A connection that ends when no request comes. Where there are too many, the one that waits longest ends."""

    most = 1024

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._timer: asyncio.TimerHandle | None = None
        self.waits_since = self.loop.time()

    @property
    def is_answering(self) -> bool:
        """Whether an answer is on its way."""
        return self.cycle is not None and not self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._wait()
        if len(self.connections) > self.most:
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._stop_timer()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        self._wait()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP in JSON, as every other refusal, and end the connection.

        It ends without an answer where another answer is on its way.
        """
        if self.is_answering and self.cycle is not None and self.cycle.response_started:
            self.end()
            return
        self.transport.write(NO_HTTP)
        self.transport.close()

    def _wait(self) -> None:
        self._stop_timer()
        self.waits_since = self.loop.time()
        self._timer = self.loop.call_later(HEAD_SECONDS, self._end_if_waiting)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end_if_waiting(self) -> None:
        """End a connection without a request, unless it still takes the answer before."""
        if self.is_answering or self.transport.is_closing():
            return
        if self.transport.get_write_buffer_size():
            self._wait()
        else:
            self.end()

    def _make_room(self) -> None:
        """End the connection that waits longest; this one if all others are answered."""
        own = [each for each in self.connections if isinstance(each, ClientConnection) and not each.is_answering]
        min(own, key=lambda each: each.waits_since, default=self).end()

    def end(self) -> None:
        """End the connection at once."""
        self.connections.discard(self)
        self.transport.abort()


def connection_class(most: int) -> type[ClientConnection]:
    """Return a class of connections that allows so many at once."""
    return type("Connection", (ClientConnection,), {"most": most})


def connections_most() -> int:
    """Return how many connections this process may have, after it has asked for as many files as it wants."""
    if sys.platform == "win32":
        return FILES_WANTED // 8
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES_WANTED if hard == resource.RLIM_INFINITY else min(FILES_WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    files = FILES_WANTED if soft == resource.RLIM_INFINITY else min(soft, FILES_WANTED)
    return max(files - FILES_KEPT - GOES * BACKLOG_MOST, 16)
