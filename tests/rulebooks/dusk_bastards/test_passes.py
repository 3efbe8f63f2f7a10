"""Turns that end by themselves: implied passes, `! on`, and passes of nothing."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.acts import written_before
from ledger.corrections.amend import plan_amendment
from ledger.corrections.correction import write_correction
from ledger.corrections.undo import undo
from ledger.declarations import Declaration
from ledger.facts import GM, ActionSpent, PointsLost
from ledger.records import Record
from rulebooks.common.encounters import LeaveEncounter, PassOn
from rulebooks.common.options import SetOption
from rulebooks.dusk_bastards.declarations import turns
from rulebooks.dusk_bastards.declarations.combat import Defence
from rulebooks.dusk_bastards.guards import members
from rulebooks.testing.corrections import replacement
from tests.rulebooks.dusk_bastards.fight import actions_left, attack, condition, conditions, explore, fight, moment
from tests.rulebooks.dusk_bastards.seat import AT, Seat, cases, close

HIT, MISS = (9, 10), (2, 3)


def acting(*order: str, **more: Any) -> Seat:
    """Return a fight in its action phase."""
    return fight(*order, phase="action", **more)


def passes(seat: Seat, record: Record) -> list[str]:
    """Return the lines of the passes that a record implies."""
    return [take.line for take in written_before(seat.store, record)]


def test_bonus_action_is_let_go_when_the_next_one_acts() -> None:
    seat = acting("Ash", "Bryn", "thug")
    seat.say(turns.Deed(by="Ash"))
    record = seat.say(turns.Deed(by="Bryn"))
    assert passes(seat, record) == ["Ash pass"]
    assert (actions_left(seat), actions_left(seat, "Bryn")) == (["move", "reaction"], ["move", "bonus", "reaction"])
    seat.ended()


def test_several_pass_for_one_line() -> None:
    seat = acting("Ash", "Bryn", "thug")
    for who in ("Ash", "Bryn"):
        seat.say(turns.Deed(by=who))
    record = seat.say(Defence(by="Ash", source="thug", mode="melee"), *MISS)
    assert passes(seat, record) == ["Bryn pass"]
    record = seat.say(PassOn(by=GM))
    assert (passes(seat, record), moment(seat)) == ([], (2, "movement", "thug"))
    seat.ended()


def test_main_action_is_never_skipped() -> None:
    seat = acting("Ash", "Bryn", "thug")
    refusal = seat.refusal(attack("Bryn"), *HIT)
    assert "Ash has standard and bonus left" in str(refusal)
    seat.say(turns.QuickDeed(by="Ash"))
    assert "Ash has standard left" in str(seat.refusal(attack("Bryn"), *HIT))
    seat.say(turns.Delay(by="Ash"))
    seat.say(attack("Bryn"), *HIT)


def test_refusal_after_passes_leaves_nothing() -> None:
    seat = acting("Ash", "Bryn", "thug")
    seat.say(turns.Deed(by="Ash"))
    assert "Bryn has standard and bonus left" in str(seat.refusal(Defence(by="Ash", source="thug"), *HIT))
    assert moment(seat) == (1, "action", "Ash")


def test_move_is_not_let_go() -> None:
    seat = fight("Ash", "thug")
    seat.say(turns.Move(by="thug"))
    assert "Ash has move left" in str(seat.refusal(attack(), *HIT))
    seat.say(turns.Pass(by="Ash"))
    seat.say(attack(), *HIT)


def test_pass_closes_the_open_roll_of_the_one_who_passes() -> None:
    seat = acting("Ash", "Bryn", "thug")
    seat.say(attack(damage=2), *HIT)
    record = seat.say(turns.Deed(by="Bryn"))
    (passed,) = written_before(seat.store, record)
    assert [fact.who for fact in passed.facts if isinstance(fact, PointsLost)] == ["thug"]
    seat.ended()


def test_open_roll_of_one_with_nothing_left_is_closed() -> None:
    seat = acting("Ash", "Bryn", "thug")
    seat.say(turns.QuickDeed(by="Ash"))
    seat.say(attack(damage=2), *HIT)
    seat.say(turns.Deed(by="Bryn"))
    assert passes(seat, seat.say(Defence(by="Cole", source="thug"), *HIT)) == ["Bryn pass"]
    seat.ended()


def test_roll_of_one_with_nothing_left_is_closed_before_the_passes() -> None:
    seat = acting("Ash", "Bryn", "thug")
    seat.say(turns.QuickDeed(by="Ash"))
    seat.add_facts((ActionSpent(who="Bryn", action="standard", cost=1, outcome="lost", left=0),))
    seat.say(attack(damage=2), *HIT)
    record = seat.say(Defence(by="Ash", source="thug"), *HIT)
    assert passes(seat, record) == ["! close", "Bryn pass"]


def test_round_goes_on_when_the_last_bonus_action_is_let_go() -> None:
    seat = acting("Ash", "thug")
    seat.say(PassOn(by=GM))
    seat.say(PassOn(by=GM))
    seat.say(turns.Deed(by="Ash"))
    seat.say(Defence(by="Ash", source="thug"), *HIT)
    record = seat.say(turns.Move(by="thug"))
    assert (passes(seat, record), moment(seat)) == (["thug pass"], (3, "movement", "Ash"))
    seat.ended()


def test_undo_and_amendment_of_a_line_with_passes() -> None:
    seat = acting("Ash", "Bryn", "thug")
    seat.say(turns.Deed(by="Ash"))
    before = seat.snapshot()[0]
    record = seat.say(turns.Deed(by="Bryn"))
    undo(seat.ledger, by=GM, at=AT)
    assert seat.snapshot()[0] == before
    record = seat.say(turns.Deed(by="Bryn"))
    correction = plan_amendment(
        seat.ledger, {record.id: replacement(turns.QuickDeed(by="Ash"))}, by=GM, because="so it was"
    )
    write_correction(seat.ledger, correction, at=AT, line="~")
    assert actions_left(seat, "Bryn") == ["move", "standard", "bonus", "reaction"]
    seat.ended()


def test_table_may_want_every_pass_said() -> None:
    seat = acting("Ash", "Bryn", "thug")
    seat.say(SetOption(by=GM, name="passes", value="explicit", reason="we like to hear it"))
    seat.say(turns.Deed(by="Ash"))
    assert "Ash has bonus left" in str(seat.refusal(turns.Deed(by="Bryn")))


def test_all_still_to_come_in_a_phase_pass() -> None:
    seat = fight("Ash", "Bryn", "Cole", "thug")
    seat.say(turns.Move(by="thug"))
    seat.say(PassOn(by=GM))
    assert moment(seat) == (1, "action", "Ash")
    assert [actions_left(seat, who) for who in ("Bryn", "thug")] == [["standard", "bonus", "reaction"]] * 2
    seat.say(condition("Bryn", "stunned"))
    seat.say(PassOn(by=GM))
    assert moment(seat) == (2, "movement", "thug")
    seat.ended()


def test_all_still_to_act_in_a_round_without_phases_pass() -> None:
    seat = explore("Ash", "Bryn")
    seat.say(turns.Deed(by="Ash"))
    seat.say(PassOn(by=GM))
    assert moment(seat)[0] == 2


@pytest.mark.parametrize(
    ("said", "is_idle"), [(turns.Pass(by="Ash"), True), (turns.Pass(by="Ash", what="bonus"), False)]
)
def test_pass_of_nothing_is_idle(said: Declaration, is_idle: bool) -> None:
    seat = acting("Ash", "thug")
    seat.say(turns.Pass(by="Ash"))
    assert seat.refusal(said).is_idle is is_idle


@pytest.mark.parametrize("name", ["stunned", "incapacitated"])
def test_pass_of_one_who_cannot_act_is_idle(name: str) -> None:
    seat = acting("Ash", "thug")
    seat.say(condition("thug", name))
    assert seat.refusal(turns.Pass(by="thug")).is_idle
    assert not seat.refusal(turns.Pass(by="thug", what="bonus")).is_idle


def test_pass_of_the_dead_closes_the_roll_that_killed_them() -> None:
    seat = acting("Ash", "thug", "captain")
    seat.say(attack(damage=9), *HIT)
    seat.say(turns.Pass(by="thug"))
    assert "dead" in conditions(seat, "thug")
    assert not seat.state.windows
    seat.ended()


def test_close_of_nothing_is_idle() -> None:
    assert acting("Ash", "thug").refusal(close()).is_idle


def test_pass_with_nothing_left_but_a_roll_closes_it() -> None:
    seat = acting("Ash", "thug")
    seat.say(turns.QuickDeed(by="Ash"))
    seat.say(attack(damage=2), *HIT)
    seat.say(turns.Pass(by="Ash"))
    assert moment(seat) == (1, "action", "thug")
    assert not seat.state.windows
    seat.ended()


def test_first_full_round_of_seven_takes_nine_lines() -> None:
    """Three characters, an elite and three minions; five rolls. With every pass said it takes 17 lines."""
    minion = {"sheet": cases()["sheets"]["thug"]}
    order = ("Ash", "captain", "Bryn", "Cole", "hound1", "hound2", "hound3")
    fighting = {"order": order, "phase": "movement", "turn": "hound3", "round": 1}
    seat = Seat(*order, encounter=fighting, **dict.fromkeys(order[4:], minion))
    lines = [
        (turns.Charge(by="hound3", target="Cole"), ()),
        (turns.Move(by="hound2"), ()),
        (PassOn(by=GM), ()),
        (attack("Ash", "hound1"), HIT),
        (Defence(by="Bryn", source="captain"), HIT),
        (attack("Bryn", "captain"), MISS),
        (attack("Cole", "hound3"), HIT),
        (Defence(by="Cole", source="hound1"), HIT),
        (PassOn(by=GM), ()),
    ]
    for said, faces in lines:
        seat.say(said, *faces)
    assert (len(lines), moment(seat)) == (9, (2, "movement", "hound3"))
    seat.ended()


def test_who_left_is_in_the_next_fight_if_named() -> None:
    seat = acting("Ash", "Bryn", "thug", "captain")
    seat.say(LeaveEncounter(by=GM, who="captain"))
    assert conditions(seat, "captain") == ["absent"]
    seat.say(turns.EndEncounter(by=GM))
    seat.say(turns.StartEncounter(by=GM))
    assert (members_now(seat), conditions(seat, "captain")) == (["Ash", "Bryn", "Cole", "thug"], ["absent"])
    seat.say(turns.EndEncounter(by=GM))
    seat.say(turns.StartEncounter(by=GM, participants=("Ash", "captain")))
    assert (members_now(seat), conditions(seat, "captain")) == (["Ash", "captain"], [])


def test_who_left_is_back_when_they_join() -> None:
    seat = acting("Ash", "Bryn", "thug", "captain")
    seat.say(LeaveEncounter(by=GM, who="captain"))
    seat.say(turns.EndEncounter(by=GM))
    seat.say(turns.StartEncounter(by=GM))
    seat.say(turns.JoinEncounter(by=GM, who="captain"))
    seat.say(turns.EndEncounter(by=GM))
    seat.say(turns.StartEncounter(by=GM))
    assert "captain" in members_now(seat)


def members_now(seat: Seat) -> list[str]:
    encounter = seat.state.encounter
    return list(members(encounter)) if encounter else []
