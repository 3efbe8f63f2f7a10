"""What books share, without a book: intents, allowances, groups, time that runs out, values from outside."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.declarations import Declaration
from ledger.errors import OutOfBalance, Refused, Unreadable
from ledger.facts import (
    GM,
    Allowed,
    ConditionBegan,
    EntryId,
    Fact,
    Joined,
    Linked,
    TimePassed,
)
from projections.projection import StateProjection
from projections.state import State
from projections.value_history import value_histories
from projections.values import values
from rulebooks.common import clock, groups, intents, turns
from rulebooks.common.beings import check_free, find_being
from rulebooks.common.sheets import pairs, read_sheet
from rulebooks.common.values import check_whole

ENTRY = EntryId(1, 1)


def joined(who: str, kind: str = "npc") -> Joined:
    return Joined(who=who, kind=kind, side=GM, sheet=(), seen="table")


CAST = (joined("Zed"), joined("Abe"), joined("Mob", "group"), joined("Gang", "group"))


def folded(*facts: Fact) -> State:
    books = StateProjection()
    state = books.empty()
    for fact in facts:
        books.step(state, ENTRY, fact)
    return state


# Intents


def test_an_intent_is_kept_until_its_round_ends_and_may_be_said_anew() -> None:
    state = folded(*CAST, intents.intended("Zed", 'say "no"', 3, "X-1"))
    assert intents.intent("Zed", state) == 'say "no"'
    assert intents.intent("Abe", state) is None
    assert intents.undeclared(["Abe", "Zed", "Mob"], state) == ["Abe", "Mob"]
    (found,) = state.conditions.values()
    assert [(end.at, end.due) for end in found.ends] == [("round", 3)]
    state = folded(*CAST, intents.intended("Zed", "run", 3), intents.intended("Zed", "hide", 3))
    assert intents.intent("Zed", state) == "hide"


# Allowances


def test_an_allowance_is_spent_once_and_comes_back() -> None:
    allowed = turns.renewed(["Zed", "Abe"], (("move", 1), ("action", 2)), "round", "X-1")
    assert allowed == Allowed(rules=("X-1",), who=("Zed", "Abe"), actions=(("move", 1), ("action", 2)), until="round")
    state = folded(*CAST, allowed)
    spent = turns.spent("Zed", "action", state, "used", "X-2")
    assert (spent.left, spent.cost, spent.rules) == (1, 1, ("X-2",))
    state = folded(*CAST, allowed, spent)
    assert [
        state.actions_left("Zed", "action"),
        state.actions_left("Abe", "action"),
        state.actions_left("Zed", "move"),
    ] == [1, 2, 1]
    twice = turns.spent("Zed", "action", state, "used")
    state = folded(*CAST, allowed, spent, twice)
    with pytest.raises(OutOfBalance):
        folded(*CAST, allowed, spent, twice, turns.spent("Zed", "action", state, "used"))
    assert folded(*CAST, allowed, spent, twice, allowed).actions_left("Zed", "action") == 2


# Groups, and the ties that they are made of


def test_a_group_has_members_in_order_of_joining_and_a_leader() -> None:
    state = folded(*CAST)
    ties = [*groups.tied("Mob", groups.MEMBER, ["Abe", "Zed"], state, "X-1")]
    ties += groups.tied("Mob", groups.LEADER, ["Abe"], state)
    state = folded(*CAST, *ties)
    assert groups.members("Mob", state) == ["Zed", "Abe"]
    assert groups.leader("Mob", state) == "Abe"
    assert (groups.group_of("Zed", state), groups.group_of("Mob", state)) == ("Mob", "")
    assert (groups.members("Gang", state), groups.leader("Gang", state)) == ([], "")
    assert list(groups.tied("Mob", groups.MEMBER, ["Abe", "Zed"], state)) == []
    parted = list(groups.tied("Mob", groups.MEMBER, ["Abe"], state, "X-2"))
    assert parted == [Linked(rules=("X-2",), one="Zed", tie="member", other="Mob", on=False)]
    assert groups.members("Mob", folded(*CAST, *ties, *parted)) == ["Abe"]


def test_ties_are_values_with_a_history_and_rows_of_their_own() -> None:
    tie, closer = Linked(one="Zed", tie="near", other="Abe"), Linked(one="Zed", tie="near", other="Abe", degree=3)
    end = Linked(one="Zed", tie="near", other="Abe", on=False)
    facts = (*CAST, tie, closer)
    state = folded(*facts)
    assert values(state)["zed.near.abe"] == 3
    assert state.ties_from("Zed", "near") == ["Abe"]
    assert state.ties_to("Abe", "near") == ["Zed"]
    (links,) = (table for table in StateProjection.read_models if table.name == "links")
    assert list(links.rows(state)) == [("Zed", "near", "Abe", 3)]
    changes = value_histories((ENTRY, number, fact) for number, fact in enumerate((*facts, end), 1))["zed.near.abe"]
    assert [(change.before, change.after) for change in changes] == [(None, 1), (1, 3), (3, None)]
    books = StateProjection()
    assert books.pack(books.unpack(books.pack(state))) == books.pack(state)


@pytest.mark.parametrize(
    "wrong", [Linked(one="Zed", tie="near", other="Abe", on=False), Linked(one="Nobody", tie="near", other="Abe")]
)
def test_a_tie_that_cannot_be_is_found(wrong: Linked) -> None:
    with pytest.raises(OutOfBalance):
        folded(*CAST, wrong)


# Time that runs out


def test_what_ends_after_so_many_seconds_runs_out_on_the_clock_of_the_story() -> None:
    state = folded(TimePassed(seconds=100, because="x"))
    end = clock.within(60, state)
    assert (end.at, end.due) == ("seconds", 160)
    held = (*CAST, TimePassed(seconds=100, because="x"))
    bleeding = ConditionBegan(id="b", who="Zed", name="bleeding", ends=(end,))
    sooner = ConditionBegan(id="z", who="Abe", name="bleeding", ends=(clock.within(30, state),))
    other = ConditionBegan(id="o", who="Abe", name="burning", ends=(end,))
    stopped = ConditionBegan(id="s", who="Zed", name="bleeding")
    before = folded(*held, bleeding, sooner, other, stopped, TimePassed(seconds=59, because="x"))
    assert [id for id, _ in clock.run_out("bleeding", before)] == ["z"]
    after = folded(*held, bleeding, sooner, other, stopped, TimePassed(seconds=60, because="x"))
    assert [id for id, _ in clock.run_out("bleeding", after)] == ["z", "b"]


# Values from outside


class Card(Declaration, frozen=True, kw_only=True, tag="card"):
    """A sheet of no game."""

    name: str
    might: int = 0
    arms: tuple[tuple[str, str], ...] = ()


KINDS = {"hero": Card}


def test_a_number_outside_its_domain_is_refused_with_both_numbers() -> None:
    check_whole("might", 3, 0, 3)
    with pytest.raises(Refused, match=r"L-VALUE: might must be a whole number from 0 to 3; got 4\."):
        check_whole("might", 4, 0, 3)
    with pytest.raises(Refused, match="a whole number of 0 or more; got -1"):
        check_whole("might", -1, 0)


def test_a_being_is_named_as_on_the_sheet() -> None:
    state = folded(*CAST)
    assert find_being("who", "Zed", state, ("npc",)).name == "Zed"
    for who in ("zed", "Mob", "Nobody"):
        with pytest.raises(Refused, match="L-VALUE"):
            find_being("who", who, state, ("npc",))
    check_free("Ilse", state)
    for who in ("ZED", "gm", "Abe"):
        with pytest.raises(Refused, match="a name that nobody else has"):
            check_free(who, state)


def test_a_sheet_is_read_with_its_tables_and_in_nfc() -> None:
    content = {"name": " Ze\u0301d ", "might": 3, "arms": {"axe": "d8"}}
    said = read_sheet(content, KINDS, {"arms": pairs}, "zed.toml")
    assert said == Card(by=GM, name="Z\u00e9d", might=3, arms=(("axe", "d8"),))


@pytest.mark.parametrize(
    "content",
    [
        {"name": "Zed", "by": "gm"},
        {"name": "Zed", "sheet": "dragon"},
        {"name": 3},
        {"name": ""},
        {"name": "Zed", "might": "strong"},
        {"name": "Zed", "luck": 3},
        {"name": "Zed", "might": 10**10},
        {"name": "Zed", "arms": {"a\u0007xe": "d8"}},
        {"name": "Zed", "arms": ["axe", {"x": ["\u200b"]}]},
    ],
)
def test_a_sheet_that_is_none_names_the_file(content: dict[str, Any]) -> None:
    with pytest.raises(Unreadable, match=r"zed\.toml"):
        read_sheet(content, KINDS, {"arms": pairs}, "zed.toml")
