"""All read models, computed from the records into a temporary file: a long ledger takes no more memory than a short.

The file is SQLite's own: it has no name, and is gone when nobody needs its rows any more.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import gettempdir
from typing import Any, Final

from ledger.change_rows import CHANGES, History
from ledger.projection import Projection, ReadModel, Row, S
from ledger.read_model_sql import create_table_sql, upsert_sql
from ledger.read_models import TAKE_MODELS, take_rows
from ledger.redecide import group_by_entry
from ledger.sqlite_connection import transaction, translate_errors
from ledger.store import ReadableStore
from ledger.writing_order import WritingOrder

ROWS_AT_ONCE: Final = 500


class BuiltRows:
    """The rows of a read model in the temporary file, in order of its key."""

    def __init__(self, db: sqlite3.Connection, model: ReadModel[Any]) -> None:
        self._db, self.model = db, model

    def __iter__(self) -> Iterator[Row]:
        columns, key = ", ".join(self.model.columns), ", ".join(self.model.key)
        return iter(self._db.execute(f"SELECT {columns} FROM {self.model.name} ORDER BY {key}"))

    def __len__(self) -> int:
        (count,) = self._db.execute(f"SELECT count(*) FROM {self.model.name}").fetchone()
        return int(count)


def build_read_models(store: ReadableStore, projection: Projection[S]) -> list[tuple[ReadModel[Any], BuiltRows]]:
    """Return every read model with its rows, computed from the records."""
    models: tuple[ReadModel[Any], ...] = (*TAKE_MODELS, CHANGES, *projection.read_models)
    with translate_errors(Path(gettempdir())):
        db = sqlite3.connect("", isolation_level=None)
        with transaction(db):
            for model in models:
                db.execute(create_table_sql(model))
            _insert(db, _rows_of_takes(store))
            _insert(db, _rows_of_changes(store, projection))
    return [(model, BuiltRows(db, model)) for model in models]


def _insert(db: sqlite3.Connection, rows: Iterable[tuple[ReadModel[Any], Row]]) -> None:
    """Insert rows, each with its read model, in groups."""
    groups: dict[ReadModel[Any], list[Row]] = {}
    for model, row in rows:
        group = groups.setdefault(model, [])
        group.append(row)
        if len(group) == ROWS_AT_ONCE:
            db.executemany(upsert_sql(model), group)
            group.clear()
    for model, group in groups.items():
        db.executemany(upsert_sql(model), group)


def _rows_of_takes(store: ReadableStore) -> Iterator[tuple[ReadModel[Any], Row]]:
    """Yield the rows of every take."""
    for takes in group_by_entry(store.takes()):
        for take in takes:
            if not take.is_withheld:
                yield from take_rows(take, int(take is takes[-1]))


def _rows_of_changes(store: ReadableStore, projection: Projection[S]) -> Iterator[tuple[ReadModel[Any], Row]]:
    """Yield the changes of values, and then the rows of the state that they lead to."""
    history = History(projection, store.records(), WritingOrder(store.entry_ids))
    for row in CHANGES.rows(history):
        yield CHANGES, row
    for model in projection.read_models:
        for row in model.rows(history.state):
            yield model, row
