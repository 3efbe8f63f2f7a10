"""A small client of ASGI applications, so that tests need neither a socket nor a library."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

HOST = "127.0.0.1:8002"


class Answer:
    """What an application has sent so far."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = b""
        self.ended = False

    @property
    def text(self) -> str:
        return self.body.decode()

    async def send(self, message: Mapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            self.body += message["body"]
            self.ended = not message.get("more_body", False)


def scope(path: str, *, method: str = "GET", host: str = HOST, **headers: str) -> dict[str, Any]:
    """Return the scope of a request; `last_event_id` is the header `last-event-id`."""
    path, _, query = path.partition("?")
    given = {"host": host} | {name.replace("_", "-"): value for name, value in headers.items()}
    return {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
        "server": ("127.0.0.1", 8002),
    }


async def get(app: Any, path: str, body: bytes = b"", **request: str) -> Answer:
    """Return the whole answer to a request."""
    async with opened(app, path, body, **request) as answer:
        while not answer.ended:
            await asyncio.sleep(0)
    return answer


@asynccontextmanager
async def opened(app: Any, path: str, body: bytes = b"", **request: str) -> AsyncIterator[Answer]:
    """Yield the answer to a request while it comes; at the end the client is gone."""
    answer, gone, unsent = Answer(), asyncio.Event(), [body] if body else []

    async def receive() -> dict[str, Any]:
        if unsent:
            return {"type": "http.request", "body": unsent.pop(), "more_body": False}
        await gone.wait()
        return {"type": "http.disconnect"}

    task = asyncio.create_task(app(scope(path, **request), receive, answer.send))
    try:
        yield answer
    finally:
        gone.set()
        await asyncio.wait_for(task, 10)


async def until(answer: Answer, text: str) -> None:
    """Wait until the answer has a text."""
    async with asyncio.timeout(10):
        while text not in answer.text:
            await asyncio.sleep(0.01)
