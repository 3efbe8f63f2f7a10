"""`python -m tests.bench.watchers HOST PORT PATH [TOKEN ...]`: many browsers that watch a page, in one process.

A number on standard input opens so many streams in place of those before, answered with `ready`. A line is printed for
each change that has reached all of them: the time at which it had.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Sequence

LINE_MOST = 1 << 24  # of a change


class Watchers:
    """Streams of events from one page."""

    def __init__(self, host: str, port: int, path: str, tokens: Sequence[str]) -> None:
        """`tokens`: those of the links with which they watch, one after the other."""
        self._address, self._path = (host, port), path
        self._headers = [f"Authorization: Bearer {token}\r\n" for token in tokens] or [""]
        self._tasks: list[asyncio.Task[None]] = []
        self._reached: dict[str, int] = {}  # how many each change has reached
        self._open = 0

    async def change_number(self, number: int) -> None:
        """Close all streams, and open so many."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._open, self._reached = 0, {}
        self._tasks = [
            asyncio.create_task(self._watch(self._headers[each % len(self._headers)])) for each in range(number)
        ]
        while self._open < number:
            await asyncio.sleep(0.01)
        print("ready", flush=True)

    async def _watch(self, headers: str) -> None:
        reader, writer = await asyncio.open_connection(*self._address, limit=LINE_MOST)
        writer.write(f"GET {self._path} HTTP/1.1\r\nHost: {self._address[0]}\r\n{headers}\r\n".encode())
        try:
            while line := await reader.readline():
                if line.startswith(b"retry:"):
                    self._open += 1
                elif line.startswith(b"id: "):
                    self._note(line.decode())
        finally:
            writer.close()

    def _note(self, change: str) -> None:
        self._reached[change] = self._reached.get(change, 0) + 1
        if self._reached[change] == len(self._tasks):
            print(time.monotonic(), flush=True)


async def main() -> None:
    """Take the numbers of standard input."""
    host, port, path, *tokens = sys.argv[1:]
    watchers = Watchers(host, int(port), path, tokens)
    while line := await asyncio.to_thread(sys.stdin.readline):
        await watchers.change_number(int(line))
    await watchers.change_number(0)


if __name__ == "__main__":
    asyncio.run(main())
