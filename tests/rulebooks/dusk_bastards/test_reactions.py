"""Reactions: Take Cover and Intercept."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.declarations import Declaration
from ledger.facts import GM, PointsLost
from rulebooks.dusk_bastards.declarations import turns
from rulebooks.dusk_bastards.declarations.combat import Attack, Defence, Intercept, TakeCover
from rulebooks.dusk_bastards.declarations.tasks import Attempt
from rulebooks.dusk_bastards.declarations.world import SetDistance
from tests.rulebooks.dusk_bastards.fight import (
    WHO,
    actions_left,
    attack,
    conditions,
    explore,
    fight,
    moment,
    pass_turns,
)
from tests.rulebooks.dusk_bastards.seat import DAWN, DUSK, Seat, close, final_difficulty, of_kind, spent

# Take Cover


def test_a_foe_that_takes_cover_is_harder_to_hit_once() -> None:
    """DB-REACT-1 mirrored, DB-COVER-1: the reaction is used up, the cover stays."""
    seat = fight("Ash", "Bryn", "captain", phase="action")
    seat.say(TakeCover(by="captain", cover_near="yes"))
    assert final_difficulty(seat.say(Attack(by="Ash", target="captain", stat="might"), *DUSK)) == 8
    pass_turns(seat)
    assert final_difficulty(seat.say(Attack(by="Bryn", target="captain", stat="speed"), *DUSK)) == 7


def test_taking_cover_lasts_a_round_and_the_cover_longer() -> None:
    """DB-REACT-1, DB-DUR-3, DB-REACT-2."""
    seat = fight("thug", "Ash", phase="action")
    seat.say(TakeCover(by="Ash", cover_near="full"))
    pass_turns(seat, 2)
    assert moment(seat)[0] == 2
    assert conditions(seat) == ["full_cover"]


@pytest.mark.parametrize("said", [turns.Move(by="Ash"), turns.Charge(by="Ash", target="thug")])
def test_moving_ends_the_cover_or_prone_of_taking_cover(said: Declaration) -> None:
    """DB-REACT-2, DB-GAP-67."""
    seat = fight("thug", "Ash", phase="movement")
    seat.say(TakeCover(by="Ash"))
    assert "prone" in conditions(seat)
    seat.say(said)
    assert not {"prone", "cover"} & set(conditions(seat))


def test_the_end_of_the_encounter_ends_taking_cover() -> None:
    """DB-ENC-12."""
    seat = fight("thug", "Ash", phase="action")
    seat.say(TakeCover(by="Ash", cover_near="yes"))
    seat.say(turns.EndEncounter(by=GM))
    assert conditions(seat) == []


def test_a_failed_dash_after_taking_cover_costs_nothing_more() -> None:
    """DB-REACT-3, DB-MOVE-2: the standard action is gone once."""
    seat = fight("thug", "Ash", phase="movement")
    seat.say(TakeCover(by="Ash", cover_near="yes"))
    seat.say(turns.Move(by="Ash", distance="short"), 1, 2)
    seat.say(close())
    assert actions_left(seat) == ["bonus"]


@pytest.mark.parametrize(("reading", "owes"), [("next_phase", False), ("this_round_if_unused", True)])
def test_taking_cover_after_full_defence_costs_by_option(reading: str, owes: bool) -> None:
    """DB-REACT-3: full defence leaves nothing in this round's action phase; only the other reading looks further."""
    seat = fight("thug", "Ash", phase="movement", options={"take_cover_costs": reading})
    seat.say(turns.FullDefence(by="Ash"))
    seat.say(TakeCover(by="Ash"))
    assert ("without a standard action" in conditions(seat)) == owes


def test_taking_cover_can_cost_a_delayed_action() -> None:
    """DB-STD-4, DB-REACT-3 in the other reading: the one that waits is the price."""
    seat = fight("Ash", "thug", options={"take_cover_costs": "this_round_if_unused"}, phase="action")
    seat.say(turns.Delay(by="Ash"))
    seat.say(TakeCover(by="Ash", cover_near="yes"))
    assert "delayed" not in conditions(seat)
    assert "without a standard action" not in conditions(seat)
    assert seat.code(Attack(by="Ash", target="thug", stat="might"), *DAWN) == "SLOT"


def test_taking_cover_is_paid_once_after_leaving_and_returning() -> None:
    """DB-REACT-3."""
    seat = fight("thug", "Ash", "Bryn", phase="action")
    seat.say(TakeCover(by="Bryn", cover_near="yes"))
    pass_turns(seat, 3)
    assert actions_left(seat, "Bryn") == ["move", "bonus", "reaction"]
    pass_turns(seat, 6)
    assert moment(seat)[0] == 3
    assert actions_left(seat, "Bryn") == ["move", "standard", "bonus", "reaction"]


def test_taking_cover_closes_the_roll_that_is_open() -> None:
    """DB-DEST-4: it is the next declaration."""
    seat = fight("Ash", "thug", phase="action")
    seat.say(Attack(by="Ash", target="thug", stat="might", damage=2), 9, 8)
    record = seat.say(TakeCover(by="Ash", cover_near="yes"))
    assert [fact.points for fact in of_kind(record, PointsLost)] == [2]
    assert not seat.state.windows


def test_taking_cover_outside_combat_costs_the_reaction_only() -> None:
    """DB-ACTN-5, DB-REACT-3: no action phase begins."""
    seat = explore()
    seat.say(TakeCover(by="Ash", cover_near="yes"))
    assert seat.code(TakeCover(by="Ash")) == "REACTION"
    assert seat.state.actions_left("Ash", "action") == 1
    passes_outside(seat)
    seat.say(TakeCover(by="Ash"))


def passes_outside(seat: Seat, *who: str) -> None:
    for name in who or ("Ash", "Bryn"):
        seat.say(turns.Pass(by=name))


def test_before_the_first_round_nobody_reacts() -> None:
    """DB-ACTN-2: reactions belong to rounds."""
    seat = Seat(*WHO)
    seat.say(turns.StartEncounter(by=GM, participants=("Ash", "thug")))
    assert seat.code(TakeCover(by="thug")) == "TURN"


# Intercept


@pytest.mark.parametrize("mover", ["thug", "captain"])
def test_a_stopped_charge_has_no_effect(mover: str) -> None:
    """DB-REACT-4: the movement ends, and with it the ease."""
    seat = fight("Ash", "Bryn", mover, phase="movement")
    seat.say(turns.Charge(by=mover, target="Ash"))
    seat.say(Intercept(by="Bryn", target=mover, stat="speed"), 12, 11)
    seat.say(close())
    assert (seat.state.count(mover, "moved"), conditions(seat, mover)) == (1, ["stopped"])


def test_a_charge_of_an_immediate_distance_cannot_be_stopped() -> None:
    seat = fight("Ash", "Bryn", "thug", phase="movement")
    seat.say(turns.Charge(by="thug", target="Ash", distance="immediate"))
    assert seat.code(Intercept(by="Bryn", target="thug", stat="speed"), *DAWN) == "REACH"


def test_a_stopped_movement_cannot_be_intercepted_again() -> None:
    """DB-REACT-4: both before anything else is declared."""
    seat = fight("Ash", "Bryn", "Cole", "thug", phase="movement")
    seat.say(turns.Move(by="thug", distance="short"))
    seat.say(Intercept(by="Bryn", target="thug", stat="speed"), 1, 2)
    seat.say(Intercept(by="Ash", target="thug", stat="speed"), 9, 8)
    assert seat.code(Intercept(by="Cole", target="thug", stat="speed"), *DAWN) == "REACH"


def test_a_stopped_dash_still_costs_its_action() -> None:
    """DB-REACT-4, DB-GAP-72."""
    seat = fight("thug", "Ash", phase="movement")
    seat.say(turns.Move(by="Ash", distance="short"), 1, 2)
    seat.say(Intercept(by="thug", target="Ash"), 1, 2)
    seat.say(close())
    assert (seat.state.count("Ash", "moved"), actions_left(seat)) == (1, ["bonus", "reaction"])


def test_an_interception_is_melee_for_both_and_no_damage() -> None:
    """DB-MOVE-3, DB-REACT-4."""
    seat = fight("Ash", "thug", phase="movement")
    seat.say(turns.Move(by="thug", distance="short"))
    seat.say(Intercept(by="Ash", target="thug", stat="speed", damage=5), 9, 8)
    seat.say(close())
    assert seat.points("thug", "health") == 6
    assert seat.code(turns.Charge(by="Ash", target="thug")) == "CHARGE"


def test_an_interception_while_moving_does_not_use_up_a_charge() -> None:
    """DB-MOVE-3: the ease is for an attack in the action phase."""
    seat = fight("thug", "Ash", phase="movement")
    seat.say(turns.Charge(by="Ash", target="thug", distance="immediate"))
    seat.say(turns.Move(by="thug", distance="short"))
    assert final_difficulty(seat.say(Intercept(by="Ash", target="thug", stat="speed"), *DUSK)) == 4
    seat.say(close())
    pass_turns(seat)
    assert final_difficulty(seat.say(Attack(by="Ash", target="thug", stat="might"), *DUSK)) == 3


def test_each_interceptor_hinders_attacks_on_others() -> None:
    """DB-REACT-5: two who keep the same enemy busy."""
    seat = fight("captain", "Ash", "Bryn", "Cole", phase="action")
    seat.say(Intercept(by="Bryn", target="captain", protect="Ash", stat="speed"), 12, 11)
    seat.say(Intercept(by="Cole", target="captain", protect="Ash", stat="speed"), 12, 11)
    difficulties = {
        who: final_difficulty(seat.say(Defence(by=who, source="captain", npc_slot="none"), *DUSK))
        for who in ("Ash", "Bryn", "Cole")
    }
    assert difficulties == {"Ash": 4, "Bryn": 5, "Cole": 5}


def test_an_intercepted_character_is_hindered_against_others() -> None:
    """DB-REACT-5, DB-REACT-8: tasks toward somebody too; not what is done to nobody, nor to the interceptor."""
    seat = fight("Ash", "thug", "captain", phase="action")
    seat.say(Intercept(by="thug", target="Ash", protect="captain"), 1, 2)
    seat.say(close())
    said = Attempt(by="Ash", stat="intellect", difficulty=4, slot="none")
    difficulties = [
        final_difficulty(seat.say(msgspec.structs.replace(said, toward=who), *DUSK)) for who in ("captain", "thug", "")
    ]
    assert difficulties == [5, 4, 4]


def test_a_defence_against_an_interception_has_its_modifiers() -> None:
    """DB-REACT-8, DB-ROLL-4: cover, full defence and wounds as against any attack of a foe."""
    seat = fight("thug", "Ash", phase="movement", Ash={"sheet": {"wounds": [4]}})
    seat.say(TakeCover(by="Ash", cover_near="yes"))
    seat.say(turns.Move(by="Ash", distance="short", effort=1), 9, 8)
    record = seat.say(Intercept(by="thug", target="Ash", effort=1), 9, 8)
    assert spent(record) == {"speed": 3}
    assert final_difficulty(record) == 4 - 1 - 1 + 1  # Effort, taking cover (its cover was left), a moderate wound


# The ease of a charge


def test_an_interception_does_not_use_a_charge() -> None:
    """DB-MOVE-3: nor is the ease used up by it."""
    seat = Seat("Ash", "Bryn", "thug", encounter={"order": ("Ash", "Bryn", "thug")})
    for said in (turns.Pass(by="thug"), turns.Pass(by="Bryn"), turns.Charge(by="Ash", target="thug")):
        seat.say(said)
    record = seat.say(Intercept(by="Ash", target="thug", protect="Bryn", stat="might"), *DUSK)
    assert final_difficulty(record) == 4
    assert final_difficulty(seat.say(attack(), *DUSK)) == 3


def test_a_foes_interception_does_not_use_its_charge() -> None:
    """DB-MOVE-3, DB-REACT-8, DB-ROLL-4."""
    seat = Seat("Ash", "captain", "thug", encounter={"order": ("captain", "Ash", "thug")})
    for said in (turns.Pass(by="thug"), turns.Pass(by="Ash"), turns.Charge(by="captain", target="Ash")):
        seat.say(said)
    record = seat.say(Intercept(by="captain", target="Ash", protect="thug", stat="might"), *DUSK)
    assert final_difficulty(record) == 6
    assert final_difficulty(seat.say(Defence(by="Ash", source="captain"), *DUSK)) == 7


# Intercept: in reach


def moving_off(known: Any, said: Declaration) -> Seat:
    """Let the thug move, at a known distance from Ash."""
    seat = Seat("Ash", "Bryn", "thug", encounter={"order": ("Ash", "Bryn", "thug")})
    if known is not None:
        seat.say(SetDistance(by=GM, between=("Ash", "thug"), at=known))
    seat.say(said)
    return seat


@pytest.mark.quick_rows(9)
@pytest.mark.parametrize(
    ("known", "said", "code"),
    [
        (None, turns.Move(by="thug", distance="short"), ""),
        ("immediate", turns.Move(by="thug", distance="short"), ""),
        ("short", turns.Move(by="thug", distance="short"), "REACH"),
        ("extreme", turns.Move(by="thug", distance="short"), "REACH"),
        (None, turns.Charge(by="thug", target="Bryn"), ""),
        ("immediate", turns.Charge(by="thug", target="Bryn"), ""),
        ("short", turns.Charge(by="thug", target="Bryn"), "REACH"),
        (None, turns.Charge(by="thug", target="Ash"), "REACH"),
        ("short", turns.Charge(by="thug", target="Ash"), "REACH"),
    ],
)
@pytest.mark.parametrize("mode", ["melee", "ranged"])
def test_only_a_movement_out_of_reach_can_be_stopped(known: Any, said: Declaration, code: str, mode: Any) -> None:
    """DB-REACT-4: by the distance before the move; who comes does not leave."""
    seat = moving_off(known, said)
    stops = Intercept(by="Ash", target="thug", stat="speed", mode=mode)
    if code:
        assert seat.code(stops, 9, 8) == code
        return
    seat.say(stops, 12, 11)
    seat.say(close())
    assert "stopped thug" in seat.state.conditions
    seat.check_replay()


def test_only_the_interceptor_in_reach_stops_a_movement() -> None:
    """DB-REACT-4: each movement has its own list of those out of reach."""
    seat = moving_off("short", turns.Move(by="thug", distance="short"))
    assert seat.code(Intercept(by="Ash", target="thug", stat="speed"), 9, 8) == "REACH"
    seat.say(Intercept(by="Bryn", target="thug", stat="speed"), 9, 8)
    seat.say(turns.Pass(by="Bryn"))
    assert not [name for _, name in seat.state.counts if name.startswith("out of reach")]


def test_a_foe_stops_only_a_movement_out_of_its_reach() -> None:
    """DB-REACT-4, DB-REACT-8: a short move of a character that is rolled, too."""
    seat = Seat("Ash", "thug", "captain", encounter={"order": ("thug", "captain", "Ash")})
    seat.say(SetDistance(by=GM, between=("thug", "Ash"), feet=30))
    seat.say(turns.Move(by="Ash", distance="short"), 9, 8)
    assert seat.code(Intercept(by="thug", target="Ash"), 9, 8) == "REACH"
    seat.say(Intercept(by="captain", target="Ash"), 9, 8)
