"""Sums that are made step by step."""

from __future__ import annotations

import pytest

from ledger.facts import Step
from rulebooks.common.sums import SumSteps


def test_add_takes_plus_steps() -> None:
    steps = SumSteps("cost", 3)
    steps.add(2, "XX-1", "more")
    assert steps.sum().steps == (Step(op="+", value=2, rule="XX-1", because="more", now=5),)


def test_add_takes_off_a_negative_number() -> None:
    steps = SumSteps("cost", 3)
    steps.add(-5, "XX-1", "less")
    assert steps.sum().steps == (Step(op="-", value=5, rule="XX-1", because="less", now=-2),)


def test_zero_is_no_step() -> None:
    steps = SumSteps("cost", 3)
    steps.add(0, "XX-1", "nothing")
    assert steps.sum().steps == ()


@pytest.mark.parametrize(
    ("op", "value", "total"),
    [
        ("+", 2, 9),
        ("-", 9, -2),
        ("*", 3, 21),
        ("/up", 2, 4),
        ("/down", 2, 3),
        ("min", 5, 5),
        ("max", 8, 8),
        ("set", 1, 1),
    ],
)
def test_step_applies_its_operation(op: str, value: int, total: int) -> None:
    steps = SumSteps("cost", 7)
    steps.take(op, value, "XX-1", "a step")
    assert (steps.total, steps.sum().steps[0].now) == (total, total)


def test_uncounted_step_is_shown_only() -> None:
    steps = SumSteps("cost", 7)
    steps.take("+", 2, "XX-1", "a step", counted=False)
    assert (steps.total, steps.sum().steps[0].counted) == (7, False)


@pytest.mark.parametrize(("least", "count"), [(0, 0), (9, 1)])
def test_bound_is_a_step_where_it_changes_the_total(least: int, count: int) -> None:
    steps = SumSteps("cost", 7)
    steps.bound("max", least, "XX-1", "never less")
    assert (steps.total, len(steps.steps)) == (max(7, least), count)
