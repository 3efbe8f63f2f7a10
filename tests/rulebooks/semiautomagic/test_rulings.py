"""Rulings and adjustments."""

from __future__ import annotations

import pytest

from ledger.declarations import Ruling, Setting
from ledger.facts import GM
from rulebooks.common.adjustments import Adjust
from rulebooks.semiautomagic.creatures import movement, toughness
from rulebooks.semiautomagic.declarations.combat import Attack, Harm
from rulebooks.semiautomagic.declarations.scene import SetCover
from rulebooks.semiautomagic.items import item_toughness, wounds
from tests.rulebooks.semiautomagic.seat import Seat, judgements

CONDITIONS = ("unconscious", "staggered", "concealed", "invisible", "dusted", "flanked", "crouching", "prone", "dying")


def rules(**changes: int) -> Ruling:
    """Return a ruling that sets values; `thorn_wounds` is `thorn.wounds`."""
    named = {name.replace("_", ".", 1): to for name, to in changes.items()}
    return rules_on(named)


def rules_on(changes: dict[str, int]) -> Ruling:
    settings = tuple(Setting(name, to) for name, to in changes.items())
    return Ruling(by=GM, text="so be it", reason="a vote", changes=settings)


@pytest.mark.parametrize("name", CONDITIONS)
def test_condition_begins_once_and_ends(name: str) -> None:
    seat = Seat()
    seat.say(rules_on({f"thorn.{name}": 1}))
    assert f"{name} Thorn" in seat.state.conditions
    before = dict(seat.state.conditions)
    seat.say(rules_on({f"thorn.{name}": 1}))
    assert seat.state.conditions == before
    seat.say(rules_on({f"thorn.{name}": 0}))
    assert f"{name} Thorn" not in seat.state.conditions
    seat.check_closing()


def test_dying_by_ruling_is_unconscious_until_dead() -> None:
    """TT-OUT-6."""
    seat = Seat()
    seat.say(rules(thorn_dying=1))
    assert {"dying Thorn", "unconscious Thorn"} <= seat.state.conditions.keys()
    assert seat.code(rules(thorn_unconscious=0)) == "VALUE"
    seat.say(rules(thorn_dying=0, thorn_unconscious=0))
    seat.say(rules(thorn_dying=1))
    seat.say(rules(thorn_dead=1))
    assert [condition.name for _, condition in seat.state.conditions_of("Thorn")] == ["dead"]
    assert seat.code(rules(thorn_prone=1)) == "VALUE"
    seat.say(rules(thorn_dead=0, thorn_prone=1))
    assert [condition.name for _, condition in seat.state.conditions_of("Thorn")] == ["prone"]


def test_stance_by_ruling_takes_the_place_of_the_other() -> None:
    seat = Seat()
    seat.say(rules(thorn_crouching=1))
    seat.say(rules(thorn_prone=1))
    assert [condition.name for _, condition in seat.state.conditions_of("Thorn")] == ["prone"]


def test_wounds_are_set_up_and_down() -> None:
    """TT-OUT-6: each takes 1 off Toughness."""
    seat = Seat()
    for number in (3, 1, 0):
        seat.say(rules(thorn_wounds=number))
        assert (wounds("Thorn", seat.state), toughness("Thorn", seat.state).total) == (number, 9 - number)
    assert seat.code(rules(thorn_wounds=-1)) == "VALUE"


def test_item_gets_the_toughness_that_it_lacks() -> None:
    """TT-GAP-24."""
    seat = Seat(sheets={"Thorn": {"items": {"bow": {"carry": "carried"}, "spear": {"carry": "held"}}}})
    seat.say(rules_on({"thorn's spear.toughness": 9}))
    limit = item_toughness("Thorn's spear", seat.state)
    assert limit is not None
    assert limit.total == 9
    seat.say(Attack(by="Rook", target="Thorn", weapon="arming sword", item="spear"), 3, 6)
    assert "destroyed Thorn's spear" in seat.state.conditions


def test_cover_gets_the_toughness_that_it_lacks() -> None:
    """TT-GAP-6."""
    seat = Seat(at={"Thorn": (5, 5)})
    seat.say(SetCover(by=GM, who="Thorn", grade="total", reason="planks", object="wall"))
    shot = Attack(by="Rook", target="Thorn", weapon="throwing axe", square=(5, 5))
    assert seat.code(shot, 6, 4) == "NO-NUMBERS"
    seat.say(rules_on({"wall.toughness": 12}))
    seat.say(shot, 6, 4)
    assert wounds("wall", seat.state) == 1


def test_called_shot_gets_other_numbers() -> None:
    """TT-GAP-1."""
    seat = Seat(locations=True)
    seat.say(rules_on({"called shots.leg.target": 3}))
    (judged, *_) = (
        fact
        for fact in seat.trial(Attack(by="Rook", target="Thorn", weapon="arming sword", at="leg"))
        if getattr(fact, "what", "") == "attack"
    )
    assert getattr(judged, "target", 0) == 4 + 3


@pytest.mark.parametrize("name", ["destroyed", "jammed"])
def test_item_may_be_destroyed_or_jammed_by_ruling(name: str) -> None:
    seat = Seat()
    seat.say(rules_on({f"thorn's knife.{name}": 1}))
    assert seat.code(Attack(by="Thorn", target="Rook", weapon="knife"), 3, 1) == name.upper()
    assert seat.code(rules_on({f"thorn.{name}": 1})) == "VALUE"


def test_adjustment_changes_number_wounds_or_condition() -> None:
    seat = Seat()
    seat.say(Adjust(by="Thorn", value="speed", change=-2, reason="mud"))
    seat.say(Adjust(by="Thorn", value="wounds", change=2, reason="a long fall"))
    seat.say(Adjust(by=GM, value="thorn.flanked", change=1, reason="the stairs"))
    assert (movement("Thorn", seat.state).total, wounds("Thorn", seat.state)) == (4, 2)
    assert "flanked Thorn" in seat.state.conditions


def test_harm_is_the_number_of_a_collision() -> None:
    """TT-SPD-3."""
    seat = Seat()
    seat.say(Harm(by=GM, target="Rook", damage=5, reason="thrown into a wall"))
    assert wounds("Rook", seat.state) == 1


@pytest.mark.parametrize(("scale", "toughness", "target"), [(1, 9, 3), (-1, 3, 5)])
def test_armour_has_the_scale_of_its_wearer_now(scale: int, toughness: int, target: int) -> None:
    seat = Seat()
    seat.say(rules(rook_scale=scale))
    record = seat.say(Attack(by="Thorn", target="Rook", item="mail", weapon="harpoon"), 6, 1)
    assert [fact.target for fact in judgements(record.facts, "attack")] == [target]
    assert [fact.target for fact in judgements(record.facts, "item")] == [toughness]


@pytest.mark.parametrize(
    ("changes", "dead"),
    [({"thorn.wounds": 5}, False), ({"thorn.wounds": 6}, True), ({"thorn.endurance": 0, "thorn.wounds": 3}, True)],
)
def test_dying_without_hope_by_ruling_is_dead(changes: dict[str, int], dead: bool) -> None:
    """TT-OUT-6: Endurance 3 and a die of 6 against DC 4."""
    seat = Seat()
    seat.say(rules(thorn_dying=1))
    seat.say(rules_on(changes))
    assert ("dead Thorn" in seat.state.conditions, "dying Thorn" in seat.state.conditions) == (dead, not dead)
