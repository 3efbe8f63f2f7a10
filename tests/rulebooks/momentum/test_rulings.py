"""Rulings and adjustments."""

from __future__ import annotations

from ledger.declarations import Ruling, Setting
from ledger.facts import GM
from rulebooks.common.adjustments import Adjust
from tests.rulebooks.momentum.seat import Seat, attacks


def test_fate_of_a_downed_pc_is_ruled() -> None:
    """MO-HP-3."""
    seat = Seat("foes", hp={"Dara": 1})
    seat.say(attacks("Brute", "Dara"), 4, 1, 1)
    assert seat.state.windows["fate Dara"].awaits == (GM,)
    seat.say(Ruling(by=GM, text="she bleeds", reason="the maul", changes=(Setting("dara.fate", "dying"),)))
    assert "fate Dara" not in seat.state.windows
    assert seat.state.sheet("Dara", "fate") == "dying"


def test_ruling_that_heals_needs_no_fate() -> None:
    seat = Seat("foes", hp={"Dara": 1})
    seat.say(attacks("Brute", "Dara"), 4, 1, 1)
    seat.say(Ruling(by=GM, text="a draught", reason="at her lips", changes=(Setting("dara.hp", 2),)))
    assert not seat.state.windows
    assert sorted(condition.name for _, condition in seat.state.conditions_of("Dara")) == ["wounded"]


def test_adjustment_is_marked() -> None:
    seat = Seat()
    seat.say(Adjust(by="Cole", value="hp", change=-6, reason="the stairs"))
    assert seat.hp("Cole") == 4
    assert "wounded Cole" in seat.state.conditions
    seat.say(Adjust(by=GM, value="cole.defense", change=1, reason="a breastplate"))
    assert seat.state.sheet("Cole", "defense") == 7


def test_fate_is_asked_at_every_fall() -> None:
    """MO-HP-3."""
    seat = Seat("foes", hp={"Dara": 1})
    seat.say(attacks("Brute", "Dara"), 4, 1, 1)
    seat.say(ruling("dara.fate", "dying"))
    seat.say(ruling("dara.hp", 1))
    assert seat.state.sheet("Dara", "fate") is None
    seat.say(ruling("dara.hp", 0))
    assert "fate Dara" in seat.state.windows
    seat.check_replay()


def test_pc_whose_fate_is_death_is_dead_until_ruled_otherwise() -> None:
    """MO-HP-3."""
    seat = Seat("foes", hp={"Dara": 1})
    seat.say(attacks("Brute", "Dara"), 4, 1, 1)
    seat.say(ruling("dara.fate", "dead"))
    assert [condition.name for _, condition in seat.state.conditions_of("Dara")] == ["dead"]
    seat.say(ruling("dara.fate", "dying"))
    assert [condition.name for _, condition in seat.state.conditions_of("Dara")] == ["down"]
    seat.say(ruling("dara.fate", "Dead"))
    seat.say(ruling("dara.hp", 1))
    assert sorted(condition.name for _, condition in seat.state.conditions_of("Dara")) == ["wounded"]
    seat.check_replay()


def test_fate_of_somebody_standing_is_refused() -> None:
    """MO-HP-3."""
    assert Seat().refusal(ruling("dara.fate", "dead")).code == "L-VALUE"


def ruling(name: str, to: int | str) -> Ruling:
    return Ruling(by=GM, text="so", reason="so", changes=(Setting(name, to),))
