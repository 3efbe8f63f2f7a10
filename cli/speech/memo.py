"""What was worked out about a sentence, each once: its ways to be said otherwise lead to the same lines again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar, cast

from ledger.ledger_state import LedgerState
from projections.state import State

T = TypeVar("T")


class Memo:
    """What was worked out in one state of a campaign.

    While declarations are supposed, whose facts are taken back, nothing is kept.
    """

    def __init__(self, state: LedgerState[State]) -> None:
        self._state, self._mark = state, state.mark()
        self._kept: dict[Hashable, object] = {}

    def recall(self, about: Hashable, work_out: Callable[[], T]) -> T:
        """Return what `work_out` returns, which follows from `about` and the state; what it raises is not kept."""
        if self._state.mark() != self._mark:
            return work_out()
        if about not in self._kept:
            self._kept[about] = work_out()
        return cast(T, self._kept[about])
