"""Movement: how fast somebody is, what a move costs, and steps of a metre."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.facts import Counted, Fact, Judged, Step, Sum
from projections.state import State
from rulebooks.common.conditions import has_condition
from rulebooks.common.decisions import decides
from rulebooks.common.sums import SumSteps
from rulebooks.mars.declarations.turns import Move
from rulebooks.mars.guards import BLIND, ENCUMBERED, HELD, OVERENCUMBERED, PRONE
from rulebooks.mars.harm.fatigue import fatigue_half
from rulebooks.mars.maneuvers.aids import half_speeds
from rulebooks.mars.tasks.stat_values import change_of
from rulebooks.mars.texts import check_whole, refusal
from rulebooks.mars.turns.actions import MOVES, check_action, check_price, counts_points, pay, price
from rulebooks.mars.turns.cover import leave_cover

SPEED = "speed"
HALVED_BY = ((PRONE, "GR-PRO-1"), (ENCUMBERED, "GR-ENB-1"))


def speed_sum(who: str, state: State) -> Sum:
    """GR-MOV-1, GR-GAP-24: the speed now: every halving rounds down, one after the other, and leaves 1 m at least."""
    speed = SumSteps(SPEED, int(state.sheet(who, SPEED) or 0))
    speed.add(change_of(who, SPEED, state), "GR-EFF-2", "effects")
    speed.add(-fatigue_half(who, state), "GR-OUT-14", "fatigue")
    halvings = [(name, rule) for name, rule in HALVED_BY if has_condition(who, name, state)]
    halvings += [("a maneuver", "GR-OUT-17")] * half_speeds(who, state)
    for name, rule in halvings:
        if speed.total > 1:
            speed.take("/down", 2, rule, name)
    speed.bound("max", 0, "GR-MOV-1", "never below 0")
    for name, rule in ((OVERENCUMBERED, "GR-ENB-2"), (HELD, "GR-OUT-17")):
        if has_condition(who, name, state) and speed.total:
            speed.take("set", 0, rule, name)
    return speed.sum()


def speed_of(who: str, state: State) -> int:
    """Return how many metres somebody can move now."""
    return speed_sum(who, state).total


def check_can_move(who: str, state: State) -> None:
    """GR-ENB-2, GR-GAP-24: refuse those who cannot move at all."""
    if not speed_of(who, state):
        reasons = [name for name in (OVERENCUMBERED, HELD) if has_condition(who, name, state)]
        raise refusal("CANNOT-MOVE", name=who, why=", ".join(reasons) or "a speed of 0")


def difficult_metres(who: str, metres: int, difficult: int, state: State) -> int:
    """GR-BLI-2: how many metres are difficult; to the blind all of them."""
    return metres if has_condition(who, BLIND, state) else difficult


def check_distance(who: str, metres: int, difficult: int, state: State) -> None:
    """GR-MOV-1, GR-MOV-3, GR-MOV-4: refuse distances that cannot be, no movement at all, and what is too far."""
    check_whole("metres", metres, 1)
    check_whole("difficult metres", difficult, 0, metres)
    check_can_move(who, state)
    need, speed = metres + difficult_metres(who, metres, difficult, state), speed_of(who, state)
    if need > speed and not (metres == 1 and speed == 1):
        raise refusal("TOO-FAR", name=who, need=need, speed=speed)


def move_speed(who: str, metres: int, difficult: int, state: State) -> int:
    """GR-MOV-1: speed 1, and 0 for a single metre. GR-MOV-5: 1 for that too, where speed is reduced so far."""
    speed, hard = speed_of(who, state), difficult_metres(who, metres, difficult, state)
    return 1 if metres > 1 or speed <= 1 or (hard and speed <= 2) else 0


@decides(Move)
def move(said: Move, state: State) -> Iterator[Fact]:
    """GR-MOV-1: move up to speed. GR-MOV-2: every use after the first in a turn costs 1 stamina."""
    who = said.by
    check_action(who, state)
    check_distance(who, said.metres, said.difficult_metres, state)
    again = counts_points(state) and state.count(who, MOVES) > 0
    speed = move_speed(who, said.metres, said.difficult_metres, state)
    cost = price(who, speed, state, stamina=int(again))
    check_price(who, cost, state)
    yield from pay(who, cost, "move", state, *(("GR-MOV-2",) if again else ()), "GR-MOV-1")
    if counts_points(state):
        now = state.count(who, MOVES) + 1
        yield Counted(rules=("GR-MOV-2",), who=who, name=MOVES, change=1, now=now, until="turn")
    yield from go(who, said.metres, said.difficult_metres, state)


def go(who: str, metres: int, difficult: int, state: State) -> Iterator[Fact]:
    """GR-MOV-3: cover the distance; each metre of difficult terrain takes two metres of speed."""
    hard, steps = difficult_metres(who, metres, difficult, state), list[Step]()
    rules = ["GR-MOV-1"]
    if hard:
        rule = "GR-BLI-2" if has_condition(who, BLIND, state) else "GR-MOV-3"
        rules += ["GR-MOV-3", rule] if rule != "GR-MOV-3" else [rule]
        steps.append(Step(op="+", value=hard, rule=rule, because="difficult terrain", now=metres + hard))
    speed = speed_sum(who, state)
    rules += ["GR-MOV-4"] if metres + hard > speed.total else []
    rules += ["GR-MOV-5"] if metres == 1 and move_speed(who, metres, difficult, state) else []
    rules += [step.rule for step in speed.steps]
    used = Sum(name="metres of speed", start=metres, steps=tuple(steps), total=metres + hard)
    yield Judged(
        rules=tuple(dict.fromkeys(rules)),
        what="move",
        who=who,
        sums=tuple(sum_ for sum_ in (used, speed) if sum_.steps),
        total=used.total,
        target=speed.total,
        result=f"{metres} m",
        final=True,
    )
    yield from leave_cover(who, metres, state)


def step(who: str, state: State, *rules: str) -> Iterator[Fact]:
    """GR-EVD-4: a step of up to 1 m, which is no use of Move and leaves no cover behind."""
    yield Judged(rules=rules, what="step", who=who, result="1 m", final=True)
