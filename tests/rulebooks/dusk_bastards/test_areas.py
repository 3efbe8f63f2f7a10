"""Area attacks of characters and of foes."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.facts import GM, Judged
from ledger.records import Record
from rulebooks.dusk_bastards.declarations.combat import AreaAttack, Defence
from rulebooks.dusk_bastards.declarations.harm import SetCondition, WoundRoll
from rulebooks.dusk_bastards.declarations.parts import Spot
from rulebooks.dusk_bastards.declarations.sheets import CreateNpc
from rulebooks.dusk_bastards.declarations.turns import Pass
from rulebooks.dusk_bastards.declarations.world import SetDistance
from tests.rulebooks.dusk_bastards.fight import attack
from tests.rulebooks.dusk_bastards.seat import DAWN, DUSK, ECLIPSE, Seat, close, doom, final_difficulty, task


def new_seat(**given: Any) -> Seat:
    return Seat("Ash", "Bryn", "thug", "captain", **given)


# A foe's area attack


def test_each_character_defends_once_against_a_foes_area_attack() -> None:
    """DB-AREA-2: once a round, since the foe has one action for it."""
    seat = Seat("Ash", "Bryn", "thug", encounter={"order": ("thug", "Ash", "Bryn"), "phase": "action"})
    said = {who: Defence(by=who, source="thug", area=True) for who in ("Ash", "Bryn")}
    for who in ("Ash", "Bryn"):
        seat.say(said[who], 9, 8)
    for who in ("Ash", "Bryn"):
        assert seat.code(said[who], 9, 8) == "VALUE"
    for who in ("thug", "Ash", "Bryn", "Bryn", "Ash", "thug"):
        seat.say(Pass(by=who))
    for who in ("Ash", "Bryn"):
        seat.say(said[who], 9, 8)
    seat.check_replay()


# Area attacks


def test_wound_rolls_of_one_area_attack_come_in_order_of_targets() -> None:
    """DB-WOUND-11."""
    seat = new_seat()
    for name in ("Zed", "Amy"):
        seat.say(CreateNpc(by=GM, name=name, kind="elite", difficulty=1, health=1, wound_limit=4))
    seat.say(blast(Spot("Zed"), Spot("Amy")), *DUSK)
    seat.say(close())
    assert seat.refusal(blast(Spot("captain")), *DUSK).what == "Zed must make a wound roll first"
    seat.say(WoundRoll(by="Ash", who="Zed"), *DUSK)
    assert seat.refusal(blast(Spot("captain")), *DUSK).what == "Amy must make a wound roll first"
    seat.check_replay()


def blast(*spots: Spot, **more: Any) -> AreaAttack:
    return AreaAttack(**{"by": "Ash", "stat": "might", "damage": 2, "targets": spots, **more})


def results(record: Record) -> dict[str, tuple[int | None, str]]:
    return {
        fact.against: (fact.target, fact.result)
        for fact in record.facts
        if isinstance(fact, Judged) and fact.what == "attack"
    }


def test_each_target_has_its_own_and_the_shared_situations() -> None:
    """DB-AREA-1."""
    seat = new_seat()
    seat.say(SetCondition(by=GM, target="captain", name="prone"))
    seat.say(SetDistance(by=GM, between=("Ash", "thug"), at="long"))
    said = blast(Spot("thug", ("cover",)), Spot("captain", at="short"), situations=("high",))
    assert results(seat.say(said, 6, 7)) == {"thug": (15, "failure"), "captain": (18, "failure")}


def test_a_routine_target_is_hit_whatever_the_dice() -> None:
    """DB-AREA-1: a final difficulty of 0; and Doom does not change that (DB-AREA-3)."""
    said = blast(Spot("thug", ("surprise",)), Spot("captain"), assets=(), effort=2, destiny_first=())
    seat = new_seat()
    assert results(seat.say(said, 1, 2)) == {"thug": (0, "routine"), "captain": (12, "failure")}
    shifted = seat.say(doom(1))
    assert results(shifted) == {"thug": (0, "routine"), "captain": (15, "failure")}
    seat.say(close())
    assert seat.points("thug", "health") == 4
    assert seat.points("captain", "health") == 10


def test_an_area_of_routine_targets_needs_no_roll() -> None:
    """DB-AREA-1: one cost all the same."""
    seat = new_seat()
    record = seat.say(blast(Spot("thug", ("surprise",)), effort=2))
    assert results(record) == {"thug": (None, "routine")}
    assert not seat.state.windows
    assert (seat.points("Ash", "might"), seat.points("thug", "health")) == (7, 4)


def test_an_area_attack_that_cannot_be_paid_fails_for_all() -> None:
    """DB-COST-4."""
    seat = new_seat(Ash={"might": 1})
    record = seat.say(blast(Spot("thug"), Spot("captain"), initial_cost=2))
    assert task(record).result == "automatic failure"
    assert not seat.state.windows


def test_an_eclipse_gives_back_once() -> None:
    """DB-AREA-1, DB-DEST-13: one cost, one destined effect."""
    seat = new_seat()
    seat.say(blast(Spot("thug"), Spot("captain"), effort=2), *ECLIPSE)
    assert seat.points("Ash", "might") == 12 - 5 + 3


def test_one_unattackable_target_refuses_the_area_attack() -> None:
    assert new_seat().code(blast(Spot("thug"), Spot("captain", ("full_cover", "located"))), *DAWN) == "COVER"
    assert new_seat().code(blast(Spot("thug"), Spot("captain", at="beyond")), *DAWN) == "MAXRANGE"


@pytest.mark.parametrize(
    "said",
    [
        blast(),
        blast(Spot("thug"), Spot("thug")),
        blast(Spot("Bryn")),
        blast(Spot("thug", ("dim",)), situations=("dark",)),
        blast(Spot("thug", ("nowhere",))),
        blast(Spot("thug"), by="captain"),
    ],
)
def test_a_malformed_area_is_refused(said: AreaAttack) -> None:
    assert new_seat().code(said, *DAWN) == "VALUE"


def test_after_a_miss_an_area_attack_may_be_a_retry() -> None:
    """DB-RETRY-5, where the table reads it so."""
    order = {"order": ("Ash", "thug", "captain"), "phase": "action"}
    seat = new_seat(encounter=order, options={"combat_attacks_are_retries": "on"})
    seat.say(blast(Spot("captain"), Spot("thug")), 6, 7)
    for who in ("Ash", "thug", "captain", "captain", "thug", "Ash"):
        seat.say(Pass(by=who))
    assert seat.code(blast(Spot("captain"), Spot("thug")), *DAWN) == "RETRY-EFFORT"
    assert final_difficulty(seat.say(attack(situations=("located",)), *DUSK)) == 4
