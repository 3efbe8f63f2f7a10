"""Tests of what games share, without a game: turns, the clock, values, sheets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest

from ledger.declarations import Declaration, Ruling, Setting
from ledger.dice import SeededDice
from ledger.errors import OutOfBalance, Refused, Unreadable
from ledger.facts import (
    GM,
    Allowed,
    ConditionBegan,
    EncounterBegan,
    EntryId,
    Fact,
    Joined,
    Linked,
    OptionSet,
    PoolSet,
    Ruled,
    TimePassed,
)
from projections.projection import StateProjection
from projections.state import State
from projections.value_history import value_histories
from projections.values import values
from rulebooks.common import conditions
from rulebooks.common.adjustments import Adjust, adjust
from rulebooks.common.beings import check_free, find_being
from rulebooks.common.decisions import decides
from rulebooks.common.game import Game
from rulebooks.common.options import SetOption, set_option
from rulebooks.common.rulebook import Rulebook
from rulebooks.common.rulings import rule
from rulebooks.common.sheets import change_entries, change_maximum, pairs, read_sheet
from rulebooks.common.sides import groups_by_side
from rulebooks.common.texts import Texts
from rulebooks.common.values import action_use, check_whole, number, outside_domain

ENTRY = EntryId(1, 1)


def joined(who: str, kind: str = "npc") -> Joined:
    return Joined(who=who, kind=kind, side=GM, sheet=(), seen="table")


CAST = (joined("Zed"), joined("Abe"), joined("Mob", "group"), joined("Gang", "group"))


def folded(*facts: Fact) -> State:
    projection = StateProjection()
    state = projection.empty()
    for fact in facts:
        projection.step(state, ENTRY, fact)
    return state


# Groups


def test_side_is_a_group_under_its_name() -> None:
    crew = [msgspec.structs.replace(joined(who), side="Crew") for who in ("Wick", "Gil")]
    began = EncounterBegan(encounter="e", kind="", scale="combat", sides=(("mutineers", ("Gil",)), (GM, ("Zed",))))
    before, during = (groups_by_side(folded(*CAST, *crew, *fight)) for fight in ((), (began,)))
    assert (before["crew"], before["foes"]) == (("Wick", "Gil"), ("Zed", "Abe"))
    assert (during["crew"], during["mutineers"], during["foes"]) == (("Gil",), ("Gil",), ("Zed",))
    assert GM not in during


# Turns


def test_action_is_used_once_and_renewed() -> None:
    allowed = Allowed(who=("Zed", "Abe"), actions=(("move", 1), ("action", 2)), until="round")
    state = folded(*CAST, allowed)
    spent = action_use("Zed", "action", state, "used", "X-2")
    assert (spent.left, spent.cost, spent.rules) == (1, 1, ("X-2",))
    state = folded(*CAST, allowed, spent)
    assert [
        state.actions_left("Zed", "action"),
        state.actions_left("Abe", "action"),
        state.actions_left("Zed", "move"),
    ] == [1, 2, 1]
    twice = action_use("Zed", "action", state, "used")
    state = folded(*CAST, allowed, spent, twice)
    with pytest.raises(OutOfBalance):
        folded(*CAST, allowed, spent, twice, action_use("Zed", "action", state, "used"))
    assert folded(*CAST, allowed, spent, twice, allowed).actions_left("Zed", "action") == 2


def test_tie_is_a_value_with_a_history_and_rows() -> None:
    tie, closer = Linked(one="Zed", tie="near", other="Abe"), Linked(one="Zed", tie="near", other="Abe", degree=3)
    end = Linked(one="Zed", tie="near", other="Abe", on=False)
    facts = (*CAST, tie, closer)
    state = folded(*facts)
    assert values(state)["zed.near.abe"] == 3
    assert state.ties_from("Zed", "near") == ("Abe",)
    assert state.ties_to("Abe", "near") == ("Zed",)
    (links,) = (table for table in StateProjection.read_models if table.name == "links")
    assert list(links.rows(state)) == [("Zed", "near", "Abe", 3)]
    changes = value_histories((ENTRY, number, fact) for number, fact in enumerate((*facts, end), 1))["zed.near.abe"]
    assert [(change.before, change.after) for change in changes] == [(None, 1), (1, 3), (3, None)]
    projection = StateProjection()
    assert projection.pack(projection.unpack(projection.pack(state))) == projection.pack(state)


@pytest.mark.parametrize(
    "wrong", [Linked(one="Zed", tie="near", other="Abe", on=False), Linked(one="Nobody", tie="near", other="Abe")]
)
def test_impossible_tie_is_out_of_balance(wrong: Linked) -> None:
    with pytest.raises(OutOfBalance):
        folded(*CAST, wrong)


# The clock


def test_condition_expires_on_the_clock_of_the_story() -> None:
    state = folded(TimePassed(seconds=100, because="x"))
    end = conditions.end_after(60, state)
    assert (end.at, end.due) == ("seconds", 160)
    held = (*CAST, TimePassed(seconds=100, because="x"))
    bleeding = ConditionBegan(id="b", who="Zed", name="bleeding", ends=(end,))
    sooner = ConditionBegan(id="z", who="Abe", name="bleeding", ends=(conditions.end_after(30, state),))
    other = ConditionBegan(id="o", who="Abe", name="burning", ends=(end,))
    stopped = ConditionBegan(id="s", who="Zed", name="bleeding")
    before = folded(*held, bleeding, sooner, other, stopped, TimePassed(seconds=59, because="x"))
    assert [id for id, _ in conditions.expired_conditions("bleeding", before)] == ["z"]
    after = folded(*held, bleeding, sooner, other, stopped, TimePassed(seconds=60, because="x"))
    assert [id for id, _ in conditions.expired_conditions("bleeding", after)] == ["z", "b"]


# Values and sheets


class Card(Declaration, frozen=True, kw_only=True, tag="card"):
    """A sheet of no game."""

    name: str
    might: int = 0
    arms: tuple[tuple[str, str], ...] = ()


KINDS = {"hero": Card}


def test_number_outside_its_domain_is_refused_with_both() -> None:
    check_whole("might", 3, 0, 3)
    with pytest.raises(Refused, match=r"L-VALUE: might must be a whole number from 0 to 3; got 4\."):
        check_whole("might", 4, 0, 3)
    with pytest.raises(Refused, match="a whole number of 0 or more; got -1"):
        check_whole("might", -1, 0)
    with pytest.raises(Refused, match=r"L-VALUE: might must be a number; none is given\. Add it\."):
        number("might", None)


def test_being_is_found_as_spelled_on_the_sheet() -> None:
    state = folded(*CAST)
    assert find_being("who", "Zed", state, ("npc",)).name == "Zed"
    for who in ("zed", "Mob", "Nobody"):
        with pytest.raises(Refused, match="L-VALUE"):
            find_being("who", who, state, ("npc",))
    check_free("Ilse", state)
    for who in ("ZED", "gm", "Abe"):
        with pytest.raises(Refused, match="a name that nobody else has"):
            check_free(who, state)


def test_sheet_is_read_with_tables_and_normalized() -> None:
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
def test_bad_sheet_is_refused_with_its_file(content: dict[str, Any]) -> None:
    with pytest.raises(Unreadable, match=r"zed\.toml"):
        read_sheet(content, KINDS, {"arms": pairs}, "zed.toml")


# Decisions of the table


TEXT = """name = "toy"
title = "Toy"
version = "1"
of = "nothing"
licence = "none"
errors = []

[[rules]]
id = "TO-1"
heading = "Toys"
cite = "1"
text = "Toys."
kind = "computed"
gap = []
codes = []

[[options]]
name = "colour"
default = "red"
gap = "TO-GAP-1"
rules = ["TO-1"]
text = "Which."
values = ["red", "blue"]
"""


@pytest.fixture
def toy(tmp_path: Path) -> Rulebook:
    (tmp_path / "rulebook.toml").write_text(TEXT, encoding="utf-8")
    return Rulebook(texts=Texts(str(tmp_path / "game.py")), rules=("TO-1",))


def points(now: int, most: int | None = 9) -> PoolSet:
    return PoolSet(who="Zed", pool="points", was=0, now=now, least=0, most=most)


def test_option_is_set_with_the_rules_that_it_bears_on(toy: Rulebook) -> None:
    said = SetOption(by="table", name="colour", value="blue", reason="a vote", agreed=("Ana",))
    (fact,) = set_option(said, folded(), toy)
    assert (fact.was, fact.now, fact.rules, fact.agreed) == ("red", "blue", ("TO-GAP-1", "TO-1"), ("Ana",))


@pytest.mark.parametrize(
    ("name", "value", "reason", "refusal"),
    [
        ("size", "big", "x", "option must be one of colour, passes, dice, answer_seconds; got size"),
        ("colour", "green", "x", "colour must be one of red, blue; got green"),
        ("colour", "blue", " ", "a reading needs its reason"),
    ],
)
def test_wrong_option_is_refused(toy: Rulebook, name: str, value: str, reason: str, refusal: str) -> None:
    with pytest.raises(Refused, match=refusal):
        list(set_option(SetOption(by=GM, name=name, value=value, reason=reason), folded(), toy))


@pytest.mark.parametrize(("by", "value"), [("Zed", "points"), ("Zed", "zed.points"), (GM, "zed.points")])
def test_adjustment_names_a_value_of_the_speaker(toy: Rulebook, by: str, value: str) -> None:
    said = Adjust(by=by, value=value, change=-2, reason="the stairs")
    ruled, fact = adjust(said, folded(*CAST, points(5)), toy)
    assert isinstance(ruled, Ruled)
    assert (ruled.about, ruled.rules) == ("zed.points", ("TO-1",))
    assert isinstance(fact, PoolSet)
    assert (fact.was, fact.now, fact.because) == (5, 3, "the stairs")


@pytest.mark.parametrize(("value", "change"), [("points", -6), ("points", 5), ("luck", 1)])
def test_adjustment_outside_the_pool_is_refused(toy: Rulebook, value: str, change: int) -> None:
    with pytest.raises(Refused, match="L-VALUE"):
        list(adjust(Adjust(by="Zed", value=value, change=change, reason="x"), folded(*CAST, points(5)), toy))


def test_ruling_sets_options_and_values(toy: Rulebook) -> None:
    changes = (Setting("option.colour", "blue"), Setting("zed.points", 9))
    said = Ruling(by=GM, text="so be it", reason="a gift", cites=("TO-1",), changes=changes)
    ruled, option, pool = rule(said, folded(*CAST, points(5)), toy, "TO-0")
    assert ruled.rules == ("TO-0", "TO-1", "TO-1")
    assert isinstance(option, OptionSet)
    assert isinstance(pool, PoolSet)
    assert (option.now, option.because, pool.now, pool.because) == ("blue", "so be it", 9, "so be it")


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"text": ""}, "a ruling needs its text"),
        ({"reason": " "}, "a ruling needs its reason"),
        ({"cites": ("TO-2",)}, "TO-2 is not a rule of this book"),
        ({"repeals": "1.1"}, "no ruling of 1.1 is in force"),
    ],
)
def test_wrong_ruling_is_refused(toy: Rulebook, change: dict[str, Any], refusal: str) -> None:
    with pytest.raises(Refused, match=refusal):
        list(rule(msgspec.structs.replace(Ruling(by=GM, text="a", reason="b"), **change), folded(), toy))


def test_edited_sheet_changes_entries_that_differ() -> None:
    state = folded(
        Joined(who="Zed", kind="npc", side=GM, sheet=(("might", 3), ("armor", "mail"), ("speed", 2)), seen="table")
    )
    changes = change_entries("Zed", {"might": 4, "luck": 1, "speed": 2}, "a level", state, "X-1")
    assert [(fact.key, fact.was, fact.now) for fact in changes] == [
        ("armor", "mail", None),
        ("luck", None, 1),
        ("might", 3, 4),
    ]


@pytest.mark.parametrize(("most", "now"), [(3, 3), (7, 5)])
def test_lower_maximum_cuts_a_pool(most: int, now: int) -> None:
    (fact,) = change_maximum("Zed", "points", most, "a level", folded(*CAST, points(5)))
    assert (fact.was, fact.now, fact.most) == (5, now, most)


def test_same_maximum_changes_nothing() -> None:
    assert list(change_maximum("Zed", "points", 9, "a level", folded(*CAST, points(5)))) == []


# The game


class Wave(Declaration, frozen=True, kw_only=True, tag="wave"):
    aside: ClassVar[bool] = True


@decides(Wave)
def wave(said: Wave, state: State) -> Iterator[Fact]:
    yield points(1)


class Toy(Game):
    """Waves alone, decided in this module."""


@pytest.mark.parametrize("said", [Wave(by="Zed"), Ruling(by="Zed", text="a", reason="b")])
def test_only_the_game_master_speaks_aside(toy: Rulebook, said: Declaration) -> None:
    game = Toy()
    game.rulebook = toy
    with pytest.raises(Refused, match="the speaker must be the game master"):
        game.check_speaker(said)
    game.check_speaker(msgspec.structs.replace(said, by=GM))


@pytest.mark.parametrize(("field", "start"), [("by", "the speaker"), ("who", "the one named"), ("reach", "reach")])
def test_refusal_names_no_field_that_nobody_types(field: str, start: str) -> None:
    assert outside_domain(field, "a character", "Thug 1").what == f"{start} must be a character; got Thug 1"


def test_game_leaves_out_what_it_does_not_need(toy: Rulebook) -> None:
    game, state, said = Toy(), folded(), Wave(by=GM)
    game.rulebook = toy
    assert list(game.decide(said, state, SeededDice(b"key"))) == [points(1)]
    assert [*game.before_close(state), *game.guide.unclaimed(said, state), *game.answers(said, state)] == []
    assert game.guide.levels(said, state) == [("", said)]
    assert list(game.guide.vocabulary(SetOption, "name", state, GM)) == ["colour", "passes", "dice", "answer_seconds"]
    assert game.adjustment(GM, "zed.points", 1, "x") == Adjust(by=GM, value="zed.points", change=1, reason="x")
    assert game.declarations == (Wave, SetOption, Adjust)
    assert game.sheet_edits(said, "x") is None
