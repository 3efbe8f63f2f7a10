"""A file of the read models alone: what is handed to other programs, without records, snapshots and seeds.

Its tables, keys, views and full-text index are those of a ledger, so that a query works in both.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec

from ledger.projection import ReadModel, Row
from ledger.read_model_sql import CREATE_SEARCH, CREATE_VIEWS, REBUILD_SEARCH, create_table_sql, upsert_sql
from ledger.read_model_views import VIEWS
from ledger.sqlite_connection import transaction, translate_errors

APPLICATION_ID: Final = 0x4C444754  # "LDGT", in the header of the file
Cells = Mapping[str, Any]
Tables = Sequence[tuple[ReadModel[Any], Iterable[Row]]]


class NamedRows(msgspec.Struct, frozen=True):
    """A table or a view: its name, its columns, and its rows, which are read as often as they are asked for."""

    name: str
    columns: tuple[str, ...]
    rows: SelectedRows

    def cells(self) -> Iterator[Cells]:
        """Yield the rows by the names of their columns."""
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)

    def sorted_by(self, column: str) -> NamedRows:
        """Return the rows that have a value in a column, sorted by it; equal ones stay in their order."""
        return NamedRows(self.name, self.columns, self.rows.sorted_by(column))


class SelectedRows:
    """The rows of a table or a view in a temporary file."""

    def __init__(self, db: sqlite3.Connection, name: str, column: str = "") -> None:
        """`column`: by which the rows are sorted; without one they are in the order of the table."""
        self._db, self._name, self._column = db, name, column

    def __iter__(self) -> Iterator[Row]:
        if not self._column:
            return iter(self._db.execute(f"SELECT * FROM {self._name}"))
        numbered = f"SELECT row_number() OVER () AS nth, * FROM {self._name}"
        sorting = f"WHERE {self._column} IS NOT NULL ORDER BY {self._column}, nth"
        rows = self._db.execute(f"SELECT * FROM ({numbered}) {sorting}")
        return (row[1:] for row in rows)

    def sorted_by(self, column: str) -> SelectedRows:
        """Return the rows that have a value in a column, sorted by it; equal ones stay in their order."""
        return SelectedRows(self._db, self._name, column)


def write_table_file(path: Path, tables: Tables) -> None:
    """Write an SQLite file with these tables. Raises LedgerError if one with tables is there already."""
    with translate_errors(path), closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        _fill(db, tables)


def is_table_file(first: bytes) -> bool:
    """Return whether a file begins as one that `write_table_file` has written."""
    return first[:16] == b"SQLite format 3\0" and first[68:72] == APPLICATION_ID.to_bytes(4, "big")


def named_rows(tables: Tables) -> Iterator[NamedRows]:
    """Yield all tables and views with their rows in order, from a temporary file that is gone when nobody reads it."""
    db = sqlite3.connect("", isolation_level=None)
    _fill(db, tables)
    for name in (*(model.name for model, _ in tables), *(view.name for view in VIEWS)):
        columns = tuple(column for column, *_ in db.execute(f"SELECT * FROM {name} LIMIT 0").description)
        yield NamedRows(name, columns, SelectedRows(db, name))


def _fill(db: sqlite3.Connection, tables: Tables) -> None:
    """Create and fill the tables, the views and the index of words."""
    with transaction(db):
        for model, rows in tables:
            db.execute(create_table_sql(model))
            db.executemany(upsert_sql(model), rows)
        for statement in (CREATE_SEARCH, REBUILD_SEARCH, *CREATE_VIEWS):
            db.execute(statement)


def finds_rows(path: Path, query: str) -> bool:
    """Return whether a query finds a row in such a file."""
    with translate_errors(path), closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
        return db.execute(query).fetchone() is not None
