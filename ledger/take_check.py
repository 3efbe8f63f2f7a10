"""Check the takes of each entry: the cause of every take, and the facts of takes that no longer count.

A superseded take is decided again in the state that it had: the fold of the takes that counted when it was written.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Generic

from ledger.diff import ReplayDifference
from ledger.errors import stored_errors
from ledger.facts import Amended, EntryId
from ledger.implied_passes import implying_entry, place_before, start_of
from ledger.ledger_state import KEEPS_NUMBER, LedgerState, RollbackPoint, initial_state
from ledger.projection import Projection, S
from ledger.records import Record
from ledger.redecide import TakeHistory, revealed_seeds
from ledger.replay import Replay


def check_causes(takes: Sequence[Record]) -> Iterator[tuple[Record, str]]:
    """Yield each take whose cause is missing or wrong, and the error. `takes` are in order of entries."""
    history, counting = TakeHistory(takes), dict[EntryId, Record]()
    corrections = {str(take.id) for take in takes if take.has(Amended)}
    opening: Record | None = None
    last: EntryId | None = None
    for take, following in _pairs(sorted(takes, key=lambda take: take.position)):
        before = counting.get(take.id)
        counting[take.id] = take
        last, written_before = max(take.id, last or take.id), last
        if take.cause and take.cause == implying_entry(take):
            if not _precedes_cause(take, following):
                yield take, f"its cause, entry {take.cause}, is not written right after it"
        elif take.cause is None:
            if take.line_start and not _continues_line(take, opening):
                yield take, f"its line begins at entry {take.line_start}, but it is not written right after it"
            opening = take
            if not take.facts:
                yield take, "it has no facts and no cause"
            elif before is None and take.insert:
                yield take, "it is inserted, but no correction is its cause"
            elif before is None and written_before is not None and take.id < written_before:
                yield take, f"it is written after {written_before}, but stands before it"
            elif before is not None and not _is_number_free(before, history):
                yield take, f"no correction is its cause, but it replaces {before.id}@{before.take}"
        elif take.cause not in corrections:
            yield take, f"its cause, entry {take.cause}, is not a correction"
        elif opening is None or str(opening.id) != take.cause or not opening.has(Amended):
            yield take, f"its cause, entry {take.cause}, is not the correction before it"


def _pairs(takes: Sequence[Record]) -> Iterator[tuple[Record, Record | None]]:
    """Yield each take with the one after it."""
    return zip(takes, (*takes[1:], None), strict=True) if takes else iter(())


def _precedes_cause(take: Record, following: Record | None) -> bool:
    """Return whether an implied pass stands before the declaration that implies it, in the log and in its place."""
    if following is None or take.id > following.id:
        return False
    if following.cause is None:
        return str(following.id) == take.cause and place_before(following.id) < take.id
    return following.cause == take.cause == implying_entry(following)


def _continues_line(take: Record, before: Record | None) -> bool:
    """Return whether a take begins a line of several, or goes on the line of the declaration before it."""
    begun = before is not None and (before.line_start, before.line) == (take.line_start, take.line)
    return take.line_start == str(take.id) or begun


def _is_number_free(before: Record, history: TakeHistory) -> bool:
    """Return whether the number of a take was free: it was undone at the end of its session."""
    return not before.facts and history.outcome(before) not in KEEPS_NUMBER


class Moments(Generic[S]):
    """The states of a ledger in order of writing: before an entry, as the ledger was when a take of it was written.

    Only entries before a wanted take are folded, and only those that changed since the last fold.
    """

    def __init__(self, projection: Projection[S], takes: Sequence[Record]) -> None:
        self.takes = sorted(takes, key=lambda take: take.position)
        self.state: LedgerState[S] = initial_state(projection)
        self._ids: list[EntryId] = []  # of the entries so far, sorted
        self._written: dict[EntryId, list[Record]] = {}  # their takes so far
        self._folded: list[tuple[EntryId, RollbackPoint]] = []  # with the mark before each entry

    def states_before(self, wanted: Callable[[Record], EntryId | None]) -> Iterator[tuple[Record, LedgerState[S]]]:
        """Yield takes with the state before an entry at that time: the one that `wanted` returns for a take, if any."""
        for take in self.takes:
            self._roll_back_to(take.id)
            if (entry := wanted(take)) is not None:
                self._roll_back_to(entry)
                self._fold_before(entry)
                yield take, self.state
                self._roll_back_to(take.id)
            if take.id not in self._written:
                insort(self._ids, take.id)
                self._written[take.id] = []
            self._written[take.id].append(take)

    def state_before(self, entry: EntryId) -> LedgerState[S]:
        """Return the state before an earlier entry, while a take is yielded."""
        self._roll_back_to(entry)
        self._fold_before(entry)
        return self.state

    def start_of(self, entry: EntryId) -> EntryId:
        """Return the first entry of the act of an entry at this time: its implied passes come before it."""
        end = bisect_left(self._ids, entry)
        return start_of(entry, self._ids[bisect_left(self._ids, place_before(entry)) : end])

    def takes_from(self, id: EntryId) -> Iterator[Record]:
        """Return all takes so far of the entries from `id` on, in order of entries."""
        return (take for other in self._ids[bisect_left(self._ids, id) :] for take in self._written[other])

    def _roll_back_to(self, id: EntryId) -> None:
        """Take back the entry and those after it."""
        while self._folded and self._folded[-1][0] >= id:
            self.state.roll_back(self._folded.pop()[1])

    def _fold_before(self, id: EntryId) -> None:
        """Fold the takes that count of the entries before `id`."""
        start = bisect_left(self._ids, self._folded[-1][0]) + 1 if self._folded else 0
        for other in self._ids[start : bisect_left(self._ids, id)]:
            self._folded.append((other, self.state.mark()))
            with stored_errors(f"entry {other}"):
                for fact in self._written[other][-1].facts:
                    self.state.step(other, fact)


def superseded_differences(replay: Replay[S], takes: Sequence[Record]) -> Iterator[tuple[Record, ReplayDifference]]:
    """Yield each superseded take that is decided differently in the state that it had."""
    groups, seeds = _by_entry(takes), revealed_seeds(takes)
    moments = Moments(replay.projection, takes)
    for take, state in moments.states_before(
        lambda take: take.id if take is not groups[take.id][-1] and take.facts else None
    ):
        others = [other for other in groups[take.id] if other is not take]
        if take.declared and (difference := replay.decide_again(state, take, [*others, take], seeds)):
            yield take, difference


def _by_entry(takes: Sequence[Record]) -> Mapping[EntryId, list[Record]]:
    """Return the takes of each entry in order of writing."""
    groups = defaultdict[EntryId, list[Record]](list)
    for take in sorted(takes, key=lambda take: take.position):
        groups[take.id].append(take)
    return groups
