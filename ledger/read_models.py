"""The read tables of the ground, made of records alone, and what SQLite is told about any read table.

`entries` are all takes, `rolls` every die that ever lay on the table, `rulings` what was decided; `counts` is 1 in
the rows of the take that counts of its entry. `entries_fts` is a full-text index over what was said: the line as
it was typed, and the scenes, fiction and quotes that were told. Their state is the takes, in order of entries.

Read tables can be thrown away: nothing is decided from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Final, Literal

from ledger.facts import BaseFact, Invalidated, Judged, Rolled, Ruled, Told
from ledger.projection import ReadModel, Row, RowChange, S
from ledger.records import Record, latest_takes

Takes = Sequence[Record]
Statement = tuple[str, Sequence[Row]]
MAX_SEARCH_WORDS: Final = 40
MAX_SEARCH_LENGTH: Final = 2000

TEXT: Final[Literal["TEXT"]] = "TEXT"
INTEGER: Final[Literal["INTEGER"]] = "INTEGER"


def _take_model(
    name: str,
    key: tuple[str, ...],
    columns: dict[str, Literal["TEXT", "INTEGER"]],
    rows: Callable[[Record, int], Iterable[Row]],
) -> ReadModel[Takes]:
    """A table with rows of every take."""

    def made(takes: Takes) -> list[Row]:
        counted = {record.position for record in latest_takes(takes)}
        return sorted(row for take in takes for row in rows(take, int(take.position in counted)))

    return ReadModel(name=name, key=key, columns=columns, rows=made)


def _entry_rows(take: Record, counts: int) -> Iterator[Row]:
    """The row of a take: who said what when, and what came of it."""
    told = "\n".join(fact.text for fact in take.facts if isinstance(fact, Told))
    judged = [fact for fact in take.facts if isinstance(fact, Judged)]
    main: Iterable[BaseFact] = judged or take.facts[1:]
    rules: tuple[str, ...] = next((fact.rules for fact in main if fact.rules), ())
    result = "; ".join(f"{fact.who} {fact.what} {fact.result}" for fact in judged)
    id = (str(take.id), take.session, take.number, take.insert, take.take, counts)
    said = (take.by, take.at, take.seen, take.line, told)
    lapsed = next((f"no longer possible: {fact.code}" for fact in take.facts if isinstance(fact, Invalidated)), "")
    void = lapsed if take.facts else "taken back"
    yield (take.position, *id, *said, ", ".join(rules), result or void)


def _roll_rows(take: Record, counts: int) -> Iterator[Row]:
    """A row for each die; `fact` and `die` count from 1 (1.4.2 is the second fact of 1.4)."""
    for place, fact in enumerate(take.facts, start=1):
        if isinstance(fact, Rolled):
            for number, die in enumerate(fact.dice, start=1):
                named = (take.position, place, number, str(take.id), take.take, counts)
                thrown = (fact.who, fact.purpose, fact.source)
                yield (*named, *thrown, die.ordinal, die.sides, die.face, int(die.kept), die.label)


def _ruling_rows(take: Record, counts: int) -> Iterator[Row]:
    """A row for each decision of the game master."""
    for place, fact in enumerate(take.facts, start=1):
        if isinstance(fact, Ruled):
            named = (take.position, place, str(take.id), take.take, counts)
            cites, agreed = ", ".join(fact.cites), ", ".join(fact.agreed)
            yield (*named, fact.name, fact.text, fact.because, fact.about, cites, fact.scope, agreed)


ENTRIES: Final = _take_model(
    "entries",
    ("position",),
    {
        "position": INTEGER,
        "entry": TEXT,
        "session": INTEGER,
        "number": INTEGER,
        "inserted": INTEGER,
        "take": INTEGER,
        "counts": INTEGER,
        "who": TEXT,
        "at": TEXT,
        "seen": TEXT,
        "line": TEXT,
        "told": TEXT,
        "rules": TEXT,
        "result": TEXT,
    },
    _entry_rows,
)
ROLLS: Final = _take_model(
    "rolls",
    ("position", "fact", "die"),
    {
        "position": INTEGER,
        "fact": INTEGER,
        "die": INTEGER,
        "entry": TEXT,
        "take": INTEGER,
        "counts": INTEGER,
        "who": TEXT,
        "purpose": TEXT,
        "source": TEXT,
        "ordinal": INTEGER,
        "sides": INTEGER,
        "face": INTEGER,
        "kept": INTEGER,
        "label": TEXT,
    },
    _roll_rows,
)
RULINGS: Final = _take_model(
    "rulings",
    ("position", "fact"),
    {
        "position": INTEGER,
        "fact": INTEGER,
        "entry": TEXT,
        "take": INTEGER,
        "counts": INTEGER,
        "name": TEXT,
        "text": TEXT,
        "because": TEXT,
        "about": TEXT,
        "cites": TEXT,
        "scope": TEXT,
        "agreed": TEXT,
    },
    _ruling_rows,
)
BUILTIN_MODELS: Final[tuple[ReadModel[Takes], ...]] = (ENTRIES, ROLLS, RULINGS)
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
    " SET counts = 0 WHERE position IN (SELECT position FROM records"
    " WHERE (session, number, inserted) = (?, ?, ?) AND position < ?)"
)


def create_table_sql(model: ReadModel[Any]) -> str:
    """The statement that makes a table: strict, and without rows of its own where a row is found by its key."""
    numbered = [model.columns[name] for name in model.key] == [INTEGER]
    lines = [f"    {name} {kind}" for name, kind in model.columns.items()]
    if numbered:
        lines[0] += " PRIMARY KEY"
    else:
        lines.append(f"    PRIMARY KEY ({', '.join(model.key)})")
    return f"CREATE TABLE {model.name} (\n" + ",\n".join(lines) + "\n) STRICT" + ("" if numbered else ", WITHOUT ROWID")


SCHEMA: Final = (*(create_table_sql(table) for table in BUILTIN_MODELS), CREATE_SEARCH)


@cache
def upsert_sql(model: ReadModel[Any]) -> str:
    """The statement that writes a row, over the one with the same key if there is one."""
    return f"INSERT OR REPLACE INTO {model.name} VALUES ({', '.join('?' * len(model.columns))})"


@cache
def delete_sql(model: ReadModel[Any]) -> str:
    """The statement that takes the row of a key away."""
    return f"DELETE FROM {model.name} WHERE ({', '.join(model.key)}) = ({', '.join('?' * len(model.key))})"


def statements_for(records: Takes, changes: Iterable[RowChange]) -> Iterator[Statement]:
    """The statements with which appended records and their changes come into the read tables."""
    entries = [row for record in records for row in _entry_rows(record, 1)]
    yield upsert_sql(ENTRIES), entries
    yield INSERT_SEARCH, [(row[0], *row[LINE : LINE + 2]) for row in entries]
    for table, rows in ((ROLLS, _roll_rows), (RULINGS, _ruling_rows)):
        if made := [row for record in records for row in rows(record, 1)]:
            yield upsert_sql(table), made
    if later := [
        (record.session, record.number, record.insert, record.position) for record in records if record.take > 1
    ]:
        for table in BUILTIN_MODELS:
            yield f"UPDATE {table.name}{UNSET_COUNTS}", later
    for change in changes:
        if change.row is None:
            yield delete_sql(change.model), [change.key]
        else:
            yield upsert_sql(change.model), [change.row]


def rows_by_key(model: ReadModel[Any], rows: Iterable[Row]) -> dict[Row, Row]:
    """Rows by their keys."""
    return {row[: len(model.key)]: row for row in rows}


def row_changes_between(models: Iterable[ReadModel[S]], before: S, after: S) -> Iterator[RowChange]:
    """What makes the rows of one state those of another."""
    for table in models:
        old, new = rows_by_key(table, table.rows(before)), rows_by_key(table, table.rows(after))
        yield from (RowChange(table, key, None) for key in old if key not in new)
        yield from (RowChange(table, key, row) for key, row in new.items() if old.get(key) != row)


def fts_query(text: str) -> str:
    """Any text at all as a full-text query: every word of it, and each may go on. Empty where there is no word."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text[:MAX_SEARCH_LENGTH])
    words = [word.replace('"', '""') for word in plain.split() if any(map(str.isalnum, word))]
    return " ".join(f'"{word}" *' for word in words[:MAX_SEARCH_WORDS])
