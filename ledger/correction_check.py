"""Decide every correction again, as the ledger was when it was written, and compare the takes that it caused.

The edits are read from its `Amended` facts and from its takes: what it gave each entry that it names. Everything else
follows from the edits, so a take that does not follow, or that is missing, was not written by this program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Generic

import msgspec

from ledger.corrections.correction import take_name
from ledger.dice import DieKey
from ledger.diff import first_difference
from ledger.errors import LedgerError, Unreadable, stored_errors
from ledger.facts import VISIBLE, Amended, EntryId, Fact, parse_entry_id
from ledger.ledger_state import LedgerState
from ledger.links import ALONE, links_of
from ledger.projection import S
from ledger.records import Record
from ledger.redecide import TakeHistory, corrected_entry, input_of
from ledger.replay import Replay
from ledger.take_check import Moments
from ledger.throws import seeded_throws
from ledger.whatif.outcomes import Edit, EntryOutcome
from ledger.whatif.record import RecordedWorld
from ledger.whatif.run import AlternativeRun
from ledger.whatif.turns import WrittenPasses
from ledger.writing_order import Log, amended_facts, first_corrected, is_correction

NOTES: Final = ("stand", "compensate")  # outcomes of `Amended` that change no entry
REMOVALS: Final = ("undo", "drop", "revoke")
CHANGES: Final = ("retcon", "insert", "answer")
OUTCOMES: Final = (*NOTES, *REMOVALS, *CHANGES, "restore")


class CorrectionCheck(Generic[S]):
    """The corrections of a ledger, each with the takes that it caused."""

    def __init__(self, replay: Replay[S], log: Log) -> None:
        self.replay, self.log = replay, log

    def entry_before(self, take: Record, moments: Moments[S]) -> EntryId | None:
        """Return the entry before which a correction is decided again, or an adjustment; None for other takes."""
        if not is_correction(take):
            return take.id if self._is_adjustment(take) else None
        try:
            return moments.start_of(first_corrected(take))
        except Unreadable:
            return take.id

    def differences(self, take: Record, state: LedgerState[S], moments: Moments[S]) -> Iterator[tuple[str, str]]:
        """Yield the name of each take that does not follow from a correction, and what is wrong."""
        try:
            with stored_errors(f"entry {take.id}"):
                differences = list(self._differences_of(take, state, moments))
        except LedgerError as error:
            differences = [(f"{take.id}@{take.take}", f"it cannot be decided again: {error.what}")]
        yield from differences

    def _is_adjustment(self, take: Record) -> bool:
        """Return whether the cause of a take only notes an error."""
        corrections = self.log.touched.corrections.get(take.cause or "")
        return corrections is not None and is_note(corrections[-1])

    def _differences_of(self, take: Record, state: LedgerState[S], moments: Moments[S]) -> Iterator[tuple[str, str]]:
        """Yield what is wrong with a correction and its takes, or with an adjustment."""
        if not is_correction(take):
            if not self._adjusts(take, self.log.touched.corrections[str(take.cause)][-1], state):
                yield f"{take.id}@{take.take}", f"its cause, entry {take.cause}, only notes an error"
            return
        facts = amended_facts(take)
        history = TakeHistory(moments.takes_from(moments.start_of(first_corrected(take))))
        named = list(_naming_problems(facts, history))
        yield from ((f"{take.id}@{take.take}", what) for what in named)
        if not named and not is_note(take):
            yield from self._compare(take, self._derive(take, facts, history, state))

    def _derive(
        self, correction: Record, facts: Sequence[Amended], history: TakeHistory, state: LedgerState[S]
    ) -> list[EntryOutcome]:
        """Return the outcomes that a correction writes, in the state before its first entry."""
        given = {take.id: take for take in self.log.touched.caused[str(correction.id)]}
        edits = {id: _edit_of(fact, id, given.get(id), facts, history) for id, fact in _by_id(facts).items()}
        run = AlternativeRun(
            self.replay.game,
            self.replay.decoder,
            _copy_of(state),
            history,
            {session: seed for session, seed in self.log.touched.seeds.items() if seed.position < correction.position},
            edits,
            RecordedWorld(_copy_of(state), history, edits),
            WrittenPasses(given.values()),
            WrittenThrows(given),
        )
        outcomes = [outcome for outcome in run.outcomes() if outcome.writes]
        if run.need is not None:
            raise Unreadable(f"entry {run.need.id} needs faces that were never drawn")
        return outcomes

    def _compare(self, correction: Record, outcomes: Sequence[EntryOutcome]) -> Iterator[tuple[str, str]]:
        """Yield the takes of a correction that differ from its outcomes, and those that are missing."""
        derived = {outcome.id: outcome for outcome in outcomes}
        cause = f"its cause, entry {correction.id}"
        for take in self.log.touched.caused[str(correction.id)]:
            name = f"{take.id}@{take.take}"
            outcome = derived.pop(take.id, None)
            if outcome is None:
                yield name, f"{cause}, does not lead to it"
            elif take.facts != outcome.after:
                difference = first_difference(take, outcome.after[1:]) if take.facts and outcome.after else None
                yield name, f"{cause}, gives it other facts" + (f": {difference}" if difference else "")
            elif take.seen != (seen := (outcome.input or outcome.before or correction).seen):
                yield name, f"{cause}, shows it to '{seen}', not to '{take.seen}'"
        for id in derived:
            yield str(id), f"the correction {correction.id} leads to a take of it, but there is none"

    def _adjusts(self, take: Record, correction: Record, state: LedgerState[S]) -> bool:
        """Return whether a take is an adjustment that the game has, for the reason of the note."""
        fact = amended_facts(correction)[0]
        if take.declared is None or take.take != 1 or take.seen != VISIBLE or fact.outcome != "compensate":
            return False
        said = self.replay.decoder.decode(take.declared.said)
        parts = set(_parts(msgspec.to_builtins(said)))
        numbers = {part for part in parts if type(part) is int}
        names = {*state.values(), *(part for part in parts if isinstance(part, str))}  # it may give somebody a value
        reason, adjustment = fact.because or "compensation", self.replay.game.adjustment
        return any(adjustment(correction.by, name, change, reason) == said for name in names for change in numbers)


class WrittenThrows:
    """The numbers and links of new throws as the takes of a correction have them.

    Whether they are right, `throws` and `links` say.
    """

    def __init__(self, takes: Mapping[EntryId, Record]) -> None:
        self._takes = takes

    def next(self, entry: EntryId, purpose: str) -> int:
        """Return the number of a throw that the take of an entry has; 0 if it has none."""
        take = self._takes.get(entry)
        return dict(seeded_throws(take.facts)).get(purpose, 0) if take else 0

    def link(self, session: int, die: DieKey) -> str:
        """Return the link of a die that a take of a session has; empty if it has none."""
        takes = (take for take in self._takes.values() if take.session == session)
        return links_of(fact for take in takes for fact in take.facts).get(die, ALONE)

    def replace(self, entry: EntryId, before: Iterable[Fact], after: Iterable[Fact]) -> None:
        """Do nothing: the takes are written."""


def is_note(correction: Record) -> bool:
    """Return whether a correction changes no entry."""
    return all(fact.outcome in NOTES for fact in amended_facts(correction))


def _naming_problems(facts: Sequence[Amended], history: TakeHistory) -> Iterator[str]:
    """Yield each entry that a correction cannot have named so: not the take that counted, or no such outcome."""
    for id, fact in _by_id(facts).items():
        expected = take_name(history, id)
        if fact.entry != expected:
            yield f"it names {fact.entry}, but {expected} counted"
        if fact.outcome not in OUTCOMES:
            yield f"'{fact.outcome}' is no outcome of a correction"
    if len({fact.outcome in NOTES for fact in facts}) > 1:
        yield "it notes one error and changes another"


def _by_id(facts: Sequence[Amended]) -> dict[EntryId, Amended]:
    """Return the facts of a correction by entry."""
    return {parse_entry_id(corrected_entry(fact)): fact for fact in facts}


def _edit_of(fact: Amended, id: EntryId, given: Record | None, facts: Sequence[Amended], history: TakeHistory) -> Edit:
    """Return the edit of an entry that a correction names; `given` is the take that it caused there."""
    if fact.outcome in REMOVALS:
        return Edit(input=None, outcome=fact.outcome)
    if fact.outcome == "restore":
        revoked = next((corrected_entry(other) for other in facts if other.outcome == "revoke"), "")
        entries = history.entries.get(parse_entry_id(revoked), []) if revoked else []
        return Edit(input=history.input(id, before=entries[0].position if entries else 0), outcome=fact.outcome)
    if given is None or given.declared is None:
        return Edit(input=history.input(id) if id in history.entries else None, outcome=fact.outcome)
    return Edit(input=input_of(given, given.declared), outcome=fact.outcome, in_order=True)


def _copy_of(state: LedgerState[S]) -> LedgerState[S]:
    """Return a copy of a state, which may be changed for good."""
    projection = state.projection
    return LedgerState(projection, projection.unpack(projection.pack(state.state)), state.session, state.last)


def _parts(value: Any) -> Iterator[Any]:
    """Yield every number and text in nested lists and mappings."""
    for part in value.values() if isinstance(value, dict) else value:
        if isinstance(part, dict | list | tuple):
            yield from _parts(part)
        else:
            yield part
