"""Spells: long ones in two steps, and those cast at once."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.facts import Judged
from rulebooks.dusk_bastards.declarations.combat import CastSpell, FinishLongSpell, StartLongSpell
from rulebooks.dusk_bastards.declarations.tasks import Retry
from rulebooks.dusk_bastards.declarations.turns import Delay
from tests.rulebooks.dusk_bastards.fight import WHO, actions_left, conditions, fight, pass_turns
from tests.rulebooks.dusk_bastards.seat import DAWN, DUSK, ECLIPSE, Seat, close, of_kind, points, refunded, spent, task

# Spells


def test_start_and_finish_of_a_long_spell_are_one_action() -> None:
    """DB-DEST-13: one rounding on what was paid at the start and at the finish, from two pools."""
    seat = fight("Ash", phase="movement")
    seat.say(StartLongSpell(by="Ash", spell="ward", cost=points(intellect=2, might=1)))
    record = seat.say(FinishLongSpell(by="Ash", stat="intellect", difficulty=5, effort=1), *ECLIPSE)
    assert spent(record) == {"intellect": 3}
    assert refunded(record) == {"intellect": 3}  # half of 6
    assert seat.pools("Ash") == (11, 10, 7)


def test_a_long_spell_strikes_when_it_is_finished() -> None:
    """DB-STD-3, DB-STD-1: only then there is a roll, and a miss costs no more."""
    seat = fight("thug", "Bryn", phase="movement")
    seat.say(StartLongSpell(by="Bryn", spell="lance", cost=points(intellect=4)))
    pass_turns(seat, 2)
    seat.say(FinishLongSpell(by="Bryn", target="thug", stat="intellect", damage=9, mode="ranged", at="short"), 9, 8)
    seat.say(close())
    assert "dead" in conditions(seat, "thug")


def test_an_unpaid_long_spell_only_uses_the_move() -> None:
    """DB-COST-4."""
    seat = fight("thug", "Ash", phase="movement", Ash={"intellect": 1})
    record = seat.say(StartLongSpell(by="Ash", spell="ward", cost=points(intellect=2)))
    assert [fact.result for fact in of_kind(record, Judged)] == ["automatic failure"]
    assert (conditions(seat), seat.points("Ash", "intellect"), actions_left(seat)) == (
        [],
        1,
        ["standard", "bonus", "reaction"],
    )


def test_a_spell_that_cannot_be_paid_fails_without_a_roll() -> None:
    """DB-COST-4, DB-COST-3: the cost of a spell is part of the minimum."""
    seat = fight("Ash", Ash={"intellect": 2}, phase="action")
    record = seat.say(CastSpell(by="Ash", task="ray", cost=points(intellect=2), stat="intellect", effort=0))
    assert spent(record) == {"intellect": 2}
    seat = fight("Ash", Ash={"intellect": 1}, phase="action")
    assert task(seat.say(CastSpell(by="Ash", task="ray", cost=points(intellect=2)))).result == "automatic failure"
    costly = CastSpell(by="Ash", task="ray", cost=points(intellect=1), stat="intellect", difficulty=4, effort=1)
    assert fight("Ash", Ash={"intellect": 2}, phase="action").code(costly, *DAWN) == "POINTS"


def test_finishing_another_spell_than_the_started_is_refused() -> None:
    seat = fight("Ash", phase="movement")
    seat.say(StartLongSpell(by="Ash", spell="ward"))
    assert seat.code(FinishLongSpell(by="Ash", task="fog")) == "SPELL"
    seat.say(FinishLongSpell(by="Ash"))
    assert seat.code(FinishLongSpell(by="Ash")) == "SLOT"


@pytest.mark.parametrize("time", ["standard", "bonus", "reaction"])
def test_a_foe_casts_without_a_roll(time: Any) -> None:
    """DB-ROLL-3: its target dodges."""
    seat = fight("captain", "Ash", phase="action")
    record = seat.say(CastSpell(by="captain", task="hex", time=time))
    assert task(record).result == "routine"
    assert time not in actions_left(seat, "captain")


def test_a_reaction_spell_outside_of_encounters_uses_up_nothing() -> None:
    seat = Seat(*WHO)
    for _ in range(2):
        seat.say(CastSpell(by="Ash", task="shield", time="reaction"))
    assert task(seat.say(CastSpell(by="Ash", task="ray"))).result == "routine"


def test_after_a_reaction_spell_no_long_one_is_started() -> None:
    """DB-REACT-7."""
    seat = fight("thug", "Ash", phase="movement")
    seat.say(CastSpell(by="Ash", task="shield", time="reaction"))
    assert seat.code(StartLongSpell(by="Ash", spell="ward")) == "SPELL"


def test_a_delayed_action_may_be_a_spell() -> None:
    """DB-STD-4."""
    seat = fight("Ash", "thug", phase="action")
    seat.say(Delay(by="Ash"))
    pass_turns(seat)
    seat.say(CastSpell(by="Ash", task="ray"))
    assert "delayed" not in conditions(seat)


def test_a_spell_that_fails_is_no_task_to_retry() -> None:
    """DB-RETRY-4: it is cast again."""
    seat = Seat(*WHO)
    seat.say(CastSpell(by="Ash", task="ray", stat="intellect", difficulty=9), *DUSK)
    assert seat.code(Retry(by="Ash", effort=1), *DAWN) == "RETRY-TARGET"
