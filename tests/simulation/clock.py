"""The time of a simulated table: it passes from one event to the next."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable


class Clock:
    """Lets things happen in their order. What happens may itself wait, and others go on meanwhile."""

    def __init__(self) -> None:
        self.now = 0  # milliseconds
        self._events: list[tuple[int, int, Callable[[], object]]] = []
        self._numbers = itertools.count()

    def later(self, milliseconds: int, happen: Callable[[], object]) -> None:
        """Let something happen after a time."""
        heapq.heappush(self._events, (self.now + milliseconds, next(self._numbers), happen))

    def run(self, is_over: Callable[[], bool], latest: int) -> None:
        """Let time pass until a condition holds, or to its end."""
        while not is_over() and self._events and self._events[0][0] <= latest:
            at, _, happen = heapq.heappop(self._events)
            self.now = max(self.now, at)  # somebody who waits may have come further
            happen()
        if not is_over():
            self.now = max(self.now, latest)
