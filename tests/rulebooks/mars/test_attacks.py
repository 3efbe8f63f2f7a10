"""Attacks: weapons, what bears on the roll, several defences, and what a defence costs."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.facts import GM, Judged, PointsSpent
from rulebooks.common.encounters import EndTurn
from rulebooks.mars.declarations.combat import Attack
from rulebooks.mars.declarations.harm import ApplyEffect
from rulebooks.mars.declarations.parts import Reaction
from rulebooks.mars.declarations.turns import SeekCover
from rulebooks.testing.seat import of_kind
from tests.rulebooks.mars.seat import BOOK, Seat, judged, result, sheet_of

TEAMS = {"players": ["Asha", "Bram"], "guards": ["Gil", "Hob"]}


def fight(turn: str = "Asha", **given: Any) -> Seat:
    first = "players" if turn in TEAMS["players"] else "guards"
    return Seat(teams={first: TEAMS[first]} | TEAMS, turn=turn, **given)


def edges(seat: Seat, said: Attack) -> dict[str, int]:
    """Return the sources of advantage and disadvantage of an attack."""
    (attack,) = judged(seat.say(said), "attack")
    steps = [step for each in attack.sums if each.name == "attack advantage" for step in each.steps]
    return {step.because: step.value if step.op == "+" else -step.value for step in steps}


def effect(target: str, name: str, **more: Any) -> ApplyEffect:
    return ApplyEffect(by=GM, target=target, effect=name, **more)


@pytest.mark.parametrize(
    ("by", "target", "name", "more", "expected"),
    [
        ("Asha", "Gil", "", {}, {}),
        ("Asha", "Gil", "prone", {}, {"Gil is prone": 1}),
        ("Bram", "Gil", "prone", {}, {"Gil is prone": -1}),
        ("Asha", "Gil", "blind", {}, {"sneak attack": 1}),
        ("Asha", "Gil", "blind", {"unseen": False}, {}),
        ("Asha", "Gil", "unconscious", {}, {"sneak attack": 1, "Gil is prone": 1}),
        ("Asha", "Gil", "dying", {"flanked": True}, {"sneak attack": 1, "flanking attack": 1, "Gil is prone": 1}),
        ("Asha", "Gil", "stunned", {}, {}),
        ("Asha", "Gil", "", {"unseen": True, "flanked": True}, {"sneak attack": 1, "flanking attack": 1}),
        (
            "Asha",
            "Gil",
            "",
            {"advantage": ("a net",), "disadvantage": ("mud", "rain")},
            {"a net": 1, "mud": -1, "rain": -1},
        ),
    ],
)
def test_edges_of_an_attack(by: str, target: str, name: str, more: dict[str, Any], expected: dict[str, int]) -> None:
    seat = fight(by)
    if name:
        seat.say(effect(target, name))
    assert edges(seat, Attack(by=by, target=target, **more)) == expected


@pytest.mark.parametrize(
    ("name", "more", "expected"),
    [
        ("blind", {}, {"Asha is blind": -1}),
        ("encumbered", {}, {"encumbered (dexterity)": -1}),
        ("overencumbered", {}, {"overencumbered (dexterity)": -1}),
        ("debilitation", {"stat": "dexterity"}, {"debilitation of dexterity": -1}),
        ("debilitation", {"stat": "strength"}, {}),
        ("enhancement", {"stat": "dexterity"}, {"enhancement of dexterity": 1}),
        ("prone", {}, {}),
    ],
)
def test_effects_on_the_attacker(name: str, more: dict[str, Any], expected: dict[str, int]) -> None:
    seat = fight()
    seat.say(effect("Asha", name, **more))
    assert edges(seat, Attack(by="Asha", target="Gil")) == expected


@pytest.mark.parametrize(("by", "expected"), [("Bram", {"Gil is in cover": -1}), ("Asha", {})])
def test_cover_is_against_ranged_attacks(by: str, expected: dict[str, int]) -> None:
    seat = fight("Gil")
    seat.say(SeekCover(by="Gil", object="the crate"))
    seat.next_turn(by)
    assert edges(seat, Attack(by=by, target="Gil")) == expected


@pytest.mark.parametrize(
    ("more", "dice", "kind", "critical"),
    [
        ({}, (10, 10), "slashing", 6),
        ({"weapon": "bare hands"}, (12,), "bludgeoning", 2),
        ({"weapon": "Longsword"}, (10, 10), "slashing", 6),
    ],
)
def test_weapon_of_an_attack(more: dict[str, Any], dice: tuple[int, ...], kind: str, critical: int) -> None:
    """GR-OUT-9: the weapon in hand if none is named; bare hands are always there."""
    seat = fight()
    faces = (12, 10, 8) if more.get("weapon") != "bare hands" else (10, 4, 1)
    record = seat.say(Attack(by="Asha", target="Gil", **more), *faces, *dice)
    assert f"{kind}" in {fact.because for fact in record.facts if hasattr(fact, "because")}
    (damage,) = judged(record, "damage")
    assert damage.total == sum(dice) + critical


@pytest.mark.parametrize(("features", "total"), [([], 6), (["dr"], 3)])
def test_element_of_a_weapon_passes_armour(features: list[str], total: int) -> None:
    """GR-TYP-2: unless the weapon says that damage reduction works."""
    items = {"brand": {"damage": "=r6", "type": "fire", "features": features}}
    seat = fight(sheets={"Asha": {"items": items, "held": ["brand"]}})
    record = seat.say(Attack(by="Asha", target="Gil", skill="martial"), 12, 1, 8, 6)
    assert [fact.total for fact in judged(record, "damage")] == [total]


def test_damage_without_strength() -> None:
    items = {"bolas": {"damage": "=r6", "type": "bludgeoning", "mode": "ranged"}}
    seat = fight(sheets={"Asha": {"items": items, "held": ["bolas"]}})
    record = seat.say(Attack(by="Asha", target="Gil", skill="martial"), 12, 10, 8, 6)
    assert [fact.total for fact in judged(record, "damage")] == [6]


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (Attack(by="Asha", target="Gil", weapon="axe"), "NOT-WIELDED"),
        (Attack(by="Asha", target="Gil", weapon="shield"), "NOT-WIELDED"),
        (Attack(by="Asha", target="Asha"), "VALUE"),
        (Attack(by="Asha", target="Gil", pick=(3,)), "VALUE"),
        (Attack(by="Asha", target="Gil", defences=(Reaction("Hob", "evade"),)), "VALUE"),
        (Attack(by="Asha", target="Gil", defences=(Reaction("Gil", "parry"),)), "NO-PARRY"),
        (Attack(by="Asha", target="Gil", defences=(Reaction("Gil", "block"),)), "NO-SHIELD"),
        (Attack(by="Asha", target="Gil", defences=(Reaction("Gil", "block", after="prone"),)), "VALUE"),
        (Attack(by="Asha", target="Gil", defences=(Reaction("Gil", "evade", pick=(2,)),)), "VALUE"),
        (Attack(by="Asha", target="Gil", defences=(Reaction("Gil", "evade"), Reaction("Gil", "evade"))), "VALUE"),
    ],
)
def test_refusals(said: Attack, code: str) -> None:
    seat = fight()
    assert seat.code(said) == code
    seat.check_faces_decide_no_refusal(said)


@pytest.mark.parametrize(
    ("defences", "faces", "stamina", "outcome"),
    [
        ((), (10, 4, 10), 14, "hit"),
        ((Reaction("Asha", "evade"),), (10, 4, 10, 4), 13, "fail"),
        ((Reaction("Asha", "evade_reaction"),), (10, 4, 10, 4), 13, "fail"),
        ((Reaction("Asha", "parry", item="shield"),), (10, 4, 10, 3), 13, "fail"),
        ((Reaction("Asha", "parry", item="longsword"), Reaction("Asha", "block")), (10, 4, 10, 3), 13, "fail"),
        ((Reaction("Asha", "parry", item="longsword"), Reaction("Asha", "block")), (10, 4, 6, 3, 1, 1), 12, "hit"),
        ((Reaction("Asha", "block"),), (1, 1, 10), 14, "fail"),
    ],
)
def test_cost_of_defences(defences: tuple[Reaction, ...], faces: tuple[int, ...], stamina: int, outcome: str) -> None:
    """GR-GAP-15: a block costs only when the attack hits."""
    seat = fight("Gil")
    if not defences:
        faces = (*faces, 1, 1)
    record = seat.say(Attack(by="Gil", target="Asha", defences=defences), *faces)
    assert [fact.result for fact in judged(record, "attack")] == [outcome]
    assert seat.points("Asha", "stamina") == stamina
    assert len(of_kind(record, PointsSpent)) == 14 - stamina


@pytest.mark.parametrize("kind", ["evade", "evade_reaction"])
def test_reaction_is_used_by_one_kind_of_evasion(kind: Any) -> None:
    seat = fight("Gil")
    seat.say(Attack(by="Gil", target="Asha", defences=(Reaction("Asha", kind),)), 1, 1, 10, 4)
    again = Attack(by="Gil", target="Asha", defences=(Reaction("Asha", "evade_reaction"),))
    if kind == "evade":
        seat.say(again, 1, 1, 10, 4)
    else:
        assert seat.code(again) == "REACTION-USED"


def test_passive_deflection_is_rolled_when_parried() -> None:
    """GR-GAP-4: what is declared is rolled under either reading."""
    seat = fight("Gil", options={"deflection": "passive"})
    parried = Attack(by="Gil", target="Asha", defences=(Reaction("Asha", "parry", item="longsword"),))
    assert result(seat.say(parried, 5, 1, 5, 1), "attack") == [6, 8, "fail"]
    record = seat.say(Attack(by="Gil", target="Asha"), 10, 1, 1, 1)
    assert result(record, "attack") == [6, 7, "graze"]


def test_several_usable_items_must_be_named() -> None:
    seat = fight("Gil")
    assert seat.code(Attack(by="Gil", target="Asha", defences=(Reaction("Asha", "parry"),))) == "NO-PARRY"


def test_whole_shield_is_chosen_from_two() -> None:
    items = {**sheet_of("Asha", {})["items"], "buckler": {"block": 1, "durability": 4}}
    sheets = {"Asha": {"items": items, "held": ["shield", "buckler"]}}
    seat = fight("Gil", sheets=sheets, pools={"Asha.shield": 0})
    block = Attack(by="Gil", target="Asha", defences=(Reaction("Asha", "block"),))
    seat.say(block, 10, 4, 1, 1, 1)
    assert seat.points("Asha", "buckler") == 0
    assert seat.code(block) == "SHIELD-BROKEN"


def test_sums_explain_the_whole_attack() -> None:
    record = fight().say(Attack(by="Asha", target="Gil", unseen=True), 4, 9, 10, 5, 6, 8)
    facts = [fact for fact in of_kind(record, Judged) if fact.final]
    assert [(fact.what, [each.name for each in fact.sums]) for fact in facts] == [
        ("attack", ["attack", "attack advantage", "deflection"]),
        ("damage", ["damage roll", "damage"]),
    ]
    cited = set(facts[0].rules)
    assert {"GR-ATK-2", "GR-ATK-7", "GR-OUT-4"} <= cited <= BOOK.texts().rules.keys()


def test_turn_ends_before_the_foe_attacks() -> None:
    seat = fight()
    assert seat.code(Attack(by="Gil", target="Asha")) == "NOT-TURN"
    seat.say(EndTurn(by="Asha"))
    seat.say(Attack(by="Gil", target="Asha"), 1, 1, 10)
    assert seat.ap("Gil") == 2


def test_attack_rolled_elsewhere_has_its_total_and_damage() -> None:
    seat = fight()
    record = seat.say(Attack(by="Asha", target="Gil", unseen=True, total=9, damage=8), 5)
    (made,) = judged(record, "attack")
    assert (made.total, made.target, made.result, made.sums[0].steps) == (9, 8, "hit", ())
    assert seat.points("Gil", "endurance") == 3  # 8 less damage reduction 3
    assert seat.ap("Asha") == 2
