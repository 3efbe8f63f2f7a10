"""Check the read models in a file against its records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ledger.errors import LedgerError
from ledger.projection import Projection, ReadModel, Row, S
from ledger.read_models import build_read_models, rows_by_key
from ledger.sqlite_store import SqliteStore
from ledger.verify import Finding

REBUILD = "make it again with: campaign rebuild"


def check_read_models(store: SqliteStore, projection: Projection[S]) -> Iterator[Finding]:
    """Yield for each read model that differs from the records its first wrong row and the count of the others.

    Raises LedgerError where the records themselves cannot be folded.
    """
    for model, rows in build_read_models(store, projection):
        try:
            differences = list(_differences(model, rows, store.read_model_rows(model)))
        except LedgerError as error:
            differences = [error.what]
        if differences:
            more = f" (and {len(differences) - 1} rows more)" if differences[1:] else ""
            yield Finding(where=f"table {model.name}", what=f"{differences[0]}{more}; {REBUILD}")
    try:
        if store.is_search_stale():
            yield Finding(where="table entries_fts", what=f"it indexes other words; {REBUILD}")
    except LedgerError as error:
        yield Finding(where="table entries_fts", what=error.what)


def _differences(model: ReadModel[Any], expected_rows: list[Row], stored_rows: list[Row]) -> Iterator[str]:
    """Describe each row that is wrong."""
    expected, stored = rows_by_key(model, expected_rows), rows_by_key(model, stored_rows)
    for key in sorted(expected.keys() | stored.keys(), key=str):
        name = "row " + ", ".join(map(str, key))
        if key not in stored:
            yield f"{name} is missing"
        elif key not in expected:
            yield f"{name} should not be there"
        elif stored[key] != expected[key]:
            yield f"{name}: {_first_differing_column(model, stored[key], expected[key])}"


def _first_differing_column(model: ReadModel[Any], stored: Row, expected: Row) -> str:
    """Describe the first column in which two rows differ."""
    column, was, should = next(
        (column, was, should)
        for column, was, should in zip(model.columns, stored, expected, strict=True)
        if was != should
    )
    return f"{column} is {_quoted(was)}, the records say {_quoted(should)}"


def _quoted(value: object) -> str:
    """Return a value in words; text in quotes, so that an empty text is visible."""
    return "nothing" if value is None else f"'{value}'" if isinstance(value, str) else str(value)
