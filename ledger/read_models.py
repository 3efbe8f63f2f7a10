"""The read models of the ledger itself, computed from its records.

`entries` has a row for each take, `rolls` one for each die, `rulings` one for each ruling of the game master,
`wound_facts` and `encounter_facts` what the views `wounds` and `fights` are made of, `changes` one for each change of a
value. `counts` is 1 in the rows of takes that count. Nothing is decided from read models: they may be deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal

from ledger import facts
from ledger.change_rows import CHANGES, moment
from ledger.projection import ColumnType, ReadModel, Row, RowChange, S
from ledger.records import Record, latest_takes

Takes = Sequence[Record]
TEXT: Final[Literal["TEXT"]] = "TEXT"
INTEGER: Final[Literal["INTEGER"]] = "INTEGER"


def entry_row(take: Record, counts: int) -> Row:
    """Return the row of a take: speaker, line, time, and result."""
    judged = [fact for fact in take.facts if isinstance(fact, facts.Judged)]
    told = "\n".join([fact.text for fact in take.facts if isinstance(fact, facts.Told)])
    refused = next(
        (f"no longer possible: {fact.code}" for fact in take.facts if isinstance(fact, facts.Invalidated)), ""
    )
    main: Iterable[facts.BaseFact] = judged or take.facts[1:]
    rules: tuple[str, ...] = next((fact.rules for fact in main if fact.rules), ())
    result = "; ".join(f"{fact.who} {fact.what} {fact.result}" for fact in judged)
    id = (str(take.id), take.session, take.number, take.insert, take.take, counts)
    said = (take.by, take.at, take.seen, take.line, told)
    without_result = refused if take.facts else "taken back"
    return (take.position, *id, *said, ", ".join(rules), result or without_result)


def roll_rows(take: Record, counts: int, number: int, fact: facts.Rolled) -> Iterator[Row]:
    """Yield a row for each die; `fact` and `die` count from 1 (1.4.2 is the second fact of 1.4)."""
    entry, throw = (str(take.id), take.take, counts), (fact.who, fact.purpose, fact.source)
    for die_number, die in enumerate(fact.dice, start=1):
        key = (take.position, number, die_number)
        yield (*key, *entry, *throw, die.ordinal, die.sides, die.face, int(die.kept), die.label)


def ruling_rows(take: Record, counts: int, number: int, fact: facts.Ruled) -> Iterator[Row]:
    """Yield the row of a decision of the game master."""
    key = (take.position, number, str(take.id), take.take, counts)
    cites, agreed = ", ".join(fact.cites), ", ".join(fact.agreed)
    yield (*key, fact.name, fact.text, fact.because, fact.about, cites, fact.scope, agreed)


def wound_rows(take: Record, counts: int, number: int, fact: facts.Wounded | facts.WoundChanged) -> Iterator[Row]:
    """Yield the row of a wound that came or changed."""
    key, wound = _fact_key(take, counts, number), (fact.who, fact.wound, fact.kind, fact.value, int(fact.in_force))
    if isinstance(fact, facts.Wounded):
        yield (*key, "came", *wound, fact.at, fact.encounter, fact.by, "", fact.rolled)
    else:
        yield (*key, "changed" if fact.value else "healed", *wound, "", "", take.by, fact.because, "")


def encounter_rows(
    take: Record, counts: int, number: int, fact: facts.EncounterBegan | facts.Reached | facts.EncounterEnded
) -> Iterator[Row]:
    """Yield the row of an encounter that began or ended, or of one of its rounds."""
    match fact:
        case facts.EncounterBegan():
            sides = "; ".join(f"{side}: {', '.join(who)}" for side, who in fact.sides)
            began = ("began", fact.encounter, fact.kind, fact.scale, 0, sides, fact.because, "")
            yield (*_fact_key(take, counts, number), *began)
        case facts.Reached(point="round"):
            yield (*_fact_key(take, counts, number), "round", "", "", "", fact.round, "", "", "")
        case facts.EncounterEnded():
            ended = ("ended", fact.encounter, "", "", None, "", fact.because, encounter_outcome(fact))
            yield (*_fact_key(take, counts, number), *ended)


def _fact_key(take: Record, counts: int, number: int) -> Row:
    """Return the first columns of a row for one fact of a take."""
    return (take.position, number, str(take.id), moment(take.id), take.session, take.take, counts, take.at)


def encounter_outcome(fact: facts.EncounterEnded) -> str:
    """Return who stands at the end of an encounter and who is out: `standing: pc (Ash); out: Thug (dead)`."""
    sides = ", ".join(f"{side} ({', '.join(who)})" for side, who in fact.stand)
    stand = f"standing: {sides}" if sides else "nobody stands" if fact.out else ""
    out = ", ".join(f"{who} ({how})" for who, how in fact.out)
    return f"{stand}; out: {out}" if out else stand


def _take_model(name: str, key: tuple[str, ...], columns: dict[str, ColumnType]) -> ReadModel[Takes]:
    """Return a read model with rows of every take."""

    def sorted_rows(takes: Takes) -> list[Row]:
        counted = {record.position for record in latest_takes(takes)}
        rows = (pair for take in takes for pair in take_rows(take, int(take.position in counted)))
        return sorted(row for model, row in rows if model.name == name)

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
)
TAKE_MODELS: Final = (ENTRIES, ROLLS, RULINGS, WOUND_FACTS, ENCOUNTER_FACTS)
ROWS_OF_FACT: Final[Mapping[type[facts.BaseFact], tuple[ReadModel[Takes], Callable[..., Iterable[Row]]]]] = {
    facts.Rolled: (ROLLS, roll_rows),
    facts.Ruled: (RULINGS, ruling_rows),
    facts.Wounded: (WOUND_FACTS, wound_rows),
    facts.WoundChanged: (WOUND_FACTS, wound_rows),
    facts.EncounterBegan: (ENCOUNTER_FACTS, encounter_rows),
    facts.Reached: (ENCOUNTER_FACTS, encounter_rows),
    facts.EncounterEnded: (ENCOUNTER_FACTS, encounter_rows),
}
BUILTIN_MODELS: Final[tuple[ReadModel[Any], ...]] = (*TAKE_MODELS, CHANGES)


def take_rows(take: Record, counts: int) -> Iterator[tuple[ReadModel[Takes], Row]]:
    """Yield the rows of a take, each with its read model; `counts` is 1 if it is the last take of its entry."""
    yield ENTRIES, entry_row(take, counts)
    for number, fact in enumerate(take.facts, start=1):
        if (rows := ROWS_OF_FACT.get(type(fact))) is not None:
            model, rows_of = rows
            for row in rows_of(take, counts, number, fact):
                yield model, row


def rows_by_key(model: ReadModel[Any], rows: Iterable[Row]) -> dict[Row, Row]:
    """Return the rows by their keys."""
    return {row[: len(model.key)]: row for row in rows}


def row_changes_between(models: Iterable[ReadModel[S]], before: S, after: S) -> Iterator[RowChange]:
    """Yield the rows that differ between two states."""
    for model in models:
        old, new = rows_by_key(model, model.rows(before)), rows_by_key(model, model.rows(after))
        yield from (RowChange(model, key, None) for key in old if key not in new)
        yield from (RowChange(model, key, row) for key, row in new.items() if old.get(key) != row)
