"""The worked cases of the catalogue: cases/*.toml has the declarations and what they must lead to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from ledger.errors import Refused
from ledger.facts import Judged, OptionSet, PointsSpent, Ruled, TimePassed, TokensMoved
from ledger.records import Record
from projections.state import State
from rulebooks.dusk_bastards.texts import TEXTS
from rulebooks.testing.cases import play_once, play_steps, trials
from rulebooks.testing.seat import cited
from tests.rulebooks.dusk_bastards import seat as dusk
from tests.rulebooks.dusk_bastards.seat import Seat, cases, declaration
from tests.rulebooks.step_values import StepValues, computed_rules, readings, without_option

TRIALS = trials(cases())
IDS = sorted({case["id"] for case in cases()["cases"]})


class CasePlay:
    """One trial of a case, played to its end."""

    def __init__(self, case: Mapping[str, Any]) -> None:
        given = dict(case["given"])
        self.seat = Seat(*given.pop("in_play"), **given)
        self.entries: list[str] = []
        self.rules: set[str] = set()
        play_steps(case["steps"], self._play)
        finals = self.seat.ended()
        assert "final" not in case or finals == case["final"]
        for record in self.seat.store.takes():
            if record.session:
                self.rules |= cited(record.facts)

    def _play(self, step: Mapping[str, Any]) -> None:
        """Declare one step and compare the result with what is expected."""
        named = {key: self._fill_in(value) for key, value in step.items()}
        said, dice = declaration(named), step.get("dice", ())
        if "expect" not in step:
            self.entries.append(str(self.seat.say(said, *dice).id))
            return
        expect, before = step["expect"], self._values()
        if "refused" in expect:
            refusal = self.seat.refusal(said, *dice)
            self.entries.append("")
            self.rules |= set(refusal.rules)
            assert refusal.code == expect["refused"]
            for part in expect.get("says", ()):
                assert part in str(refusal)
        else:
            record = self.seat.say(said, *dice)
            self.entries.append(str(record.id))
            for name in expect.keys() & OF_FACT.keys():
                (fact,) = dusk.of_kind(record, OF_FACT[name])
                assert {field: _plain(getattr(fact, field)) for field in expect[name]} == expect[name]
            for who, most in expect.get("most", {}).items():
                assert {pool: self.seat.state.pools[who, pool].most for pool in most} == most
            SHOWN.compare(expect, record, self.seat.state, {"most", "pools", "destiny", "doom", *OF_FACT})
        assert self._values() == _expected_values(before, expect)

    def _fill_in(self, value: Any) -> Any:
        """`{2}` is the entry of the second step."""
        if isinstance(value, str) and value.startswith("{"):
            return self.entries[int(value.strip("{}")) - 1]
        return value

    def _values(self) -> dict[str, int]:
        """Every pool and token, by name."""
        state = self.seat.state
        pools = {f"{who}.{name}": pool.points for (who, name), pool in state.pools.items()}
        return {**pools, **{f"{who}.{name}": token.count for (who, name), token in state.tokens.items()}}


def _expected_values(before: Mapping[str, int], expect: Mapping[str, Any]) -> dict[str, int]:
    """Return the values before the step with the changes that the case expects."""
    after = dict(before)
    for who, pools in expect.get("pools", {}).items():
        after.update({f"{who}.{pool}": points for pool, points in pools.items()})
    after.update({f"{who}.destiny": count for who, count in expect.get("destiny", {}).items()})
    after.setdefault("gm.doom", 0)
    if "doom" in expect:
        after["gm.doom"] = expect["doom"]
    return after


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _destined_effects(record: Record) -> str:
    """Return the destined effects of an entry."""
    effects = [fact.result for fact in dusk.of_kind(record, Judged) if fact.what == "destined effect"]
    return " and ".join(effects)


def _overflow(record: Record) -> int:
    """Return the overflow Destiny that was cut off."""
    return -sum(fact.change for fact in dusk.of_kind(record, TokensMoved) if fact.because == "overflow")


def _shows_dice(record: Record) -> bool:
    """Whether dice were thrown, recorded, or even noted as typed."""
    declared = record.declared
    return bool(dusk.faces(record)) or bool(declared and declared.faces) or bool(_destined_effects(record))


OF_RECORD: Mapping[str, Callable[[Record], Any]] = {
    "difficulty": dusk.final_difficulty,
    "target": lambda record: dusk.task(record).target,
    "total": lambda record: dusk.task(record).total,
    "result": lambda record: dusk.task(record).result,
    "results": lambda record: {
        fact.against: [fact.target, fact.result]
        for fact in dusk.of_kind(record, Judged)
        if fact.what == "attack" and fact.against
    },
    "seen": lambda record: dusk.task(record).seen,
    "destined": _destined_effects,
    "paid": lambda record: [[fact.pool, fact.points] for fact in dusk.of_kind(record, PointsSpent)],
    "spent": dusk.spent,
    "refund": dusk.refunded,
    "time": lambda record: sum(fact.seconds for fact in dusk.of_kind(record, TimePassed)),
    "lost": _overflow,
    "rolled": _shows_dice,
}
OF_BEING: Mapping[str, Callable[[State, str], Any]] = {
    "wounds": lambda state, who: [[wound.kind, wound.value, wound.in_force] for _, wound in state.wounds_of(who)],
    "holds": lambda state, who: sorted(each.name for _, each in state.conditions_of(who) if each.name != "failed"),
    "left": lambda state, who: [action for action in ACTIONS if state.actions_left(who, action)],
    "rests": lambda state, who: sorted(
        name.removeprefix("rest.") for being, name in state.counts if being == who and name.startswith("rest.")
    ),
    "moved": lambda state, who: state.count(who, "moved"),
    "apart": lambda state, who: {
        name.removeprefix("distance."): BANDS[count.now - 1]
        for (being, name), count in state.counts.items()
        if being == who and name.startswith("distance.")
    },
}
BANDS = ("immediate", "short", "long", "extreme", "beyond")
ACTIONS = ("move", "standard", "bonus", "action", "reaction")
OF_STATE: Mapping[str, Callable[[State], Any]] = {
    "at": lambda state: [state.encounter.round, state.encounter.phase, state.encounter.turn] if state.encounter else [],
    "order": lambda state: [f"{slot.slot} {slot.score}" for slot in state.encounter.order] if state.encounter else [],
    "due": lambda state: sorted(window.who for window in state.windows.values() if window.kind == "wound due"),
}
OF_FACT: Mapping[str, type[Any]] = {"ruled": Ruled, "option": OptionSet}
SHOWN = StepValues(OF_RECORD, OF_BEING, OF_STATE)


played = play_once(CasePlay)


@pytest.mark.quick_rows(1000)
@pytest.mark.parametrize("case", TRIALS)
def test_worked_case(case: dict[str, Any]) -> None:
    played(case)


def test_case_rules_are_cited_by_its_facts() -> None:
    """Computed rules only; those that no fact can cite are listed with the reason."""
    for id_ in IDS:
        trials = [case for case in cases()["cases"] if case["id"] == id_]
        shown = {rule for trial in trials for rule in played(trial).rules}
        for trial in trials:
            computed = computed_rules(TEXTS, trial["rules"])
            excused = cases()["uncited"].keys() | trials[0].get("uncited", {}).keys()
            assert computed - shown - excused == set(), id_
            assert trials[0].get("uncited", {}).keys() & shown == set(), f"{id_}: cited after all"


def test_excused_rules_are_not_cited() -> None:
    shown = {rule for case in cases()["cases"] for rule in played(case).rules}
    assert shown & cases()["uncited"].keys() == set()


def test_every_computed_rule_is_cited_by_some_case() -> None:
    shown = {rule for case in cases()["cases"] for rule in played(case).rules}
    computed = computed_rules(TEXTS, TEXTS.rules)
    assert computed - shown == set()


@pytest.mark.parametrize(("name", "value"), readings(TEXTS.content.options))
def test_every_reading_makes_a_difference_in_some_case(name: str, value: Any) -> None:
    """The case holds in that reading, and does not in the book's own."""
    default = TEXTS.options[name].default
    chosen = [case for case in cases()["cases"] if case["given"].get("options", {}).get(name, default) != default]
    if TEXTS.options[name].values:
        chosen = [case for case in chosen if case["given"]["options"][name] == value]
    differing = []
    for case in chosen:
        try:
            CasePlay(without_option(case, name))
        except (AssertionError, Refused, pytest.fail.Exception):
            differing.append(case["id"])
    assert differing
