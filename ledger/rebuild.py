"""Read tables made anew from the records, and held against what lies in the file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ledger.errors import LedgerError
from ledger.position import initial_state
from ledger.projection import Projection, ReadModel, Row, S
from ledger.read_models import BUILTIN_MODELS, keyed
from ledger.records import counting
from ledger.replay import Finding
from ledger.sqlite_store import SqliteStore
from ledger.store import Store


def rebuilt_models(store: Store, tally: Projection[S]) -> list[tuple[ReadModel[Any], list[Row]]]:
    """Every read table with its rows: those of the ground from all takes, those of the tally from the fold."""
    takes, place = list(store.takes()), initial_state(tally)
    for record in counting(takes):
        place.fold(record)
    ground = [(table, list(table.rows(takes))) for table in BUILTIN_MODELS]
    return [*ground, *((table, list(table.rows(place.state))) for table in tally.read_models)]


def read_model_findings(store: SqliteStore, tally: Projection[S]) -> Iterator[Finding]:
    """Where a read table differs from the records: its first row that does, and how many more.

    Where the records themselves cannot be folded there is nothing to hold the tables against.
    """
    for table, rows in rebuilt_models(store, tally):
        try:
            differences = list(_differences(table, rows, store.rows(table)))
        except LedgerError as error:
            differences = [error.what]
        if differences:
            more = f" (and {len(differences) - 1} rows more)" if differences[1:] else ""
            yield Finding(where=f"table {table.name}", what=f"{differences[0]}{more}; campaign rebuild makes it anew")
    try:
        if store.search_differs():
            yield Finding(where="table entries_fts", what="it holds other words; campaign rebuild makes it anew")
    except LedgerError as error:
        yield Finding(where="table entries_fts", what=error.what)


def _differences(table: ReadModel[Any], rows: list[Row], found: list[Row]) -> Iterator[str]:
    """Each row that is not as it should be, in words."""
    expected, stored = keyed(table, rows), keyed(table, found)
    for key in sorted(expected.keys() | stored.keys(), key=str):
        name = "row " + ", ".join(map(str, key))
        if key not in stored:
            yield f"{name} is missing"
        elif key not in expected:
            yield f"{name} should not be there"
        elif stored[key] != expected[key]:
            yield f"{name}: {_first(table, stored[key], expected[key])}"


def _first(table: ReadModel[Any], stored: Row, expected: Row) -> str:
    """The first column in which two rows differ."""
    column, was, should = next(
        (column, was, should)
        for column, was, should in zip(table.columns, stored, expected, strict=True)
        if was != should
    )
    return f"{column} is {_said(was)}, the records say {_said(should)}"


def _said(value: object) -> str:
    """A value in words; text in quotes, so that nothing is seen as nothing."""
    return "nothing" if value is None else f"'{value}'" if isinstance(value, str) else str(value)
