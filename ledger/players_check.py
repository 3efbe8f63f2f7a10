"""Check the records of a players' bundle, which have no secret in them, as far as that can be done.

Their bytes and their chain are checked while they are read (`bundle_reader`). Here: the numbers of entries and takes,
kept heads, the commitments of closed sessions, the faces of revealed seeds, and in sessions without anything sealed the
numbers of throws. Nothing is decided again and nothing is added up: that needs what is sealed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

import msgspec
from msgspec.structs import replace

from ledger.dice import FROM_SEED
from ledger.facts import (
    CampaignCreated,
    ChainCommitted,
    EntryId,
    Rolled,
    SessionClosed,
    SessionOpened,
    WordsAdded,
)
from ledger.head_words import KeptHead
from ledger.links import link_problems
from ledger.quick_check import SeededRoll, is_committed
from ledger.records import Record, StoredRecord, latest_takes
from ledger.redecide import revealed_seeds
from ledger.session import SessionState
from ledger.session_proof import SessionProof, proofs_of
from ledger.throws import throw_problems
from ledger.verify import Finding, KeptHeads, possible_next_ids

OF_DICE: Final = (CampaignCreated, SessionOpened, WordsAdded, ChainCommitted, SessionClosed, Rolled)


class PlayersReport(msgspec.Struct, kw_only=True):
    """The counts of a check: records, those with something sealed, and the dice that count by their source."""

    records: int = 0
    with_sealed: int = 0
    drawn: int = 0  # faces drawn again from revealed seeds
    typed: int = 0  # faces typed in: nothing can draw them
    open: int = 0  # faces of an open session, whose seed is still secret
    unproved: int = 0  # faces of sessions that were closed without their seed


class PlayersCheck:
    """The check of a players' bundle, whose records are added in order of writing."""

    def __init__(self, heads: Sequence[KeptHead] = ()) -> None:
        """`heads` were kept elsewhere and must be in the chain."""
        self.report, self.proofs = PlayersReport(), list[SessionProof]()
        self.commitments: dict[str, int] = {}  # of the sessions, with their numbers
        self._kept, self._findings = KeptHeads(heads), list[Finding]()
        self._takes: dict[EntryId, int] = {}  # how many an entry has
        self._of_dice: list[Record] = []  # the takes of the entries that may matter for dice, with those facts alone
        self._sealed_sessions = set[int]()

    def add(self, stored: StoredRecord, record: Record) -> None:
        """Take in the next record."""
        self.report.records += 1
        where = f"entry {record.id} (position {stored.position})"
        if self._kept.differ(stored):
            self._findings.append(Finding(where=where, what="its hash differs from the head that was kept"))
        if stored.sealed_hash is not None:
            self.report.with_sealed += 1
            self._sealed_sessions.add(record.session)
        number = self._takes[record.id] = self._takes.get(record.id, 0) + 1
        if record.take != number:
            self._findings.append(Finding(where=where, what=f"it is take {record.take}, and should be {number}"))
        facts = tuple(fact for fact in record.facts if isinstance(fact, OF_DICE))
        if facts or number > 1:
            self._of_dice.append(replace(record, facts=facts))

    def findings(self) -> list[Finding]:
        """Return what is wrong, once all records were added."""
        findings = [*self._findings, *self._kept.beyond(self.report.records), *self._gaps()]
        takes = sorted(self._of_dice, key=lambda take: (take.id, take.position))
        counting = list(latest_takes(takes))
        state = SessionState()
        for number, of_session in groupby(counting, key=lambda take: take.session):
            entries, own = list(of_session), [take for take in takes if take.session == number]
            state, rolls = self._played(entries, state)
            findings += self._roll_findings(rolls, own, state)
            is_sealed = number in self._sealed_sessions
            problems = [*link_problems(own, state.ledger, gaps=is_sealed), *(() if is_sealed else throw_problems(own))]
            findings += (Finding(where=f"entry {each.id}@{each.take}", what=what) for each, what in problems)
        self.proofs = [proof for _, proof in sorted(proofs_of(counting).items())]
        return findings

    def _gaps(self) -> Iterator[Finding]:
        """Yield the entries that are missing."""
        before: EntryId | None = None
        for id in sorted(self._takes):
            if id not in possible_next_ids(before):
                yield Finding(where=f"entry {next(possible_next_ids(before))}", what="the entry is missing")
            before = id

    def _played(self, entries: Sequence[Record], state: SessionState) -> tuple[SessionState, list[SeededRoll]]:
        """Return a session after its entries, and its rolls from the seed, each with the session before it."""
        rolls = list[SeededRoll]()
        for record in entries:
            for fact in record.facts:
                if isinstance(fact, Rolled) and fact.source in FROM_SEED:
                    rolls.append(SeededRoll(record.id, fact, state))
                elif isinstance(fact, SessionOpened):
                    self.commitments[fact.commitment] = fact.number
                elif isinstance(fact, Rolled):
                    self.report.typed += len(fact.dice)
                state = state.after(fact)
        return state, rolls

    def _roll_findings(
        self, rolls: Sequence[SeededRoll], takes: Sequence[Record], state: SessionState
    ) -> Iterator[Finding]:
        """Check the seed that a session reveals, and draw its faces again. `state` is that after its last entry."""
        seed = revealed_seeds(takes).get(state.number)
        for record in takes:
            for fact in record.facts:
                if isinstance(fact, SessionClosed) and fact.seed and not is_committed(fact.seed, state):
                    what = "the seed that it reveals is not the one that the session committed to"
                    yield Finding(where=f"entry {record.id}", what=what)
        for roll in rolls:
            dice = len(roll.rolled.dice)
            if seed is None:
                self.report.open += dice if state.open else 0
                self.report.unproved += 0 if state.open else dice
                continue
            self.report.drawn += dice
            if what := roll.problem(seed):
                yield Finding(where=f"entry {roll.entry}", what=what)
