"""Places and ties: their fold, their values, their history and their read models."""

from __future__ import annotations

import pytest

from ledger.errors import OutOfBalance
from ledger.facts import EntryId, Fact, Joined, Linked, Placed
from projections.projection import StateProjection
from projections.state import State
from projections.value_history import value_histories

PROJECTION = StateProjection()
ENTRY = EntryId(1, 1)


def joining(who: str, kind: str = "pc") -> Joined:
    return Joined(who=who, kind=kind, side="", sheet=(), seen="table")


FACTS: tuple[Fact, ...] = (
    joining("Old Gate", "place"),
    joining("Yard", "place"),
    joining("Ana"),
    Linked(one="Old Gate", tie="neighbour", other="Yard"),
    Linked(one="Yard", tie="neighbour", other="Old Gate", degree=2),
    Placed(who="Ana", place="Old Gate"),
    Placed(who="Ana", place="Yard", square=(3, 4)),
)


def fold(*facts: Fact) -> State:
    state = PROJECTION.empty()
    for fact in facts:
        PROJECTION.step(state, ENTRY, fact)
    return state


def test_being_is_in_the_place_it_moved_to_last() -> None:
    state = fold(*FACTS)
    assert state.place("Ana") == "Yard"
    assert state.places["Ana"].square == (3, 4)
    assert state.place("Bo") == ""
    assert fold(*FACTS, Placed(who="Ana", place="")).place("Ana") == ""


def test_tie_has_one_direction_until_it_ends() -> None:
    state = fold(*FACTS)
    assert state.ties_from("Old Gate", "neighbour") == ("Yard",)
    assert state.ties_from("Old Gate", "rides") == ()
    cut = fold(*FACTS, Linked(one="Old Gate", tie="neighbour", other="Yard", on=False))
    assert (cut.ties_from("Old Gate", "neighbour"), cut.ties_from("Yard", "neighbour")) == ((), ("Old Gate",))


@pytest.mark.parametrize(
    "fact",
    [Linked(one="Yard", tie="rides", other="Ana", on=False), Linked(one="Yard", tie="rides", other="Ana", degree=0)],
)
def test_unknown_tie_or_degree_0_is_refused(fact: Fact) -> None:
    with pytest.raises(OutOfBalance):
        fold(*FACTS, fact)


def test_places_and_ties_are_values() -> None:
    found = PROJECTION.values(fold(*FACTS))
    names = ("ana.place", "old-gate.neighbour.yard", "yard.neighbour.old-gate")
    assert [found[name] for name in names] == ["Yard", 1, 2]


def test_places_and_ties_have_histories() -> None:
    cut = Linked(one="Old Gate", tie="neighbour", other="Yard", on=False)
    found = value_histories((ENTRY, number, fact) for number, fact in enumerate((*FACTS, cut), 1))
    assert [(change.before, change.after) for change in found["ana.place"]] == [
        (None, "Old Gate"),
        ("Old Gate", "Yard"),
    ]
    assert [change.after for change in found["old-gate.neighbour.yard"]] == [1, None]


def test_places_and_ties_survive_packing_and_roll_back() -> None:
    state = fold(*FACTS)
    unpacked = PROJECTION.unpack(PROJECTION.pack(state))
    assert (unpacked.places, unpacked.links) == (state.places, state.links)
    mark = PROJECTION.mark(state)
    packed = PROJECTION.pack(state)
    PROJECTION.step(state, ENTRY, Placed(who="Ana", place="Old Gate"))
    PROJECTION.step(state, ENTRY, Linked(one="Yard", tie="neighbour", other="Old Gate", on=False))
    PROJECTION.roll_back(state, mark)
    assert PROJECTION.pack(state) == packed


def test_places_and_ties_are_rows_of_read_models() -> None:
    tables = {table.name: table for table in StateProjection.read_models}
    state = fold(*FACTS)
    assert list(tables["places"].rows(state)) == [("Ana", "Yard", "3,4")]
    assert list(tables["links"].rows(state)) == [
        ("Old Gate", "neighbour", "Yard", 1),
        ("Yard", "neighbour", "Old Gate", 2),
    ]
    touched = {change.model.name for change in PROJECTION.row_changes(state)}
    assert {"places", "links"} <= touched
