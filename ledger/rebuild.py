"""Read tables made anew from the records, and held against what lies in the file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ledger.errors import LedgerError
from ledger.position import initial_state
from ledger.projection import Projection, ReadModel, Row, S
from ledger.read_models import BUILTIN_MODELS, rows_by_key
from ledger.records import latest_takes
from ledger.replay import Finding
from ledger.sqlite_store import SqliteStore
from ledger.store import Store


def build_read_models(store: Store, projection: Projection[S]) -> list[tuple[ReadModel[Any], list[Row]]]:
    """Every read table with its rows: those of the ground from all takes, those of the tally from the fold."""
    takes, place = list(store.takes()), initial_state(projection)
    for record in latest_takes(takes):
        place.fold(record)
    ground = [(table, list(table.rows(takes))) for table in BUILTIN_MODELS]
    return [*ground, *((table, list(table.rows(place.state))) for table in projection.read_models)]


def check_read_models(store: SqliteStore, projection: Projection[S]) -> Iterator[Finding]:
    """Where a read table differs from the records: its first row that does, and how many more.

    Where the records themselves cannot be folded there is nothing to hold the tables against.
    """
    for table, rows in build_read_models(store, projection):
        try:
            differences = list(_differences(table, rows, store.read_model_rows(table)))
        except LedgerError as error:
            differences = [error.what]
        if differences:
            more = f" (and {len(differences) - 1} rows more)" if differences[1:] else ""
            yield Finding(where=f"table {table.name}", what=f"{differences[0]}{more}; campaign rebuild makes it anew")
    try:
        if store.is_search_stale():
            yield Finding(where="table entries_fts", what="it holds other words; campaign rebuild makes it anew")
    except LedgerError as error:
        yield Finding(where="table entries_fts", what=error.what)


def _differences(table: ReadModel[Any], rows: list[Row], found: list[Row]) -> Iterator[str]:
    """Each row that is not as it should be, in words."""
    expected, stored = rows_by_key(table, rows), rows_by_key(table, found)
    for key in sorted(expected.keys() | stored.keys(), key=str):
        name = "row " + ", ".join(map(str, key))
        if key not in stored:
            yield f"{name} is missing"
        elif key not in expected:
            yield f"{name} should not be there"
        elif stored[key] != expected[key]:
            yield f"{name}: {_first_differing_column(table, stored[key], expected[key])}"


def _first_differing_column(table: ReadModel[Any], stored: Row, expected: Row) -> str:
    """The first column in which two rows differ."""
    column, was, should = next(
        (column, was, should)
        for column, was, should in zip(table.columns, stored, expected, strict=True)
        if was != should
    )
    return f"{column} is {_quoted(was)}, the records say {_quoted(should)}"


def _quoted(value: object) -> str:
    """A value in words; text in quotes, so that nothing is seen as nothing."""
    return "nothing" if value is None else f"'{value}'" if isinstance(value, str) else str(value)
