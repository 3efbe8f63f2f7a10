"""The worked cases of the catalogue, played: declarations and expected results are in cases/*.toml."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial, reduce
from operator import add
from typing import Any

import pytest

from ledger.errors import Refused
from ledger.facts import Judged, Rolled, Ruled
from ledger.records import Record
from projections.state import State
from rulebooks.mars.combat.weapons import damage_value, wielded_weapon
from rulebooks.mars.tasks.roll_values import parse_roll_value
from rulebooks.mars.tasks.stat_values import value_of
from rulebooks.mars.texts import TEXTS
from rulebooks.testing.cases import play_once, play_steps, trials
from rulebooks.testing.seat import cited, of_kind
from tests.rulebooks.mars.seat import Seat, cases, declaration, judged, result
from tests.rulebooks.step_values import StepValues, computed_rules, expected_holds, readings, without_option

TRIALS = trials(cases())


class Played:
    """One trial of a case, played to its end."""

    def __init__(self, case: Mapping[str, Any]) -> None:
        self.seat = Seat(**case["given"])
        self.clock = self.seat.state.seconds
        self.rules: set[str] = set()  # cited by facts and refusals
        play_steps([step for step in case["steps"] for _ in range(step.get("repeat", 1))], self._step)
        self.seat.check_closing()
        for record in self.seat.store.takes():
            self.rules |= cited(record.facts)

    def _step(self, step: Mapping[str, Any]) -> None:
        """Declare one step and compare its result with the expected one."""
        expect = step.get("expect")
        if step["say"] == "set":
            self.seat.set_pools(step["pools"])
            return
        if step["say"] == "roll-value":
            self._check_roll_value(step["of"], expect)
            return
        said, dice, before = declaration(step), step.get("dice", ()), self._values()
        if expect is None:
            self.seat.say(said, *dice)
            return
        if "refused" in expect:
            refusal = self.seat.refusal_of_dice(said, *dice) if dice else self.seat.refusal(said)
            self.rules |= set(refusal.rules)
            assert refusal.code == f"GR-E-{expect['refused']}"
            return
        record = self.seat.say(said, *dice)
        thrown = [die.face for fact in of_kind(record, Rolled) for die in fact.dice]
        assert sorted(thrown) == sorted(dice)
        SHOWN.compare(expect, record, self.seat.state, {"pools", "began", "ended", "clock", *TEXT})
        for name in expect.keys() & TEXT.keys():
            check_text(name, TEXT[name](record), expect[name])
        if "clock" in expect:
            assert self.seat.state.seconds - self.clock == expect["clock"]
        assert self._values() == expected_values(before, expect)

    def _check_roll_value(self, of: list[str], expect: Mapping[str, Any]) -> None:
        """Compare the dice and the bounds of a roll value, or of several merged."""
        if "refused" in expect:
            with pytest.raises(Refused) as raised:
                parse_roll_value(of[0], self.seat.state, "value")
            assert raised.value.code == f"GR-E-{expect['refused']}"
            self.rules |= set(raised.value.rules)
            return
        value = reduce(add, (parse_roll_value(text, self.seat.state, "value") for text in of))
        shown = {"dice": list(value.dice), "least": value.least, "most": value.most, "passive": value.passive}
        assert {name: shown[name] for name in expect} == expect

    def _values(self) -> dict[tuple[str, str], Any]:
        """Return every pool and everybody's conditions."""
        state = self.seat.state
        pools: dict[tuple[str, str], Any] = {key: pool.points for key, pool in state.pools.items()}
        return pools | {(being.name, "holds"): self.seat.holds(being.name) for being in state.beings_in_order()}


def expected_values(before: Mapping[tuple[str, str], Any], expect: Mapping[str, Any]) -> dict[tuple[str, str], Any]:
    """Return the values before a step with the changes that the case expects; all others stay the same."""
    after = expected_holds(before, expect)
    for name, now in expect.get("pools", {}).items():
        who, _, pool = name.partition(".")
        after[who, pool] = now
    return after


def check_text(name: str, texts: list[str], part: str) -> None:
    """Check that a part stands in one of the texts; an empty part: that there is no text."""
    assert any(part in text for text in texts) if part else not texts, (name, texts)


def damage(record: Record) -> int:
    (fact,) = judged(record, "damage")
    assert fact.total is not None
    return fact.total


def initiative(record: Record) -> int | None:
    return judged(record, "initiative")[0].total


TEXT: Mapping[str, Callable[[Record], list[str]]] = {
    "ruled": lambda record: [f"{fact.text} {fact.because}" for fact in of_kind(record, Ruled)],
    "told": lambda record: [f"{fact.who} {fact.result}" for fact in judged(record, "notice", "challenge turn")],
}


def condition_of(state: State, name: str) -> Any:
    """Return the condition that a case names, like `Gil burning`."""
    who, _, kind = name.partition(" ")
    (found,) = [each for _, each in state.conditions_of(who) if each.name == kind]
    return found


def counted(state: State, name: str) -> int:
    who, _, count = name.partition(" ")
    return state.count(who, count)


def value(state: State, name: str) -> str:
    who, _, stat = name.partition(" ")
    return str(value_of(who, stat, state).roll)


def most(state: State, name: str) -> int | None:
    who, _, pool = name.partition(".")
    return state.pools[who, pool].most


RESULTS = {"dying": "dying check"}  # what is judged is named otherwise
JUDGED = ("attack", "resist", "check", "sickness", "dying", "break", "stabilise", "treat", "concentration")
SHOWN = StepValues(
    of_entry={
        **{name: partial(result, what=RESULTS.get(name, name)) for name in JUDGED},
        "damage": damage,
        "initiative": initiative,
    },
    of_being={
        "ap": lambda state, who: state.actions_left(who, "ap"),
        "degree": lambda state, name: condition_of(state, name).degree,
        "about": lambda state, name: condition_of(state, name).about,
        "count": counted,
        "value": value,
        "weapon": lambda state, who: str(damage_value(who, wielded_weapon(who, "", state), state).roll),
        "most": most,
    },
    of_state={
        "order": lambda state: [slot.slot for slot in state.encounter.order] if state.encounter else [],
        "round": lambda state: [state.encounter.round, state.encounter.turn] if state.encounter else [],
        "due": lambda state: sorted(state.windows),
    },
)


played = play_once(Played)


@pytest.mark.quick_rows(1000)
@pytest.mark.parametrize("case", TRIALS)
def test_worked_case(case: dict[str, Any]) -> None:
    played(case)


def test_computed_rules_of_a_case_are_cited() -> None:
    for case in cases()["cases"]:
        computed = computed_rules(TEXTS, case["rules"])
        assert computed - played(case).rules == case.get("uncited", {}).keys(), case["id"]


def test_every_computed_rule_is_cited_by_some_case() -> None:
    shown = {rule for case in cases()["cases"] for rule in played(case).rules}
    computed = computed_rules(TEXTS, TEXTS.rules)
    assert computed - shown == cases()["uncited"].keys()


@pytest.mark.parametrize(("name", "reading"), readings(TEXTS.content.options))
def test_every_reading_makes_a_difference_in_some_case(name: str, reading: Any) -> None:
    """The case holds in that reading, and does not in the book's own."""
    chosen = [case for case in cases()["cases"] if name in case["given"].get("options", {})]
    if TEXTS.options[name].values:
        chosen = [case for case in chosen if case["given"]["options"][name] == reading]
    assert chosen
    for case in chosen:
        with pytest.raises((AssertionError, pytest.fail.Exception)):
            Played(without_option(case, name))


def test_dice_of_a_case_are_those_of_judgements() -> None:
    """Check that a judgement of a case names rolls of its own entry only."""
    for case in cases()["cases"]:
        for record in played(case).seat.store.takes():
            purposes = {fact.purpose for fact in of_kind(record, Rolled)}
            for fact in of_kind(record, Judged):
                assert set(fact.rolls) <= purposes, (case["id"], fact.what)
