"""How often something may be asked for: so many at once, and so many a second after that."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import Final

KNOWN_MOST: Final = 1024  # who asks


class Rate:
    """A bucket of tokens for each who asks, which fills again at an even pace."""

    def __init__(self, at_once: int, each_second: float, clock: Callable[[], float]) -> None:
        self._most, self._pace, self._clock = float(at_once), each_second, clock
        self._buckets: dict[Hashable, tuple[float, float]] = {}  # what is left, and since when

    def wait(self, who: Hashable) -> int:
        """Take one. Return 0, or the seconds after which there is one again, and then nothing was taken."""
        now = self._clock()
        left, since = self._buckets.get(who, (self._most, now))
        left = min(self._most, left + (now - since) * self._pace)
        if left < 1:
            self._buckets[who] = left, now
            return math.ceil((1 - left) / self._pace)
        if who not in self._buckets and len(self._buckets) >= KNOWN_MOST:
            self._buckets.clear()
        self._buckets[who] = left - 1, now
        return 0
