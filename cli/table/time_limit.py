"""The time in which an announcement may be answered, where the table's option sets one: then its dice are thrown.

Only a table that is served counts it, from when it hears of the announcement; after each answer it begins anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from projections.state import State
from rulebooks.common.announcements import find_window
from rulebooks.common.options import answer_seconds, dice_are_at_the_table

GO: Final = "go"  # the line that lets come what nobody has answered


class TimeLimit(msgspec.Struct, frozen=True):
    """How long an announcement, opened in an entry, may be answered as it stands."""

    opened: str
    stands: str
    seconds: int


def find_limit(state: State) -> TimeLimit | None:
    """Return the time limit of what is announced; None without one, and where the table rolls its own dice."""
    window, seconds = find_window(state), answer_seconds(state)
    if window is None or not window.awaits or not seconds or dice_are_at_the_table(state):
        return None
    return TimeLimit(str(window.opened), window.data, seconds)


class Countdown:
    """Counts the time of the limit that holds now, if there is one."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._end = 0.0
        self.limit: TimeLimit | None = None

    def set(self, limit: TimeLimit | None) -> None:
        """Count from now, unless this limit is counted already."""
        if limit != self.limit:
            self.limit = limit
            self._end = self._clock() + limit.seconds if limit is not None else 0.0

    @property
    def left(self) -> float | None:
        """The seconds that are left; None where nothing is counted."""
        return None if self.limit is None else max(0.0, self._end - self._clock())

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return self.left == 0.0
