"""Rounds, declared intents and the order of a Round."""

from __future__ import annotations

from ledger.corrections.amend import plan_amendment
from ledger.corrections.correction import write_correction
from ledger.facts import GM, ActionSpent, Judged, Reached
from rulebooks.common.encounters import BringIn
from rulebooks.monolith.declarations import (
    BeginRound,
    Blast,
    CreateCharacter,
    CreateNpc,
    DeclareIntent,
    EndPart,
    EndRound,
    Morale,
    Move,
    OtherAction,
    Save,
    SetOrder,
)
from rulebooks.monolith.order import first_actors
from rulebooks.monolith.turns import intent, phase
from rulebooks.testing.corrections import DROP
from rulebooks.testing.seat import AT, of_kind
from tests.rulebooks.monolith.seat import BOOK, Seat, hp_and_body, rules, strike


def test_round_begins_a_fight_and_lasts_ten_seconds() -> None:
    """ML-ROUND-1."""
    seat = Seat(fight=False)
    seat.say(BeginRound(by=GM))
    assert seat.state.encounter is not None
    assert (seat.state.encounter.round, phase(seat.state)) == (1, "declaring")
    seat.say(EndRound(by=GM))
    assert (phase(seat.state), seat.state.clock["seconds"]) == ("", 10)
    seat.say(BeginRound(by=GM))
    assert seat.state.encounter.round == 2


def test_declaring_waits_only_for_those_able_to_act() -> None:
    """ML-ACT-4."""
    seat = Seat(declared=("Vega", "Kade"))
    assert phase(seat.state) == "declaring"
    seat.say(rules(**{"oru.unconscious": 1}))
    assert phase(seat.state) == "acting"
    assert seat.code(DeclareIntent(by="Oru")) == "OUT"
    seat = Seat(set={"vega.dead": 1, "oru.fled": 1, "kade.critical": 1})
    seat.say(EndRound(by=GM))
    seat.say(BeginRound(by=GM))
    assert phase(seat.state) == "acting"


def test_intent_is_kept_after_a_roll_of_the_round() -> None:
    """ML-GAP-23."""
    seat = Seat()
    seat.say(Save(by="Vega", score="reflex", reason="a fall"), 4)
    refusal = seat.refusal(DeclareIntent(by="Vega", text="run"))
    assert (refusal.code, "before the own roll" in str(refusal)) == ("L-VALUE", True)
    seat.next_round()
    assert intent("Vega", seat.state) == "pass"


def test_intent_changes_until_the_character_has_acted() -> None:
    """ML-GAP-23."""
    seat = Seat()
    seat.say(DeclareIntent(by="Vega", text="shoot R1"))
    seat.say(DeclareIntent(by="Vega", text="run"))
    assert intent("Vega", seat.state) == "run"
    seat.say(strike("Vega", "R1"), 1)
    assert seat.code(DeclareIntent(by="Vega", text="hide")) == "ACTION"
    seat.say(EndRound(by=GM))
    assert intent("Vega", seat.state) is None


def test_first_part_ends_with_an_opponents_first_deed() -> None:
    """ML-GAP-32: only those who act too early are refused."""
    seat = Seat()
    seat.say(SetOrder(by=GM, first=("Vega", "Oru"), reason="the drop"))
    assert (phase(seat.state), first_actors(seat.state)) == ("first", ("Vega", "Oru"))
    assert seat.code(Move(by="Kade", feet=5)) == "ORDER"
    seat.say(strike("Vega", "R1"), 1)
    seat.say(Move(by="R1", feet=5))
    assert phase(seat.state) == "opponents"
    seat.say(Move(by="Oru", feet=5))
    assert seat.code(Move(by="Kade", feet=5)) == "ORDER"
    assert seat.code(EndPart(by=GM, part="first")) == "ORDER"
    seat.say(EndPart(by=GM, part="opponents"))
    seat.say(Move(by="Kade", feet=5))
    seat.say(EndRound(by=GM))
    assert first_actors(seat.state) == ()


def test_opponents_part_ends_when_all_have_acted() -> None:
    """ML-GAP-32."""
    seat = Seat(present=("Kade", "Vega", "R1", "R2"))
    seat.say(SetOrder(by=GM, opponents=True, reason="they lay in wait"))
    assert phase(seat.state) == "opponents"
    seat.say(strike("R1", "Vega"), 1)
    assert phase(seat.state) == "opponents"
    seat.say(rules(**{"r2.fled": 1}))
    assert phase(seat.state) == "others"


def test_opponents_begin_where_nobody_can_act_first() -> None:
    """ML-TURN-2, ML-GAP-3: all fail the Save, or the only one who passed it falls."""
    seat = Seat(present=("Vega", "Kade", "R1"))
    seat.say(SetOrder(by=GM, score="reflex", reason="a scramble"))
    assert phase(seat.state) == "first"
    seat.say(Save(by="Vega", score="reflex"), 14)
    seat.say(Save(by="Kade", score="reflex"), 8)
    assert phase(seat.state) == "opponents"
    assert seat.code(Save(by="Vega", score="reflex"), 5) == "RULING"
    seat = Seat(present=("Vega", "Kade", "R1"))
    seat.say(SetOrder(by=GM, first=("Vega",), reason="the drop"))
    seat.say(rules(**{"vega.dead": 1}))
    assert phase(seat.state) == "opponents"


def test_save_to_act_first_is_lost_when_made_late() -> None:
    """ML-GAP-3: a character without this Save acts after the opponents."""
    seat = Seat()
    seat.say(SetOrder(by=GM, score="reflex", reason="a scramble"))
    seat.say(Save(by="Vega", score="reflex"), 5)
    seat.say(Save(by="Oru", score="reflex", reason="a leap besides"), 5)
    assert first_actors(seat.state) == ("Vega",)
    seat.say(strike("R1", "Vega"), 1)
    assert seat.state.windows == {}
    assert seat.code(Save(by="Oru", score="reflex"), 5) == "RULING"
    assert seat.code(Move(by="Oru", feet=5)) == "ORDER"


def test_order_is_ruled_while_declaring_or_later() -> None:
    seat = Seat(declared=("Vega",))
    seat.say(SetOrder(by=GM, score="reflex", reason="a scramble"))
    assert phase(seat.state) == "declaring"
    assert seat.code(Save(by="Vega", score="reflex"), 5) == "DECL"
    seat.say(SetOrder(by=GM, first=("Oru",), reason="no: it is clear"))
    assert seat.state.windows == {}
    for who in ("Oru", "Kade"):
        seat.say(DeclareIntent(by=who))
    assert (phase(seat.state), first_actors(seat.state)) == ("first", ("Oru",))
    seat.say(SetOrder(by=GM, score="reflex", reason="no: it is not"))
    seat.say(EndRound(by=GM))
    assert seat.state.windows == {}


def test_latecomer_has_a_turn_in_the_order() -> None:
    seat = Seat(present=("Vega", "R1", "R2"))
    seat.say(CreateNpc(by=GM, name="Rook", body=8, resolve=6, hp=2))
    assert seat.refusal(Move(by="Rook", feet=5)).code == "L-VALUE"
    seat.say(BringIn(by=GM, who="Rook"))
    seat.say(Move(by="Rook", feet=5))
    seat.say(SetOrder(by=GM, first=("Vega",), reason="the drop"))
    seat.say(CreateCharacter(by=GM, name="Ilse", body=8, resolve=6, hp=2))
    seat.say(BringIn(by=GM, who="Ilse"))
    assert first_actors(seat.state) == ("Vega",)
    assert seat.code(Move(by="Ilse", feet=5)) == "ORDER"
    seat.next_round()
    seat.say(Move(by="Ilse", feet=5))
    seat.say(Move(by="Rook", feet=5))


def test_nobody_acts_between_two_rounds() -> None:
    seat = Seat()
    seat.say(EndRound(by=GM))
    for said in (Move(by="Vega", feet=5), strike("Vega", "R1"), Blast(by="Kade", targets=("R1",), weapon="grenade")):
        assert seat.code(said) == "ORDER"
    seat.say(Save(by="Vega", score="resolve", reason="the dark"), 9)


def test_correction_lets_a_revived_character_pass() -> None:
    """ML-ACT-4: later entries are still possible."""
    seat = Seat(set={"vega.hp": 0})
    felled = seat.say(strike("R1", "Vega"), 8, 19)
    assert seat.conditions("Vega") == ["critical"]
    seat.say(EndRound(by=GM))
    seat.say(BeginRound(by=GM))
    for who in ("Oru", "Kade"):
        seat.say(DeclareIntent(by=who))
    seat.say(strike("Kade", "Boss"), 8)
    correction = plan_amendment(seat.ledger, {felled.id: DROP}, by=GM, because="it was dark")
    outcomes = [
        (entry.outcome, entry.input.by if entry.input else "") for entry in correction.what_if.outcomes if entry.writes
    ]
    assert outcomes == [("removed", ""), ("changed", GM), ("changed", "Kade"), ("new turn", "Vega")]
    write_correction(seat.ledger, correction, at=AT, line="~")
    assert (intent("Vega", seat.state), seat.points("Boss", "hp")) == ("pass", 0)
    seat.check_replay()


def test_latecomer_declares_while_others_declare() -> None:
    seat = Seat(declared=("Vega", "Oru"))
    seat.say(CreateCharacter(by=GM, name="Ilse", body=8, resolve=6, hp=2))
    seat.say(BringIn(by=GM, who="Ilse"))
    seat.say(DeclareIntent(by="Kade"))
    assert phase(seat.state) == "declaring"
    seat.say(DeclareIntent(by="Ilse"))
    assert phase(seat.state) == "acting"
    seat.say(EndRound(by=GM))
    seat.say(CreateCharacter(by=GM, name="Wren", body=8, resolve=6, hp=2))
    assert not of_kind(seat.say(BringIn(by=GM, who="Wren")), Reached)


def test_nothing_is_counted_without_a_round() -> None:
    """ML-ROUND-1: where timing does not matter."""
    seat = Seat(fight=False)
    for _ in range(3):
        seat.say(Move(by="Vega", feet=40))
        assert not of_kind(seat.say(OtherAction(by="Vega", text="look", ruling="dust")), ActionSpent)
    seat.say(strike("Vega", "Boss"), 3)
    seat.say(strike("Vega", "Boss"), 3)
    assert hp_and_body(seat, "Boss") == (4, 13)
    seat.say(Save(by="Vega", score="resolve", reason="the dark"), 9)
    seat.say(Morale(by=GM, group="Raiders", reason="the dark"), 8)
    assert seat.conditions("R1") == []


def test_round_goes_on_in_the_next_session() -> None:
    seat = Seat()
    seat.say(strike("Vega", "Boss"), 5)
    seat.ledger.close_session(at="2026-01-01T23:00:00Z")
    seat.ledger.open_session("two", at="2026-01-02T20:00:00Z", seed=bytes(32))
    assert of_kind(seat.say(strike("Oru", "Boss"), 6), Judged)[0].total == 1
    assert not of_kind(seat.say(Move(by="Kade", feet=5)), Reached)
    seat.check_replay()


def test_nothing_is_left_between_two_rounds() -> None:
    """ML-ROUND-1: the moves and actions of a Round end with it."""
    seat = Seat()
    assert BOOK.guide.left("Vega", seat.state)
    seat.say(EndRound(by=GM))
    assert not BOOK.guide.left("Vega", seat.state)
