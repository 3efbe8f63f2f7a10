"""Read models and the full-text index in the SQLite file: replacing all of them, and what the index finds."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from itertools import zip_longest
from typing import Any

from ledger import read_model_sql
from ledger.projection import ReadModel, Row
from ledger.read_model_views import VIEWS
from ledger.sqlite_connection import BoundedConnection, sqlite_utils_database, transaction


def replace_tables(connection: BoundedConnection, models: Sequence[tuple[ReadModel[Any], Iterable[Row]]]) -> None:
    """Replace the tables of all read models with these rows, and make the index and the views again."""
    db = sqlite_utils_database(connection)
    db.execute("DROP TABLE IF EXISTS entries_fts")
    for kind, name in _objects_named(connection, [view.name for view in VIEWS]):
        db.execute(f"DROP {kind} {name}")
    for model, rows in models:
        db.execute(f"DROP TABLE IF EXISTS {model.name}")
        db.execute(read_model_sql.create_table_sql(model))
        db.table(model.name).insert_all(dict(zip(model.columns, row, strict=True)) for row in rows)
        for statement in read_model_sql.create_index_sql(model):
            db.execute(statement)
    db.execute(read_model_sql.CREATE_SEARCH)
    db.execute(read_model_sql.REBUILD_SEARCH)
    for statement in read_model_sql.CREATE_VIEWS:
        db.execute(statement)


def _objects_named(db: sqlite3.Connection, names: Sequence[str]) -> list[tuple[str, str]]:
    """Return what the file has under these names, as `view` or `table` with the name."""
    marks = ", ".join("?" * len(names))
    return db.execute(f"SELECT type, name FROM sqlite_schema WHERE name IN ({marks})", names).fetchall()


def is_search_stale(connection: sqlite3.Connection) -> bool:
    """Return whether the full-text index differs from its entries."""
    columns = "position, line, told"
    with closing(sqlite3.connect("", isolation_level=None)) as db:
        for statement in (*read_model_sql.SCHEMA, read_model_sql.CREATE_SEARCH_WORDS):
            db.execute(statement)
        entries = connection.execute(f"SELECT {columns} FROM entries")
        db.executemany(f"INSERT INTO entries ({columns}) VALUES (?, ?, ?)", entries)
        db.execute(read_model_sql.REBUILD_SEARCH)
        connection.execute(read_model_sql.CREATE_SEARCH_WORDS)
        try:
            words = (each.execute(read_model_sql.SELECT_SEARCH_WORDS) for each in (connection, db))
            return any(one != other for one, other in zip_longest(*words))
        finally:
            connection.execute("DROP TABLE temp.said")


def has_words(text: str, *columns: str) -> bool:
    """Return whether the line and the narration of an entry have all words of a search, as `SqliteStore.search`."""
    query = read_model_sql.fts_query(text)
    return bool(query) and matching_positions([(1, *columns)], query) == [1]


def matching_positions(entries: Iterable[Row], query: str) -> list[int]:
    """Return the positions of the entries (position, line, narration) that a full-text query finds."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        for statement in read_model_sql.SCHEMA:
            db.execute(statement)
        with transaction(db):
            db.executemany(read_model_sql.INSERT_SEARCH, entries)
        return [row[0] for row in db.execute("SELECT rowid FROM entries_fts WHERE entries_fts MATCH ?", (query,))]
