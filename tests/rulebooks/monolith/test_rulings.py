"""Rulings, adjustments and telegraphs."""

from __future__ import annotations

from ledger.declarations import Ruling, Setting
from ledger.facts import GM
from rulebooks.common.adjustments import Adjust
from rulebooks.common.encounters import PassTime
from rulebooks.monolith.declarations import Save, Telegraph
from tests.rulebooks.monolith.seat import Seat, clock_ends, rules, strike


def test_ruling_sets_pools_conditions_scores_options() -> None:
    seat = Seat()
    changes = (("vega.hp", 2), ("r1.armor", 3), ("option.save_auto", "off"), ("vega.luck", 4), ("r1.weapon.axe", "d8"))
    seat.say(Ruling(by=GM, text="so", reason="so", changes=tuple(Setting(*change) for change in changes)))
    assert (seat.points("Vega", "hp"), seat.state.sheet("R1", "armor"), seat.state.sheet("Vega", "luck")) == (2, 3, 4)
    seat.say(Save(by="Vega", score="luck", reason="x"), 4)
    seat.say(strike("R1", "Boss", weapons=("axe",)), 8)
    seat.say(rules(**{"vega.body": 0}))
    assert seat.conditions("Vega") == ["dead"]
    seat.say(rules(**{"vega.dead": 1, "vega.critical": 0}))
    assert seat.conditions("Vega") == ["dead"]
    seat.say(rules(**{"oru.treated": 1, "oru.fled": 1, "kade.dead": 1}))
    assert (seat.conditions("Oru"), seat.conditions("Kade")) == (["fled", "treated"], ["dead"])


def test_dead_have_body_0_without_other_conditions() -> None:
    """ML-BODY-1."""
    seat = Seat(set={"vega.body": 0})
    for changes in ({"vega.dead": 0}, {"vega.critical": 1}, {"vega.fled": 1}):
        assert seat.refusal(rules(**changes)).code == "L-VALUE"
    seat.say(rules(**{"vega.body": 3, "vega.dead": 0}))
    assert seat.conditions("Vega") == []


def test_adjustment_changes_pool_score_or_condition() -> None:
    seat = Seat()
    seat.say(Adjust(by="Vega", value="hp", change=-3, reason="the stairs"))
    seat.say(Adjust(by=GM, value="vega.armor", change=1, reason="a plate"))
    seat.say(Adjust(by=GM, value="r1.fled", change=1, reason="the vent"))
    assert (seat.points("Vega", "hp"), seat.state.sheet("Vega", "armor"), seat.conditions("R1")) == (2, 2, ["fled"])


def test_loss_beyond_hit_points_goes_on_to_body() -> None:
    """ML-DIR-1, ML-GAP-31: Vega has 5 hit points and Body 12."""
    seat = Seat()
    seat.say(Adjust(by="Vega", value="hp", change=-8, reason="the fall"))
    assert (seat.points("Vega", "hp"), seat.points("Vega", "body")) == (0, 9)
    seat.say(Adjust(by="Vega", value="hp", change=-2, reason="the fire"))
    assert seat.points("Vega", "body") == 7
    seat.say(Adjust(by="Vega", value="hp", change=-40, reason="the fire"))
    assert (seat.points("Vega", "body"), seat.conditions("Vega")) == (0, ["dead"])
    seat.check_replay()


def test_telegraph_of_a_group_is_recorded() -> None:
    """ML-TURN-1."""
    record = Seat().say(Telegraph(by=GM, who="Raiders", text="they fall back"))
    assert record.facts[-1].kind == "telegraph"


def test_ruling_on_treatment_stops_and_starts_the_clock() -> None:
    """ML-CRIT-3: treated, the clock stops. ML-CRIT-4: left untreated, there is an hour to live."""
    seat = Seat()
    seat.say(rules(**{"vega.critical": 1}))
    assert clock_ends(seat, "Vega")
    seat.say(rules(**{"vega.treated": 1}))
    assert (clock_ends(seat, "Vega"), seat.conditions("Vega")) == ([], ["critical", "treated"])
    seat.say(PassTime(by=GM, seconds=3600))
    seat.say(rules(**{"vega.treated": 0}))
    assert clock_ends(seat, "Vega") == [7200]
    seat.say(PassTime(by=GM, seconds=3600))
    assert seat.conditions("Vega") == ["dead"]
    seat.check_replay()
