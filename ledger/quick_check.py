"""Check a ledger without its rules: the hash chain, the sums of the facts, the snapshots, and the faces of the dice.

One pass in order of entries, with the rolls of one session in memory. Every hash is computed from the bytes of its
record and the hash that is stored before it, so the order of reading does not matter. The facts that count are folded,
and each snapshot must be their sum. Each face of a revealed seed is drawn again, by the purpose and number of its
throw, and the numbers of the throws must be the next ones in order of writing.

Nothing is decided again. So this cannot see that a fact does not follow from its declaration, that a line says
something else, or that a correction changed more than it names; nor are the facts of replaced takes looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Generic, NamedTuple

import msgspec

from ledger.dice import FROM_SEED, commitment, face
from ledger.errors import BadFaces, LedgerError, stored_errors
from ledger.facts import EntryId, Fact, Invalidated, Rolled, SessionClosed
from ledger.head_words import KeptHead
from ledger.ledger_state import initial_state
from ledger.links import OF_LINKS, dice_of, link_problems
from ledger.projection import Projection, S
from ledger.records import GENESIS, Record
from ledger.redaction.public_check import shape_problem
from ledger.redecide import RevealedSeed, revealed_seeds
from ledger.session import SessionState
from ledger.store import ChainedTake, Store
from ledger.throws import throw_problems
from ledger.verify import Finding, KeptHeads, StoredSnapshots, chain_problems, numbering_findings

LOOKED_AT: Final = frozenset({Rolled, SessionClosed})  # facts, besides their sums


class QuickReport(msgspec.Struct, kw_only=True):
    """The counts of a quick check: entries with facts that count, their facts, and the dice by their source."""

    entries: int = 0
    facts: int = 0
    drawn: int = 0  # faces drawn again from revealed seeds
    typed: int = 0  # faces typed in: nothing can draw them
    sealed: int = 0  # faces of an open session, whose seed is still secret
    unproved: int = 0  # faces of sessions that were closed without their seed


def quick_check(
    store: Store, projection: Projection[S], heads: Sequence[KeptHead] = ()
) -> tuple[QuickReport, list[Finding]]:
    """Check everything that can be seen without the rules. An empty list of findings means that there is no error."""
    check = QuickCheck(store, projection, heads)
    findings = []
    try:
        with stored_errors("ledger"):
            for finding in check.findings():
                findings.append(finding)  # noqa: PERF402 - those before an error are kept
    except LedgerError as error:
        findings.append(Finding(where=error.where, what=error.what))
    return check.report, findings


class QuickCheck(Generic[S]):
    """A ledger on its way through the check: the state so far, and the rolls and closings of the running session."""

    def __init__(self, store: Store, projection: Projection[S], heads: Sequence[KeptHead]) -> None:
        self.store = store
        self.report = QuickReport()
        self._state = initial_state(projection)
        self._adds_up = True
        self._kept, self._snapshots = KeptHeads(heads), StoredSnapshots(store)
        self._rolls: list[SeededRoll] = []
        self._closings: list[Record] = []
        self._thrown: list[Record] = []  # the takes of entries with throws from the seed

    def findings(self) -> Iterator[Finding]:
        """Check all takes, and yield what is wrong. Raises an error of a record that cannot be read."""
        last: Record | None = None
        for take in self.store.chained_takes():
            yield from self._chain_findings(take)
            yield from numbering_findings(last, take.record)
            if last is not None:
                yield from self._take_findings(last, following=take.record)
            last = take.record
        if last is not None:
            yield from self._take_findings(last, following=None)
        if self._adds_up:
            yield from self._snapshots.left_over()
        yield from self._kept.beyond(self.store.head().position)

    def _chain_findings(self, take: ChainedTake) -> Iterator[Finding]:
        """Check the bytes and the hash of a record, and a head that was kept of it."""
        record, stored, before = take
        if before is None:
            yield Finding(where=f"position {stored.position - 1}", what="a record is missing")
        for what in (*chain_problems(stored, before or GENESIS, self._kept), shape_problem(stored, record)):
            if what:
                yield Finding(where=f"entry {record.id} (position {stored.position})", what=what)

    def _take_findings(self, take: Record, following: Record | None) -> Iterator[Finding]:
        """Check a take that counts, or note the seed that another one reveals. Then end the session."""
        if take.has_any(OF_LINKS) or (self._thrown and self._thrown[-1].id == take.id):
            self._thrown.append(take)
        if following is not None and following.id == take.id:
            if take.has(SessionClosed):
                self._closings.append(take)
            return
        if self._adds_up:
            yield from self._fold_findings(take)
        if following is None or following.session != take.session:
            yield from self._roll_findings(take.session)

    def _fold_findings(self, record: Record) -> Iterator[Finding]:
        """Fold the take that counts, check the snapshot after it, and note its dice."""
        self.report.entries += bool(record.facts)
        self.report.facts += len(record.facts)
        for what in self._dice_problems(record):
            yield Finding(where=f"entry {record.id}", what=what)
        try:
            self._state.fold(record)
        except LedgerError as error:
            self._adds_up = False
            yield Finding(where=f"entry {record.id}", what=f"its facts do not add up: {error.what}")
            return
        yield from self._snapshots.differences(record, self._state)

    def _dice_problems(self, record: Record) -> Iterator[str]:
        """Note the rolls of an entry and the seed that it reveals; compare its typed faces with those of its line."""
        typed = list[int]()
        for fact in record.facts:
            if type(fact) is Rolled and fact.source == "table":
                typed += [die.face for die in fact.dice]
            elif type(fact) in LOOKED_AT and (what := self._note(fact, record)):
                yield what
        self.report.typed += len(typed)
        said = record.declared.faces if record.declared else None
        if (typed or said) and sorted(typed) != sorted(said or ()) and not record.has(Invalidated):
            yield f"it shows the typed faces {_list(typed)}, but its line has {_list(said or ())}"

    def _note(self, fact: Fact, record: Record) -> str:
        """Note a roll or a closing of an entry; return what is wrong."""
        session = self._state.session
        if type(fact) is Rolled:
            if fact.source not in FROM_SEED or not session.open:
                return f"its dice are of no source that it can have: {fact.source}"
            self._rolls.append(SeededRoll(record.id, fact, session))
        elif type(fact) is SessionClosed:
            self._closings.append(record)
            if fact.seed and not is_committed(fact.seed, session):
                return "the seed that it reveals is not the one that the session committed to"
        return ""

    def _roll_findings(self, session: int) -> Iterator[Finding]:
        """Draw the faces of a session that has ended again, and count its throws."""
        ledger = self._state.session.ledger
        for take, what in (*throw_problems(self._thrown), *link_problems(self._thrown, ledger)):
            yield Finding(where=f"entry {take.id}@{take.take}", what=what)
        seed = revealed_seeds(self._closings).get(session)
        is_closed = any(closing.has(SessionClosed) for closing in self._closings)
        for roll in self._rolls:
            if seed is None and is_closed:
                self.report.unproved += len(roll.rolled.dice)
            elif seed is None:
                self.report.sealed += len(roll.rolled.dice)
            else:
                self.report.drawn += len(roll.rolled.dice)
                if what := roll.problem(seed):
                    yield Finding(where=f"entry {roll.entry}", what=what)
        self._rolls, self._closings, self._thrown = [], [], []


class SeededRoll(NamedTuple):
    """A roll of an entry, with the session as it was before it."""

    entry: EntryId
    rolled: Rolled
    session: SessionState

    def problem(self, seed: RevealedSeed) -> str:
        """Return how the faces differ from those of the seed; empty if they do not."""
        key, rolled = seed.key(self.session.ledger, self.session.number, self.session.words), self.rolled
        recorded = [die.face for die in rolled.dice]
        try:
            drawn = [face(key, *die, link) for die, link in dice_of(rolled)]
        except BadFaces as error:
            return error.what
        if drawn == recorded:
            return ""
        return f"the seed gives {_list(drawn)} for {rolled.purpose}, but {_list(recorded)} are recorded"


def is_committed(seed: str, session: SessionState) -> bool:
    """Return whether a seed in hex digits is the one that a session committed to."""
    try:
        return session.commitment == commitment(session.ledger, session.number, bytes.fromhex(seed))
    except ValueError:
        return False


def _list(faces: Sequence[int]) -> str:
    """Return faces for a sentence: `7, 6`, or `none`."""
    return ", ".join(map(str, faces)) or "none"
