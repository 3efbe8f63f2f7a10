"""Check the takes of each entry: the cause of every take, and the facts of takes that no longer count.

A superseded take is decided again in the state that it had: the fold of the takes that counted when it was written.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, pairwise
from typing import Final, Generic, Protocol

from ledger.errors import LedgerError, unusable
from ledger.facts import Amended, EntryId
from ledger.implied_passes import implying_entry, place_before, start_of
from ledger.ledger_state import KEEPS_NUMBER, LedgerState, RollbackPoint, initial_state
from ledger.projection import Projection, S
from ledger.records import Record
from ledger.redecide import group_by_entry
from ledger.replay import Replay
from ledger.writing_order import Log, Reach, Touched

LET_GO_AT: Final = 200  # entries
Problem = Callable[[Touched], str]  # what is wrong with a take, given what corrections touch; empty if nothing is


class CauseCheck:
    """The causes of takes, looked at on the way of others through a log: each must be there, and be right.

    Whether a cause is a correction is known once the whole log was read.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._counting = dict[EntryId, Record]()  # of the entries that are replaced
        self._opening: Record | None = None
        self._last: EntryId | None = None
        self._problems: list[tuple[Record, Problem]] = []

    def watch(self, takes: Iterable[Record]) -> Iterator[Record]:
        """Yield these takes, which are all that can be read of the log, and look at each of them."""
        replaced = self._log.order.replaced
        for take, following in _pairs(takes):
            id = take.id
            is_next = self._last is None or id > self._last
            if not (is_next and _is_usual(take) and id not in replaced):
                self._problems += ((take, problem) for problem in self._problems_of(take, id, following))
            if is_next:
                self._last = id
            if take.cause is None:
                self._opening = take
            yield take

    def findings(self) -> Iterator[tuple[str, str]]:
        """Yield the name of each take whose cause is missing or wrong, and the error, once all takes were looked at."""
        for take, problem in self._problems:
            if what := problem(self._log.touched):
                yield f"{take.id}@{take.take}", what

    def _problems_of(self, take: Record, id: EntryId, following: Record | None) -> Iterable[Problem]:
        """Return what may be wrong with a take of an entry."""
        before = self._counting.get(id)
        if id in self._log.order.replaced:
            self._counting[id] = take
        if take.cause is not None:
            return _cause_problems(take, following, self._opening)
        replacement = _place_problems(take, id, self._last) if before is None else _replacement_problems(take, before)
        return (*_line_problems(take, self._opening), *replacement)


def _is_usual(take: Record) -> bool:
    """Return whether a take has no cause and is of a line of its own, and of an entry that was not put in."""
    return take.cause is None and take.facts != () and not take.insert and not take.line_start


def _surely(what: str) -> Problem:
    """Return a problem that is one whatever corrections touch."""
    return lambda touched: what


def _cause_problems(take: Record, following: Record | None, opening: Record | None) -> Iterator[Problem]:
    """Check the cause of a take: the declaration that implies it, or the correction before it."""
    if take.cause == implying_entry(take):
        if not _precedes_cause(take, following):
            yield _surely(f"its cause, entry {take.cause}, is not written right after it")
        elif following is not None and take.sender != following.sender:
            yield _surely(f"it came by another door than its cause, entry {take.cause}")
    elif opening is not None and str(opening.id) == take.cause and take.sender != opening.sender:
        yield _surely(f"it came by another door than its cause, entry {take.cause}")
    elif opening is None or str(opening.id) != take.cause or not opening.has(Amended):
        yield partial(_no_correction, str(take.cause))


def _no_correction(cause: str, touched: Touched) -> str:
    """Return why a cause cannot be one: it is no correction, or not the one before the take."""
    return (
        f"its cause, entry {cause}, is not {'the correction before it' if cause in touched.amended else 'a correction'}"
    )


def _line_problems(take: Record, opening: Record | None) -> Iterator[Problem]:
    """Check that a take without a cause has facts, and goes on with its line."""
    if take.line_start and not _continues_line(take, opening):
        yield _surely(f"its line begins at entry {take.line_start}, but it is not written right after it")
    if not take.facts:
        yield _surely("it has no facts and no cause")


def _place_problems(take: Record, id: EntryId, last: EntryId | None) -> Iterator[Problem]:
    """Check that the first take of an entry, without a cause, stands behind all that was written before it."""
    if take.facts and take.insert:
        yield _surely("it is inserted, but no correction is its cause")
    elif take.facts and last is not None and id < last:
        yield _surely(f"it is written after {last}, but stands before it")


def _replacement_problems(take: Record, before: Record) -> Iterator[Problem]:
    """Check that a take without a cause replaces one whose number was free: it was undone at the end of its session."""
    name = f"{before.id}@{before.take}"
    if take.facts and before.facts:
        yield _surely(f"no correction is its cause, but it replaces {name}")
    elif take.facts:
        yield partial(_keeps_number, name, before.cause or "", str(before.id))


def _keeps_number(name: str, cause: str, entry: str, touched: Touched) -> str:
    """Return why a take without facts cannot be replaced: the correction that emptied it keeps its number."""
    is_kept = touched.amended.get(cause, {}).get(entry) in KEEPS_NUMBER
    return f"no correction is its cause, but it replaces {name}" if is_kept else ""


def _pairs(takes: Iterable[Record]) -> Iterator[tuple[Record, Record | None]]:
    """Yield each take with the one after it."""
    return pairwise(chain(takes, (None,)))  # type: ignore[arg-type]  # None comes last, so never first


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


class TakeCheck(Protocol[S]):
    """A check that decides some takes of a log again."""

    def entry_before(self, take: Record, moments: Moments[S]) -> EntryId | None:
        """Return the entry before which a take is decided again; None if it is not."""

    def differences(self, take: Record, state: LedgerState[S], moments: Moments[S]) -> Iterator[tuple[str, str]]:
        """Yield the name of each take that is wrong, and what is wrong, in the state before that entry."""


class Moments(Generic[S]):
    """The states of a ledger in order of writing: before an entry, as the ledger was when a take of it was written.

    Only entries before a wanted take are folded, and only those that changed since the last fold. Those that no later
    take reaches are folded for good.
    """

    def __init__(
        self,
        projection: Projection[S],
        takes: Iterable[Record],
        reach: Reach | None = None,
        before: LedgerState[S] | None = None,
        kept: Iterable[Record] = (),
    ) -> None:
        """`takes` are in order of writing; `reach` knows how far back they reach. Without it all can be rolled back.

        If they are not all, `before` is the state before the oldest entry that they need, and `kept` are the takes of
        the entries from there on that were written before, in order of entries.
        """
        self.takes, self.reach = takes, reach
        self.state: LedgerState[S] = before or initial_state(projection)
        self._written = {takes[0].id: takes for takes in group_by_entry(kept)}  # the takes so far of the kept entries
        self._ids = list(self._written)  # sorted
        self._folded: list[tuple[EntryId, RollbackPoint]] = []  # with the mark before each entry

    def states_before(self, wanted: Callable[[Record], EntryId | None]) -> Iterator[tuple[Record, LedgerState[S]]]:
        """Yield takes with the state before an entry at that time: the one that `wanted` returns for a take, if any."""
        for take in self.takes:
            id = take.id
            self._roll_back_to(id)
            if (entry := wanted(take)) is not None:
                self._roll_back_to(entry)
                self._fold_before(entry)
                yield take, self.state
                self._roll_back_to(id)
            if id not in self._written:
                insort(self._ids, id)
                self._written[id] = []
            self._written[id].append(take)
            if self.reach is not None and len(self._ids) >= LET_GO_AT:
                self._let_go(self.reach.after(take.position))

    def states_for(
        self, checks: Sequence[TakeCheck[S]], positions: Container[int]
    ) -> Iterator[tuple[Record, TakeCheck[S], LedgerState[S]]]:
        """Yield the takes at these positions with each check that looks at them.

        The state is that before the entry which the check asks for.
        """
        wanted = dict[int, EntryId]()  # by the place of the check

        def first_wanted(take: Record) -> EntryId | None:
            if take.position not in positions:
                return None
            entries = ((place, check.entry_before(take, self)) for place, check in enumerate(checks))
            wanted.clear()
            wanted.update((place, entry) for place, entry in entries if entry is not None)
            return min(wanted.values(), default=None)

        for take, _ in self.states_before(first_wanted):
            for place, entry in list(wanted.items()):
                yield take, checks[place], self.state_before(entry)

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

    def _let_go(self, oldest: EntryId | None) -> None:
        """Fold for good the entries that no later take reaches, once they are many."""
        end = len(self._ids) - 1
        if oldest is not None:
            end = min(end, bisect_left(self._ids, oldest))
        if end >= LET_GO_AT // 2:
            self._roll_back_to(self._ids[end])
            start = bisect_left(self._ids, self._folded[-1][0]) + 1 if self._folded else 0
            self.state.projection.commit(self.state.state)
            self._folded.clear()
            for id in self._ids[start:end]:
                self.state.fold(self._written[id][-1])
            for id in self._ids[:end]:
                del self._written[id]
            del self._ids[:end]

    def _roll_back_to(self, id: EntryId) -> None:
        """Take back the entry and those after it."""
        while self._folded and self._folded[-1][0] >= id:
            self.state.roll_back(self._folded.pop()[1])

    def _fold_before(self, id: EntryId) -> None:
        """Fold the takes that count of the entries before `id`."""
        start = bisect_left(self._ids, self._folded[-1][0]) + 1 if self._folded else 0
        for other in self._ids[start : bisect_left(self._ids, id)]:
            self._folded.append((other, self.state.mark()))
            try:
                for fact in self._written[other][-1].facts:
                    self.state.step(other, fact)
            except LedgerError:
                raise
            except Exception as error:
                raise unusable(error, "entry", other) from error


class SupersededCheck(Generic[S]):
    """The takes that no longer count, each decided again in the state that it had."""

    def __init__(self, replay: Replay[S], log: Log) -> None:
        self.replay, self.touched = replay, log.touched

    def entry_before(self, take: Record, moments: Moments[S]) -> EntryId | None:
        """Return the entry of a superseded take, before which it is decided again; None for other takes."""
        takes = self.touched.replaced.get(take.id)
        return take.id if takes and take.facts and take.position != takes[-1].position else None

    def differences(self, take: Record, state: LedgerState[S], moments: Moments[S]) -> Iterator[tuple[str, str]]:
        """Yield the name of a superseded take that is decided differently, and how."""
        others = [other for other in self.touched.replaced[take.id] if other.position != take.position]
        if take.declared and (difference := self.replay.decide_again(state, take, [*others, take], self.touched.seeds)):
            yield f"{take.id}@{take.take}", f"the replay differs: {difference}"
