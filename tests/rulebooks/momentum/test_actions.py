"""Momentum at the table: sheets, who comes and goes, bystanders, what was possible and not said, turns anew."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.declarations import Declaration, Ruling, Setting
from ledger.errors import Unreadable
from ledger.facts import GM, ConditionEnded, EncounterEnded, SheetChanged
from ledger.records import ENCODER, Record
from ledger.redecide import Input
from ledger.whatif import Edit, WhatIf
from projections.projection import StateProjection
from rulebooks.momentum.declarations import (
    AbilityCheck,
    Adjust,
    BypassMomentum,
    ChangeSheet,
    EndEncounter,
    EndTurn,
    Flee,
    JoinFight,
    Move,
    StartEncounter,
)
from rulebooks.momentum.turns import allowance
from tests.rulebooks.momentum.seat import BOOK, Seat, attacks, cases, hits
from tests.rulebooks.seat import AT, of_kind

ANN: dict[str, Any] = {"name": "Ann", "hp": 6, "defense": 4, "scores": {"STR": 6, "AGI": 8}}
WEAPON = {"damage": "2d10", "rushed": "1d10", "needs": {"STR": 5}, "tags": ["Throwable"]}


def bystander(seat: Seat) -> None:
    seat.ledger.declare(BOOK.sheet({"sheet": "bystander", "name": "Boy", "hp": 1, "defense": 3}, "boy.toml"), at=AT)


def test_a_sheet_file_is_a_combatant() -> None:
    seat = Seat("none", present=("Arlo",))
    sheet = {**ANN, "weapons": {"hand axe": WEAPON}, "armor": "leather (+3)", "rank": 1, "shield": True, "hp_now": 2}
    seat.say(BOOK.sheet(sheet, "ann.toml"))
    assert (seat.hp("Ann"), seat.state.pools["Ann", "hp"].most) == (2, 6)
    assert seat.state.sheet_of("Ann") == {
        "agi": 8,
        "armor": "leather (+3)",
        "defense": 4,
        "rank": 1,
        "shield": "yes",
        "str": 6,
        "weapon.hand axe.damage": "2d10",
        "weapon.hand axe.needs": "STR 5",
        "weapon.hand axe.rushed": "1d10",
        "weapon.hand axe.tags": "Throwable",
        "weapons": "hand axe",
    }
    assert "wounded Ann" in seat.state.conditions


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"sheet": "ghost"}, "ann.toml"),
        ({"by": "gm"}, "ann.toml"),
        ({"side": "pc"}, "ann.toml"),
        ({"name": 7}, "ann.toml, name"),
        ({"defense": "high"}, "ann.toml"),
        ({"luck": 1}, "ann.toml"),
        ({"weapons": {"axe": {"dice": "2d10"}}}, "ann.toml"),
        ({"weapons": {"axe": 7}}, "ann.toml"),
        ({"hp": 10**12}, "ann.toml, hp"),
    ],
)
def test_a_sheet_that_is_none_names_the_file(wrong: dict[str, Any], where: str) -> None:
    with pytest.raises(Unreadable) as raised:
        BOOK.sheet({**ANN, **wrong}, "ann.toml")
    assert raised.value.where.startswith(where)


@pytest.mark.parametrize(
    "wrong",
    [
        {"hp": 0},
        {"hp_now": 7},
        {"hp_now": -1},
        {"defense": 0},
        {"scores": {"STR": 0}},
        {"scores": {"STR": 20}},
        {"scores": {"defense": 3}},
        {"name": "arlo"},
        {"name": "gm"},
        {"weapons": {"axe": {"damage": "2d8"}}},
        {"weapons": {"axe": {"damage": "2d10 1d12"}}},
        {"weapons": {"axe": {"damage": "2d10", "rushed": "d10"}}},
        {"weapons": {"axe, big": {"damage": "2d10"}}},
        {"weapons": {"axe": {"damage": "2d10", "needs": {"STR": 20}}}},
        {"weapons": [{"name": "axe", "damage": "2d10"}, {"name": "Axe", "damage": "2d10"}]},
    ],
)
def test_what_a_sheet_says_has_its_domain(wrong: dict[str, Any]) -> None:
    """HP within their maximum, Defense 1 or more, d10, d12 and d20."""
    seat = Seat("none", present=("Arlo",))
    assert seat.refusal(BOOK.sheet({**ANN, **wrong}, "ann.toml")).code == "L-VALUE"


def test_an_edited_sheet_appends_what_differs_with_the_reason() -> None:
    seat = Seat("none", present=("Cole",))
    sheet = {**cases()["sheets"]["Cole"], "name": "Cole", "hp": 4, "defense": 7, "shield": True}
    change = BOOK.sheet_edits(BOOK.sheet(sheet, "cole.toml"), "a fever")
    assert isinstance(change, ChangeSheet)
    record = seat.say(change)
    assert {(fact.key, fact.now, fact.because) for fact in of_kind(record, SheetChanged)} == {
        ("defense", 7, "a fever"),
        ("shield", "yes", "a fever"),
    }
    assert (seat.hp("Cole"), seat.state.pools["Cole", "hp"].most) == (4, 4)
    assert not of_kind(seat.say(msgspec.structs.replace(change, because="again")), SheetChanged)
    assert seat.refusal(msgspec.structs.replace(change, because="")).code == "L-VALUE"


def test_a_bystander_has_no_turn_and_may_be_pushed_aside() -> None:
    """MO-INTER-1: other PCs, bystanders and foes."""
    seat = Seat("none", present=("Arlo", "Cole", "Brute"))
    bystander(seat)
    seat.say(StartEncounter(by=GM, zones=("Hall",)))
    for who in ("Arlo", "Cole"):
        seat.say(bypass(who))
    for who in ("Arlo", "Cole"):
        seat.say(EndTurn(by=who))
    assert seat.code(EndTurn(by="Boy")) == "PHASE"
    (found,) = hits(seat.say(attacks("Brute", "Boy", ("Cole", "interpose")), 6, 1, 1))
    assert (found.against, found.total, seat.hp("Boy")) == ("Cole", 1, 1)
    seat.say(attacks("Brute", "Boy"), 4)
    assert "dead Boy" in seat.state.conditions
    seat.say(EndTurn(by="Brute"))
    assert seat.state.encounter is not None


def bypass(who: str) -> Declaration:
    return BypassMomentum(by=GM, who=who, reason="x")


def test_who_comes_late_acts_with_their_side_and_makes_no_check() -> None:
    """MO-GAP-31."""
    seat = Seat("none", present=("Arlo", "Bex", "Guard", "Brute"))
    seat.say(StartEncounter(by=GM, zones=("Hall",), participants=("Arlo", "Guard")))
    seat.say(bypass("Arlo"))
    seat.say(JoinFight(by=GM, who="Bex", zone="Hall"))
    seat.say(EndTurn(by="Arlo"))
    assert seat.state.encounter
    assert seat.state.encounter.phase == "pc"
    assert allowance("Bex", seat.state).total == 2
    seat.say(EndTurn(by="Bex"))
    seat.say(JoinFight(by=GM, who="Brute", zone="Hall"))
    seat.say(attacks("Brute", "Arlo", ("Bex", "interpose")), 1, 1, 1)
    assert seat.state.place("Brute") == "Hall"


def test_who_comes_before_the_first_turn_makes_the_check() -> None:
    seat = Seat("none", present=("Arlo", "Bex", "Guard"))
    seat.say(StartEncounter(by=GM, zones=("Hall",), participants=("Arlo", "Guard")))
    seat.say(JoinFight(by=GM, who="Bex", zone="Hall"))
    seat.say(bypass("Arlo"))
    assert seat.code(Move(by="Arlo", zone="Hall")) == "MOMENTUM"
    seat.say(bypass("Bex"))
    assert seat.code(Move(by="Arlo", zone="Hall")) == "NEIGHBOUR"


def test_who_fled_is_out_until_another_fight() -> None:
    """MO-ROUND-8."""
    seat = Seat(present=("Cole", "Guard"))
    seat.say(attacks("Cole", "Guard"), 1, 1, 1)
    ended = of_kind(seat.say(Flee(by="Guard", reason="his nerve breaks")), EncounterEnded)
    assert [fact.out for fact in ended] == [("foe",)]
    assert "fled Guard" in seat.state.conditions
    record = seat.say(StartEncounter(by=GM, zones=("Hall",)))
    assert [fact.who for fact in of_kind(record, ConditionEnded)] == ["Guard"]


def test_a_fight_needs_a_zone_and_somebody_of_each_side() -> None:
    seat = Seat("none", present=("Arlo", "Guard"))
    assert seat.refusal(StartEncounter(by=GM)).code == "L-VALUE"
    assert seat.refusal(StartEncounter(by=GM, zones=("Hall",), participants=("Arlo",))).code == "L-VALUE"
    assert seat.refusal(StartEncounter(by=GM, zones=("Arlo",))).code == "L-VALUE"
    assert seat.refusal(StartEncounter(by=GM, zones=("Hall",), pcs="Moon")).code == "L-VALUE"


def test_the_fate_of_a_pc_who_is_down_is_asked_for_and_ruled() -> None:
    """MO-HP-3."""
    seat = Seat("foes", hp={"Dara": 1})
    seat.say(attacks("Brute", "Dara"), 4, 1, 1)
    assert seat.state.windows["fate Dara"].awaits == (GM,)
    seat.say(Ruling(by=GM, text="she bleeds", reason="the maul", changes=(Setting("dara.fate", "dying"),)))
    assert "fate Dara" not in seat.state.windows
    assert seat.state.sheet("Dara", "fate") == "dying"


def test_a_ruling_that_lifts_somebody_up_needs_no_fate() -> None:
    seat = Seat("foes", hp={"Dara": 1})
    seat.say(attacks("Brute", "Dara"), 4, 1, 1)
    seat.say(Ruling(by=GM, text="a draught", reason="at her lips", changes=(Setting("dara.hp", 2),)))
    assert not seat.state.windows
    assert sorted(found.name for _, found in seat.state.conditions_of("Dara")) == ["wounded"]


def test_an_adjustment_is_marked_as_such() -> None:
    seat = Seat()
    seat.say(Adjust(by="Cole", value="hp", change=-6, reason="the stairs"))
    assert seat.hp("Cole") == 4
    assert "wounded Cole" in seat.state.conditions
    seat.say(Adjust(by=GM, value="cole.defense", change=1, reason="a breastplate"))
    assert seat.state.sheet("Cole", "defense") == 7


def test_what_was_known_and_what_was_possible_and_not_said() -> None:
    """MO-REACT-1, MO-DBL-2, MO-WND-2."""
    seat = Seat("foes", at={"Dara": "Yard"}, hp={"Brute": 3}, options={"foes_wounded": "yes"})
    found = {one.name: (one.known, one.rules) for one in BOOK.unclaimed(attacks("Brute", "Arlo"), seat.state)}
    assert found == {
        "Wounded": (True, ("MO-WND-2",)),
        "defend Arlo": (False, ("MO-DEFEND-1",)),
        "interpose Bex": (False, ("MO-INTER-1",)),
        "interpose Cole": (False, ("MO-INTER-1",)),
    }
    said = attacks("Brute", "Arlo", ("Cole", "interpose"))
    assert {one.name for one in BOOK.unclaimed(said, seat.state)} == found.keys() - {"interpose Cole"}
    assert set(BOOK.answers(said, seat.state)) == {"Arlo", "Bex", "Cole"}
    own = Seat()
    own.say(attacks("Cole", "Brute"), 1, 1, 1)
    named = {one.name for one in BOOK.unclaimed(attacks("Cole", "Brute"), own.state)}
    assert named == {"rushed", "help Arlo", "help Bex", "help Dara"}
    assert not list(BOOK.answers(Move(by="Cole", zone="Yard"), own.state))


def changed(record: Record, said: Declaration) -> dict[Any, Edit]:
    raw = Input(said=msgspec.Raw(ENCODER.encode(said)), by=said.by, line="")
    return {record.id: Edit(input=raw, outcome="retcon", in_order=True)}


def test_a_turn_that_newly_opens_is_passed_before_what_was_said_later() -> None:
    """MO-ROUND-6: who is not down after all is waited for; the refusal says with what they would let it go."""
    seat = Seat("foes", present=("Arlo", "Bex", "Guard", "Brute"), hp={"Bex": 1})
    struck = seat.say(attacks("Guard", "Bex"), 9, 1)
    for said in (EndTurn(by="Guard"), EndTurn(by="Brute"), EndTurn(by="Arlo"), EndTurn(by="Guard")):
        seat.say(said)
    instead = changed(struck, attacks("Guard", "Arlo"))
    instead = {id: msgspec.structs.replace(edit, input=_typed(edit.input)) for id, edit in instead.items()}
    sight = WhatIf(seat.store, BOOK, StateProjection()).run(instead)
    assert [fate.input.by for fate in sight.with_outcome("newly open") if fate.input] == ["Bex"]
    assert not sight.with_outcome("no longer possible")


def _typed(said: Input | None) -> Input:
    assert said is not None
    return msgspec.structs.replace(said, faces=(9, 1))


def test_a_check_outside_of_any_fight() -> None:
    seat = Seat("none", present=("Cole",))
    assert seat.say(AbilityCheck(by="Cole", ability="agi"), 5, 6)
    assert seat.refusal_of_dice(AbilityCheck(by="Cole", ability="agi"), 5).code == "MO-E-DICE"
    assert seat.code(AbilityCheck(by="Cole", ability="agi", advantage=True)) == "RULING"


def test_a_ruling_ends_the_fight() -> None:
    seat = Seat()
    record = seat.say(EndEncounter(by=GM, reason="they yield"))
    assert [fact.because for fact in of_kind(record, EncounterEnded)] == ["they yield"]
    assert not seat.state.allowances
