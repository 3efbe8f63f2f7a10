"""Every check of the ledger: file, schema, columns, bytes, hashes, numbers, dice, facts, snapshots, read models."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from cli.questions.correction_line_check import CorrectionLineCheck
from cli.questions.ledger_file import find_game
from cli.questions.line_check import Hear, HeardOtherwise, check_lines, start_line_check
from ledger.campaign_source import Source
from ledger.clock_check import clock_notices
from ledger.errors import Damaged, LedgerError, stored_errors
from ledger.head_words import KeptHead
from ledger.postgres_address import DatabaseAddress
from ledger.processes import Processes
from ledger.quick_check import QuickReport, quick_check
from ledger.read_model_check import check_read_models, snapshot_findings
from ledger.replay import ReplayReport
from ledger.session_proof import SessionProof, stored_proofs
from ledger.sql_store import SqlStore
from ledger.sqlite_check import check_file
from ledger.sqlite_store import SqliteStore
from ledger.verify import Finding, verify
from ledger.writing_order import Log
from projections.projection import StateProjection

HEADER_BYTES: Final = 100
RESTORE_FILE: Final = "Keep it as it is, restore a backup, and run the session files of what was played since."


class Verification(msgspec.Struct, frozen=True, kw_only=True):
    """All findings, the head, and the report of the replay, as `--json` prints them.

    `proofs` are those of the sessions with seeded dice, `notices` what is no error but should be known.
    """

    ok: bool
    findings: tuple[Finding, ...]
    head: str
    replay: ReplayReport
    proofs: tuple[SessionProof, ...]
    notices: tuple[Finding, ...]


def verification(store: SqlStore, heads: Sequence[KeptHead], workers: Processes | None, hear: Hear) -> Verification:
    """Check the whole file as it is at one moment; `heads` were kept elsewhere and must be in the chain.

    With `workers`, entries are decided again and lines read again in their processes, up to the same head. `hear`
    returns how a line may be heard that was said in words.
    """
    copy = store.copy_aside()
    try:
        return _verification_of(copy, heads, workers, hear)
    finally:
        copy.close()


class QuickVerification(msgspec.Struct, frozen=True, kw_only=True):
    """All findings of a quick check, the head, and what was counted; `rules_applied` is always false.

    `proofs` and `notices` are as in `Verification`.
    """

    ok: bool
    findings: tuple[Finding, ...]
    head: str
    checked: QuickReport
    proofs: tuple[SessionProof, ...]
    notices: tuple[Finding, ...]
    rules_applied: bool = False


def quick_verification(store: SqlStore, heads: Sequence[KeptHead]) -> QuickVerification:
    """Check the file as it is at one moment without the rules: chain, sums, snapshots and faces."""
    copy = store.copy_aside()
    try:
        findings = _place_findings(copy)
        report, of_records = quick_check(copy, StateProjection(), heads)
        findings += [finding for finding in of_records if finding not in findings]
        return _quick_verification(copy, report, findings, notices_of(copy))
    finally:
        copy.close()


def unreadable_file(error: Damaged, source: Source) -> Damaged:
    """Return the error of a file that SQLite cannot read, with what to do: `verify` can say no more about it."""
    if not isinstance(error.__cause__, sqlite3.DatabaseError) or isinstance(source, DatabaseAddress):
        return error
    path = Path(source)
    size, expected = path.stat().st_size, header_size(path)
    what = f"the file is cut off: it has {size} of {expected} bytes" if size < expected else error.what
    return Damaged(what, where=error.where, hint=RESTORE_FILE)


def header_size(path: Path) -> int:
    """Return the size in bytes that the header of an SQLite file states; 0 if it has none."""
    with path.open("rb") as file:
        header = file.read(HEADER_BYTES)
    if len(header) < HEADER_BYTES:
        return HEADER_BYTES
    page = int.from_bytes(header[16:18], "big")
    return (1 << 16 if page == 1 else page) * int.from_bytes(header[28:32], "big")


def _place_findings(store: SqlStore) -> list[Finding]:
    """Return what is wrong with a file, its schema and its snapshots, or with the rows of a database."""
    if not isinstance(store, SqliteStore):
        wrong = store.find_wrong_head()
        return [*([Finding(where="head", what=wrong)] if wrong else []), *snapshot_findings(store)]
    findings = list(check_file(store))
    if differs := store.find_schema_mismatch(StateProjection.read_models, lenient=True):
        findings.append(Finding(where="schema", what=differs))
    return findings


def notices_of(store: SqlStore) -> tuple[Finding, ...]:
    """Return what is no error but should be known: of the clock, and of what somebody has added to the file."""
    strangers = store.strangers(StateProjection.read_models) if isinstance(store, SqliteStore) else ()
    added = (
        Finding(where="schema", what=f"the {kind} '{name}' is not of the ledger; it goes with: {removal}")
        for kind, name, removal in strangers
    )
    return (*clock_notices(store), *added)


class StartedChecks:
    """The checks of the records of a ledger that nobody writes to, begun in the processes of `workers`."""

    def __init__(self, store: SqlStore, workers: Processes | None, hear: Hear) -> None:
        self._store, self._hear = store, hear
        self._replayed = workers.start_replay(store, StateProjection()) if workers else None
        self._lines = start_line_check(workers, store, hear) if workers else None

    def record_findings(self, heads: Sequence[KeptHead]) -> tuple[ReplayReport, list[Finding]]:
        """Return the report of the replay, and what is wrong with the records, their lines and their snapshots."""
        book, log = find_game(self._store), Log.of(self._store)
        report, findings = verify(self._store, book, StateProjection(), heads, self._replayed, log)
        try:
            with stored_errors("ledger"):
                findings += self._lines() if self._lines else check_lines(log, book, StateProjection(), self._hear)
                findings += CorrectionLineCheck(log, book, StateProjection()).findings()
        except LedgerError as error:
            if not findings:
                findings.append(Finding(where=error.where, what=error.what))
        return report, findings


def records_verification(
    store: SqlStore, heads: Sequence[KeptHead], workers: Processes | None, hear: Hear
) -> Verification:
    """Check the records of a ledger that has no tables yet, and that nobody writes to; `hear` as in `verification`."""
    report, findings = StartedChecks(store, workers, hear).record_findings(heads)
    return _verification(store, report, findings, tuple(clock_notices(store)))


def _verification(
    store: SqlStore, report: ReplayReport, found: Sequence[Finding], notices: tuple[Finding, ...]
) -> Verification:
    """Return what a check has found; what is only heard otherwise by this version is among its notices."""
    heard = tuple(each for each in found if isinstance(each, HeardOtherwise))
    findings = tuple(each for each in found if not isinstance(each, HeardOtherwise))
    return Verification(
        ok=not findings,
        findings=findings,
        head=str(store.head()),
        replay=report,
        proofs=proofs_to_tell(store),
        notices=(*notices, *heard),
    )


def quick_records_verification(store: SqlStore, heads: Sequence[KeptHead]) -> QuickVerification:
    """Check the records of a ledger that has no tables yet, without the rules."""
    report, findings = quick_check(store, StateProjection(), heads)
    return _quick_verification(store, report, findings, tuple(clock_notices(store)))


def _quick_verification(
    store: SqlStore, report: QuickReport, findings: Sequence[Finding], notices: tuple[Finding, ...]
) -> QuickVerification:
    """Return what a quick check has found, with the head and the proofs of a store."""
    return QuickVerification(
        ok=not findings,
        findings=tuple(findings),
        head=str(store.head()),
        checked=report,
        proofs=proofs_to_tell(store),
        notices=notices,
    )


def _verification_of(store: SqlStore, heads: Sequence[KeptHead], workers: Processes | None, hear: Hear) -> Verification:
    """Check a ledger that nobody writes to."""
    started = StartedChecks(store, workers, hear)
    findings = _place_findings(store)
    if position := store.find_column_mismatch():
        findings.append(Finding(where=f"position {position}", what="its columns differ from its record"))
    report, of_records = started.record_findings(heads)
    findings += [finding for finding in of_records if finding not in findings]
    try:
        with stored_errors("ledger"):
            findings += check_read_models(store, StateProjection())
    except LedgerError as error:
        if not of_records:
            findings.append(Finding(where=error.where, what=error.what))
    return _verification(store, report, findings, notices_of(store))


def proofs_to_tell(store: SqlStore) -> tuple[SessionProof, ...]:
    """Return what proves the faces of each session with seeded dice; nothing of records that cannot be read."""
    try:
        with stored_errors("ledger"):
            return tuple(
                proof
                for _, proof in sorted(stored_proofs(store, count=True).items())
                if proof.faces or proof.taken_back
            )
    except LedgerError:
        return ()
