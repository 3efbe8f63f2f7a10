"""Where everybody is, and what ties them: folded, asked for by name, and told of in the read tables."""

from __future__ import annotations

import pytest

from ledger.errors import OutOfBalance
from ledger.facts import EntryId, Fact, Joined, Linked, Placed
from projections.projection import StateProjection
from projections.state import State
from projections.value_history import value_histories

BOOKS = StateProjection()
ENTRY = EntryId(1, 1)


def joined(who: str, kind: str = "pc") -> Joined:
    return Joined(who=who, kind=kind, side="", sheet=(), seen="table")


FACTS: tuple[Fact, ...] = (
    joined("Old Gate", "place"),
    joined("Yard", "place"),
    joined("Ana"),
    Linked(one="Old Gate", tie="neighbour", other="Yard"),
    Linked(one="Yard", tie="neighbour", other="Old Gate", degree=2),
    Placed(who="Ana", place="Old Gate"),
    Placed(who="Ana", place="Yard", square=(3, 4)),
)


def folded(*facts: Fact) -> State:
    state = BOOKS.empty()
    for fact in facts:
        BOOKS.step(state, ENTRY, fact)
    return state


def test_everybody_is_in_one_place_the_last() -> None:
    state = folded(*FACTS)
    assert state.place("Ana") == "Yard"
    assert state.places["Ana"].square == (3, 4)
    assert state.place("Bo") == ""
    assert folded(*FACTS, Placed(who="Ana", place="")).place("Ana") == ""


def test_a_tie_holds_one_way_until_it_ends() -> None:
    state = folded(*FACTS)
    assert state.ties_from("Old Gate", "neighbour") == ["Yard"]
    assert state.ties_from("Old Gate", "rides") == []
    cut = folded(*FACTS, Linked(one="Old Gate", tie="neighbour", other="Yard", on=False))
    assert (cut.ties_from("Old Gate", "neighbour"), cut.ties_from("Yard", "neighbour")) == ([], ["Old Gate"])


@pytest.mark.parametrize(
    "fact",
    [
        Linked(one="Yard", tie="rides", other="Ana", on=False),
        Linked(one="Yard", tie="rides", other="Ana", degree=0),
    ],
)
def test_a_tie_that_does_not_hold_cannot_end_and_none_is_of_no_degree(fact: Fact) -> None:
    with pytest.raises(OutOfBalance):
        folded(*FACTS, fact)


def test_places_and_ties_have_names() -> None:
    found = BOOKS.values(folded(*FACTS))
    names = ("ana.place", "old-gate.neighbour.yard", "yard.neighbour.old-gate")
    assert [found[name] for name in names] == ["Yard", 1, 2]


def test_their_changes_are_histories() -> None:
    cut = Linked(one="Old Gate", tie="neighbour", other="Yard", on=False)
    found = value_histories((ENTRY, number, fact) for number, fact in enumerate((*FACTS, cut), 1))
    assert [(change.before, change.after) for change in found["ana.place"]] == [
        (None, "Old Gate"),
        ("Old Gate", "Yard"),
    ]
    assert [change.after for change in found["old-gate.neighbour.yard"]] == [1, None]


def test_they_are_packed_and_unpacked_and_rolled_back() -> None:
    state = folded(*FACTS)
    again = BOOKS.unpack(BOOKS.pack(state))
    assert (again.places, again.links) == (state.places, state.links)
    mark = BOOKS.mark(state)
    packed = BOOKS.pack(state)
    BOOKS.step(state, ENTRY, Placed(who="Ana", place="Old Gate"))
    BOOKS.step(state, ENTRY, Linked(one="Yard", tie="neighbour", other="Old Gate", on=False))
    BOOKS.roll_back(state, mark)
    assert BOOKS.pack(state) == packed


def test_they_are_rows_that_a_person_can_query() -> None:
    tables = {table.name: table for table in StateProjection.read_models}
    state = folded(*FACTS)
    assert list(tables["places"].rows(state)) == [("Ana", "Yard", "3,4")]
    assert list(tables["links"].rows(state)) == [
        ("Old Gate", "neighbour", "Yard", 1),
        ("Yard", "neighbour", "Old Gate", 2),
    ]
    touched = {change.model.name for change in BOOKS.row_changes(state)}
    assert {"places", "links"} <= touched
