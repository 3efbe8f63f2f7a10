"""The read models of the ledger itself, computed from its records, and how all read models are built.

`entries` has a row for each take, `rolls` one for each die, `rulings` one for each ruling of the game master,
`wound_facts` and `encounter_facts` what the views `wounds` and `fights` are made of, `changes` one for each change of a
value. `counts` is 1 in the rows of takes that count. Nothing is decided from read models: they may be deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, Literal

from ledger.changes import CHANGES, History, moment
from ledger.facts import (
    BaseFact,
    EncounterBegan,
    EncounterEnded,
    Invalidated,
    Judged,
    Reached,
    Rolled,
    Ruled,
    Told,
    WoundChanged,
    Wounded,
)
from ledger.ledger_state import initial_state
from ledger.projection import ColumnType, Projection, ReadModel, Row, RowChange, S
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


def wound_rows(take: Record, counts: int) -> Iterator[Row]:
    """Yield a row for each wound that came or changed."""
    for fact_number, fact in enumerate(take.facts, start=1):
        key = (take.position, fact_number, str(take.id), moment(take.id), take.session, take.take, counts, take.at)
        if isinstance(fact, Wounded):
            wound = (fact.who, fact.wound, fact.kind, fact.value, int(fact.in_force))
            yield (*key, "came", *wound, fact.at, fact.encounter, fact.by, "", fact.rolled)
        elif isinstance(fact, WoundChanged):
            wound = (fact.who, fact.wound, fact.kind, fact.value, int(fact.in_force))
            yield (*key, "changed" if fact.value else "healed", *wound, "", "", take.by, fact.because, "")


def encounter_rows(take: Record, counts: int) -> Iterator[Row]:
    """Yield a row for each encounter that began or ended, and for each of its rounds."""
    for fact_number, fact in enumerate(take.facts, start=1):
        key = (take.position, fact_number, str(take.id), moment(take.id), take.session, take.take, counts, take.at)
        match fact:
            case EncounterBegan():
                sides = "; ".join(f"{side}: {', '.join(who)}" for side, who in fact.sides)
                yield (*key, "began", fact.encounter, fact.kind, fact.scale, 0, sides, fact.because, "")
            case Reached(point="round"):
                yield (*key, "round", "", "", "", fact.round, "", "", "")
            case EncounterEnded():
                outcome = encounter_outcome(fact)
                yield (*key, "ended", fact.encounter, "", "", None, "", fact.because, outcome)


def encounter_outcome(fact: EncounterEnded) -> str:
    """Return who stands at the end of an encounter and who is out: `standing: pc (Ash); out: Thug (dead)`."""
    sides = ", ".join(f"{side} ({', '.join(who)})" for side, who in fact.stand)
    stand = f"standing: {sides}" if sides else "nobody stands" if fact.out else ""
    out = ", ".join(f"{who} ({how})" for who, how in fact.out)
    return f"{stand}; out: {out}" if out else stand


def _take_model(
    name: str,
    key: tuple[str, ...],
    columns: dict[str, ColumnType],
    rows: Callable[[Record, int], Iterable[Row]],
) -> ReadModel[Takes]:
    """Return a read model with rows of every take."""

    def sorted_rows(takes: Takes) -> list[Row]:
        counted = {record.position for record in latest_takes(takes)}
        return sorted(row for take in takes for row in rows(take, int(take.position in counted)))

    links = {} if key == ("position",) else {"position": "entries (position)"}
    return ReadModel(name=name, key=key, columns=columns, rows=sorted_rows, links=links)


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
FACT_COLUMNS: Final[dict[str, ColumnType]] = {
    "position": INTEGER,
    "fact": INTEGER,
    "entry": TEXT,
    "moment": INTEGER,
    "session": INTEGER,
    "take": INTEGER,
    "counts": INTEGER,
    "at": TEXT,
}
WOUND_FACTS: Final = _take_model(
    "wound_facts",
    ("position", "fact"),
    {
        **FACT_COLUMNS,
        "point": TEXT,
        "name": TEXT,
        "wound": TEXT,
        "kind": TEXT,
        "value": INTEGER,
        "in_force": INTEGER,
        "part": TEXT,
        "encounter": TEXT,
        "actor": TEXT,
        "because": TEXT,
        "rolled": TEXT,
    },
    wound_rows,
)
ENCOUNTER_FACTS: Final = _take_model(
    "encounter_facts",
    ("position", "fact"),
    {
        **FACT_COLUMNS,
        "point": TEXT,
        "encounter": TEXT,
        "kind": TEXT,
        "scale": TEXT,
        "round": INTEGER,
        "sides": TEXT,
        "because": TEXT,
        "outcome": TEXT,
    },
    encounter_rows,
)
ROWS_OF_TAKE: Final = {
    ENTRIES: entry_rows,
    ROLLS: roll_rows,
    RULINGS: ruling_rows,
    WOUND_FACTS: wound_rows,
    ENCOUNTER_FACTS: encounter_rows,
}
TAKE_MODELS: Final[tuple[ReadModel[Takes], ...]] = tuple(ROWS_OF_TAKE)
BUILTIN_MODELS: Final[tuple[ReadModel[Any], ...]] = (*TAKE_MODELS, CHANGES)


def build_read_models(store: Store, projection: Projection[S]) -> list[tuple[ReadModel[Any], list[Row]]]:
    """Return every read model with its rows, computed from the records."""
    takes, state = list(store.takes()), initial_state(projection)
    for record in latest_takes(takes):
        state.fold(record)
    builtin = [(model, list(model.rows(takes))) for model in TAKE_MODELS]
    changes = list(CHANGES.rows(History(projection, takes)))
    return [*builtin, (CHANGES, changes), *((model, list(model.rows(state.state))) for model in projection.read_models)]


def rows_by_key(model: ReadModel[Any], rows: Iterable[Row]) -> dict[Row, Row]:
    """Return the rows by their keys."""
    return {row[: len(model.key)]: row for row in rows}


def row_changes_between(models: Iterable[ReadModel[S]], before: S, after: S) -> Iterator[RowChange]:
    """Yield the rows that differ between two states."""
    for model in models:
        old, new = rows_by_key(model, model.rows(before)), rows_by_key(model, model.rows(after))
        yield from (RowChange(model, key, None) for key in old if key not in new)
        yield from (RowChange(model, key, row) for key, row in new.items() if old.get(key) != row)
