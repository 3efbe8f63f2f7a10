"""The worked cases of the catalogue, played: declarations and expected results are in cases/*.toml."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from ledger.facts import Judged, Rolled, Ruled, Told
from ledger.records import Record
from rulebooks.monolith.order import first_actors
from rulebooks.monolith.texts import TEXTS
from rulebooks.monolith.turns import intent
from rulebooks.testing.cases import play_once, play_steps, trials
from rulebooks.testing.seat import cited, of_kind
from tests.rulebooks.monolith.seat import CAST, Seat, cases, declaration
from tests.rulebooks.step_values import StepValues, computed_rules, expected_holds

TRIALS = trials(cases())


class Played:
    """One trial of a case, played to its end."""

    def __init__(self, case: Mapping[str, Any]) -> None:
        self.seat = Seat(**case["given"])
        self.clock = self.seat.state.seconds
        self.rules: set[str] = set()  # cited by facts
        self.refused: set[str] = set()  # cited by refusals
        play_steps(case["steps"], self._step)
        self.seat.check_closing()

    def _step(self, step: Mapping[str, Any]) -> None:
        """Declare one step and compare its result with the expected one."""
        if step["say"] == "next-round":
            self.seat.next_round()
            return
        said, dice = declaration(step), step.get("dice", ())
        expect, before = step.get("expect", {}), self._values()
        if "refused" in expect:
            refusal = self.seat.refusal(said, *dice)
            self.refused |= set(refusal.rules)
            assert refusal.code == expect["refused"]
            assert self._values() == before
            return
        record = self.seat.say(said, *dice)
        self.rules |= cited(record.facts)
        thrown = [die.face for fact in of_kind(record, Rolled) for die in fact.dice]
        assert sorted(thrown) == sorted(dice)
        SHOWN.compare(expect, record, self.seat.state, {"hp", "body", "began", "ended", "clock"})
        if "clock" in expect:
            assert self.seat.state.clock["seconds"] - self.clock == expect["clock"]
        for pool in ("hp", "body"):
            for who, (was, _) in expect.get(pool, {}).items():
                assert before[who, pool] == was
        if expect:
            assert self._values() == expected_values(before, expect)

    def _values(self) -> dict[tuple[str, str], Any]:
        """Return every pool and everybody's conditions."""
        state = self.seat.state
        pools: dict[tuple[str, str], Any] = {key: pool.points for key, pool in state.pools.items()}
        return pools | {(being.name, "holds"): self.seat.conditions(being.name) for being in state.beings_in_order()}


def expected_values(before: Mapping[tuple[str, str], Any], expect: Mapping[str, Any]) -> dict[tuple[str, str], Any]:
    """Return the values before a step with the changes that the case expects; all others stay the same."""
    after = expected_holds(before, expect)
    for pool in ("hp", "body"):
        after.update({(who, pool): now for who, (_, now) in expect.get(pool, {}).items()})
    return after


def damages(record: Record) -> list[Judged]:
    return [fact for fact in of_kind(record, Judged) if fact.what == "damage"]


def steps(fact: Judged, reason: str) -> int:
    """Return what a reason takes off the highest die."""
    (total,) = (added for added in fact.sums if added.name == "total")
    return sum(step.value for step in total.steps if step.because == reason)


def die(fact: Judged) -> int:
    (total,) = (added for added in fact.sums if added.name == "total")
    return total.start


def judged(record: Record, what: str) -> list[Judged]:
    return [fact for fact in of_kind(record, Judged) if fact.what == what]


SHOWN = StepValues(
    of_entry={
        "die": lambda record: [die(fact) for fact in damages(record)],
        "armor": lambda record: [steps(fact, "armor") for fact in damages(record)],
        "net": lambda record: [max(0, die(fact) - steps(fact, "armor")) for fact in damages(record)],
        "new": lambda record: [fact.total for fact in damages(record)],
        "saves": lambda record: [[fact.total, fact.target, fact.result] for fact in judged(record, "Body Save")],
        "morale": lambda record: [
            [fact.who, fact.total, fact.target, fact.result] for fact in judged(record, "morale")
        ],
        "saved": lambda record: next([fact.total, fact.target, fact.result] for fact in of_kind(record, Judged)),
        "told": lambda record: next(fact.text for fact in of_kind(record, Told)),
        "ruled": lambda record: next(fact.text for fact in of_kind(record, Ruled)),
    },
    of_being={
        "left": lambda state, who: [kind for kind in ("move", "action") if state.actions_left(who, kind)],
        "intends": lambda state, who: intent(who, state),
    },
    of_state={
        "phase": lambda state: state.encounter.phase if state.encounter else "",
        "first": lambda state: list(first_actors(state)),
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
        assert computed - played(case).rules - played(case).refused == case.get("uncited", {}).keys(), case["id"]


def test_every_rule_is_cited_by_a_case() -> None:
    shown = {rule for case in cases()["cases"] for rule in played(case).rules}
    assert set(TEXTS.rules) - shown == set()


def test_present_in_a_case_are_those_of_the_cast() -> None:
    assert all(set(case["given"].get("present", CAST)) <= set(CAST) for case in cases()["cases"])
