"""Check the takes of each entry: the cause of every take, and the facts of takes that no longer count.

A superseded take is decided again in the state that it had: the fold of the takes that counted when it was written.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Generic

from ledger.diff import ReplayDifference
from ledger.errors import stored_errors
from ledger.facts import Amended, Declared, EntryId
from ledger.ledger_state import KEEPS_NUMBER, LedgerState, RollbackPoint, initial_state
from ledger.projection import Projection, S
from ledger.records import Record
from ledger.redecide import TakeHistory, revealed_seeds
from ledger.replay import Replay

WITHOUT_TAKES: Final = ("stand", "compensate")  # outcomes of `Amended` that write no take of the entry


def check_causes(takes: Sequence[Record]) -> Iterator[tuple[Record, str]]:
    """Yield each take whose cause is missing or wrong, and the error. `takes` are in order of entries."""
    history, counting = TakeHistory(takes), dict[EntryId, Record]()
    corrections = {str(take.id) for take in takes if take.has(Amended)}
    opening: Record | None = None
    for take in sorted(takes, key=lambda take: take.position):
        before = counting.get(take.id)
        counting[take.id] = take
        if take.cause is None:
            opening = take
            if not take.facts:
                yield take, "it has no facts and no cause"
            elif before is not None and not _is_number_free(before, history):
                yield take, f"no correction is its cause, but it replaces {before.id}@{before.take}"
        elif take.cause not in corrections:
            yield take, f"its cause, entry {take.cause}, is not a correction"
        elif opening is None or str(opening.id) != take.cause or not opening.has(Amended):
            yield take, f"its cause, entry {take.cause}, is not the correction before it"
        elif what := _unnamed(take, before, opening, history):
            yield take, f"its cause, entry {take.cause}, does not name it, but {what}"


def _is_number_free(before: Record, history: TakeHistory) -> bool:
    """Return whether the number of a take was free: it was undone at the end of its session."""
    return not before.facts and history.outcome(before) not in KEEPS_NUMBER


def _unnamed(take: Record, before: Record | None, correction: Record, history: TakeHistory) -> str:
    """Return the change of a take that its correction has to name; empty if it is named or only a consequence."""
    named = {fact.entry: fact.outcome for fact in correction.facts if isinstance(fact, Amended)}
    name = str(take.id) if before is None else f"{take.id}@{before.take}"
    if named.get(name, "stand") not in WITHOUT_TAKES:
        return ""
    if take.declared is None:
        return "it is emptied"
    if before is not None:
        return "" if _same_input(take, take.declared, history) else "its declaration is not the one before"
    is_adjustment = "compensate" in named.values() and not take.insert and take.id > correction.id
    return "" if is_adjustment or _is_pass(take.declared) else "it is inserted"


def _same_input(take: Record, declared: Declared, history: TakeHistory) -> bool:
    """Return whether a take declares what its entry had as input before."""
    said = history.input(take.id, before=take.position)
    return (
        said is not None
        and (said.declaration_json, said.by, said.line, said.claims)
        == (declared.said, declared.by, declared.line, declared.claims)
        and Counter(declared.faces or ()) <= Counter(said.faces or ())
    )


def _is_pass(declared: Declared) -> bool:
    """Return whether a declaration can be a passed turn: a name and one verb."""
    name, _, verb = declared.line.rpartition(" ")
    return name == declared.by and bool(verb)


class Moments(Generic[S]):
    """The states of a ledger in order of writing: before an entry, as the ledger was when a take of it was written.

    Only entries before a wanted take are folded, and only those that changed since the last fold.
    """

    def __init__(self, projection: Projection[S], takes: Sequence[Record]) -> None:
        self.takes = sorted(takes, key=lambda take: take.position)
        self.state: LedgerState[S] = initial_state(projection)
        self._ids: list[EntryId] = []  # of the entries so far, sorted
        self._counting: dict[EntryId, Record] = {}
        self._folded: list[tuple[EntryId, RollbackPoint]] = []  # with the mark before each entry

    def states_before(self, is_wanted: Callable[[Record], bool]) -> Iterator[tuple[Record, LedgerState[S]]]:
        """Yield each wanted take with the state before its entry at that time."""
        for take in self.takes:
            self._roll_back_to(take.id)
            if is_wanted(take):
                self._fold_before(take.id)
                yield take, self.state
            if take.id not in self._counting:
                insort(self._ids, take.id)
            self._counting[take.id] = take

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
                for fact in self._counting[other].facts:
                    self.state.step(other, fact)


def superseded_differences(replay: Replay[S], takes: Sequence[Record]) -> Iterator[tuple[Record, ReplayDifference]]:
    """Yield each superseded take that is decided differently in the state that it had."""
    groups, seeds = _by_entry(takes), revealed_seeds(takes)
    moments = Moments(replay.projection, takes)
    for take, state in moments.states_before(lambda take: take is not groups[take.id][-1] and bool(take.facts)):
        others = [other for other in groups[take.id] if other is not take]
        if take.declared and (difference := replay.decide_again(state, take, [*others, take], seeds)):
            yield take, difference


def _by_entry(takes: Sequence[Record]) -> Mapping[EntryId, list[Record]]:
    """Return the takes of each entry in order of writing."""
    groups = defaultdict[EntryId, list[Record]](list)
    for take in sorted(takes, key=lambda take: take.position):
        groups[take.id].append(take)
    return groups
