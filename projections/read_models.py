"""Read models: the state as SQL tables for readers, with names where the state has keys.

Most tables have one row for each item of one part of the state. Every table says which of its rows depend on an item
of a part, so that a declaration rewrites only the rows that it changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from ledger.facts import Ends
from ledger.projection import ColumnType, ReadModel, Row, RowChange
from projections.state import Being, Condition, Count, Encounter, Part, Place, Pool, State, Token

Pair = tuple[str, str]
PARTS_OF_BEINGS: Final = ("pools", "conditions", "places", "links")  # and never of the campaign


class StateTable(ReadModel[State], frozen=True, kw_only=True, eq=False):
    """A read model that can find single rows.

    `row` returns the row of a key, or None. `row_keys` returns, by part of the state, the keys of the rows that depend
    on an item of it, given the item's key and its value before and after a write.
    """

    row: Callable[[State, Row], Row | None]
    row_keys: Mapping[Part, Callable[[Any, Any, Any], Iterable[Row]]]


def columns(text: str) -> dict[str, ColumnType]:
    """Return the columns named in a text, as in `name points:INTEGER`. Columns without a type are TEXT."""
    names = (word.partition(":") for word in text.split())
    return {name: "INTEGER" if kind == "INTEGER" else "TEXT" for name, _, kind in names}


def state_table(part: Part, key_length: int, text: str, to_row: Callable[[Any, Any], Row]) -> StateTable:
    """Return the table of one part, with one row for each item. Its first `key_length` columns are the key."""
    single, named = key_length == 1, columns(text)

    def rows(state: State) -> list[Row]:
        return sorted(to_row(item_key, item) for item_key, item in state.parts[part].items())

    def row(state: State, row_key: Row) -> Row | None:
        item_key = row_key[0] if single else row_key
        item = state.parts[part].get(item_key)
        return None if item is None else to_row(item_key, item)

    def row_keys(item_key: Any, before: Any, after: Any) -> Iterable[Row]:
        return ((item_key,),) if single else (item_key,)

    key = tuple(named)[:key_length]
    links = {"name": "characters (name)"} if part in PARTS_OF_BEINGS else {}
    return StateTable(name=part, key=key, columns=named, rows=rows, row=row, row_keys={part: row_keys}, links=links)


def row_changes(state: State) -> list[RowChange]:
    """Return the rows that depend on what was written since the last commit, each once."""
    changed: dict[tuple[StateTable, Row], None] = {}
    for (part, key), before in state.changes_since_commit().items():
        after = state.parts[part].get(key)
        for table in TABLES_OF_PART.get(part, ()):
            changed |= dict.fromkeys((table, row_key) for row_key in table.row_keys[part](key, before, after))
    return [RowChange(table, row_key, table.row(state, row_key)) for table, row_key in changed]


def _characters(state: State) -> list[Row]:
    return sorted(_character(state, being) for being in state.beings.values())


def _character_of(state: State, key: Row) -> Row | None:
    being = state.being(str(key[0]))
    return None if being is None else _character(state, being)


def _character(state: State, being: Being) -> Row:
    """Return a being with its level, its player and its conditions in words."""
    level, player = state.sheet(being.name, "level"), state.sheet(being.name, "player")
    conditions = (condition for _, condition in state.conditions_of(being.name) if not condition.data)
    return (
        being.name,
        being.kind,
        being.side,
        level if isinstance(level, int) else None,
        None if player is None else str(player),
        ", ".join(map(_with_degree, conditions)),
        being.seen,
        being.joined + 1,
    )


def _with_degree(condition: Condition) -> str:
    return condition.name if condition.degree == 1 else f"{condition.name} {condition.degree}"


def _characters_of_being(key: str, before: Being | None, after: Being | None) -> Iterable[Row]:
    return [(being.name,) for being in (before, after) if being is not None]


def _characters_of_sheet(key: Pair, before: object, after: object) -> Iterable[Row]:
    return [(key[0],)] if key[1] in ("level", "player") else []


def _characters_of_condition(key: str, before: Condition | None, after: Condition | None) -> Iterable[Row]:
    return [(condition.who,) for condition in (before, after) if condition is not None]


def _pool(key: Pair, pool: Pool) -> Row:
    return (*key, pool.points, pool.least, pool.most)


def _token(key: Pair, token: Token) -> Row:
    return (*key, token.count, token.most)


def _count(key: Pair, count: Count) -> Row:
    return (*key, count.now, count.of, count.until)


def _condition(id: str, condition: Condition) -> Row:
    since, until = str(condition.since), "; ".join(map(_end, condition.ends))
    return (id, condition.who, condition.name, condition.degree, condition.of, condition.about, since, until)


def _end(end: Ends) -> str:
    """Return an end of a condition in words: `round 3`, `turn of Kess`."""
    return f"{end.at}{f' {end.phase}' if end.phase else ''}{f' {end.due}' if end.due else ''}" + (
        f" of {end.whose}" if end.whose else ""
    )


def _place(who: str, place: Place) -> Row:
    return (who, place.place, None if place.square is None else "{},{}".format(*place.square))


def _link(key: tuple[str, str, str], degree: int) -> Row:
    return (*key, degree)


def _encounter(id: str, encounter: Encounter) -> Row:
    sides = "; ".join(f"{side}: {', '.join(who)}" for side, who in encounter.sides)
    return (id, encounter.kind, encounter.scale, encounter.round, encounter.phase, encounter.turn, sides)


CHARACTERS: Final = StateTable(
    name="characters",
    key=("name",),
    columns=columns("name kind side level:INTEGER player conditions seen joined:INTEGER"),
    rows=_characters,
    row=_character_of,
    row_keys={"beings": _characters_of_being, "sheets": _characters_of_sheet, "conditions": _characters_of_condition},
)
POOLS: Final = state_table("pools", 2, "name pool points:INTEGER least:INTEGER most:INTEGER", _pool)
TOKENS: Final = state_table("tokens", 2, "name token number:INTEGER most:INTEGER", _token)
COUNTS: Final = state_table("counts", 2, "name count now:INTEGER of:INTEGER until", _count)
CONDITIONS: Final = state_table(
    "conditions", 1, "id name condition degree:INTEGER of:INTEGER about since until", _condition
)
PLACES: Final = state_table("places", 1, "name place square", _place)
LINKS: Final = state_table("links", 3, "name tie other degree:INTEGER", _link)
ENCOUNTERS: Final = state_table("encounters", 1, "id kind scale round:INTEGER phase turn sides", _encounter)
READ_MODELS: Final = (CHARACTERS, POOLS, TOKENS, COUNTS, CONDITIONS, PLACES, LINKS, ENCOUNTERS)
TABLES_OF_PART: Final[dict[Part, list[StateTable]]] = {}
for _table in READ_MODELS:
    for _part in _table.row_keys:
        TABLES_OF_PART.setdefault(_part, []).append(_table)
