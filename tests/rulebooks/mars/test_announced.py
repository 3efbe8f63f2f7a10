"""Announced attacks: answered by defences, thrown, withdrawn; with the result of a single line."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.facts import GM, Declared, Fact, WindowClosed
from ledger.records import Record
from rulebooks.common.announcements import ANNOUNCED, Announce, Go, announcement
from rulebooks.common.options import SetOption
from rulebooks.mars.combat.announced import possible_reactors
from rulebooks.mars.declarations.combat import Answer, Attack, Block, Evade, Parry
from rulebooks.mars.declarations.maneuvers import AnswerWithManeuver, Maneuver
from rulebooks.mars.declarations.parts import Reaction
from rulebooks.mars.declarations.turns import Ready, Rise, TriggerReadied
from rulebooks.testing.seat import of_kind
from tests.rulebooks.mars.seat import BOOK, Seat, judged

DUEL = {"guards": ["Gil"], "players": ["Asha", "Bram"]}
DEFENCES = [
    (),
    (Reaction("Asha", "evade"),),
    (Reaction("Asha", "evade", after="prone"),),
    (Reaction("Asha", "evade_reaction", after="step"),),
    (Reaction("Asha", "parry", item="longsword"),),
    (Reaction("Asha", "block"),),
    (Reaction("Asha", "evade"), Reaction("Asha", "block")),
    (Reaction("Asha", "parry", item="shield"), Reaction("Asha", "block", item="shield")),
]


def gil_attacks(*defences: Reaction, **more: Any) -> Attack:
    return Attack(by="Gil", target="Asha", defences=defences, **more)


def duel(**given: Any) -> Seat:
    return Seat(teams=DUEL, turn="Gil", **given)


def as_answer(reaction: Reaction) -> Answer:
    """Return a defence as a line of its own."""
    if reaction.kind == "parry":
        return Parry(by=reaction.who, item=reaction.item)
    if reaction.kind == "block":
        return Block(by=reaction.who, item=reaction.item, behind=not reaction.front)
    return Evade(by=reaction.who, reaction=reaction.kind == "evade_reaction", after=reaction.after)


def announce_and_answer(seat: Seat, said: Attack) -> Record:
    """Announce an attack, answer it, and throw."""
    seat.say(announcement(msgspec.structs.replace(said, defences=())))
    for reaction in said.defences:
        seat.say(as_answer(reaction))
    return seat.say(Go(by=said.by))


def results(record: Record) -> list[Fact]:
    """Return the facts of an entry, without what was said and the end of the window."""
    return [fact for fact in record.facts if not isinstance(fact, Declared | WindowClosed)]


@pytest.mark.parametrize("defences", DEFENCES)
def test_answers_have_the_result_of_one_line(defences: tuple[Reaction, ...]) -> None:
    said, on_one_line, announced = gil_attacks(*defences), duel(), duel()
    assert results(announce_and_answer(announced, said)) == results(on_one_line.say(said))


@given(st.sampled_from(DEFENCES), st.booleans())
def test_announced_attack_keeps_bounds_and_replays(defences: tuple[Reaction, ...], flanked: bool) -> None:
    seat = duel()
    announce_and_answer(seat, gil_attacks(*defences, flanked=flanked))
    seat.check_closing()


def test_nothing_is_paid_before_the_throw() -> None:
    seat = duel()
    seat.say(announcement(gil_attacks()))
    seat.say(Evade(by="Asha"))
    assert (seat.ap("Gil"), seat.points("Asha", "stamina")) == (3, 14)
    seat.say(Go(by="Gil"), 1, 1, 5, 1)
    assert (seat.ap("Gil"), seat.points("Asha", "stamina")) == (2, 13)


def test_withdrawn_attack_costs_nothing() -> None:
    seat = duel()
    seat.say(announcement(gil_attacks()))
    record = seat.say(Go(by="Gil", withdraw=True))
    assert [fact.outcome for fact in of_kind(record, WindowClosed)] == ["withdrawn"]
    assert seat.ap("Gil") == 3
    assert seat.code(Go(by="Gil")) == "L-ANNOUNCED"


def test_close_voids_an_announced_attack() -> None:
    seat = duel()
    seat.say(announcement(gil_attacks()))
    seat.check_closing()
    assert not seat.state.windows


@pytest.mark.parametrize(
    ("answers", "said", "code"),
    [
        ((), Evade(by="Bram"), "VALUE"),
        ((), Evade(by="Asha", after="step"), "STEP-NEEDS-REACTION"),
        ((), Parry(by="Asha", item="spear"), "NO-PARRY"),
        ((), Parry(by="Asha"), "NO-PARRY"),
        ((), Block(by="Asha", behind=True), "NOT-FRONT"),
        ((), Block(by="Asha", item="longsword"), "NO-SHIELD"),
        ((Evade(by="Asha"),), Parry(by="Asha", item="longsword"), "VALUE"),
        ((Block(by="Asha"),), Block(by="Asha"), "VALUE"),
        ((), Go(by="Gil", wait=True), "VALUE"),
        ((), Rise(by="Gil"), "L-ANNOUNCED"),
        ((), announcement(gil_attacks()), "L-ANNOUNCED"),
    ],
)
def test_refusals_while_announced(answers: tuple[Answer, ...], said: Any, code: str) -> None:
    seat = duel()
    seat.say(announcement(gil_attacks()))
    for answer in answers:
        seat.say(answer)
    assert seat.code(said) == code


def test_answer_needs_stamina_for_all_defences() -> None:
    seat = duel(pools={"Asha.stamina": 1})
    seat.say(announcement(gil_attacks()))
    seat.say(Parry(by="Asha", item="longsword"))
    assert seat.code(Block(by="Asha")) == "NO-STAMINA"
    assert seat.state.windows[ANNOUNCED].awaits == ()


@pytest.mark.slow
@pytest.mark.parametrize("said", [gil_attacks(weapon="axe"), Attack(by="Asha", target="Gil")])
def test_announcement_is_refused_like_the_attack(said: Attack) -> None:
    assert duel().code(announcement(said)) == duel().code(said)


def test_only_attacks_are_announced() -> None:
    assert duel().code(announcement(Rise(by="Gil"))) == "L-ANNOUNCE"


@pytest.mark.parametrize(
    ("given", "reactors"),
    [
        ({}, ("Asha",)),
        ({"pools": {"Asha.stamina": 0}}, ()),
        ({"conditions": {"Asha": ["stunned"]}}, ()),
        ({"conditions": {"Asha": ["stunned"]}, "options": {"stun_bars_free_reactions": "off"}}, ("Asha",)),
        ({"conditions": {"Asha": ["unconscious", "prone"]}}, ()),
    ],
)
def test_possible_reactors(given: dict[str, Any], reactors: tuple[str, ...]) -> None:
    seat = duel(**given)
    assert possible_reactors(gil_attacks(), seat.state) == reactors
    assert tuple(BOOK.answers(gil_attacks(), seat.state)) == reactors


@pytest.mark.parametrize(("reading", "code"), [("on", ""), ("off", "OWN-TURN")])
def test_defence_in_the_own_turn_follows_the_reading(reading: str, code: str) -> None:
    seat = duel(options={"own_turn_defence": reading})
    seat.say(Ready(by="Gil", action="attack", trigger="she moves"))
    seat.next_turn("Asha")
    seat.say(announcement(TriggerReadied(by="Gil", target="Asha")))
    answer = Parry(by="Asha", item="longsword")
    assert (seat.code(answer) if code else seat.say(answer) and "") == code


def test_readied_attack_can_be_announced() -> None:
    seat = Seat(teams=DUEL, turn="Gil")
    seat.say(Ready(by="Gil", action="attack", trigger="she moves"))
    seat.next_turn("Asha")
    seat.say(announcement(TriggerReadied(by="Gil", target="Asha")))
    seat.say(Block(by="Asha"))
    record = seat.say(Go(by="Gil"), 9, 3, 5, 6, 5)
    assert [fact.result for fact in judged(record, "attack", "block")] == ["hit", "blocked"]
    assert seat.state.count("Gil", "attacks") == 0


def test_readied_attack_comes_before_the_announced_one() -> None:
    seat = Seat(teams={"players": ["Asha"], "guards": ["Gil"]}, turn="Asha", pools={"Gil.endurance": 0})
    seat.say(Ready(by="Asha", action="attack", target="Gil", trigger="he strikes"))
    seat.next_turn("Gil")
    seat.say(announcement(Attack(by="Gil", target="Asha")))
    seat.say(TriggerReadied(by="Asha"), 12, 10, 1, 10, 10)
    assert "dying" in seat.holds("Gil")
    record = seat.say(Go(by=GM))
    assert [fact.outcome for fact in of_kind(record, WindowClosed)] == ["void"]
    assert judged(record, "attack") == []


def test_announced_maneuver_is_answered() -> None:
    seat = Seat(teams=DUEL, turn="Gil", sheets={"Gil": {"learned": {"heavy-strike": "martial"}}})
    seat.say(announcement(Maneuver(by="Gil", name="heavy-strike", target="Asha")))
    seat.say(Parry(by="Asha", item="longsword"))
    record = seat.say(Go(by="Gil"), 4, 1, 9, 6)
    assert [fact.result for fact in judged(record, "attack")] == ["fail"]


def test_option_may_be_set_while_announced() -> None:
    seat = duel()
    seat.say(announcement(gil_attacks()))
    seat.say(SetOption(by=GM, name="deflection", value="passive", reason="a vote"))
    record = seat.say(Go(by="Gil"), 6, 1, 5, 5)
    assert [fact.target for fact in judged(record, "attack")] == [7]


def test_announcement_by_somebody_else_is_refused() -> None:
    said = announcement(gil_attacks())
    assert duel().code(Announce(by="Bram", what=said.what)) == "L-ANNOUNCE"


TEAMS = {"guards": ["Gil", "Hob"], "players": ["Asha", "Bram"]}
LEARNED = {who: {"learned": {"intercept": "martial"}, "skills": {"martial": "r4"}} for who in ("Hob", "Bram")}


def answers_of(seat: Seat) -> tuple[str, ...]:
    (window,) = seat.state.windows.values()
    return window.awaits


@pytest.mark.parametrize("name", ["intercept", "intercepting-strike"])
def test_ally_of_the_attacker_protects_nobody(name: str) -> None:
    """GR-ACT-4: these reactions meet an attack on an ally, and there is none."""
    seat = Seat(teams=TEAMS, turn="Gil", sheets=LEARNED)
    seat.say(announcement(gil_attacks()))
    assert answers_of(seat) == ("Asha", "Bram")
    for target in ("", "Gil"):
        answer = AnswerWithManeuver(by="Hob", name=name, target=target, improvise="stamina")
        assert seat.code(answer) == "VALUE"


def test_protection_is_for_the_one_who_is_attacked() -> None:
    seat = Seat(teams={"guards": ["Gil"], "players": ["Asha", "Bram", "Dov"]}, turn="Gil", sheets=LEARNED)
    seat.say(announcement(gil_attacks()))
    assert seat.code(AnswerWithManeuver(by="Bram", name="intercept", target="Dov")) == "VALUE"
    seat.say(AnswerWithManeuver(by="Bram", name="intercept"))
    assert seat.state.conditions["protected Asha"].about == "Bram"
