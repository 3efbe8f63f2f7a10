"""Rolls: the dice of a value, advantage and disadvantage, what bears on every roll, and checks of all kinds."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from ledger.dice import TypedDice
from ledger.facts import GM, Fact, Rolled
from rulebooks.mars.declarations.harm import ApplyEffect, BreakObject
from rulebooks.mars.declarations.parts import Modifier
from rulebooks.mars.declarations.tasks import Check, GroupCheck, UseSkill
from rulebooks.mars.tasks.checks import Roll, RollPlan, entry_dice, outcome, roll
from rulebooks.mars.tasks.roll_steps import Edge
from rulebooks.mars.tasks.roll_values import RollValue, parse_roll_value, read_roll_value
from rulebooks.mars.tasks.stat_values import Value, skill_rank, stat_name, value_of
from rulebooks.testing.seat import of_kind
from tests.rulebooks.mars.seat import Seat, judged, refusal_of, result

DUEL = {"players": ["Asha"], "guards": ["Gil"]}


def rolled(value: str, faces: list[int], net: int = 0, pick: tuple[int, ...] = ()) -> tuple[Roll, list[Fact]]:
    """Return a roll of Asha with this net of advantages, and its facts."""
    seat = Seat(present=("Asha",))
    plan = RollPlan(
        who="Asha",
        purpose="test Asha",
        what="test",
        value=Value(name="test", roll=parse_roll_value(value), stats=()),
        edges=(Edge(1 if net > 0 else -1, "said", "GR-OUT-5"),) * abs(net),
        pick=pick,
    )
    return drained(roll(plan, seat.state, entry_dice(TypedDice(faces))))


def drained(facts: Generator[Fact, None, Roll]) -> tuple[Roll, list[Fact]]:
    told = []
    while True:
        try:
            told.append(next(facts))
        except StopIteration as stop:
            return stop.value, told


@pytest.mark.parametrize(
    ("text", "value"),
    [("r14", RollValue(14)), ("r10+2", RollValue(10, 2)), (" R8-3 ", RollValue(8, -3)), ("r0", RollValue())],
)
def test_roll_value_is_read_from_its_text(text: str, value: RollValue) -> None:
    assert read_roll_value(text) == value
    assert read_roll_value(str(value)) == value


@pytest.mark.parametrize("text", ["", "14", "r", "d14", "r14+", "r14 +2", "r-2", "r1.5"])
def test_other_texts_are_no_roll_value(text: str) -> None:
    assert read_roll_value(text) is None


def test_dice_of_a_value_have_its_sides_in_all() -> None:
    for sides in range(0, 102, 2):
        dice = RollValue(sides).dice
        assert sum(dice) == sides
        assert dice == tuple(sorted(dice, key=lambda die: (die != 12, -die))), sides
        assert all(die in (2, 4, 6, 8, 10, 12) for die in dice), sides


@pytest.mark.parametrize(
    ("faces", "net", "pick", "total"),
    [
        ([7, 5], 0, (), 12),
        ([7, 5, 4], 1, (), 12),  # the d10 and the d12 lack 5 each: the d12 comes first, 4 is no better
        ([7, 5, 12], 1, (), 17),
        ([7, 5, 9], 1, (2,), 16),
        ([2, 3, 1, 9], 2, (2,), 11),  # one number counts for both rerolls
        ([2, 3, 9, 9], 2, (1, 2), 18),
        ([9, 9, 4], -1, (), 13),  # of equal faces the die with more sides
        ([9, 10, 4], -1, (), 13),
        ([9, 3, 10], -1, (), 12),  # no worse
        ([9, 8, 2, 1], -2, (), 3),
        ([9, 3, 2, 1], -2, (), 3),  # the second reroll sees the faces as they are by then
    ],
)
def test_rerolls_keep_the_better_or_the_worse_face(
    faces: list[int], net: int, pick: tuple[int, ...], total: int
) -> None:
    made, facts = rolled("r22", faces, net, pick)
    assert made.total == total
    kept = [die.face for fact in facts if isinstance(fact, Rolled) for die in fact.dice if die.kept]
    assert sum(kept) == total
    assert made.rolls == tuple(fact.purpose for fact in facts if isinstance(fact, Rolled))


def test_value_without_dice_is_not_changed_by_advantage() -> None:
    made, facts = rolled("r0+4", [], net=2)
    assert (made.total, made.rolls, facts) == (4, (), [])


def test_picked_die_must_be_one_of_the_roll() -> None:
    assert refusal_of(rolled, "r22", [7, 5, 9], 1, (3,)).code == "GR-E-VALUE"


@pytest.mark.parametrize(
    ("margin", "grade"), [(-7, "fail"), (-6, "graze"), (-1, "graze"), (0, "hit"), (6, "hit"), (7, "critical")]
)
def test_margin_is_graded(margin: int, grade: str) -> None:
    assert outcome(10 + margin, 10, Seat(present=("Asha",)).state) == grade


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("STR", "r12"),
        ("strength", "r12"),
        ("DEF", "r10+2"),
        ("evasion", "r14+2"),
        ("fort", "r22"),
        ("Will", "r18"),
        ("init", "r24"),
        ("martial", "r22"),
        ("ranged", "r14"),
        ("perception", "r14"),
        ("athletics", "r16"),
    ],
)
def test_value_of_a_stat_or_skill(name: str, value: str) -> None:
    assert str(value_of("Asha", name, Seat(present=("Asha",)).state).roll) == value


def test_value_of_nothing_known_is_refused() -> None:
    state = Seat(present=("Asha",)).state
    assert refusal_of(value_of, "Asha", "cooking", state).code == "GR-E-VALUE"
    assert refusal_of(value_of, "Asha", "medicine", state).code == "GR-E-UNTRAINED"
    assert stat_name("Wild Empathy") == "wild-empathy"


def test_skill_of_the_campaign_names_its_stat() -> None:
    state = Seat(present=("Bram",), sheets={"Bram": {"skills": {"lore": "r8 INT"}}}).state
    assert str(value_of("Bram", "lore", state).roll) == "r20"
    assert skill_rank("Bram", "lore", state) == 3


def test_sheet_may_override_a_derived_stat() -> None:
    seat = Seat(present=("Asha",), sheets={"Asha": {"derived": {"deflection": "r12+5"}}})
    seat.say(ApplyEffect(by=GM, target="Asha", effect="change", stat="resolve", amount=2, temporary=True))
    assert str(value_of("Asha", "deflection", seat.state).roll) == "r12+7"


def check(by: str, name: str, **more: Any) -> Check:
    return Check(by=by, name=name, **more)


def test_check_adds_what_the_line_says() -> None:
    seat = Seat(present=("Asha",))
    bonuses, penalties = (Modifier(2, "a rope"),), (Modifier(3, "rain"),)
    record = seat.say(check("Asha", "athletics", difficulty=10, bonuses=bonuses, penalties=penalties), 8, 4)
    assert result(record, "check") == [11, 10, "hit"]
    record = seat.say(check("Asha", "athletics", difficulty=10, disadvantage=("mud",)), 8, 4, 1)
    assert result(record, "check") == [5, 10, "graze"]


@pytest.mark.parametrize(("faces", "said"), [((9, 4), "won"), ((1, 9), "lost"), ((7, 7), "tied")])
def test_contest_is_won_lost_or_tied(faces: tuple[int, int], said: str) -> None:
    record = Seat(present=("Asha", "Bram")).say(check("Asha", "strength", opponent="Bram"), *faces)
    assert judged(record, "check")[0].result == said


def test_check_against_an_opponent_is_graded() -> None:
    seat = Seat(present=("Asha", "Bram"))
    said = check("Asha", "agility", opponent="Bram", opposed="perception", difficulty=0)
    assert result(seat.say(said, 10, 4, 7), "check") == [14, 7, "critical"]


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (check("Asha", "athletics"), "VALUE"),
        (check("Asha", "athletics", difficulty=-1), "VALUE"),
        (check("Asha", "athletics", opponent="Asha"), "VALUE"),
        (check("Asha", "athletics", opponent="Nobody"), "UNKNOWN"),
        (check("Asha", "athletics", difficulty=5, at="Nobody"), "UNKNOWN"),
        (check("Asha", "medicine", difficulty=5), "UNTRAINED"),
        (check("Nobody", "athletics", difficulty=5), "UNKNOWN"),
        (UseSkill(by="Asha", name="athletics", difficulty=5, speed=4), "VALUE"),
        (GroupCheck(by=GM, who=(), name="agility", difficulty=5), "VALUE"),
        (GroupCheck(by=GM, who=("Asha", "Bram"), name="medicine", difficulty=5), "UNTRAINED"),
    ],
)
def test_check_without_sense_is_refused(said: Check, code: str) -> None:
    assert Seat(present=("Asha", "Bram")).code(said) == code


@pytest.mark.parametrize(
    "said",
    [
        check("Asha", "athletics"),
        UseSkill(by="Asha", name="athletics"),
        GroupCheck(by=GM, who=("Asha",), name="athletics"),
        BreakObject(by="Asha", thing="the door", skill="athletics", reason="oak"),
    ],
)
def test_check_without_difficulty_tells_what_levels_mean(said: Check) -> None:
    refused = Seat(present=("Asha",)).refusal(said)
    assert refused.what == "A check of athletics needs a difficulty or an opponent"
    assert "v5 is easy, v10 moderate, v15 hard. With r16, athletics reaches them 90, 45 and 5 times" in refused.hint


def test_skill_as_an_action_costs_its_speed() -> None:
    seat = Seat(teams=DUEL, turn="Asha")
    seat.say(UseSkill(by="Asha", name="athletics", difficulty=10, speed=2), 5, 4)
    assert seat.ap("Asha") == 1
    assert seat.code(UseSkill(by="Asha", name="athletics", difficulty=10, speed=2)) == "NO-AP"
    assert seat.code(UseSkill(by="Gil", name="athletics", difficulty=10)) == "NOT-TURN"


def test_blind_character_acts_on_a_target_with_disadvantage() -> None:
    seat = Seat(present=("Asha", "Gil"))
    seat.say(ApplyEffect(by=GM, target="Asha", effect="blind"))
    assert len(of_kind(seat.say(check("Asha", "agility", difficulty=5), 5, 3), Rolled)) == 1
    assert len(of_kind(seat.say(check("Asha", "agility", difficulty=5, at="Gil"), 5, 3, 2), Rolled)) == 2


@pytest.mark.parametrize(("counts", "total"), [("best", 14), ("worst", 3)])
def test_group_counts_its_best_or_worst_roll(counts: Any, total: int) -> None:
    seat = Seat(present=("Asha", "Bram", "Gil"))
    said = GroupCheck(by=GM, who=("Asha", "Bram", "Gil"), name="perception", difficulty=8, counts=counts)
    record = seat.say(said, 10, 4, 7, 3)
    assert result(record, "check")[0] == total
    assert len(judged(record, "check")[0].sums) == 3


def test_effect_on_a_stat_bears_on_that_stat_alone_if_so_read() -> None:
    seat = Seat(present=("Asha",), options={"stat_effect_scope": "named_only"})
    seat.say(ApplyEffect(by=GM, target="Asha", effect="debilitation", stat="strength"))
    assert len(of_kind(seat.say(check("Asha", "athletics", difficulty=5), 5, 3), Rolled)) == 1
    assert len(of_kind(seat.say(check("Asha", "strength", difficulty=5), 5, 3), Rolled)) == 2


@pytest.mark.parametrize(
    ("more", "target", "outcome"),
    [({"difficulty": 10}, 10, "graze"), ({}, None, "rolled"), ({"difficulty": 9, "reason": "mud"}, 9, "hit")],
)
def test_check_rolled_elsewhere_has_its_total(more: dict[str, Any], target: int | None, outcome: str) -> None:
    record = Seat(present=("Asha",)).say(Check(by="Asha", name="athletics", total=9, **more))
    assert [(fact.total, fact.target, fact.result) for fact in judged(record, "check")] == [(9, target, outcome)]
    assert not of_kind(record, Rolled)


@pytest.mark.parametrize("total", [-1001, 1001])
def test_total_beyond_all_dice_is_refused(total: int) -> None:
    assert Seat(present=("Asha",)).code(Check(by="Asha", name="athletics", difficulty=5, total=total)) == "VALUE"
