"""Named values: the value of a name that items share, and the index that value histories read."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.facts import GM, EntryId
from projections.state import Condition, Count, Encounter, Place, Pool, State, Token, Wound
from projections.values import NAMED, ValueIndex, values

WHO = st.sampled_from(["Kess", "Old Gate"])
NAME = st.sampled_from(["a", "b", "wounds"])
NUMBER = st.integers(0, 3)


DAYS = Count(now=5, of=None, until="")


def condition(who: str, name: str, degree: int, *, adds: bool = False) -> Condition:
    since = EntryId(1, 1)
    return Condition(
        who=who, name=name, degree=degree, of=None, effects=(), about="", ends=(), data="", since=since, adds=adds
    )


def wound(value: int) -> Wound:
    return Wound(kind="light", value=value, in_force=True, at="", encounter="", taken=1)


PAIR = st.tuples(WHO, NAME)
ITEMS: dict[str, tuple[st.SearchStrategy[Any], st.SearchStrategy[Any]]] = {
    "sheets": (PAIR, NUMBER | NAME),
    "pools": (PAIR, st.builds(Pool, points=NUMBER, least=st.none(), most=st.none() | NUMBER)),
    "tokens": (st.tuples(st.sampled_from(["Kess", GM]), NAME), st.builds(Token, count=NUMBER, most=st.none())),
    "counts": (
        st.tuples(st.sampled_from(["Kess", ""]), NAME),
        st.builds(Count, now=NUMBER, of=st.none(), until=st.just("")),
    ),
    "places": (WHO, st.builds(Place, place=WHO, square=st.none())),
    "links": (st.tuples(WHO, NAME, WHO), NUMBER),
    "conditions": (st.sampled_from(["c", "d"]), st.builds(condition, WHO, NAME, NUMBER, adds=st.booleans())),
    "wounds": (st.tuples(WHO, st.sampled_from(["v", "w"])), st.builds(wound, NUMBER)),
    "options": (NAME, NAME),
    "encounters": (
        st.just("e"),
        st.builds(Encounter, id=st.just("e"), kind=NAME, scale=NAME, sides=st.just(()), round=NUMBER),
    ),
    "clock": (st.just("seconds"), NUMBER),
}
WRITES = st.lists(
    st.one_of(st.tuples(st.just(part), key, st.none() | item) for part, (key, item) in ITEMS.items()), max_size=20
)


def test_every_named_part_is_tested() -> None:
    assert ITEMS.keys() == NAMED.keys()


@given(WRITES)
def test_index_equals_the_values_after_every_write(writes: list[tuple[Any, Any, Any]]) -> None:
    state, index = State(), ValueIndex()
    known: set[str] = set()
    for part, key, item in writes:
        before = state.parts[part].get(key)
        state.put(part, key, item)
        known |= {name for name, _ in index.put(part, key, before, item)}
        assert {name: value for name in known if (value := index.value(name)) is not None} == values(state)


@given(WRITES)
def test_no_two_parts_give_one_name(writes: list[tuple[Any, Any, Any]]) -> None:
    """Every part gives a value for each name that it would give alone, and no other part changes that value."""
    state = State()
    for write in writes:
        state.put(*write)
    alone = [value for part in NAMED for value in values(only(part, state)).values()]
    assert sorted(map(str, values(state).values())) == sorted(map(str, alone))


def only(part: str, state: State) -> State:
    """Return a state with one part of another."""
    alone = State()
    alone.parts[part].update(state.parts[part])
    return alone


@pytest.mark.parametrize(
    ("writes", "name", "value"),
    [
        ([("conditions", "c", condition("Kess", "cover", 1)), ("sheets", ("Kess", "cover"), 7)], "kess.cover", 7),
        (
            [("conditions", "c", condition("Kess", "cover", 1)), ("sheets", ("Kess", "cover"), 7)],
            "kess.condition.cover",
            1,
        ),
        ([("tokens", (GM, "doom"), Token(count=2, most=None)), ("counts", ("", "doom"), DAYS)], "count.doom", 5),
        (
            [
                ("conditions", "d", condition("Kess", "slowed", 2, adds=True)),
                ("conditions", "c", condition("Kess", "slowed", 1, adds=True)),
            ],
            "kess.slowed",
            3,
        ),
        (
            [("conditions", "d", condition("Kess", "cover", 3)), ("conditions", "c", condition("Kess", "cover", 2))],
            "kess.cover",
            3,
        ),
        ([("wounds", ("Kess", "v"), wound(1)), ("wounds", ("Kess", "w"), wound(4))], "kess.wounds", 5),
    ],
    ids=[
        "pools and sheets come first",
        "second part has a name of its own",
        "name of nobody",
        "degrees add up",
        "highest degree counts",
        "wounds are added",
    ],
)
def test_value_of_a_shared_name(writes: list[tuple[Any, Any, Any]], name: str, value: int) -> None:
    state = State()
    for write in writes:
        state.put(*write)
    assert values(state)[name] == value
