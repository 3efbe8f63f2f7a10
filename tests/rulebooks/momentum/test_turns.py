"""Members of a fight, joining, leaving, and the order of turns."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.declarations import Declaration, Ruling, Setting
from ledger.facts import GM, ConditionEnded, EncounterBegan, EncounterEnded, EntryId, Judged, Scalar
from ledger.records import ENCODER, Record
from ledger.redecide import Input
from ledger.whatif import Edit, WhatIf
from projections.projection import StateProjection
from projections.state import State, Window
from rulebooks.common.encounters import EndTurn
from rulebooks.momentum.declarations import (
    AbilityCheck,
    Allowance,
    BypassMomentum,
    EndEncounter,
    Flee,
    JoinFight,
    Move,
    Path,
    Stand,
    StartEncounter,
)
from rulebooks.momentum.guards import CHECK_DUE, checks_due
from rulebooks.momentum.turns import allowance
from rulebooks.testing.seat import AT, of_kind
from tests.rulebooks.momentum.seat import BOOK, Seat, attacks, hits


def bystander(seat: Seat) -> None:
    seat.ledger.declare(BOOK.sheet({"sheet": "bystander", "name": "Boy", "hp": 1, "defense": 3}, "boy.toml"), at=AT)


def test_bystander_has_no_turn() -> None:
    """MO-INTER-1: other PCs, bystanders and foes."""
    seat = Seat("none", present=("Arlo", "Cole", "Brute"))
    bystander(seat)
    seat.say(StartEncounter(by=GM, zones=("Hall",)))
    for who in ("Arlo", "Cole"):
        seat.say(bypass(who))
    for who in ("Arlo", "Cole"):
        seat.say(EndTurn(by=who))
    assert seat.code(EndTurn(by="Boy")) == "PHASE"
    (judged,) = hits(seat.say(attacks("Brute", "Boy", ("Cole", "interpose")), 6, 1, 1))
    assert (judged.against, judged.total, seat.hp("Boy")) == ("Cole", 1, 1)
    seat.say(attacks("Brute", "Boy"), 4)
    assert "dead Boy" in seat.state.conditions
    seat.say(EndTurn(by="Brute"))
    assert seat.state.encounter is not None


def bypass(who: str) -> Declaration:
    return BypassMomentum(by=GM, who=who, reason="x")


def test_latecomer_acts_with_their_side_without_a_check() -> None:
    """MO-GAP-31, MO-REACT-3."""
    seat = Seat("none", present=("Arlo", "Bex", "Guard", "Brute"))
    seat.say(StartEncounter(by=GM, zones=("Hall",), participants=("Arlo", "Guard")))
    seat.say(bypass("Arlo"))
    seat.say(JoinFight(by=GM, who="Bex", zone="Hall"))
    seat.say(EndTurn(by="Arlo"))
    assert seat.state.encounter
    assert seat.state.encounter.phase == "pc"
    assert allowance("Bex", seat.state).total == 1
    seat.say(EndTurn(by="Bex"))
    seat.say(JoinFight(by=GM, who="Brute", zone="Hall"))
    seat.say(attacks("Brute", "Arlo", ("Bex", "interpose")), 1, 1, 1)
    assert seat.state.place("Brute") == "Hall"


def test_latecomer_before_the_first_turn_makes_the_check() -> None:
    seat = Seat("none", present=("Arlo", "Bex", "Guard"))
    seat.say(StartEncounter(by=GM, zones=("Hall",), participants=("Arlo", "Guard")))
    seat.say(JoinFight(by=GM, who="Bex", zone="Hall"))
    seat.say(bypass("Arlo"))
    assert seat.code(Move(by="Arlo", zone="Hall")) == "MOMENTUM"
    seat.say(bypass("Bex"))
    assert seat.code(Move(by="Arlo", zone="Hall")) == "NEIGHBOUR"


def test_fled_combatant_is_out_until_another_fight() -> None:
    """MO-ROUND-8."""
    seat = Seat(present=("Cole", "Guard"))
    seat.say(attacks("Cole", "Guard"), 1, 1, 1)
    ended = of_kind(seat.say(Flee(by="Guard", reason="his nerve breaks")), EncounterEnded)
    assert [(fact.stand, fact.out) for fact in ended] == [((("pc", ("Cole",)),), (("Guard", "fled"),))]
    assert "fled Guard" in seat.state.conditions
    assert seat.refusal(StartEncounter(by=GM, zones=("Hall",))).code == "L-VALUE"
    record = seat.say(StartEncounter(by=GM, zones=("Hall",), participants=("Cole", "Guard")))
    assert [fact.who for fact in of_kind(record, ConditionEnded)] == ["Guard"]


def test_who_is_down_or_has_fled_is_in_the_next_fight_if_named() -> None:
    """MO-ROUND-8: a place at the start names somebody too."""
    seat = Seat("none", present=("Arlo", "Bex", "Cole", "Guard", "Brute"), hp={"Bex": 0})
    seat.say(StartEncounter(by=GM, zones=("Hall",)))
    seat.say(Flee(by="Cole", reason="the smoke"))
    seat.say(EndEncounter(by=GM, reason="they part"))
    again = StartEncounter(by=GM, zones=("Hall",), at=(Stand(who="Bex", zone="Hall"),))
    began = of_kind(seat.say(again), EncounterBegan)
    assert [who for fact in began for _, who in fact.sides] == [("Arlo", "Bex"), ("Guard", "Brute")]


def test_fight_needs_a_zone_with_two_sides() -> None:
    seat = Seat("none", present=("Arlo", "Guard"))
    assert seat.refusal(StartEncounter(by=GM)).code == "L-VALUE"
    assert seat.refusal(StartEncounter(by=GM, zones=("Hall",), participants=("Arlo",))).code == "L-VALUE"
    assert seat.refusal(StartEncounter(by=GM, zones=("Arlo",))).code == "L-VALUE"
    assert seat.refusal(StartEncounter(by=GM, zones=("Hall",), pcs="Moon")).code == "L-VALUE"


def changed(record: Record, said: Declaration) -> dict[Any, Edit]:
    raw = Input(declaration_json=msgspec.Raw(ENCODER.encode(said)), by=said.by, line="")
    return {record.id: Edit(input=raw, outcome="retcon", in_order=True)}


def test_turn_opened_by_a_correction_is_passed() -> None:
    """MO-ROUND-6: a PC that is not down is waited for; the refusal names the pass that would let it go on."""
    seat = Seat("foes", present=("Arlo", "Bex", "Guard", "Brute"), hp={"Bex": 1})
    struck = seat.say(attacks("Guard", "Bex"), 9, 1)
    for said in (EndTurn(by="Guard"), EndTurn(by="Brute"), EndTurn(by="Arlo"), EndTurn(by="Guard")):
        seat.say(said)
    instead = changed(struck, attacks("Guard", "Arlo"))
    instead = {id: msgspec.structs.replace(edit, input=_typed(edit.input)) for id, edit in instead.items()}
    result = WhatIf(seat.store, BOOK, StateProjection()).run(instead)
    assert [entry.input.by for entry in result.entries_with_outcome("new turn") if entry.input] == ["Bex"]
    assert not result.entries_with_outcome("no longer possible")


def _typed(said: Input | None) -> Input:
    assert said is not None
    return msgspec.structs.replace(said, faces=(9, 1))


def test_check_outside_a_fight() -> None:
    seat = Seat("none", present=("Cole",))
    assert seat.say(AbilityCheck(by="Cole", ability="agi"), 5, 6)
    assert seat.refusal_of_dice(AbilityCheck(by="Cole", ability="agi"), 5).code == "MO-E-DICE"
    assert seat.code(AbilityCheck(by="Cole", ability="agi", advantage=True)) == "RULING"


def test_ruling_ends_the_fight() -> None:
    seat = Seat()
    record = seat.say(EndEncounter(by=GM, reason="they yield"))
    assert [fact.because for fact in of_kind(record, EncounterEnded)] == ["they yield"]
    assert not seat.state.allowances


def test_paths_of_an_earlier_fight_are_gone() -> None:
    """MO-ZONE-1: the paths of a fight are those that are said of it."""
    seat = Seat()
    seat.say(EndEncounter(by=GM, reason="they yield"))
    seat.say(StartEncounter(by=GM, paths=(Path("Gate", "Tower"),), pcs="Gate", foes="Tower"))
    assert seat.state.ties_from("Gate", "neighbour") == ("Tower",)
    assert not seat.state.ties_from("Yard", "neighbour")
    seat.say(EndEncounter(by=GM, reason="they yield"))
    seat.say(StartEncounter(by=GM))
    assert seat.state.ties_from("Gate", "neighbour") == ("Tower",)
    seat.check_replay()


def test_zones_of_an_earlier_fight_are_no_longer_named() -> None:
    """MO-ZONE-1: only the zones of this fight; a zone that is said again is one of them."""
    seat = Seat(present=("Arlo", "Brute"))
    seat.say(EndEncounter(by=GM, reason="they yield"))
    seat.say(StartEncounter(by=GM, paths=(Path("Gate", "Cellar"),), pcs="Gate", foes="Cellar"))
    assert seat.code(moved("Arlo", "Tower")) == "L-VALUE"
    assert "Tower" not in list(BOOK.guide.vocabulary(StartEncounter, "pcs", seat.state, GM))
    seat.say(EndEncounter(by=GM, reason="they yield"))
    assert seat.code(StartEncounter(by=GM, paths=(Path("Gate", "Cellar"),), pcs="Tower")) == "L-VALUE"
    seat.say(StartEncounter(by=GM, paths=(Path("Gate", "Tower"),), pcs="Tower"))
    assert seat.state.place("Arlo") == "Tower"
    seat.check_replay()


def moved(who: str, zone: str) -> Ruling:
    """Return a ruling that puts somebody into a zone."""
    return Ruling(by=GM, text="so it is", reason="the test", changes=(Setting(f"{who}.place", zone),))


def path_ruling(name: str, on: Scalar) -> Ruling:
    return Ruling(by=GM, text="the stair burns", reason="oil", changes=(Setting(name, on),))


def test_ruling_takes_a_path_away_with_its_way_back() -> None:
    """MO-ZONE-1, MO-TAG-4: the list of neighbours is the game master's, also in a fight."""
    seat = Seat(present=("Arlo", "Brute"))
    seat.say(path_ruling("hall.neighbour.stair", 0))
    assert seat.state.ties_from("Hall", "neighbour") == ("Yard",)
    assert seat.state.ties_from("Stair", "neighbour") == ("Tower",)
    assert seat.code(Move(by="Arlo", zone="Stair")) == "NEIGHBOUR"
    seat.say(path_ruling("stair.neighbour.hall", 0))  # it is gone already
    seat.say(path_ruling("stair.neighbour.gate", 1))
    assert seat.state.ties_from("Gate", "neighbour") == ("Stair", "Yard")
    seat.check_replay()


@pytest.mark.parametrize(
    ("name", "on"), [("hall.neighbour.stair", 2), ("hall.neighbour.cellar", 0), ("hall.hp", 1), ("hall.neighbour", 0)]
)
def test_ruling_on_a_path_names_two_zones(name: str, on: int) -> None:
    assert Seat(present=("Arlo", "Brute")).code(path_ruling(name, on)) == "L-VALUE"


def test_allowance_is_asked_by_a_line() -> None:
    """MO-REACT-3: the answer is a fact, and costs nothing."""
    seat = Seat("foes", present=("Arlo", "Cole", "Brute"), hp={"Cole": 4})
    (judged,) = of_kind(seat.say(Allowance(by=GM, who="Cole")), Judged)
    assert (judged.what, judged.who, judged.total) == ("allowance", "Cole", 1)
    assert seat.code(Allowance(by=GM, who="Hall")) == "L-VALUE"


def test_game_master_sets_the_next_allowance() -> None:
    """It counts at the start of the next own turn, whatever the caps; after that the rule counts again."""
    seat = Seat(present=("Arlo", "Brute"))
    assert seat.code(Allowance(by=GM, who="Arlo", actions=1)) == "RULING"
    assert seat.code(Allowance(by=GM, who="Arlo", actions=3, reason="hasty")) == "L-VALUE"
    seat.say(Allowance(by=GM, who="Arlo", actions=1, reason="stunned"))
    assert allowance("Arlo", seat.state).total == 1
    seat.say(Move(by="Arlo", zone="Yard"))
    assert seat.code(Move(by="Arlo", zone="Hall")) == "ACTIONS"
    seat.say(EndTurn(by="Arlo"))
    assert allowance("Arlo", seat.state).total == 2
    seat.check_replay()


def test_game_master_sets_the_actions_of_an_open_turn() -> None:
    seat = Seat(present=("Arlo", "Brute"))
    seat.say(Move(by="Arlo", zone="Yard"))
    seat.say(Allowance(by=GM, who="Arlo", actions=2, reason="a second wind"))
    assert seat.state.actions_left("Arlo", "action") == 2
    seat.say(EndTurn(by="Arlo"))
    assert allowance("Arlo", seat.state).total == 2
    seat.check_replay()


def test_ruled_allowance_ends_with_the_fight() -> None:
    """MO-ROUND-8: the next fight does not know of it."""
    seat = Seat(present=("Arlo", "Brute"))
    seat.say(Allowance(by=GM, who="Arlo", actions=1, reason="stunned"))
    seat.say(EndEncounter(by=GM, reason="they yield"))
    assert seat.state.sheet("Arlo", "allowance") is None
    seat.check_replay()


def test_pc_without_a_check_has_one_action_in_round_1() -> None:
    """MO-REACT-3: momentum was not seized by a PC who joins or stands up after the checks."""
    seat = Seat("checks", present=("Arlo", "Bex", "Brute"), hp={"Bex": 0})
    seat.say(bypass("Arlo"))
    seat.say(Ruling(by=GM, text="a draught", reason="at her lips", changes=(Setting("bex.hp", 6),)))
    (step,) = allowance("Bex", seat.state).steps
    assert (step.because, step.now, step.rule) == ("no momentum", 1, "MO-REACT-3")
    for who in ("Arlo", "Bex", "Brute"):
        seat.say(EndTurn(by=who))
    assert allowance("Bex", seat.state).total == 2


@pytest.mark.parametrize(
    ("lines", "actions"),
    [
        ((), 1),
        ((Move(by="Arlo", zone="Yard"),), 2),
        ((EndTurn(by="Arlo"),), 2),
        ((EndTurn(by="Arlo"), EndTurn(by="Bex")), 2),
        ((EndTurn(by="Arlo"), EndTurn(by="Bex"), EndTurn(by="Brute")), 2),
    ],
)
def test_failed_check_counts_in_the_turn_of_round_1_alone(lines: tuple[Declaration, ...], actions: int) -> None:
    """MO-ROUND-4, MO-ROUND-7: the turn after it, asked for in it or behind it, is one of round 2."""
    seat = Seat("checks", present=("Arlo", "Bex", "Brute"))
    seat.say(BypassMomentum(by=GM, who="Arlo", actions=1, reason="late"))
    seat.say(bypass("Bex"))
    for line in lines:
        seat.say(line)
    (judged,) = of_kind(seat.say(Allowance(by=GM, who="Arlo")), Judged)
    assert judged.total == actions
    seat.check_replay()


def test_failed_check_is_named_in_the_allowance() -> None:
    """MO-ROUND-4."""
    seat = Seat("checks")
    seat.say(BypassMomentum(by=GM, who="Arlo", actions=1, reason="late"))
    assert [step.because for step in allowance("Arlo", seat.state).steps] == ["no momentum"]


def test_opening_checks_keep_their_order_after_a_roll_back() -> None:
    """A roll-back writes a window that was closed behind the others."""
    state = State()
    for order, who in enumerate(("Cole", "Arlo", "Bea")):
        window = Window(kind=CHECK_DUE, who=who, awaits=(), data="", opened=EntryId(1, 1), order=order)
        state.put("windows", f"check {who}", window)
    mark = len(state.journal)
    state.put("windows", "check Cole", None)
    assert checks_due(state) == ("Arlo", "Bea")
    state.roll_back(mark)
    assert checks_due(state) == ("Cole", "Arlo", "Bea")
