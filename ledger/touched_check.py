"""Decide again what corrections touch: the corrections, the takes that they caused, and takes that no longer count.

Each is decided in the state that it had. Most takes were written on the evening of their session and reach no further
back: their states follow from the state before the first entry of the session that was changed, which somebody else
reaches on the way through the ledger. The others are decided on a way of their own, in order of writing.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from contextlib import suppress
from itertools import takewhile
from typing import Generic

import msgspec

from ledger.correction_check import CorrectionCheck
from ledger.errors import LedgerError, Unreadable
from ledger.facts import EntryId
from ledger.implied_passes import place_before
from ledger.ledger_state import LedgerState
from ledger.projection import S
from ledger.records import BY_POSITION, Record
from ledger.replay import Replay, SessionTakes
from ledger.take_check import Moments, SupersededCheck, TakeCheck
from ledger.writing_order import Log, Touched, first_corrected, is_correction


class TouchedCheck(Generic[S]):
    """What corrections touch in a log, and what is wrong with it."""

    def __init__(self, replay: Replay[S], log: Log) -> None:
        self._projection, self._log = replay.projection, log
        self._checks: tuple[TakeCheck[S], ...] = (CorrectionCheck(replay, log), SupersededCheck(replay, log))
        self._decided = set[int]()  # the positions of the takes that were decided
        self._due: DueTakes | None = None  # in the session that is replayed
        self._differences: dict[tuple[int, int], list[tuple[str, str]]] = {}  # by position and place of the check

    def before_session(self, session: SessionTakes, state: LedgerState[S]) -> None:
        """Find the takes of a session that are decided in it, and the entry behind which its state is theirs.

        The log was read as far as takes of the session are in it, with all that the last of them has caused.
        """
        self._due = due_takes(session, self._log.touched)
        if self._due is not None and self._due.behind is None:
            self._check_due(self._due, state)

    def after_entry(self, record: Record, state: LedgerState[S]) -> None:
        """Decide the takes that need the state after this entry."""
        if self._due is not None and self._due.behind == record.id:
            self._check_due(self._due, state)

    def _check_due(self, due: DueTakes, state: LedgerState[S]) -> None:
        """Decide takes in this state and those that follow from it. The state stays as it is."""
        self._due, mark = None, state.mark()
        with suppress(LedgerError):  # facts that do not add up: those left over say where
            self._check(Moments(self._projection, due.takes, before=state), due.positions)
            self._decided |= due.positions
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

    def _check(self, moments: Moments[S], positions: Container[int]) -> None:
        """Decide the takes at these positions, in their states."""
        for take, check, state in moments.states_for(self._checks, positions):
            place = take.position, self._checks.index(check)
            self._differences[place] = list(check.differences(take, state, moments))


class DueTakes(msgspec.Struct, frozen=True):
    """Takes of a session that are decided again in it.

    Attributes:
        behind: the last entry before all that was written again or put in; None if there is none in the session.
        takes: all takes behind it, in order of writing.
        positions: those of the takes that are decided.
    """

    behind: EntryId | None
    takes: tuple[Record, ...]
    positions: frozenset[int]


def due_takes(session: SessionTakes, touched: Touched) -> DueTakes | None:
    """Return the takes of a session that are decided again in it, and reach no further back; None if there are none."""
    if session.number not in touched.sessions:
        return None
    takes = [take for takes in session.entries for take in takes]
    wanted = {take.position for take in takes if touched.is_within_session(take)} & touched.decided_again
    if not wanted:
        return None
    changed = (take.id for take in takes if take.id in touched.order.replaced)
    start = place_before(min((*changed, *(first_needed(take) for take in takes if take.position in wanted))))
    behind = max((take.id for take in takes if take.id <= start), default=None)
    later = (take for take in takes if take.id > start)
    return DueTakes(behind, tuple(sorted(later, key=BY_POSITION)), frozenset(wanted))


def first_needed(take: Record) -> EntryId:
    """Return the first entry before which a take is decided again, but for its implied passes."""
    with suppress(Unreadable):
        return min(first_corrected(take), take.id) if is_correction(take) else take.id
    return take.id
