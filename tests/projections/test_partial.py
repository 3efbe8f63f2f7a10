"""The fold of facts of which some are withheld."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.errors import OutOfBalance, Unreadable
from ledger.facts import (
    WITHHELD,
    ActionSpent,
    BaseFact,
    ConditionEnded,
    Counted,
    EncounterBegan,
    EntryId,
    OptionSet,
    PointsLost,
    PoolSet,
    Reached,
    SheetChanged,
    TokensMoved,
    Told,
)
from ledger.records import Record, encode
from projections.projection import StateProjection
from projections.state import State

ENTRY = EntryId(1, 1)
POOL = PoolSet(who="a", pool="hp", was=0, now=9, least=0, most=9)
FIGHT = EncounterBegan(encounter="one", kind="fight", scale="", sides=())
LOST = PointsLost(who="a", pool="hp", points=1, now=4, because="x")
MOVED = TokensMoved(who="a", token="luck", change=-1, now=2, most=None, because="x")
PROJECTION = StateProjection()

STATED: list[tuple[list[BaseFact], BaseFact, str, Any, object]] = [
    ([POOL], LOST, "pools", ("a", "hp"), ("points", 4)),
    ([], LOST, "pools", ("a", "hp"), ("points", 4)),
    ([POOL], PoolSet(who="a", pool="hp", was=5, now=6, least=0, most=6), "pools", ("a", "hp"), ("most", 6)),
    ([], MOVED, "tokens", ("a", "luck"), ("count", 2)),
    ([], Counted(who="a", name="blows", change=1, now=3), "counts", ("a", "blows"), ("now", 3)),
    ([], OptionSet(name="o", was=1, now=2, because="x"), "options", "o", 2),
    ([], ActionSpent(who="a", action="move", cost=1, left=2, outcome=""), "allowances", ("a", "move"), 2),
    ([FIGHT], msgspec.structs.replace(FIGHT, encounter="two"), "encounters", "two", ("round", 0)),
    ([FIGHT], Reached(point="round", round=3), "encounters", "one", ("round", 3)),
    ([FIGHT], Reached(point="slot", round=2, who="a"), "encounters", "one", ("turn", "a")),
]


def folded(*facts: BaseFact) -> State:
    """The state after these facts."""
    state = PROJECTION.empty()
    PROJECTION.fold(state, ENTRY, facts)
    return state


@pytest.mark.parametrize(("before", "fact", "part", "key", "expected"), STATED)
def test_stated_number_holds_once_a_fact_is_withheld(
    before: list[BaseFact], fact: BaseFact, part: str, key: Any, expected: object
) -> None:
    item = folded(*before, WITHHELD, fact).parts[part][key]
    assert (item if not isinstance(expected, tuple) else (expected[0], getattr(item, expected[0]))) == expected


@pytest.mark.parametrize(
    "fact", [fact for before, fact, *_ in STATED if not before and not isinstance(fact, OptionSet)]
)
def test_whole_state_takes_no_number_that_differs(fact: BaseFact) -> None:
    with pytest.raises(OutOfBalance):
        folded(fact)


def test_fact_that_says_nothing_alone_is_passed_over() -> None:
    ended = ConditionEnded(id="prone a", who="a", name="prone", because="x")
    changed = SheetChanged(who="nobody", key="might", was=1, now=2, because="x")
    state = folded(WITHHELD, ended)
    assert not state.conditions
    assert folded(WITHHELD, changed).sheets == {("nobody", "might"): 2}


def test_partial_state_stays_so_when_it_is_packed() -> None:
    assert PROJECTION.unpack(PROJECTION.pack(folded(WITHHELD))).partial
    assert not PROJECTION.unpack(PROJECTION.pack(folded(POOL))).partial
    assert b"partial" not in PROJECTION.pack(folded(POOL))


def test_withheld_fact_is_never_stored() -> None:
    told = Told(kind="fiction", by="gm", text="x")
    fields: dict[str, Any] = {"session": 1, "number": 1, "insert": 0, "take": 1, "cause": None, "request": None}
    record = Record(position=1, by="gm", at="", seen="table", facts=(told,), **fields)
    assert encode(record)
    with pytest.raises(Unreadable, match="cannot be stored"):
        encode(msgspec.structs.replace(record, facts=(told, WITHHELD)))
