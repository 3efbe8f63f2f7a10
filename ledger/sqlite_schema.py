"""The schema of `ledger.db`, and the columns of its records.

`position` is the only unique column of records: on any other, `INSERT OR REPLACE` would delete a record without firing
its trigger. Session, number, insert, take and request are copies of fields of the whole record, for the indexes; a
reader checks them. The read models of the ledger are part of the schema, those of a projection are added when a store
is created.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import cache
from typing import Any, Final, NamedTuple

from ledger import read_model_sql
from ledger.projection import ReadModel
from ledger.read_model_views import VIEWS
from ledger.read_models import BUILTIN_MODELS
from ledger.record_rows import SELECT_RECORDS

SchemaObjects = tuple[tuple[Any, ...], ...]
SEARCH_TABLE: Final = "entries_fts"  # its shadow tables begin with its name
APPLICATION_ID: Final = 0x4C444752  # "LDGR"

STATISTICS: Final = re.compile("sqlite_stat[1-4]")  # the tables that ANALYZE makes
MODEL_TABLE: Final = re.compile(
    r"CREATE TABLE [\"\w]+ \(\n(?: {4}(?:\w+ (?:TEXT|INTEGER|ANY)(?: PRIMARY KEY)?|PRIMARY KEY \([\w, ]+\)"
    r"|FOREIGN KEY \(\w+\) REFERENCES \w+(?: \(\w+\))?),?\n)+\) STRICT(?:, WITHOUT ROWID)?"
)

SCHEMA: Final[tuple[str, ...]] = (
    """CREATE TABLE records (
    position INTEGER PRIMARY KEY,
    public TEXT NOT NULL,
    sealed TEXT,
    hash TEXT NOT NULL,
    session INTEGER NOT NULL,
    number INTEGER NOT NULL,
    inserted INTEGER NOT NULL,
    take INTEGER NOT NULL,
    request TEXT
) STRICT""",
    "CREATE INDEX records_by_entry ON records (session, number, inserted, position)",
    "CREATE INDEX records_by_request ON records (request) WHERE request IS NOT NULL",
    """CREATE TRIGGER records_not_changed BEFORE UPDATE ON records
BEGIN SELECT RAISE(ABORT, 'records can only be appended'); END""",
    """CREATE TRIGGER records_not_deleted BEFORE DELETE ON records
BEGIN SELECT RAISE(ABORT, 'records can only be appended'); END""",
    """CREATE TRIGGER records_in_order BEFORE INSERT ON records
WHEN NEW.position IS NOT (SELECT coalesce(max(position), 0) + 1 FROM records)
BEGIN SELECT RAISE(ABORT, 'a record must have the next position'); END""",
    """CREATE TABLE snapshots (
    session INTEGER NOT NULL,
    number INTEGER NOT NULL,
    inserted INTEGER NOT NULL,
    position INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (session, number, inserted)
) STRICT, WITHOUT ROWID""",
    *read_model_sql.SCHEMA,
)

SEARCH_RECORDS: Final = (
    f"{SELECT_RECORDS} WHERE position IN (SELECT rowid FROM entries_fts WHERE entries_fts MATCH ?)"
    " AND (? OR position IN (SELECT position FROM entries WHERE counts))"
    " ORDER BY session, number, inserted, position"
)


INSERT_RECORD: Final = "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"


def schema_statements(models: Sequence[ReadModel[Any]]) -> tuple[str, ...]:
    """Return the statements that create a store with these read models."""
    indexes = (statement for model in models for statement in read_model_sql.create_index_sql(model))
    return (*SCHEMA, *map(read_model_sql.create_table_sql, models), *indexes)


class Stranger(NamedTuple):
    """Something in the schema that no ledger has: what it is, its name, and the statement that removes it."""

    kind: str
    name: str
    removal: str


def find_schema_mismatch(
    db: sqlite3.Connection, models: Sequence[ReadModel[Any]], *, lenient: bool = False
) -> str | None:
    """Return the first difference between the schema of `db` and that of a new store with these models, or None.

    `lenient`: what is harmless may be there too.
    """
    stored, expected = schema_objects(db), new_schema_objects(models)
    for name in sorted(stored.keys() | expected.keys()):
        if name not in stored:
            return f"'{name}' is missing"
        is_known = name in expected or not (lenient and is_harmless(name, stored[name]))
        if stored[name] != expected.get(name) and is_known:
            return f"'{name}' differs from the schema of a new ledger"
    return None


def find_strangers(db: sqlite3.Connection, models: Sequence[ReadModel[Any]]) -> list[Stranger]:
    """Return what the schema has beside that of a ledger, but for the statistics that ANALYZE makes."""
    expected = new_schema_objects(models)
    return [
        stranger(name, objects)
        for name, objects in sorted(schema_objects(db).items())
        if name not in expected and not is_of_sqlite(name, objects)
    ]


def stranger(name: str, objects: SchemaObjects) -> Stranger:
    """Return a thing of this name that no ledger has."""
    kind = str(objects[0][0])
    quoted = name.replace('"', '""')
    return Stranger(kind, name, f'DROP {kind.upper()} "{quoted}"')


def is_of_sqlite(name: str, objects: SchemaObjects) -> bool:
    """Whether SQLite makes it by itself: statistics, numbers of rows, an index of a key of somebody's table."""
    (kind, table, sql), *more = objects
    if more:
        return False
    if kind == "table":
        return name == "sqlite_sequence" or STATISTICS.fullmatch(name) is not None
    return bool(kind == "index" and sql is None and table not in new_schema_objects(()))


def is_harmless(name: str, objects: SchemaObjects) -> bool:
    """Whether something that no ledger has cannot act: a table or a view that nothing reads, an index, statistics.

    A trigger acts at each write, a unique index refuses some, and a virtual table has code of its own.
    """
    if is_of_sqlite(name, objects):
        return True
    (kind, _, sql), *more = objects
    if more or not isinstance(sql, str):
        return False
    return sql.startswith({"table": "CREATE TABLE ", "view": "CREATE VIEW ", "index": "CREATE INDEX "}.get(kind, "\0"))


def find_foreign_object(db: sqlite3.Connection, models: Sequence[ReadModel[Any]] | None) -> str | None:
    """Return the name of something that could act and that no ledger has, or that every ledger has and this one not.

    Reading the schema runs nothing that is in it. Read models may be missing, because they can be made again. With
    `models` None they may be of another version.
    """
    stored, expected = schema_objects(db), new_schema_objects(models or ())
    every = (*BUILTIN_MODELS, *(models or ()))
    rebuilt = {*(model.name for model in every), *(view.name for view in VIEWS)}
    rebuilt |= {read_model_sql.index_name(model) for model in every if model.index}
    for name in sorted(stored.keys() | expected.keys()):
        if name not in stored:
            if name not in rebuilt and not name.startswith(SEARCH_TABLE):
                return name
        elif name not in expected and name not in rebuilt:
            if not is_harmless(name, stored[name]):
                return name
        elif stored[name] != expected.get(name) and (
            models is not None or name not in rebuilt or not is_model_of_old_version(name, stored[name])
        ):
            return name
    return None


def is_model_of_old_version(name: str, objects: SchemaObjects) -> bool:
    """Whether it is one table as the program creates read models, or one of its views, and nothing that could act.

    A table has columns and keys. A view runs only when it is read, and nothing reads one before it is made again.
    """
    if len(objects) != 1:
        return False
    kind, _, sql = objects[0]
    is_view = kind == "view" and name in {view.name for view in VIEWS}
    return is_view or MODEL_TABLE.fullmatch(str(sql)) is not None


def new_schema_objects(models: Sequence[ReadModel[Any]]) -> Mapping[str, SchemaObjects]:
    """Return the schema of a new store with these read models."""
    return _schema_of_models(tuple(models))


@cache
def _schema_of_models(models: tuple[ReadModel[Any], ...]) -> Mapping[str, SchemaObjects]:
    """Return that schema as SQLite writes it down. It is the same in a whole process."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        for statement in schema_statements(models):
            db.execute(statement)
        return schema_objects(db)


def schema_objects(db: sqlite3.Connection) -> dict[str, SchemaObjects]:
    """Return what a schema has under each name: kind, table and statement. Two things of one name are both listed."""
    objects: dict[str, SchemaObjects] = {}
    for name, *rest in db.execute("SELECT name, type, tbl_name, sql FROM sqlite_schema ORDER BY name, type"):
        objects[str(name)] = (*objects.get(str(name), ()), tuple(rest))
    return objects
