"""Every check of the ledger: file, schema, columns, bytes, hashes, numbers, dice, facts, snapshots, read models."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cli.context import find_game
from cli.queries.line_check import check_lines
from ledger.errors import LedgerError, stored_errors
from ledger.read_model_check import check_read_models
from ledger.records import Head
from ledger.replay import ReplayReport
from ledger.sqlite_check import check_file, copy_to_memory
from ledger.sqlite_store import SqliteStore
from ledger.verify import Finding, verify
from projections.projection import StateProjection


class Verification(msgspec.Struct, frozen=True, kw_only=True):
    """All findings, the head, and the report of the replay, as `--json` prints them."""

    ok: bool
    findings: tuple[Finding, ...]
    head: str
    replay: ReplayReport


def verification(store: SqliteStore, heads: Sequence[Head]) -> Verification:
    """Check the whole file as it is at one moment; `heads` were kept elsewhere and must be in the chain."""
    copy = copy_to_memory(store)
    try:
        return _verification_of(copy, heads)
    finally:
        copy.close()


def _verification_of(store: SqliteStore, heads: Sequence[Head]) -> Verification:
    """Check a ledger that nobody writes to."""
    findings = list(check_file(store))
    if differs := store.find_schema_mismatch(StateProjection.read_models):
        findings.append(Finding(where="schema", what=differs))
    if position := store.find_column_mismatch():
        findings.append(Finding(where=f"position {position}", what="its columns differ from its record"))
    book = find_game(store)
    report, of_records = verify(store, book, StateProjection(), heads)
    findings += of_records
    try:
        with stored_errors("ledger"):
            if not of_records:
                findings += check_lines(list(store.takes()), book, StateProjection())
            findings += check_read_models(store, StateProjection())
    except LedgerError as error:
        if not of_records:
            findings.append(Finding(where=error.where, what=error.what))
    return Verification(ok=not findings, findings=tuple(findings), head=str(store.head()), replay=report)
