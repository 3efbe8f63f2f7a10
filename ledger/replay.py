"""Replay: decide every entry again from what was said, the faces typed in and the seed, and compare.

Facts are compared with what is recorded, entry by entry; after a difference the recorded facts are folded, so
that each difference is counted once. Nothing here trusts a checkpoint: the fold starts from zero. In a session
that is still open only recorded faces are used, and its seed is not even read.

`verify` holds a whole ledger to its word: exact bytes, chain, numbering of entries and takes, commitments and
faces, facts re-derived, checkpoints, and heads that somebody kept. It does not prove that nothing was cut off
at the end, or that the whole was not written anew: only a head kept elsewhere shows that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Generic

import msgspec

from ledger.builtin import BUILTIN
from ledger.declarations import Declaration
from ledger.dice import Dice, TypedDice
from ledger.errors import LedgerError, OutOfBalance
from ledger.facts import Amended, Claimed, EntryId, Invalidated, Rolled, Scalar
from ledger.field_diff import ReplayDifference, first_difference, to_json
from ledger.game import GameProtocol, decoder
from ledger.position import LedgerState, decide_and_fold, initial_state
from ledger.projection import Projection, S
from ledger.records import EMPTY, ENCODER, Head, Record, decode, latest_takes, record_hash
from ledger.redecide import RevealedSeed, dice_for_entry, group_by_entry, redecide, revealed_seeds, typed_faces_used
from ledger.service import FACTS_BETWEEN_SNAPSHOTS
from ledger.store import Snapshot, Store


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What `verify` found wrong, and where."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


class ClaimMismatch(msgspec.Struct, frozen=True, kw_only=True):
    """A claim of the table that is not what the ledger says at its entry."""

    entry: str
    value: str
    claimed: Scalar
    actual: Scalar | None


class ReplayReport(msgspec.Struct, kw_only=True):
    """What a replay counted."""

    sessions: list[int] = []
    entries: int = 0
    facts: int = 0
    drawn: int = 0  # faces derived again from revealed seeds
    typed: int = 0  # faces of the table: claims, nothing derives them
    sealed: int = 0  # faces of an open session: they wait for its seed
    rulebooks: list[str] = []
    differences: list[ReplayDifference] = []
    claims: list[ClaimMismatch] = []  # what the table or a print says otherwise than the ledger


class Replay(Generic[S]):
    """One ledger, decided again."""

    def __init__(self, store: Store, game: GameProtocol[S], projection: Projection[S]) -> None:
        self.store, self.game, self.projection = store, game, projection
        self.decoder = decoder(game, BUILTIN)

    def run(self, session: int | None = None) -> ReplayReport:
        """Replay one session, or all. State before it comes from the recorded facts.

        Where they do not add up, the replay ends: that is its last difference.
        """
        report = ReplayReport()
        seeds = revealed_seeds(self.store.takes())
        place = initial_state(self.projection)
        for takes in group_by_entry(self.store.takes()):
            record = takes[-1]
            if session is None or record.session == session:
                self._replay_entry(place, takes, seeds, report)
            try:
                place.fold(record)
            except OutOfBalance as error:
                report.differences.append(_balance_difference(record, error))
                break
            if record.session in report.sessions and place.session.rulebook not in report.rulebooks:
                report.rulebooks.append(place.session.rulebook)
        return report

    def _replay_entry(
        self, place: LedgerState[S], takes: Sequence[Record], seeds: Mapping[int, RevealedSeed], report: ReplayReport
    ) -> None:
        """Decide one entry again and compare."""
        record = takes[-1]
        if record.declared is None:
            return
        if record.session not in report.sessions:
            report.sessions.append(record.session)
        report.entries += 1
        report.facts += len(record.facts)
        _count_entry(record, seeds, report)
        typed, claims = record.declared.faces, record.declared.claims
        dice = dice_for_entry(place, record.id, takes, seeds) if typed is None else TypedDice(typed)
        mark = place.mark()
        try:
            said = self.decoder.decode(record.declared.said)
            decide = redecide if record.has(Invalidated) else decide_and_fold
            derived = decide(self.game, place, said, dice, record.id, claims)
        except (LedgerError, msgspec.MsgspecError, ValueError, RecursionError) as error:
            report.differences.append(_undecidable(record, error))
            return
        finally:
            if place.mark() != mark:
                place.roll_back(mark)
        difference = _declaration_difference(record, said, dice) or first_difference(record, derived)
        if difference is not None:
            report.differences.append(difference)


def _count_entry(record: Record, seeds: Mapping[int, RevealedSeed], report: ReplayReport) -> None:
    """Where the faces of an entry come from (derived again, typed, or still sealed), and which of its claims differ."""
    for fact in record.facts:
        if isinstance(fact, Claimed) and fact.claimed != fact.actual:
            claim = ClaimMismatch(entry=str(record.id), value=fact.value, claimed=fact.claimed, actual=fact.actual)
            report.claims.append(claim)
        if isinstance(fact, Rolled):
            if fact.source == "table":
                report.typed += len(fact.dice)
            elif record.session in seeds:
                report.drawn += len(fact.dice)
            else:
                report.sealed += len(fact.dice)


def _declaration_difference(record: Record, said: Declaration, dice: Dice) -> ReplayDifference | None:
    """Where the first fact of an entry says something else than what was said, or faces that no throw asked for."""
    declared = record.declared
    assert declared is not None
    faces = declared.faces if record.has(Invalidated) else typed_faces_used(dice)
    for field, before, after in (("by", declared.by, said.by), ("faces", declared.faces, faces)):
        if before != after:
            return ReplayDifference(
                entry=str(record.id),
                fact=1,
                kind="declared",
                field=field,
                recorded=to_json(before),
                derived=to_json(after),
                rules=declared.rules,
            )
    return None


def _undecidable(record: Record, error: Exception) -> ReplayDifference:
    """The entry cannot be decided again at all."""
    return ReplayDifference(
        entry=str(record.id),
        fact=1,
        kind="declared",
        field="said",
        recorded=f"{len(record.facts) - 1} facts",
        derived=f"refused: {error}",
        rules=getattr(error, "rules", ()),
    )


def _balance_difference(record: Record, error: OutOfBalance) -> ReplayDifference:
    """The recorded facts of the entry do not add up."""
    return ReplayDifference(
        entry=str(record.id),
        fact=len(record.facts),
        kind="entry",
        field="balance",
        recorded=f"{len(record.facts)} facts",
        derived=error.what,
        rules=(),
    )


def verify(
    store: Store, game: GameProtocol[S], projection: Projection[S], heads: Sequence[Head] = ()
) -> tuple[ReplayReport, list[Finding]]:
    """Everything that can be checked from the records alone. An empty list of findings: all is well."""
    findings = list(_check_chain(store, heads))
    try:
        findings += _check_numbering(store)
        report = Replay(store, game, projection).run()
        findings += [
            Finding(where=f"entry {found.entry}", what=f"the replay differs: {found}") for found in report.differences
        ]
        findings += _check_snapshots(store, projection)
    except LedgerError as error:
        report = ReplayReport()
        findings.append(Finding(where=error.where, what=error.what))
    return report, findings


def _check_chain(store: Store, heads: Sequence[Head]) -> Iterator[Finding]:
    """Positions without a gap, canonical bytes, and every hash over its bytes and the hash before."""
    before, position = EMPTY.hash, 0
    kept = set(heads) - {EMPTY}
    for stored in store.read():
        position += 1
        if stored.position != position:
            yield Finding(where=f"position {position}", what="a record is missing")
            position = stored.position
        try:
            record = decode(stored)
            where = f"entry {record.id} (position {position})"
            if ENCODER.encode(record) != stored.body:
                yield Finding(where=where, what="its bytes are not canonical")
        except LedgerError as error:
            where = f"position {position}"
            yield Finding(where=where, what=error.what)
        if record_hash(before, stored.body) != stored.hash:
            yield Finding(where=where, what="its hash does not fit its bytes and the record before")
        here = {head for head in kept if head.position == position}
        if here - {Head(position, stored.hash)}:
            yield Finding(where=where, what="it is not on the chain of the head that was kept")
        kept -= here
        before = stored.hash
    for beyond in sorted(head.position for head in kept):
        yield Finding(where=f"position {beyond}", what=f"a head was kept there, but the ledger ends at {position}")


def _check_numbering(store: Store) -> Iterator[Finding]:
    """Entries of a session are numbered without a hole, takes of an entry too, and causes exist."""
    before: Record | None = None
    takes = list(store.takes())
    corrections = {str(take.id) for take in takes if take.has(Amended)}
    for take in takes:
        where = f"entry {take.id}"
        if before is not None and take.id == before.id:
            if take.take != before.take + 1:
                yield Finding(where=where, what=f"take {before.take + 1} is missing")
        else:
            if take.take != 1:
                yield Finding(where=where, what="take 1 is missing")
            expected = _possible_next_ids(before)
            if take.id not in expected:
                yield Finding(where=f"entry {expected[0]}", what="the entry is missing")
        if take.cause is not None and take.cause not in corrections:
            yield Finding(where=where, what=f"its cause, entry {take.cause}, is no correction")
        if not take.facts and take.cause is None:
            yield Finding(where=where, what="it has no facts and no cause")
        if take.facts and take.declared is None:
            yield Finding(where=where, what="its first fact is no declaration")
        if take.declared is not None and take.declared.by != take.by:
            yield Finding(where=where, what=f"it is by {take.by}, but {take.declared.by} said it")
        before = take


def _possible_next_ids(before: Record | None) -> tuple[EntryId, ...]:
    """The ids that may stand next in history."""
    if before is None:
        return (EntryId(0, 0),)
    return (
        EntryId(before.session, before.number + 1),
        EntryId(before.session, before.number, before.insert + 1),
        EntryId(before.session + 1, 0),
    )


def _check_snapshots(store: Store, projection: Projection[S]) -> Iterator[Finding]:
    """Every checkpoint holds what the fold from zero makes of the takes up to it."""
    wanted = {kept.entry: kept for kept in store.snapshots()}
    place = initial_state(projection)
    for record in latest_takes(store.takes()):
        place.fold(record)
        kept = wanted.pop(record.id, None)
        if kept is not None and place.to_snapshot(record.id, kept.position) != kept:
            yield Finding(
                where=f"checkpoint at {record.id}",
                what="it differs from the fold (campaign rebuild makes it anew)",
            )
    for entry in wanted:
        yield Finding(where=f"checkpoint at {entry}", what="there is no such entry (campaign rebuild)")


def build_snapshots(store: Store, projection: Projection[S]) -> list[Snapshot]:
    """All checkpoints as they should be: at each session's opening, and after every few hundred facts."""
    place, head, made = initial_state(projection), store.head().position, []
    opened = -1
    for record in latest_takes(store.takes()):
        place.fold(record)
        enough = record.session != opened or place.facts_since_snapshot >= FACTS_BETWEEN_SNAPSHOTS
        if (
            record.facts and enough and not place.reusable_numbers
        ):  # a checkpoint does not know of numbers to be used again
            made.append(place.to_snapshot(record.id, head))
            opened, place.facts_since_snapshot = record.session, 0
    return made
