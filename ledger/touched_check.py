"""Decide again what corrections touch: the corrections, the takes that they caused, and takes that no longer count.

Each is decided in the state that it had. Most takes were written on the evening of their session and reach no further
back: their states follow from the state before the session, which somebody else reaches on the way through the ledger.
The others are decided on a way of their own through the log, in order of writing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import takewhile
from typing import Generic

from ledger.correction_check import CorrectionCheck
from ledger.errors import LedgerError
from ledger.ledger_state import LedgerState
from ledger.projection import S
from ledger.records import BY_POSITION
from ledger.replay import Replay, SessionTakes
from ledger.take_check import Moments, SupersededCheck, TakeCheck
from ledger.writing_order import Log


class TouchedCheck(Generic[S]):
    """What corrections touch in a log, and what is wrong with it."""

    def __init__(self, replay: Replay[S], log: Log) -> None:
        self._projection, self._log = replay.projection, log
        self._checks: tuple[TakeCheck[S], ...] = (CorrectionCheck(replay, log), SupersededCheck(replay, log))
        self._decided = set[int]()  # the positions of the takes that were decided
        self._differences: dict[tuple[int, int], list[tuple[str, str]]] = {}  # by position and place of the check

    def check_session(self, session: SessionTakes, state: LedgerState[S]) -> None:
        """Decide the takes of a session that reach no further back than it; `state` is that before it.

        The log was read as far as takes of the session are in it, with all that the last of them has caused.
        """
        if session.number not in self._log.touched.sessions:
            return
        takes = sorted((take for takes in session.entries for take in takes), key=BY_POSITION)
        touched = self._log.touched
        wanted = {take.position for take in takes if touched.is_within_session(take)} & touched.decided_again
        mark = state.mark()
        with suppress(LedgerError):  # facts that do not add up: those left over say where
            self._check(Moments(self._projection, takes, before=state), wanted)
            self._decided |= wanted
        state.roll_back(mark)

    def differences(self) -> Iterator[tuple[str, str]]:
        """Yield the name of each take that is wrong, and what is wrong, in order of writing, after all sessions.

        Raises an error of facts that do not add up, once what was found before it is yielded.
        """
        try:
            self._check_the_rest()
        except LedgerError as error:
            yield from self._differences_so_far()
            raise error
        yield from self._differences_so_far()

    def _differences_so_far(self) -> Iterator[tuple[str, str]]:
        """Yield what was found so far, in order of writing."""
        for _, differences in sorted(self._differences.items()):
            yield from differences

    def _check_the_rest(self) -> None:
        """Decide the takes that reach back to other sessions."""
        left = self._log.touched.decided_again - self._decided
        last = max(left, default=0)
        if last:
            takes = takewhile(lambda take: take.position <= last, self._log)
            self._check(Moments(self._projection, takes, self._log.touched.reach), left)

    def _check(self, moments: Moments[S], positions: set[int]) -> None:
        """Decide the takes at these positions, in their states."""
        for take, check, state in moments.states_for(self._checks, positions):
            place = take.position, self._checks.index(check)
            self._differences[place] = list(check.differences(take, state, moments))
