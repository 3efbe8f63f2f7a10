"""The worked cases of the catalogue, played: declarations and expected results are in cases/*.toml."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from ledger.dice import TypedDice
from ledger.facts import GM, Judged, PointsLost, Ruled
from ledger.records import Record
from projections.state import State
from rulebooks.common.options import SetOption
from rulebooks.momentum.texts import TEXTS
from rulebooks.momentum.turns import allowance
from rulebooks.testing.cases import play_once, play_steps, trials
from rulebooks.testing.seat import cited, of_kind
from tests.rulebooks.momentum.seat import Seat, cases, declaration, hits
from tests.rulebooks.step_values import StepValues, computed_rules


class Played:
    """A case, played to its end."""

    def __init__(self, case: Mapping[str, Any]) -> None:
        self.seat = Seat(**case["given"])
        self.rules: set[str] = set()
        play_steps(case["steps"], self._step)
        self.seat.check_closing()
        for record in self.seat.store.takes():
            self.rules |= cited(record.facts)

    def _step(self, step: Mapping[str, Any]) -> None:
        """Declare one step and compare its result with the expected one."""
        expect = step.get("expect", {})
        if "ask" in step:
            assert self._asked(step) == expect["allowance"]
            return
        said, dice = declaration(step), step.get("dice", ())
        if "refused" in expect:
            refusal = self.seat.refusal_of_dice(said, *dice)
            self.rules |= set(refusal.rules)
            assert refusal.code == expect["refused"]
            return
        record = self.seat.say(said, *dice)
        SHOWN.compare(expect, record, self.seat.state, {"momentum"})
        if "momentum" in expect:
            assert self._allowance(step.get("who", step["by"])) == expect["momentum"]

    def _asked(self, step: Mapping[str, Any]) -> int:
        """Return the allowance that somebody has now, under another reading if one is named."""
        state = self.seat.ledger.state
        mark = state.mark()
        try:
            for name, value in step.get("option", {}).items():
                chosen = SetOption(by=GM, name=name, value=value, reason="asked")
                for fact in self.seat.book.decide(chosen, state.state, TypedDice([])):
                    state.step(state.last, fact)
            return self._allowance(step["who"])
        finally:
            state.roll_back(mark)

    def _allowance(self, who: str) -> int:
        """Return the actions of somebody's next turn; note the rules that cap it."""
        actions = allowance(who, self.seat.state)
        self.rules |= {step.rule for step in actions.steps}
        return actions.total


def _hit(record: Record) -> Judged:
    (judged,) = hits(record)
    return judged


def _entry(record: Record) -> str:
    """Return Damage or Rushed, and the dice."""
    (judged,) = [fact for fact in of_kind(record, Judged) if fact.what == "attack"]
    return " ".join(judged.result.split()[:2])


def _dice(record: Record) -> list[str]:
    """Return each die and whether it hits, in the order of its number."""
    steps = _hit(record).sums[1].steps
    return [f"{step.because} {'hit' if step.counted else 'miss'}" for step in steps if step.op == "+"]


def _gross(judged: Judged) -> int:
    return sum(step.counted for step in judged.sums[1].steps if step.op == "+")


def _check(record: Record) -> Judged:
    (judged,) = [fact for fact in of_kind(record, Judged) if fact.what in ("momentum", "check")]
    return judged


OF_ENTRY: Mapping[str, Callable[[Record], Any]] = {
    "entry": _entry,
    "defense": lambda record: _hit(record).target,
    "dice": _dice,
    "hits": lambda record: _hit(record).total,
    "cancelled": lambda record: sum(step.counted for step in _hit(record).sums[1].steps if step.op == "-"),
    "both": lambda record: [_gross(judged) for judged in hits(record)],
    "lost": lambda record: sum(fact.over for fact in of_kind(record, PointsLost)),
    "result": lambda record: _check(record).result,
    "total": lambda record: _check(record).total,
    "target": lambda record: _check(record).target,
    "ruled": lambda record: of_kind(record, Ruled)[0].name,
}
OF_BEING: Mapping[str, Callable[[State, str], Any]] = {
    "hp": lambda state, who: state.points(who, "hp"),
    "at": lambda state, who: state.place(who),
    "left": lambda state, who: state.actions_left(who, "action"),
    "holds": lambda state, who: sorted(
        condition.name for _, condition in state.conditions_of(who) if condition.name != "momentum"
    ),
    "reactions": lambda state, who: state.count(who, "reactions"),
}
OF_STATE: Mapping[str, Callable[[State], Any]] = {
    "phase": lambda state: state.encounter.phase if state.encounter else "",
    "round": lambda state: state.encounter.round if state.encounter else 0,
    "over": lambda state: state.encounter is None,
    "due": lambda state: sorted(window.who for window in state.windows.values() if window.kind == "fate"),
}
SHOWN = StepValues(OF_ENTRY, OF_BEING, OF_STATE)


played = play_once(Played)


@pytest.mark.quick_rows(1000)
@pytest.mark.parametrize("case", trials(cases()))
def test_worked_case(case: dict[str, Any]) -> None:
    """Check that the facts of a case cite its rules, except those listed as uncited."""
    shown = played(case).rules
    excused = cases()["uncited"].keys() | case.get("uncited", {}).keys()
    computed = computed_rules(TEXTS, case["rules"])
    assert computed - shown - excused == set()
    assert case.get("uncited", {}).keys() & shown == set(), "cited after all"
