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
from ledger.records import Record, counting

Takes = Sequence[Record]
Statement = tuple[str, Sequence[Row]]
WORDS_MOST: Final = 40
LOOKED_FOR_MOST: Final = 2000

TEXT: Final[Literal["TEXT"]] = "TEXT"
INTEGER: Final[Literal["INTEGER"]] = "INTEGER"


def _table(
    name: str,
    key: tuple[str, ...],
    columns: dict[str, Literal["TEXT", "INTEGER"]],
    rows: Callable[[Record, int], Iterable[Row]],
) -> ReadModel[Takes]:
    """A table with rows of every take."""

    def made(takes: Takes) -> list[Row]:
        counted = {record.position for record in counting(takes)}
        return sorted(row for take in takes for row in rows(take, int(take.position in counted)))

    return ReadModel(name=name, key=key, columns=columns, rows=made)


def _entry(take: Record, counts: int) -> Iterator[Row]:
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


def _rolls(take: Record, counts: int) -> Iterator[Row]:
    """A row for each die; `fact` and `die` count from 1 (1.4.2 is the second fact of 1.4)."""
    for place, fact in enumerate(take.facts, start=1):
        if isinstance(fact, Rolled):
            for number, die in enumerate(fact.dice, start=1):
                named = (take.position, place, number, str(take.id), take.take, counts)
                thrown = (fact.who, fact.purpose, fact.source)
                yield (*named, *thrown, die.ordinal, die.sides, die.face, int(die.kept), die.why)


def _rulings(take: Record, counts: int) -> Iterator[Row]:
    """A row for each decision of the game master."""
    for place, fact in enumerate(take.facts, start=1):
        if isinstance(fact, Ruled):
            named = (take.position, place, str(take.id), take.take, counts)
            cites, agreed = ", ".join(fact.cites), ", ".join(fact.agreed)
            yield (*named, fact.name, fact.text, fact.because, fact.about, cites, fact.scope, agreed)


ENTRIES: Final = _table(
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
    _entry,
)
ROLLS: Final = _table(
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
        "why": TEXT,
    },
    _rolls,
)
RULINGS: Final = _table(
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
    _rulings,
)
BUILTIN_MODELS: Final[tuple[ReadModel[Takes], ...]] = (ENTRIES, ROLLS, RULINGS)
LINE: Final = list(ENTRIES.columns).index("line")

SEARCH: Final = (
    'CREATE VIRTUAL TABLE entries_fts USING fts5(line, told, content="entries", content_rowid="position",'
    " tokenize='unicode61 remove_diacritics 2')"
)
SEARCHED: Final = "INSERT INTO entries_fts (rowid, line, told) VALUES (?, ?, ?)"
SEARCHED_ANEW: Final = "INSERT INTO entries_fts (entries_fts) VALUES ('rebuild')"
VOCABULARY: Final = "CREATE VIRTUAL TABLE temp.said USING fts5vocab(main, entries_fts, instance)"
SAID: Final = "SELECT term, doc, col, offset FROM temp.said ORDER BY term, doc, col, offset"
EARLIER: Final = (
    " SET counts = 0 WHERE position IN (SELECT position FROM records"
    " WHERE (session, number, inserted) = (?, ?, ?) AND position < ?)"
)


def create_table_sql(table: ReadModel[Any]) -> str:
    """The statement that makes a table: strict, and without rows of its own where a row is found by its key."""
    numbered = [table.columns[name] for name in table.key] == [INTEGER]
    lines = [f"    {name} {kind}" for name, kind in table.columns.items()]
    if numbered:
        lines[0] += " PRIMARY KEY"
    else:
        lines.append(f"    PRIMARY KEY ({', '.join(table.key)})")
    return f"CREATE TABLE {table.name} (\n" + ",\n".join(lines) + "\n) STRICT" + ("" if numbered else ", WITHOUT ROWID")


SCHEMA: Final = (*(create_table_sql(table) for table in BUILTIN_MODELS), SEARCH)


@cache
def upsert_sql(table: ReadModel[Any]) -> str:
    """The statement that writes a row, over the one with the same key if there is one."""
    return f"INSERT OR REPLACE INTO {table.name} VALUES ({', '.join('?' * len(table.columns))})"


@cache
def delete_sql(table: ReadModel[Any]) -> str:
    """The statement that takes the row of a key away."""
    return f"DELETE FROM {table.name} WHERE ({', '.join(table.key)}) = ({', '.join('?' * len(table.key))})"


def statements_for(records: Takes, changes: Iterable[RowChange]) -> Iterator[Statement]:
    """The statements with which appended records and their changes come into the read tables."""
    entries = [row for record in records for row in _entry(record, 1)]
    yield upsert_sql(ENTRIES), entries
    yield SEARCHED, [(row[0], *row[LINE : LINE + 2]) for row in entries]
    for table, rows in ((ROLLS, _rolls), (RULINGS, _rulings)):
        if made := [row for record in records for row in rows(record, 1)]:
            yield upsert_sql(table), made
    if later := [
        (record.session, record.number, record.insert, record.position) for record in records if record.take > 1
    ]:
        for table in BUILTIN_MODELS:
            yield f"UPDATE {table.name}{EARLIER}", later
    for change in changes:
        if change.row is None:
            yield delete_sql(change.model), [change.key]
        else:
            yield upsert_sql(change.model), [change.row]


def keyed(table: ReadModel[Any], rows: Iterable[Row]) -> dict[Row, Row]:
    """Rows by their keys."""
    return {row[: len(table.key)]: row for row in rows}


def row_changes_between(tables: Iterable[ReadModel[S]], before: S, after: S) -> Iterator[RowChange]:
    """What makes the rows of one state those of another."""
    for table in tables:
        old, new = keyed(table, table.rows(before)), keyed(table, table.rows(after))
        yield from (RowChange(table, key, None) for key in old if key not in new)
        yield from (RowChange(table, key, row) for key, row in new.items() if old.get(key) != row)


def match_query(text: str) -> str:
    """Any text at all as a full-text query: every word of it, and each may go on. Empty where there is no word."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text[:LOOKED_FOR_MOST])
    words = [word.replace('"', '""') for word in plain.split() if any(map(str.isalnum, word))]
    return " ".join(f'"{word}" *' for word in words[:WORDS_MOST])
