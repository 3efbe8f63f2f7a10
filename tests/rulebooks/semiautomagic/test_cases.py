"""The worked cases of the catalogue, played: declarations and expected results are in cases/*.toml."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from ledger.facts import Fact, Judged, Rolled, Ruled
from projections.state import State
from rulebooks.semiautomagic.cover import COVER, OBJECT, cover_toughness, covers_of
from rulebooks.semiautomagic.creatures import MIN_TOUGHNESS, SLOWED, SLOWED_FLIGHT, flight, movement, toughness
from rulebooks.semiautomagic.guards import CREATURES
from rulebooks.semiautomagic.items import CRAWLING, ITEM, is_crawling, item_toughness, items_of, short_name, wounds
from rulebooks.semiautomagic.sight import HIDDEN
from rulebooks.semiautomagic.squares import SPEED, SQUARES, is_flanked
from rulebooks.semiautomagic.stealth import perception_dc
from rulebooks.semiautomagic.texts import TEXTS
from rulebooks.testing.cases import play_once, play_steps, trials
from rulebooks.testing.seat import cited
from tests.rulebooks.semiautomagic.seat import BOOK, Seat, cases, declaration, judgements
from tests.rulebooks.step_values import StepValues, computed_rules, expected_holds

TRIALS = trials(cases())
APART = (CRAWLING, COVER, SPEED, HIDDEN, SLOWED, SLOWED_FLIGHT)  # conditions that a case shows as numbers


class Played:
    """One trial of a case, played to its end."""

    def __init__(self, case: Mapping[str, Any]) -> None:
        self.given = case["given"]
        self.seat = Seat(**self.given)
        self.rules = cited(fact for take in self.seat.store.takes() for fact in take.facts)  # cited by facts
        self.refused: set[str] = set()  # cited by refusals
        self.reported: set[str] = set()  # cited by situations that are known
        self.is_first, self.apart = True, case.get("apart")
        play_steps(case["steps"], self._step)
        self.seat.check_closing()

    def _step(self, step: Mapping[str, Any]) -> None:
        """Declare one step and compare its result with the expected one."""
        if not self.is_first and (self.apart or step.get("fresh")):
            self.seat.check_closing()
            self.seat = Seat(**self.given)
        self.is_first = False
        if step["say"] == "next-round":
            self.seat.next_round()
            return
        said, dice = declaration(step), step.get("dice", ())
        expect, before = step.get("expect", {}), self._values()
        if "refused" in expect:
            refusal = self.seat.refusal(said, *dice)
            self.refused |= set(refusal.rules)
            assert refusal.code == expect["refused"]
            return
        situations = list(BOOK.guide.unclaimed(said, self.seat.state))
        self.reported.update(rule for situation in situations if situation.known for rule in situation.rules)
        if step["say"] == "aim":
            facts: Iterable[Fact] = self.seat.trial(said)
        else:
            facts = self.seat.say(said, *dice).facts
            thrown = [die.face for fact in facts if isinstance(fact, Rolled) for die in fact.dice]
            assert thrown == list(dice)
        self.rules |= cited(facts)
        SHOWN.compare(expect, facts, self.seat.state, {"began", "ended", "unclaimed"})
        if "unclaimed" in expect:
            assert [situation.name for situation in situations] == expect["unclaimed"]
        if expect:
            now = self._values()
            assert {key: now[key] for key in before} == expected_values(before, expect, self.seat.state)

    def _values(self) -> dict[tuple[str, str], Any]:
        """Return everybody's wounds, conditions and cover."""
        state, values = self.seat.state, dict[tuple[str, str], Any]()
        for being in state.beings_in_order():
            names = sorted(condition.name for _, condition in state.conditions_of(being.name))
            values[being.name, "holds"] = [name for name in names if name not in APART]
            values[being.name, "tough"] = wounds(being.name, state)
            values[being.name, "grade"] = grade(state, being.name)
        return values


def expected_values(before: Mapping[tuple[str, str], Any], expect: Mapping[str, Any], state: State) -> dict[Any, Any]:
    """Return the values before a step with the changes that the case expects; all others stay the same."""
    after = expected_holds(before, expect)
    after.update({(who, "tough"): wounds(who, state) for who in expect.get("tough", {})})
    after.update({(who, "grade"): now for who, now in expect.get("grade", {}).items()})
    return after


def grade(state: State, who: str) -> int:
    return max((cover.degree for cover in covers_of(who, state)), default=0)


def tough(state: State, who: str) -> list[int]:
    """Return Toughness and Minimum Toughness of a creature, an item or a cover."""
    find = {**dict.fromkeys(CREATURES, toughness), ITEM: item_toughness, OBJECT: cover_toughness}
    steps = find[state.kind(who)](who, state)
    assert steps is not None
    return [steps.total, steps.total - MIN_TOUGHNESS]


def numbers(judged: Judged) -> list[Any]:
    """Return total, number to reach and result, as far as they are there."""
    return [part for part in (judged.total, judged.target, judged.result) if part is not None]


def hurt(facts: Iterable[Fact]) -> list[list[Any]]:
    """Return who was struck, the damage that was compared, and its result."""
    compared = (fact for fact in facts if isinstance(fact, Judged) and fact.what in ("toughness", "cover", "item"))
    return [[fact.who, fact.total, fact.result] for fact in compared]


CHECKS = ("fortitude", "dying check", "stabilise", "hide", "perceive")
OF_ENTRY: Mapping[str, Callable[[Iterable[Fact]], Any]] = {
    "target": lambda facts: judgements(facts, "attack")[0].target,
    "attack": lambda facts: numbers(judgements(facts, "attack")[0]),
    "defence": lambda facts: numbers(judgements(facts, "defence")[0]),
    "hurt": hurt,
    "check": lambda facts: [
        [fact.what, *numbers(fact)] for fact in facts if isinstance(fact, Judged) and fact.what in CHECKS
    ],
    "ruled": lambda facts: next(fact.because for fact in facts if isinstance(fact, Ruled)),
}
OF_BEING: Mapping[str, Callable[[State, str], Any]] = {
    "tough": tough,
    "grade": grade,
    "left": lambda state, who: state.actions_left(who, "seconds"),
    "speed": lambda state, who: movement(who, state).total,
    "flight": lambda state, who: flight(who, state).total,
    "squares": lambda state, who: state.count(who, SQUARES),
    "flanked": lambda state, who: is_flanked(who, state),
    "crawling": lambda state, who: is_crawling(who, state),
    "hidden": lambda state, who: getattr(perception_dc(who, "", state), "total", None),
    "dc": lambda state, who: state.conditions[f"dying {who}"].degree,
    "held": lambda state, who: [short_name(item, state) for item in items_of(who, state, "held")],
}
SHOWN = StepValues(OF_ENTRY, OF_BEING, of_state={})


played = play_once(Played)


@pytest.mark.quick_rows(1000)
@pytest.mark.parametrize("case", TRIALS)
def test_worked_case(case: dict[str, Any]) -> None:
    played(case)


def test_computed_rules_of_a_case_are_cited() -> None:
    for case in cases()["cases"]:
        trials = [played(other) for other in cases()["cases"] if other["id"] == case["id"]]
        shown = {rule for trial in trials for rule in trial.rules | trial.refused | trial.reported}
        computed = computed_rules(TEXTS, case["rules"])
        assert computed - shown == case.get("uncited", {}).keys(), case["id"]


def test_every_computed_rule_is_cited_by_a_case() -> None:
    trials = [played(case) for case in cases()["cases"]]
    shown = {rule for trial in trials for rule in trial.rules | trial.reported}
    computed = computed_rules(TEXTS, TEXTS.rules)
    assert computed - shown == cases()["uncited"].keys()
