"""The read models of the ledger itself, computed from its records, and how all read models are built.

`entries` has a row for each take, `rolls` one for each die, `rulings` one for each ruling of the game
master. `counts` is 1 in the rows of takes that count. Nothing is decided from read models: they may be deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, Literal

from ledger.facts import BaseFact, Invalidated, Judged, Rolled, Ruled, Told
from ledger.ledger_state import initial_state
from ledger.projection import Projection, ReadModel, Row, RowChange, S
from ledger.records import Record, latest_takes
from ledger.store import Store

Takes = Sequence[Record]
TEXT: Final[Literal["TEXT"]] = "TEXT"
INTEGER: Final[Literal["INTEGER"]] = "INTEGER"


def entry_rows(take: Record, counts: int) -> Iterator[Row]:
    """Yield the row of a take: speaker, line, time, and result."""
    told = "\n".join(fact.text for fact in take.facts if isinstance(fact, Told))
    judged = [fact for fact in take.facts if isinstance(fact, Judged)]
    main: Iterable[BaseFact] = judged or take.facts[1:]
    rules: tuple[str, ...] = next((fact.rules for fact in main if fact.rules), ())
    result = "; ".join(f"{fact.who} {fact.what} {fact.result}" for fact in judged)
    id = (str(take.id), take.session, take.number, take.insert, take.take, counts)
    said = (take.by, take.at, take.seen, take.line, told)
    refused = next((f"no longer possible: {fact.code}" for fact in take.facts if isinstance(fact, Invalidated)), "")
    without_result = refused if take.facts else "taken back"
    yield (take.position, *id, *said, ", ".join(rules), result or without_result)


def roll_rows(take: Record, counts: int) -> Iterator[Row]:
    """Yield a row for each die; `fact` and `die` count from 1 (1.4.2 is the second fact of 1.4)."""
    for fact_number, fact in enumerate(take.facts, start=1):
        if isinstance(fact, Rolled):
            for die_number, die in enumerate(fact.dice, start=1):
                key = (take.position, fact_number, die_number, str(take.id), take.take, counts)
                throw = (fact.who, fact.purpose, fact.source)
                yield (*key, *throw, die.ordinal, die.sides, die.face, int(die.kept), die.label)


def ruling_rows(take: Record, counts: int) -> Iterator[Row]:
    """Yield a row for each decision of the game master."""
    for fact_number, fact in enumerate(take.facts, start=1):
        if isinstance(fact, Ruled):
            key = (take.position, fact_number, str(take.id), take.take, counts)
            cites, agreed = ", ".join(fact.cites), ", ".join(fact.agreed)
            yield (*key, fact.name, fact.text, fact.because, fact.about, cites, fact.scope, agreed)


def _take_model(
    name: str,
    key: tuple[str, ...],
    columns: dict[str, Literal["TEXT", "INTEGER"]],
    rows: Callable[[Record, int], Iterable[Row]],
) -> ReadModel[Takes]:
    """Return a read model with rows of every take."""

    def sorted_rows(takes: Takes) -> list[Row]:
        counted = {record.position for record in latest_takes(takes)}
        return sorted(row for take in takes for row in rows(take, int(take.position in counted)))

    return ReadModel(name=name, key=key, columns=columns, rows=sorted_rows)


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
    entry_rows,
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
    roll_rows,
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
    ruling_rows,
)
BUILTIN_MODELS: Final[tuple[ReadModel[Takes], ...]] = (ENTRIES, ROLLS, RULINGS)


def build_read_models(store: Store, projection: Projection[S]) -> list[tuple[ReadModel[Any], list[Row]]]:
    """Return every read model with its rows, computed from the records."""
    takes, state = list(store.takes()), initial_state(projection)
    for record in latest_takes(takes):
        state.fold(record)
    builtin = [(model, list(model.rows(takes))) for model in BUILTIN_MODELS]
    return [*builtin, *((model, list(model.rows(state.state))) for model in projection.read_models)]


def rows_by_key(model: ReadModel[Any], rows: Iterable[Row]) -> dict[Row, Row]:
    """Return the rows by their keys."""
    return {row[: len(model.key)]: row for row in rows}


def row_changes_between(models: Iterable[ReadModel[S]], before: S, after: S) -> Iterator[RowChange]:
    """Yield the rows that differ between two states."""
    for model in models:
        old, new = rows_by_key(model, model.rows(before)), rows_by_key(model, model.rows(after))
        yield from (RowChange(model, key, None) for key in old if key not in new)
        yield from (RowChange(model, key, row) for key, row in new.items() if old.get(key) != row)
