"""Check what can be made again, the read models and the snapshots of a store, against its records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from heapq import merge
from itertools import chain, groupby, tee, zip_longest
from typing import Any, Final

from ledger.errors import LedgerError
from ledger.projection import Projection, ReadModel, Row, S
from ledger.read_model_build import build_read_models
from ledger.snapshot_rows import SELECT_SNAPSHOTS, snapshot_of, snapshot_problem
from ledger.sql_reader import SqlReader
from ledger.sql_store import SqlStore
from ledger.verify import Finding

VALUE_MOST: Final = 200  # characters
REBUILD = "make it again with: campaign rebuild"


def check_read_models(store: SqlStore, projection: Projection[S]) -> Iterator[Finding]:
    """Yield for each read model that differs from the records its first wrong row and the count of the others.

    Raises LedgerError where the records themselves cannot be folded.
    """
    for model, rows in build_read_models(store, projection):
        first, count = "", 0
        try:
            for difference in _differences(model, rows, store.each_row(model)):
                first, count = first or difference, count + 1
        except LedgerError as error:
            first, count = error.what, 1
        if first:
            more = f" (and {count - 1} rows more)" if count > 1 else ""
            yield Finding(where=f"table {model.name}", what=f"{first}{more}; {REBUILD}")
    try:
        if store.is_search_stale():
            yield Finding(where="table entries_fts", what=f"it indexes other words; {REBUILD}")
    except LedgerError as error:
        yield Finding(where="table entries_fts", what=error.what)


def _differences(model: ReadModel[Any], expected_rows: Iterable[Row], stored_rows: Iterable[Row]) -> Iterator[str]:
    """Describe each row that is wrong; both are in order of the key."""
    both = zip_longest(expected_rows, stored_rows)
    first = next((pair for pair in both if pair[0] != pair[1]), None)
    if first is None:
        return  # as nearly always: rows are paired by their keys only where some differ
    rest_expected, rest_stored = tee(chain([first], both))
    width = len(model.key)
    expected = ((row[:width], 0, row) for row, _ in rest_expected if row is not None)
    stored = ((row[:width], 1, row) for _, row in rest_stored if row is not None)
    for key, group in groupby(merge(expected, stored, key=lambda each: each[:2]), key=lambda each: each[0]):
        rows = {source: row for _, source, row in group}
        name = "row " + ", ".join(map(_cut, key))
        if len(rows) == 1:
            yield f"{name} is missing" if 0 in rows else f"{name} should not be there"
        elif rows[0] != rows[1]:
            yield f"{name}: {_first_differing_column(model, rows[1], rows[0])}"


def _first_differing_column(model: ReadModel[Any], stored: Row, expected: Row) -> str:
    """Describe the first column in which two rows differ."""
    column, was, should = next(
        (column, was, should)
        for column, was, should in zip(model.columns, stored, expected, strict=True)
        if was != should
    )
    return f"{column} is {_quoted(was)}, the records say {_quoted(should)}"


def _quoted(value: object) -> str:
    """Return a value in words; text in quotes, so that an empty text is visible. A long one is cut."""
    return "nothing" if value is None else f"'{_cut(value)}'" if isinstance(value, str) else _cut(value)


def _cut(value: object) -> str:
    """Return a value of a length that can be read: somebody may have stored a text of many megabytes."""
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    return text if len(text) <= VALUE_MOST else f"{text[:VALUE_MOST]}… ({len(text):,} characters)"


def snapshot_findings(store: SqlReader) -> Iterator[Finding]:
    """Yield what is wrong with stored snapshots."""
    with store.errors(), closing(store.tables.execute(SELECT_SNAPSHOTS)) as snapshots:
        for row in snapshots:
            if what := snapshot_problem(row):
                where = f"snapshot at {snapshot_of(row).entry}"
                yield Finding(where=where, what=f"{what}; make snapshots again with: campaign rebuild")
