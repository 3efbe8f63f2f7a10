"""SQL for read models: create, upsert and delete rows, and the full-text index of entries.

`entries_fts` indexes the lines as they were typed, and the scenes, fiction and quotes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from ledger.projection import ReadModel, Row, RowChange
from ledger.read_model_views import VIEWS
from ledger.read_models import BUILTIN_MODELS, ENTRIES, INTEGER, Takes, take_rows

Statement = tuple[str, Sequence[Row]]
MAX_SEARCH_WORDS: Final = 40
MAX_SEARCH_LENGTH: Final = 2000
LINE: Final = list(ENTRIES.columns).index("line")

CREATE_SEARCH: Final = (
    'CREATE VIRTUAL TABLE entries_fts USING fts5(line, told, content="entries", content_rowid="position",'
    " tokenize='unicode61 remove_diacritics 2')"
)
INSERT_SEARCH: Final = "INSERT INTO entries_fts (rowid, line, told) VALUES (?, ?, ?)"
REBUILD_SEARCH: Final = "INSERT INTO entries_fts (entries_fts) VALUES ('rebuild')"
CREATE_SEARCH_WORDS: Final = "CREATE VIRTUAL TABLE temp.said USING fts5vocab(main, entries_fts, instance)"
SELECT_SEARCH_WORDS: Final = "SELECT term, doc, col, offset FROM temp.said ORDER BY term, doc, col, offset"
UNSET_COUNTS: Final = (
    " SET counts = 0 WHERE counts <> 0 AND position IN (SELECT position FROM records"
    " WHERE (session, number, inserted) = (?, ?, ?) AND position < ?)"
)


def create_table_sql(model: ReadModel[Any]) -> str:
    """Return the statement that creates the table of a read model."""
    numbered = [model.columns[name] for name in model.key] == [INTEGER]
    lines = [f"    {name} {kind}" for name, kind in model.columns.items()]
    if numbered:
        lines[0] += " PRIMARY KEY"
    else:
        lines.append(f"    PRIMARY KEY ({', '.join(model.key)})")
    lines += [f"    FOREIGN KEY ({column}) REFERENCES {table}" for column, table in model.links.items()]
    return f"CREATE TABLE {model.name} (\n" + ",\n".join(lines) + "\n) STRICT" + ("" if numbered else ", WITHOUT ROWID")


def index_name(model: ReadModel[Any]) -> str:
    """Return the name of the index of a read model that has one."""
    return f"{model.name}_by_{model.index[0]}"


def create_index_sql(model: ReadModel[Any]) -> Iterator[str]:
    """Yield the statement that creates the index of a read model, if it has one."""
    if model.index:
        yield f"CREATE INDEX {index_name(model)} ON {model.name} ({', '.join(model.index)})"


CREATE_VIEWS: Final = tuple(f"CREATE VIEW {view.name} AS\n{view.query}" for view in VIEWS)
SCHEMA: Final = (
    *(create_table_sql(table) for table in BUILTIN_MODELS),
    *(statement for table in BUILTIN_MODELS for statement in create_index_sql(table)),
    CREATE_SEARCH,
    *CREATE_VIEWS,
)


class Dialect(NamedTuple):
    """What one database says otherwise than another, in statements that write.

    `upsert` returns the statement that inserts a row of a read model or replaces the one with its key, and `rows` the
    rows of a read model as the database takes them. `has_index`: there is a full-text index to write.
    """

    insert_record: str
    insert_snapshot: str
    upsert: Callable[[ReadModel[Any]], str]
    rows: Callable[[ReadModel[Any], list[Row]], list[Row]]
    has_index: bool


@cache
def upsert_sql(model: ReadModel[Any]) -> str:
    """Return the statement that inserts a row or replaces the one with the same key."""
    return f"INSERT OR REPLACE INTO {model.name} VALUES ({', '.join('?' * len(model.columns))})"


@cache
def delete_sql(model: ReadModel[Any]) -> str:
    """Return the statement that deletes the row of a key."""
    return f"DELETE FROM {model.name} WHERE ({', '.join(model.key)}) = ({', '.join('?' * len(model.key))})"


def statements_for(takes: Takes, changes: Iterable[RowChange], dialect: Dialect) -> Iterator[Statement]:
    """Yield the statements that bring appended takes and row changes into the read models, once for each table.

    Superseded takes are marked at the end: some of the takes may supersede others.
    """
    rows: dict[str, tuple[ReadModel[Any], list[Row]]] = {}  # by name of model
    deleted: dict[str, list[Row]] = {}  # keys, by statement
    for take in takes:
        for model, row in take_rows(take, 1):
            rows.setdefault(model.name, (model, []))[1].append(row)
    for change in changes:
        if change.row is None:
            deleted.setdefault(delete_sql(change.model), []).append(change.key)
        else:
            rows.setdefault(change.model.name, (change.model, []))[1].append(change.row)
    for model, own in rows.values():
        yield dialect.upsert(model), dialect.rows(model, own)
    yield from deleted.items()
    if dialect.has_index:
        yield INSERT_SEARCH, [(row[0], *row[LINE : LINE + 2]) for row in rows[ENTRIES.name][1]]
    if later := [(take.session, take.number, take.insert, take.position) for take in takes if take.take > 1]:
        for model in BUILTIN_MODELS:
            yield f"UPDATE {model.name}{UNSET_COUNTS}", later


def fts_query(text: str) -> str:
    """Return a full-text query for entries with all words of any text, as prefixes; empty if it has no word."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text[:MAX_SEARCH_LENGTH])
    words = [word.replace('"', '""') for word in plain.split() if any(map(str.isalnum, word))]
    return " ".join(f'"{word}" *' for word in words[:MAX_SEARCH_WORDS])
