"""Maneuvers that answer an announced attack, before its dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from ledger.declarations import Declaration
from ledger.facts import WindowClosed
from rulebooks.common.announcements import Go, announcement
from rulebooks.mars.combat.announced import possible_reactors
from rulebooks.mars.declarations.combat import Attack, Block, Evade
from rulebooks.mars.declarations.maneuvers import AnswerWithManeuver, Maneuver
from rulebooks.mars.declarations.turns import Ready, TriggerReadied
from rulebooks.testing.seat import of_kind
from tests.rulebooks.mars.seat import Seat, result

DUEL = {"guards": ["Gil", "Hob"], "players": ["Asha", "Bram"]}
KNOWN = {"Asha": {"learned": {"back-step": "martial", "hard-parry": "martial"}}}
GUARDIAN = {"Bram": {"skills": {"unarmed": "r6"}, "learned": {"intercept": "unarmed"}}}
AVENGER = {"Bram": {"learned": {"intercepting-strike": "ranged"}}}
ATTACK = Attack(by="Gil", target="Asha")


def announced(sheets: Mapping[str, Any], said: Declaration = ATTACK, **given: Any) -> Seat:
    """Return a seat in which Gil's attack is announced."""
    seat = Seat(**{"teams": DUEL, "turn": "Gil", "sheets": sheets, **given})
    seat.say(announcement(said))
    return seat


def answer(by: str, name: str, **more: Any) -> AnswerWithManeuver:
    return AnswerWithManeuver(by=by, name=name, **more)


@pytest.mark.parametrize(("name", "sheets"), [("back-step", KNOWN), ("hard-parry", KNOWN)])
def test_answer_counts_for_the_announced_attack(name: str, sheets: Mapping[str, Any]) -> None:
    """GR-OUT-17: the same as the maneuver said before the attack; it is over after it."""
    seat, before = announced(sheets), Seat(teams=DUEL, turn="Gil", sheets=sheets)
    seat.say(answer("Asha", name))
    assert seat.points("Asha", "stamina") == 13
    before.say(Maneuver(by="Asha", name=name, target="Gil"))
    faces = (1, 1, 10) if name == "back-step" else (1, 1, 10, 5)
    shown = [result(table.say(said, *faces), "attack") for table, said in ((seat, Go(by="Gil")), (before, ATTACK))]
    assert shown[0] == shown[1]
    assert seat.holds("Asha") == before.holds("Asha") == []


def test_who_can_answer_is_asked() -> None:
    seat = Seat(teams=DUEL, turn="Gil", sheets={**KNOWN, **GUARDIAN})
    assert {"Asha", "Bram"} <= set(possible_reactors(ATTACK, seat.state))
    poor = Seat(teams=DUEL, turn="Gil", sheets={**KNOWN, **GUARDIAN}, pools={"Bram.stamina": 0})
    assert "Bram" not in possible_reactors(ATTACK, poor.state)


def test_ally_who_intercepts_is_the_target() -> None:
    """GR-OUT-17: the attack meets the ally, with 2 more to the defence."""
    seat = announced(GUARDIAN)
    seat.say(answer("Bram", "intercept"))
    record = seat.say(Go(by="Gil"), 10, 4, 5, 4, 4)
    assert result(record, "attack") == [14, 8, "hit"]
    assert (seat.points("Bram", "endurance"), seat.points("Asha", "endurance")) == (6, 10)


def test_interception_after_a_defence_takes_the_attack_off_the_first() -> None:
    """The evasion that was announced for the first target does not happen, and costs nothing."""
    seat = announced(GUARDIAN)
    seat.say(Evade(by="Asha"))
    seat.say(answer("Bram", "intercept"))
    seat.say(Go(by="Gil"), 1, 1, 12)
    assert seat.points("Asha", "stamina") == 14


def test_attacker_felled_by_an_answer_does_not_attack() -> None:
    """GR-UNC-1: the window closes, and nothing is thrown."""
    seat = announced(AVENGER, pools={"Gil.endurance": 0, "Gil.health": 1})
    seat.say(answer("Bram", "intercepting-strike"), 10, 6, 1, 8, 6, 1, 1)
    assert "dying" in seat.holds("Gil")
    record = seat.say(Go(by="Gil"))
    assert [fact.outcome for fact in of_kind(record, WindowClosed)] == ["void"]
    assert (seat.points("Asha", "endurance"), seat.state.windows) == (10, {})


def test_answer_takes_the_one_reaction() -> None:
    """GR-ACT-4: a reaction maneuver and an evasion as the reaction are two reactions."""
    seat = announced(KNOWN)
    seat.say(answer("Asha", "back-step"))
    assert seat.code(Evade(by="Asha", reaction=True)) == "REACTION-USED"
    assert seat.code(answer("Asha", "hard-parry")) == "REACTION-USED"
    seat.say(Evade(by="Asha"))


def test_defence_that_an_answer_has_made_too_dear_is_refused() -> None:
    """GR-EVD-1: the stamina of an announced defence is kept for it."""
    seat = announced(KNOWN, pools={"Asha.stamina": 1})
    seat.say(Evade(by="Asha"))
    assert seat.code(answer("Asha", "back-step")) == "NO-STAMINA"


@pytest.mark.parametrize(
    ("by", "name"), [("Bram", "back-step"), ("Asha", "intercept"), ("Asha", "intercepting-strike")]
)
def test_answer_of_the_wrong_one_is_refused(by: str, name: str) -> None:
    """GR-OUT-17: a step back is that of the one attacked, an interception that of an ally."""
    assert announced({}).code(answer(by, name, improvise="stamina")) == "VALUE"


@pytest.mark.parametrize(
    ("sheets", "name", "who", "right", "wrong"),
    [
        (GUARDIAN, "intercept", "Asha, who is attacked", "Asha", "Cora"),
        (AVENGER, "intercepting-strike", "Gil, who attacks", "Gil", "Hob"),
    ],
)
def test_answer_with_another_target_is_refused(
    sheets: Mapping[str, Any], name: str, who: str, right: str, wrong: str
) -> None:
    """GR-OUT-17: an interception is for the one attacked, an intercepting strike for the attacker."""
    third = {"teams": {**DUEL, "players": ["Asha", "Bram", "Cora"]}}
    refusal = announced(sheets, **third).refusal(answer("Bram", name, target=wrong))
    assert refusal.what == f"the target is outside its range: {wrong}"
    assert refusal.hint == f"Expected: {who}"
    announced(sheets).say(answer("Bram", name, target=right), *((10, 6, 1, 8, 6, 1, 1) if right == "Gil" else ()))


def test_answer_without_an_announced_attack_is_refused() -> None:
    seat = Seat(teams=DUEL, turn="Gil", sheets=KNOWN)
    assert seat.refusal(answer("Asha", "back-step")).code.startswith(("GR-E-", "L-"))


def test_own_attack_cannot_be_answered() -> None:
    """GR-ACT-4: it is the own turn."""
    seat = announced({"Gil": {"learned": {"back-step": "martial"}}})
    assert seat.code(answer("Gil", "back-step", target="Asha")) == "OWN-TURN"


def test_stunned_have_no_answer() -> None:
    """GR-STU-4."""
    seat = Seat(teams=DUEL, turn="Gil", sheets=KNOWN, conditions={"Asha": ["stunned"]})
    seat.say(announcement(ATTACK))
    assert seat.code(answer("Asha", "back-step")) == "STUNNED"


def test_announced_maneuver_can_be_answered() -> None:
    """GR-GAP-61: what a maneuver would do falls on the shield."""
    said = Maneuver(by="Gil", name="knock-down", target="Asha")
    seat = announced({**KNOWN, "Gil": {"learned": {"knock-down": "martial"}}}, said)
    seat.say(answer("Asha", "back-step"))
    seat.say(Block(by="Asha"))
    record = seat.say(Go(by="Gil"), 9, 4, 3, 6, 2)
    assert result(record, "attack") == [11, 7, "hit"]
    assert (seat.points("Asha", "shield"), seat.holds("Asha")) == (8, [])


def test_readied_attack_is_announced_and_answered() -> None:
    """GR-GAP-60: it is answered in the own turn too."""
    seat = Seat(teams=DUEL, turn="Gil")
    seat.say(Ready(by="Gil", action="attack", target="Asha", trigger="she moves"))
    seat.next_turn("Asha")
    seat.say(announcement(TriggerReadied(by="Gil")))
    assert seat.state.windows["announced"].awaits == ("Asha",)
    seat.say(Block(by="Asha"))
    seat.say(Go(by="Gil"), 9, 3, 5, 6, 5)
    assert seat.points("Asha", "shield") == 5


def test_readied_attack_is_intercepted() -> None:
    seat = Seat(teams=DUEL, turn="Gil", sheets=GUARDIAN)
    seat.say(Ready(by="Gil", action="attack", target="Asha", trigger="she moves"))
    seat.next_turn("Asha")
    seat.say(announcement(TriggerReadied(by="Gil")))
    seat.say(answer("Bram", "intercept"))
    seat.say(Go(by="Gil"), 10, 4, 5, 4, 4)
    assert (seat.points("Bram", "endurance"), seat.points("Asha", "endurance")) == (6, 10)
