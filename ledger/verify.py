"""Check a whole ledger: stored bytes, hash chain, numbering of entries and takes, replay, and snapshots.

This does not prove that no records were cut off at the end, or that the whole ledger was not rewritten. Only a head
that somebody kept elsewhere shows that (`heads`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic

import msgspec

from ledger.errors import LedgerError, NewerRules, stored_errors, unusable
from ledger.facts import EntryId
from ledger.game import GameProtocol
from ledger.head_words import KeptHead
from ledger.ledger_state import LedgerState, initial_state, unpack_state
from ledger.links import OF_LINKS, link_problems
from ledger.projection import Projection, S
from ledger.read_ahead import ReadAhead
from ledger.records import (
    EMPTY,
    FORMAT,
    Record,
    SaidDecoder,
    StoredRecord,
    decode,
    is_canonical,
    is_same_entry,
    record_hash,
)
from ledger.redaction.public_check import PublicCheck, shape_problem
from ledger.replay import Replay, ReplayReport, SessionTakes, sessions_of
from ledger.store import Snapshot, Store
from ledger.take_check import CauseCheck
from ledger.throws import throw_problems
from ledger.touched_check import TouchedCheck
from ledger.writing_order import Log


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """An error in a ledger, with its place."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


class KeptHeads:
    """Heads that were kept elsewhere, to be found in the chain."""

    def __init__(self, heads: Iterable[KeptHead]) -> None:
        self._kept = set(heads) - {EMPTY}

    def differ(self, stored: StoredRecord) -> bool:
        """Return whether another head was kept at the position of this record."""
        if not self._kept:
            return False
        here = {head for head in self._kept if head.position == stored.position}
        self._kept -= here
        return not all(head.fits(stored.hash) for head in here)

    def beyond(self, position: int) -> Iterator[Finding]:
        """Yield the heads that no record has had, once all were asked about."""
        for beyond in sorted(head.position for head in self._kept):
            yield Finding(where=f"position {beyond}", what=f"a head was kept there, but the ledger ends at {position}")


class StoredSnapshots:
    """The snapshots of a store, in order of entries, compared with the state that was folded up to them."""

    def __init__(self, store: Store) -> None:
        self._snapshots = store.snapshots()
        self._next = next(self._snapshots, None)

    def differences(self, record: Record, state: LedgerState[S]) -> Iterable[Finding]:
        """Check the snapshot after this record, and that there are none at entries between those that were folded."""
        entry = record.id
        return () if self._next is None or self._next.entry > entry else self._differences(entry, state)

    def _differences(self, entry: EntryId, state: LedgerState[S]) -> Iterator[Finding]:
        """Check the snapshots up to this entry."""
        yield from self.left_over(before=entry)
        snapshot = self._next
        if snapshot is None or snapshot.entry != entry:
            return
        if not _says(snapshot, state):
            yield _snapshot_finding(snapshot, "it differs from the records")
        self._next = next(self._snapshots, None)

    def left_over(self, before: EntryId | None = None) -> Iterator[Finding]:
        """Yield the snapshots at entries that do not exist: before this one, or all that are left."""
        while (snapshot := self._next) is not None and (before is None or snapshot.entry < before):
            yield _snapshot_finding(snapshot, "there is no such entry")
            self._next = next(self._snapshots, None)


class StateChecks(Generic[S]):
    """The checks on the way through all entries: of what corrections touch, of throws, and of the snapshots."""

    def __init__(self, store: Store, state: LedgerState[S], touched: TouchedCheck[S]) -> None:
        self.state, self.touched = state, touched
        self.throws: list[tuple[str, str]] = []  # the takes with wrong throws, and what is wrong
        self._snapshots, self._findings = StoredSnapshots(store), list[Finding]()

    def before_session(self, session: SessionTakes) -> None:
        """Count the throws of a session, and find what corrections touch in it; the state is that before it."""
        several = [takes for takes in session.entries if len(takes) > 1 or takes[0].has_any(OF_LINKS)]
        takes, ledger = [take for takes in several for take in takes], self.state.session.ledger
        has_links = any(take.v > FORMAT for take in takes)  # else its bytes could not be canonical
        problems = (*throw_problems(takes), *(link_problems(takes, ledger) if has_links else ()))
        self.throws += ((f"{take.id}@{take.take}", what) for take, what in problems)
        self.touched.before_session(session, self.state)

    def after_entry(self, record: Record) -> None:
        """Check what needs the state after this entry, which it has folded last: a snapshot, and what is due there."""
        self._findings += self._snapshots.differences(record, self.state)
        self.touched.after_entry(record, self.state)

    def fold(self, takes: Iterable[Record]) -> bool:
        """Fold the takes that count of these, with the checks, and return whether their facts add up."""
        for session in sessions_of(takes):
            self.before_session(session)
            for *_, record in session.entries:
                try:
                    self.state.fold(record)
                except LedgerError:
                    return False  # the replay of the other processes says what is wrong
                self.after_entry(record)
        return True

    def snapshot_findings(self, *, complete: bool) -> list[Finding]:
        """Return what is wrong with the snapshots. `complete`: all entries were folded, so any left belongs to none."""
        return [*self._findings, *(self._snapshots.left_over() if complete else ())]


def _says(snapshot: Snapshot, state: LedgerState[S]) -> bool:
    """Return whether a snapshot holds this state; that of an older version may be written otherwise."""
    body = state.pack()
    if snapshot.body == body:
        return True
    try:
        return unpack_state(snapshot.body, state.projection, snapshot.entry).pack() == body
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return False


def _snapshot_finding(snapshot: Snapshot, what: str) -> Finding:
    """Return what is wrong with a snapshot, and what to do."""
    return Finding(where=f"snapshot at {snapshot.entry}", what=f"{what}; make snapshots again with: campaign rebuild")


def verify(
    store: Store,
    game: GameProtocol[S],
    projection: Projection[S],
    heads: Sequence[KeptHead] = (),
    replay_report: Callable[[], ReplayReport] | None = None,
    log: Log | None = None,
) -> tuple[ReplayReport, list[Finding]]:
    """Check everything that the records alone can show. An empty list of findings means that there is no error.

    `replay_report` returns the report of a replay that other processes have begun; without it, it is made here. `log`
    is that of the store, if the caller needs it too. Raises NewerRules if a session needs later rules than the game's,
    and nothing else is wrong.
    """
    log, report, newer = log or Log.of(store), ReplayReport(), None
    of_chain, findings = list[Finding](), list[Finding]()
    causes, replay = CauseCheck(log), Replay(store, game, projection, reads_twice=True)
    chain = _check_chain(store, heads, of_chain, PublicCheck(store, game), replay.decode)
    ahead = ReadAhead(store, log.touch(causes.watch(chain)))
    try:
        with stored_errors("ledger"):
            takes = _check_numbering(ahead.takes(), findings)
            checks = StateChecks(store, initial_state(projection), TouchedCheck(replay, log))
            if replay_report is None:
                adds_up = replay.run_from(checks.state, takes, report, watcher=checks)
            else:
                adds_up = checks.fold(takes)
            deque(takes, maxlen=0)  # the rest of them
            ahead.read_on()
            report = replay_report() if replay_report else report
            findings += (
                Finding(where=f"entry {difference.entry}", what=f"the replay differs: {difference}")
                for difference in report.differences
            )
            findings += _take_findings(causes.findings())
            findings += _take_findings(checks.throws)
            findings += _take_findings(checks.touched.differences())
            findings += checks.snapshot_findings(complete=adds_up)
    except NewerRules as error:
        newer = error
    except LedgerError as error:
        findings.append(Finding(where=error.where, what=error.what))
    ahead.read_on()
    return report, _with_newer([*of_chain, *findings], newer)


def _with_newer(findings: list[Finding], newer: NewerRules | None) -> list[Finding]:
    """Return findings with that of a session that needs later rules, if one does. Raises it if there is no other."""
    if newer is None:
        return findings
    if not findings:
        raise newer.with_more_hint("What needs no rules is checked by: campaign verify --quick")
    return [*findings, Finding(where=newer.where or "ledger", what=newer.what)]  # a changed byte may look like that


def _check_chain(
    store: Store, heads: Sequence[KeptHead], findings: list[Finding], leaves: PublicCheck, decode_said: SaidDecoder
) -> Iterator[Record]:
    """Check positions, leaves, the hash of every record, and kept heads; yield the records in this order."""
    before, position = EMPTY.hash, 0
    kept = KeptHeads(heads)
    for stored in store.read():
        position += 1
        if stored.position != position:
            findings.append(Finding(where=f"position {position}", what="a record is missing"))
            position = stored.position
        problems, record = list[str](), None
        try:
            record = decode(stored)
            if not is_canonical(record, stored.body, decode_said):
                problems.append("its bytes are not canonical")
        except LedgerError as error:
            problems.append(error.what)
        except Exception as error:
            problems.append(unusable(error, "position", position).what)
        problems += chain_problems(stored, before, kept)
        before = stored.hash
        if record is not None:
            if what := shape_problem(stored, record):
                problems.append(what)
            else:
                leaves.add(stored, record)
        if problems:
            where = f"entry {record.id} (position {position})" if record else f"position {position}"
            findings += (Finding(where=where, what=what) for what in problems)
        if record is not None:
            yield record
    leaves.finish()
    for record, what in leaves.problems:
        findings.append(Finding(where=f"entry {record.id} (position {record.position})", what=what))
    findings += kept.beyond(position)


def chain_problems(stored: StoredRecord, before: str, kept: KeptHeads) -> Iterator[str]:
    """Check the hash of a record after the hash `before`, and a head that was kept of it."""
    if record_hash(before, stored.leaf) != stored.hash:
        yield "its hash does not match its bytes and the record before"
    if kept.differ(stored):
        yield "its hash differs from the head that was kept"


def _check_numbering(takes: Iterable[Record], findings: list[Finding]) -> Iterator[Record]:
    """Yield these takes, and add to the findings where they are not numbered without a gap."""
    before: Record | None = None
    for take in takes:
        if before is None or not _is_usual(before, take):
            findings += numbering_findings(before, take)
        before = take
        yield take


def _is_usual(before: Record, take: Record) -> bool:
    """Return whether a take is the first of the next entry, and begins with a declaration by whom it is."""
    declared = take.declared
    return is_next_entry(before, take) and take.take == 1 and declared is not None and declared.by == take.by


def numbering_findings(before: Record | None, take: Record) -> Iterator[Finding]:
    """Check the number of a take, which comes after another in order of ids, and its first fact."""
    if before is not None and is_same_entry(before, take):
        if take.take != before.take + 1:
            yield Finding(where=f"entry {take.id}", what=f"take {before.take + 1} is missing")
    else:
        if take.take != 1:
            yield Finding(where=f"entry {take.id}", what="take 1 is missing")
        if before is None or not is_next_entry(before, take):
            last = before.id if before else None
            if take.id not in possible_next_ids(last):
                yield Finding(where=f"entry {next(possible_next_ids(last))}", what="the entry is missing")
    for what in _take_problems(take):
        yield Finding(where=f"entry {take.id}", what=what)


def is_next_entry(before: Record, take: Record) -> bool:
    """Return whether a take is of the entry behind another in its session, as most are."""
    return take.number == before.number + 1 and take.session == before.session and not take.insert


def _take_findings(problems: Iterable[tuple[str, str]]) -> Iterator[Finding]:
    """Return a finding for each problem, which has the name of a take and what is wrong with it."""
    return (Finding(where=f"entry {name}", what=what) for name, what in problems)


def _take_problems(take: Record) -> Iterator[str]:
    """Check the first fact of a take."""
    declared = take.declared
    if take.facts and declared is None:
        yield "its first fact is not a declaration"
    if declared is not None and declared.by != take.by:
        yield f"it is by {take.by}, but its declaration is by {declared.by}"


def possible_next_ids(before: EntryId | None) -> Iterator[EntryId]:
    """Yield the ids that the entry after `before` may have, the usual one first."""
    if before is None:
        yield EntryId(0, 0)
        return
    yield EntryId(before.session, before.number + 1)
    yield EntryId(before.session, before.number, before.insert + 1)
    yield EntryId(before.session + 1, 0)
