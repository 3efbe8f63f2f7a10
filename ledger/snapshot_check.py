"""Check the snapshots of a store: each must be of the head and the entry that it names, as it was written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from ledger.snapshot_rows import SELECT_SNAPSHOTS, snapshot_of, snapshot_problem
from ledger.sql_reader import SqlReader
from ledger.verify import Finding


def snapshot_findings(store: SqlReader) -> Iterator[Finding]:
    """Yield what is wrong with stored snapshots."""
    with store.errors(), closing(store.tables.execute(SELECT_SNAPSHOTS)) as snapshots:
        for row in snapshots:
            if what := snapshot_problem(row):
                where = f"snapshot at {snapshot_of(row).entry}"
                yield Finding(where=where, what=f"{what}; make snapshots again with: campaign rebuild")
