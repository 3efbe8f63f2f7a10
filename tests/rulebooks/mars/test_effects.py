"""Effects: how they begin, add up, last and end; stun, concentration, sickness and changes of stats."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.declarations import Declaration
from ledger.facts import GM, ConditionBegan, ConditionEnded, Rolled
from projections.values import values
from rulebooks.mars.declarations import harm
from rulebooks.mars.declarations.combat import Attack
from rulebooks.mars.declarations.turns import EndEncounter
from rulebooks.mars.harm.injuries import begin_injury
from rulebooks.mars.tasks.roll_steps import stat_edges
from rulebooks.mars.tasks.stat_values import value_of
from rulebooks.testing.seat import of_kind
from tests.rulebooks.mars.seat import FIGHT, Seat, judged, result


def effect(target: str, name: str, **more: Any) -> harm.ApplyEffect:
    return harm.ApplyEffect(by=GM, target=target, effect=name, **more)


def removal(target: str, name: str, **more: Any) -> harm.RemoveEffect:
    return harm.RemoveEffect(by=GM, target=target, effect=name, **more)


def peace(*present: str, **given: Any) -> Seat:
    return Seat(present=present or ("Asha", "Gil"), **given)


@pytest.mark.parametrize("name", ["blind", "encumbered", "overencumbered", "prone", "held fast"])
def test_plain_effect_does_not_add_up(name: str) -> None:
    seat = peace()
    seat.say(effect("Asha", name))
    assert seat.holds("Asha") == [name]
    record = seat.say(effect("Asha", name))
    assert of_kind(record, ConditionBegan) == []
    assert [fact.result for fact in judged(record, "notice")] == [f"no further effect: Asha is under {name} already"]


def test_hold_and_what_is_in_hand_are_two_values() -> None:
    seat = peace()
    seat.say(effect("Gil", "held"))
    found = values(seat.state)
    assert (found["gil.held"], found["gil.held fast"]) == ("spear", 1)
    seat.say(removal("Gil", "held"))
    assert "gil.held fast" not in values(seat.state)


@pytest.mark.parametrize(
    ("first", "second", "days"),
    [
        ({"days": 2}, {"days": 5}, 5),
        ({"days": 5}, {"days": 2}, 5),
        ({"days": 5}, {}, 0),
        ({}, {"days": 5}, 0),
        ({"rounds": 9}, {"days": 1}, 1),
    ],
)
def test_the_longer_duration_counts(first: dict[str, int], second: dict[str, int], days: int) -> None:
    seat = peace()
    seat.say(effect("Asha", "blind", **first))
    seat.say(effect("Asha", "blind", **second))
    assert [end.due for end in seat.state.conditions["blind Asha"].ends] == ([days] if days else [])


def test_effect_ends_with_its_days() -> None:
    seat = peace("Asha")
    seat.say(effect("Asha", "blind", days=2))
    seat.say(harm.EndDay(by=GM))
    assert seat.holds("Asha") == ["blind"]
    seat.say(harm.EndDay(by=GM))
    assert seat.holds("Asha") == []


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (effect("Asha", "webbed"), "EFFECT"),
        (effect("Asha", "debilitation"), "EFFECT"),
        (effect("Asha", "change", amount=2), "EFFECT"),
        (effect("Asha", "change", stat="strength"), "VALUE"),
        (effect("Asha", "burning", degree=0), "VALUE"),
        (effect("Asha", "blind", rounds=0), "VALUE"),
        (effect("Asha", "blind", days=0), "VALUE"),
        (effect("Asha", "stunned", difficulty=-1), "VALUE"),
        (removal("Asha", "blind"), "EFFECT"),
        (removal("Asha", "debilitation", stat="strength"), "EFFECT"),
        (harm.Douse(by="Gil", target="Asha"), "EFFECT"),
        (harm.Wake(by=GM, who="Asha", reason="a bell"), "NOT-UNCONSCIOUS"),
        (harm.ConcentrationCheck(by="Asha"), "CONCENTRATION"),
        (harm.Concentrate(by="Asha", effect=" "), "REASON"),
        (harm.Stabilise(by="Asha", patient="Gil"), "VALUE"),
    ],
)
def test_refusals(said: Any, code: str) -> None:
    assert peace().code(said) == code


def test_unconscious_of_the_dying_is_not_removed() -> None:
    seat = peace()
    seat.say(effect("Gil", "dying"))
    assert seat.holds("Gil") == ["dying", "prone", "unconscious"]
    assert seat.code(removal("Gil", "unconscious")) == "DYING"
    seat.say(removal("Gil", "dying"))
    assert seat.holds("Gil") == ["prone", "unconscious"]


@pytest.mark.parametrize(
    ("given", "said", "left"),
    [
        ([effect("Gil", "debilitation", stat="strength")], removal("Gil", "debilitation", stat="strength"), []),
        ([effect("Gil", "sickness"), effect("Gil", "sickness", degree=3)], removal("Gil", "sickness"), []),
        (
            [effect("Gil", "change", stat="strength", amount=2, temporary=True)],
            removal("Gil", "change", stat="strength"),
            [],
        ),
        ([effect("Gil", "change", stat="strength", amount=-2)], removal("Gil", "penalty", stat="strength"), []),
        (
            [effect("Gil", "change", stat="strength", amount=2, temporary=True)],
            removal("Gil", "bonus", stat="strength"),
            [],
        ),
        ([effect("Gil", "burning"), effect("Gil", "blind")], removal("Gil", "burning"), ["blind"]),
    ],
)
def test_effect_is_removed(given: list[harm.ApplyEffect], said: harm.RemoveEffect, left: list[str]) -> None:
    seat = peace()
    for each in given:
        seat.say(each)
    seat.say(said)
    assert seat.holds("Gil") == left


@pytest.mark.parametrize(
    ("amounts", "strength"),
    [((2,), "r12+2"), ((2, 2), "r12+2"), ((2, 3), "r12+3"), ((3, 2), "r12+3"), ((2, -1), "r12+1"), ((-4, -2), "r12-4")],
)
def test_changes_of_one_kind_do_not_add_up(amounts: tuple[int, ...], strength: str) -> None:
    seat = peace()
    for amount in amounts:
        seat.say(effect("Asha", "change", stat="strength", amount=amount, days=3))
    assert str(value_of("Asha", "strength", seat.state).roll) == strength
    assert seat.state.pools["Asha", "health"].most == 12


@pytest.mark.parametrize(("amount", "most", "now"), [(2, 14, 12), (-4, 8, 8)])
def test_lasting_change_moves_the_maximum(amount: int, most: int, now: int) -> None:
    seat = peace()
    seat.say(effect("Asha", "change", stat="strength", amount=amount))
    pool = seat.state.pools["Asha", "health"]
    assert (pool.most, pool.points, pool.least) == (most, now, None)
    assert seat.state.sheet("Asha", "strength") == f"r12{amount:+}"


def test_lasting_change_moves_a_written_maximum() -> None:
    seat = peace("Asha", sheets={"Asha": {"maxima": {"health": 20}}})
    seat.say(effect("Asha", "change", stat="strength", amount=2))
    assert (seat.state.pools["Asha", "health"].most, seat.state.sheet("Asha", "maximum.health")) == (22, 22)


def change(amount: int, **more: Any) -> harm.ApplyEffect:
    return effect("Asha", "change", stat="strength", amount=amount, **more)


@pytest.mark.parametrize(
    ("first", "second", "totals"),
    [
        ((3, 2), (1, 4), ["r12+3", "r12+1", "r12+1", "r12"]),  # the weaker goes on when the stronger is over
        ((1, 4), (3, 2), ["r12+3", "r12+1", "r12+1", "r12"]),
        ((2, 1), (2, 3), ["r12+2", "r12+2", "r12", "r12"]),  # as strong, and longer
        ((2, 3), (2, 1), ["r12+2", "r12+2", "r12", "r12"]),
        ((1, 1), (3, 3), ["r12+3", "r12+3", "r12", "r12"]),
        ((-1, 4), (-3, 2), ["r12-3", "r12-1", "r12-1", "r12"]),
    ],
)
def test_the_strongest_change_counts(first: tuple[int, int], second: tuple[int, int], totals: list[str]) -> None:
    seat = peace()
    for amount, days in (first, second):
        seat.say(change(amount, days=days))
    shown = []
    for _ in totals:
        seat.say(harm.EndDay(by=GM))
        shown.append(str(value_of("Asha", "strength", seat.state).roll))
    assert shown == totals


@pytest.mark.parametrize(
    ("adds", "lasting", "passing", "strength"),
    [
        ("no", 2, 2, "r12+2"),
        ("no", 2, 3, "r12+3"),
        ("no", 2, 1, "r12+2"),
        ("no", -2, -3, "r12-3"),
        ("no", 2, -1, "r12+1"),
        ("yes", 2, 2, "r12+4"),
    ],
)
@pytest.mark.parametrize("lasting_first", [True, False])
def test_passing_change_counts_beyond_a_lasting_one(
    adds: str, lasting: int, passing: int, strength: str, lasting_first: bool
) -> None:
    """GR-EFF-3, GR-GAP-65: the stronger of the two counts for rolls; only the lasting one moves the maximum."""
    seat = peace(options={"permanent_changes_add": adds})
    said = [effect("Asha", "change", stat="strength", amount=lasting), change(passing, temporary=True)]
    for each in said if lasting_first else said[::-1]:
        seat.say(each)
    assert str(value_of("Asha", "strength", seat.state).roll) == strength
    assert seat.state.pools["Asha", "health"].most == 12 + lasting


def test_passing_change_under_a_lasting_one_is_pointed_out() -> None:
    """GR-GAP-65."""
    seat = peace()
    seat.say(effect("Asha", "change", stat="strength", amount=2))
    record = seat.say(change(2, temporary=True))
    assert [fact.result for fact in judged(record, "notice")] == [
        "no further effect: Asha is under lasting strength bonus already"
    ]
    assert seat.holds("Asha") == ["lasting strength bonus"]


def test_change_without_effect_is_pointed_out() -> None:
    seat = peace()
    seat.say(change(3, days=4))
    record = seat.say(change(2, days=4))
    assert [fact.result for fact in judged(record, "notice")] == [
        "no further effect: Asha is under strength bonus already"
    ]
    assert of_kind(record, ConditionBegan) == []


def test_stronger_change_takes_the_place_of_several() -> None:
    seat = peace()
    for amount, days in ((3, 2), (1, 4), (4, 5)):
        seat.say(change(amount, days=days))
    assert seat.holds("Asha") == ["strength bonus"]


def test_lasting_change_moves_a_written_derived_stat() -> None:
    seat = peace(sheets={"Asha": {"derived": {"fortitude": "r20+1"}}})
    seat.say(change(2))
    assert str(value_of("Asha", "fortitude", seat.state).roll) == "r20+3"
    seat.say(change(-5))
    assert str(value_of("Asha", "fortitude", seat.state).roll) == "r20-2"


def test_no_maximum_falls_below_0() -> None:
    assert peace().code(effect("Asha", "change", stat="strength", amount=-13)) == "VALUE"


def test_stuns_add_up_and_take_concentration() -> None:
    seat = Seat(teams=FIGHT, turn="Asha")
    seat.say(harm.Concentrate(by="Asha", effect="a ward"))
    seat.say(effect("Asha", "stunned", difficulty=14))
    seat.say(effect("Asha", "stunned", degree=2))
    assert seat.state.conditions["stunned Asha"].degree == 3
    assert seat.state.windows["concentration Asha"].data == "14"
    record = seat.say(harm.ConcentrationCheck(by="Asha"), 10, 4)
    assert result(record, "concentration") == [14, 14, "hit"]
    assert seat.holds("Asha") == ["concentration", "stunned"]
    assert not seat.state.windows


def test_a_harder_stun_raises_the_difficulty() -> None:
    seat = peace()
    seat.say(harm.Concentrate(by="Asha", effect="a ward"))
    seat.say(effect("Asha", "stunned"))
    seat.say(effect("Asha", "stunned", difficulty=17))
    assert seat.state.windows["concentration Asha"].data == "17"
    seat.say(harm.ConcentrationCheck(by="Asha", decline=True))
    assert seat.holds("Asha") == ["stunned"]


def test_stun_asks_nothing_of_who_does_not_concentrate() -> None:
    seat = peace()
    seat.say(effect("Asha", "stunned"))
    assert not seat.state.windows


def test_unconsciousness_closes_the_check() -> None:
    seat = peace()
    seat.say(harm.Concentrate(by="Asha", effect="a ward"))
    seat.say(effect("Asha", "stunned"))
    seat.say(effect("Asha", "unconscious"))
    assert not seat.state.windows
    assert seat.holds("Asha") == ["prone", "stunned", "unconscious"]
    seat.check_closing()


def test_open_check_outlasts_the_session() -> None:
    seat = peace()
    seat.say(harm.Concentrate(by="Asha", effect="a ward"))
    seat.say(effect("Asha", "stunned"))
    seat.check_closing()
    assert list(seat.state.windows) == ["concentration Asha"]


@pytest.mark.parametrize(("keep", "held"), [("a ward", "a ward"), ("light", "light")])
def test_one_of_two_is_kept(keep: str, held: str) -> None:
    seat = peace()
    seat.say(harm.Concentrate(by="Asha", effect="a ward"))
    assert seat.code(harm.Concentrate(by="Asha", effect="light")) == "CONCENTRATION"
    assert seat.code(harm.Concentrate(by="Asha", effect="light", keep="fire")) == "CONCENTRATION"
    seat.say(harm.Concentrate(by="Asha", effect="light", keep=keep))
    assert seat.state.conditions["concentration Asha"].about == held


def test_fire_is_doused_by_anybody() -> None:
    seat = Seat(teams=FIGHT, turn="Asha")
    seat.say(effect("Gil", "burning", degree=2))
    seat.say(effect("Gil", "burning", degree=3))
    assert seat.state.conditions["burning Gil"].degree == 5
    seat.say(harm.Douse(by="Asha", target="Gil", reason="the trough"))
    assert seat.holds("Gil") == []


@pytest.mark.parametrize(("degree", "sides"), [(1, (4,)), (3, (8,)), (4, (10,)), (5, (12,)), (6, (10, 4))])
def test_fire_burns_by_its_degree(degree: int, sides: tuple[int, ...]) -> None:
    seat = Seat(teams=FIGHT, turn="Asha")
    seat.say(effect("Gil", "burning", degree=degree))
    record = seat.next_turn("Gil")
    (rolled,) = of_kind(record, Rolled)
    assert (rolled.purpose, tuple(die.sides for die in rolled.dice)) == ("burning Gil", sides)
    left = [condition.degree for _, condition in seat.state.conditions_of("Gil") if condition.name == "burning"]
    assert left == ([degree - 1] if degree > 1 else [])


def test_each_sickness_runs_its_own_days() -> None:
    seat = peace("Gil")
    seat.say(effect("Gil", "sickness", degree=2, days=1, difficulty=5))
    seat.say(effect("Gil", "sickness", degree=3, days=2))
    record = seat.say(harm.EndDay(by=GM), 9, 1)
    assert result(record, "sickness") == [7, 5, "hit"]
    assert seat.points("Gil", "health") == 8
    assert {id: each.degree for id, each in seat.state.conditions_of("Gil")} == {
        "sickness Gil 1": 1,
        "sickness Gil 2": 3,
    }
    seat.say(removal("Gil", "sickness"))
    seat.say(effect("Gil", "sickness"))
    assert list(dict(seat.state.conditions_of("Gil"))) == ["sickness Gil 1"]


def test_one_of_several_sicknesses_is_removed_by_its_degree() -> None:
    seat = peace("Gil")
    seat.say(effect("Gil", "sickness", degree=2))
    seat.say(effect("Gil", "sickness", degree=3))
    refused = seat.refusal(removal("Gil", "sickness", degree=4))
    assert refused.what == "Gil has no such effect: sickness 4"
    seat.say(removal("Gil", "sickness", degree=3))
    assert [each.degree for _, each in seat.state.conditions_of("Gil")] == [2]


def test_sickness_for_rounds_asks_for_no_check() -> None:
    seat = Seat(teams=FIGHT, turn="Asha")
    seat.say(effect("Gil", "sickness", rounds=1))
    record = seat.say(Attack(by="Asha", target="Gil"), 1, 1, 8)
    assert result(record, "attack") == [2, 10, "fail"]
    seat.next_turn("Gil")
    seat.next_turn("Asha")
    assert seat.holds("Gil") == []


@pytest.mark.parametrize(("reading", "holds"), [("off", []), ("on", ["dying", "prone", "unconscious"])])
def test_health_lost_to_sickness_follows_the_reading(reading: str, holds: list[str]) -> None:
    pools = {"Gil.endurance": 0, "Gil.health": 1}
    seat = peace("Gil", pools=pools, options={"health_loss_conditions": reading})
    seat.say(effect("Gil", "sickness", degree=5, rounds=9))
    record = seat.say(harm.EndDay(by=GM))
    assert (seat.points("Gil", "health"), [name for name in seat.holds("Gil") if name != "sickness"]) == (-2, holds)
    notices = [fact.result for fact in judged(record, "notice")]
    assert ("Gil's health is at or below 0" in notices) == (reading == "off")


def test_stabilising_is_an_action_in_an_encounter() -> None:
    given: dict[str, Any] = {
        "sheets": {"Asha": {"skills": {"medicine": "r8"}}},
        "options": {"medicine_stabilise": "on"},
    }
    seat = Seat(teams=FIGHT, turn="Asha", **given)
    assert seat.code(harm.Stabilise(by="Asha", patient="Gil")) == "EFFECT"
    seat.say(effect("Gil", "dying"))
    seat.say(harm.Stabilise(by="Asha", patient="Gil"), 5, 4)
    assert (seat.holds("Gil"), seat.ap("Asha")) == (["dying", "prone", "unconscious"], 2)
    seat.say(harm.Stabilise(by="Asha", patient="Gil", speed=2), 5, 5)
    assert (seat.holds("Gil"), seat.ap("Asha")) == (["prone", "unconscious"], 0)


def test_injury_is_a_lasting_debilitation() -> None:
    seat = Seat(teams=FIGHT, turn="Asha", options={"injuries": "on"}, pools={"Gil.endurance": 0, "Gil.health": 1})
    seat.say(Attack(by="Asha", target="Gil"), 12, 10, 1, 1, 1)
    assert seat.points("Gil", "health") <= 0
    seat.say(EndEncounter(by=GM), 2)
    assert "debilitation dexterity" in seat.holds("Gil")
    assert seat.state.count("Gil", "at 0 health") == 0


@pytest.mark.parametrize(("name", "left"), [("injury", "a hex"), ("debilitation", "injury")])
def test_injury_and_debilitation_end_on_their_own(name: str, left: str) -> None:
    seat = Seat(teams=FIGHT, turn="Asha", options={"injuries": "on"}, pools={"Gil.health": 0})
    seat.say(effect("Gil", "debilitation", stat="dexterity", days=2, source="a hex"))
    seat.say(EndEncounter(by=GM), 2)
    assert seat.holds("Gil").count("debilitation dexterity") == 2
    seat.say(removal("Gil", name, stat="dexterity"))
    held = [each for _, each in seat.state.conditions_of("Gil") if each.name == "debilitation dexterity"]
    assert [each.about for each in held] == [left]


def test_only_an_injury_is_removed_by_either_name() -> None:
    seat = peace()
    seat.add_facts((begin_injury("Gil", "dexterity"),))
    seat.say(removal("Gil", "debilitation", stat="dexterity"))
    assert seat.holds("Gil") == []
    seat.say(effect("Gil", "debilitation", stat="dexterity"))
    assert seat.code(removal("Gil", "injury", stat="dexterity")) == "EFFECT"


def test_injured_stat_is_rolled_with_one_disadvantage() -> None:
    seat = peace()
    seat.add_facts((begin_injury("Asha", "dexterity"),))
    seat.say(effect("Asha", "debilitation", stat="dexterity"))
    edges = stat_edges("Asha", value_of("Asha", "dexterity", seat.state), seat.state)
    assert [edge.change for edge in edges] == [-1]


def test_fifth_injury_kills() -> None:
    seat = Seat(teams=FIGHT, turn="Asha", options={"injuries": "on"}, pools={"Gil.endurance": 8, "Gil.health": 0})
    for stat in ("strength", "dexterity", "intelligence", "resolve"):
        seat.add_facts((injury("Gil", stat),))
    seat.say(EndEncounter(by=GM))
    assert "dead" in seat.holds("Gil")


def injury(who: str, stat: str) -> ConditionBegan:
    return ConditionBegan(id=f"debilitation {stat} {who}", who=who, name=f"debilitation {stat}", about="injury")


def test_death_ends_everything_but_lying_there() -> None:
    seat = Seat(teams=FIGHT, turn="Asha", options={"injuries": "on"}, pools={"Gil.health": 0})
    for stat in ("strength", "dexterity", "intelligence", "resolve"):
        seat.add_facts((injury("Gil", stat),))
    seat.say(harm.Concentrate(by="Gil", effect="a ward"))
    for name in ("burning", "stunned", "prone"):
        seat.say(effect("Gil", name))
    seat.say(EndEncounter(by=GM))
    assert seat.holds("Gil") == ["dead", "prone"]
    assert not seat.state.windows


def test_removed_concentration_closes_its_check() -> None:
    seat = peace()
    seat.say(harm.Concentrate(by="Asha", effect="a ward"))
    seat.say(effect("Asha", "stunned"))
    seat.say(removal("Asha", "concentration"))
    assert (seat.holds("Asha"), seat.state.windows) == (["stunned"], {})


def test_hint_names_effects_as_they_are_removed() -> None:
    seat = peace()
    seat.say(effect("Gil", "change", stat="strength", amount=-2))
    seat.say(effect("Gil", "sickness", degree=3))
    for name in ("held fast", "prone"):
        seat.say(effect("Gil", name))
    refused = seat.refusal(removal("Gil", "blind"))
    assert refused.hint == "There are: held, prone, sickness 3, strength penalty"


def test_bookkeeping_is_not_removed() -> None:
    seat = Seat(teams=FIGHT, turn="Asha")
    assert seat.code(removal("Asha", "initiative")) == "EFFECT"


@pytest.mark.parametrize(("who", "seen"), [("Gil", "gm"), ("Asha", "table")])
def test_difficulty_of_a_dying_check_is_as_secret_as_health(who: str, seen: str) -> None:
    other = "Asha" if who == "Gil" else "Gil"
    seat = Seat(teams={"first": [other], "second": [who]}, turn=other)
    seat.say(effect(who, "dying"))
    (check,) = judged(seat.next_turn(who), "dying check")
    assert check.seen == seen


def reasons_of_ends(seat: Seat, *said: Declaration) -> list[str]:
    """Return why conditions end with these lines."""
    return [fact.because for line in said for fact in of_kind(seat.say(line), ConditionEnded)]


def test_end_of_one_sickness_says_that_another_goes_on() -> None:
    """Else who is freed of one sickness reads as well."""
    seat = peace("Gil")
    for degree in (1, 2):
        seat.say(effect("Gil", "sickness", degree=degree))
    cures = (removal("Gil", "sickness", degree=degree) for degree in (2, 1))
    assert reasons_of_ends(seat, *cures) == ["another goes on", "ended"]


def test_end_of_the_shorter_bonus_says_that_another_goes_on() -> None:
    seat = Seat(teams=FIGHT, turn="Asha")
    for amount, rounds in ((2, 1), (1, 2)):
        seat.say(effect("Asha", "change", stat="strength", amount=amount, rounds=rounds))
    ends = [of_kind(seat.next_turn(who), ConditionEnded) for who in ("Gil", "Asha", "Gil", "Asha")]
    assert [fact.because for each in ends for fact in each] == ["another goes on", "its time is over"]


def test_choice_of_another_effect_says_what_gives_way() -> None:
    seat = peace("Gil")
    seat.say(harm.Concentrate(by="Gil", effect="the ward"))
    flame = harm.Concentrate(by="Gil", effect="the flame", keep="the flame")
    assert reasons_of_ends(seat, flame) == ["the ward gives way"]
