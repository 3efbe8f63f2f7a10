"""The read tables: the state as rows that a person can query, with names where the state has keys.

Most mirror one dict of the state, row for key. A table says of each dict which of its rows a key concerns: so a
declaration writes the rows that it touched, and no others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Literal

from ledger.facts import Ends
from ledger.projection import ReadModel, Row, RowChange
from projections.state import Being, Condition, Count, Encounter, Place, Pool, State, Token, Wound

Type = Literal["TEXT", "INTEGER"]
Pair = tuple[str, str]


class StateTable(ReadModel[State], frozen=True, kw_only=True, eq=False):
    """A read table that can find one row.

    `row` makes that of a key, if there is one; `concerned` gives, by the name of a dict of the state, the keys of the
    rows that depend on a key of that dict, on what stood there, and on what stands there now.
    """

    row: Callable[[State, Any], Row | None]
    concerned: Mapping[str, Callable[[Any, Any, Any], Iterable[Row]]]


def mirror(name: str, key: tuple[str, ...], columns: Mapping[str, Type], row: Callable[[Any, Any], Row]) -> StateTable:
    """The table of the dict of its own name."""

    def rows(state: State) -> list[Row]:
        return sorted(row(place, value) for place, value in getattr(state, name).items())

    def found(state: State, place: Row) -> Row | None:
        own = place if len(key) > 1 else place[0]
        value = getattr(state, name).get(own)
        return None if value is None else row(own, value)

    def itself(place: Any, old: Any, now: Any) -> Iterator[Row]:
        yield place if len(key) > 1 else (place,)

    return StateTable(name=name, key=key, columns=columns, rows=rows, row=found, concerned={name: itself})


def changes(state: State) -> list[RowChange]:
    """What has been put since the state was settled, as rows: each touched one once."""
    parts = {id(getattr(state, part)): part for part in CONCERNED}
    touched: dict[tuple[StateTable, Row], None] = {}
    for table, place, old in state.journal:
        for kept in CONCERNED.get(parts.get(id(table), ""), ()):
            part = parts[id(table)]
            for key in kept.concerned[part](place, old, table.get(place)):
                touched[kept, key] = None
    return [RowChange(kept, key, kept.row(state, key)) for kept, key in touched]


def _characters(state: State) -> list[Row]:
    """All beings, by name."""
    return sorted(_character(state, being) for being in state.beings.values())


def _character_of(state: State, key: Row) -> Row | None:
    """The being of that name."""
    being = state.being(str(key[0]))
    return None if being is None else _character(state, being)


def _character(state: State, being: Being) -> Row:
    """A being: who it is, the best known of its sheet, and what holds for it as words."""
    level, player = state.sheet(being.name, "level"), state.sheet(being.name, "player")
    holds = ", ".join(_degree(found) for _, found in state.conditions_of(being.name) if not found.data)
    return (
        being.name,
        being.kind,
        being.side,
        level if isinstance(level, int) else None,
        None if player is None else str(player),
        holds,
        being.seen,
        being.joined + 1,
    )


def _degree(condition: Condition) -> str:
    """A condition in a word or two: `burning 2`."""
    return condition.name if condition.degree == 1 else f"{condition.name} {condition.degree}"


def _of_being(place: str, old: Being | None, now: Being | None) -> Iterator[Row]:
    """A being is known by its name, whatever the key of its dict is."""
    yield from ((being.name,) for being in (old, now) if being is not None)


def _of_sheet(place: Pair, old: object, now: object) -> Iterator[Row]:
    """Two entries of a sheet are shown."""
    if place[1] in ("level", "player"):
        yield (place[0],)


def _of_condition(place: str, old: Condition | None, now: Condition | None) -> Iterator[Row]:
    """Whoever bore it, and whoever bears it."""
    yield from ((condition.who,) for condition in (old, now) if condition is not None)


def _pool(place: Pair, pool: Pool) -> Row:
    return (*place, pool.points, pool.least, pool.most)


def _token(place: Pair, token: Token) -> Row:
    return (*place, token.count, token.most)


def _count(place: Pair, count: Count) -> Row:
    return (*place, count.now, count.of, count.until)


def _wound(place: Pair, wound: Wound) -> Row:
    return (*place, wound.kind, wound.value, int(wound.in_force), wound.at, wound.encounter)


def _condition(place: str, found: Condition) -> Row:
    until = "; ".join(map(_end, found.ends))
    return (place, found.who, found.name, found.degree, found.of, found.about, str(found.since), until)


def _end(end: Ends) -> str:
    """When something ends, in words: `round 3`, `turn of Kess`."""
    return f"{end.at}{f' {end.phase}' if end.phase else ''}{f' {end.due}' if end.due else ''}" + (
        f" of {end.whose}" if end.whose else ""
    )


def _place(who: str, found: Place) -> Row:
    return (who, found.place, None if found.square is None else "{},{}".format(*found.square))


def _link(tie: tuple[str, str, str], degree: int) -> Row:
    return (*tie, degree)


def _encounter(place: str, found: Encounter) -> Row:
    sides = "; ".join(f"{side}: {', '.join(who)}" for side, who in found.sides)
    return (place, found.kind, found.scale, found.round, found.phase, found.turn, sides)


CHARACTERS: Final = StateTable(
    name="characters",
    key=("name",),
    columns={
        "name": "TEXT",
        "kind": "TEXT",
        "side": "TEXT",
        "level": "INTEGER",
        "player": "TEXT",
        "conditions": "TEXT",
        "seen": "TEXT",
        "joined": "INTEGER",
    },
    rows=_characters,
    row=_character_of,
    concerned={"beings": _of_being, "sheets": _of_sheet, "conditions": _of_condition},
)
POOLS: Final = mirror(
    "pools",
    ("name", "pool"),
    {"name": "TEXT", "pool": "TEXT", "points": "INTEGER", "least": "INTEGER", "most": "INTEGER"},
    _pool,
)
TOKENS: Final = mirror(
    "tokens",
    ("name", "token"),
    {"name": "TEXT", "token": "TEXT", "number": "INTEGER", "most": "INTEGER"},
    _token,
)
COUNTS: Final = mirror(
    "counts",
    ("name", "count"),
    {"name": "TEXT", "count": "TEXT", "now": "INTEGER", "of": "INTEGER", "until": "TEXT"},
    _count,
)
WOUNDS: Final = mirror(
    "wounds",
    ("name", "wound"),
    {
        "name": "TEXT",
        "wound": "TEXT",
        "kind": "TEXT",
        "value": "INTEGER",
        "in_force": "INTEGER",
        "at": "TEXT",
        "encounter": "TEXT",
    },
    _wound,
)
CONDITIONS: Final = mirror(
    "conditions",
    ("id",),
    {
        "id": "TEXT",
        "name": "TEXT",
        "condition": "TEXT",
        "degree": "INTEGER",
        "of": "INTEGER",
        "about": "TEXT",
        "since": "TEXT",
        "until": "TEXT",
    },
    _condition,
)
PLACES: Final = mirror("places", ("name",), {"name": "TEXT", "place": "TEXT", "square": "TEXT"}, _place)
LINKS: Final = mirror(
    "links", ("name", "tie", "other"), {"name": "TEXT", "tie": "TEXT", "other": "TEXT", "degree": "INTEGER"}, _link
)
ENCOUNTERS: Final = mirror(
    "encounters",
    ("id",),
    {
        "id": "TEXT",
        "kind": "TEXT",
        "scale": "TEXT",
        "round": "INTEGER",
        "phase": "TEXT",
        "turn": "TEXT",
        "sides": "TEXT",
    },
    _encounter,
)
TABLES: Final = (CHARACTERS, POOLS, TOKENS, COUNTS, WOUNDS, CONDITIONS, PLACES, LINKS, ENCOUNTERS)
CONCERNED: Final[dict[str, tuple[StateTable, ...]]] = {
    part: tuple(table for table in TABLES if part in table.concerned)
    for part in sorted({part for table in TABLES for part in table.concerned})
}
