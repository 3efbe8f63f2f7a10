"""A file of the read models alone: what is handed to other programs, without records, snapshots and seeds.

Its tables, keys, views and full-text index are those of a ledger, so that a query works in both.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from ledger.errors import LedgerError
from ledger.projection import ReadModel, Row
from ledger.read_model_sql import CREATE_SEARCH, CREATE_VIEWS, REBUILD_SEARCH, create_table_sql, upsert_sql
from ledger.read_model_views import VIEWS
from ledger.sqlite_connection import transaction, translate_errors

Tables = Sequence[tuple[ReadModel[Any], Iterable[Row]]]


class NamedRows(msgspec.Struct, frozen=True):
    """A table or a view: its name, its columns, and its rows, which are read as often as they are asked for."""

    name: str
    columns: tuple[str, ...]
    rows: Iterable[Row]


class SelectedRows:
    """The rows of a table or a view in a temporary file."""

    def __init__(self, db: sqlite3.Connection, name: str) -> None:
        self._db, self._name = db, name

    def __iter__(self) -> Iterator[Row]:
        return iter(self._db.execute(f"SELECT * FROM {self._name}"))


def write_table_file(path: Path, tables: Tables) -> None:
    """Write a new SQLite file with these tables. Raises LedgerError if it is there already."""
    if path.exists():
        raise LedgerError("there is such a file already", where=str(path), hint="Name another one.")
    with translate_errors(path), closing(sqlite3.connect(path, isolation_level=None)) as db:
        _fill(db, tables)


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
