"""What an attempt costs: initial cost, Effort, abilities; the least that must be paid; automatic failure."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ledger.facts import Fact, PointsSpent, Step, Sum
from projections.state import State
from rulebooks.dusk_bastards.declarations import STATS, CastSpell, Cost, Stat, Task
from rulebooks.dusk_bastards.tasks.effort import EFFORT_STEPS_MOST, effort_price, free_levels, light_wound_cost
from rulebooks.dusk_bastards.texts import refused, value_refused, whole


class Item(msgspec.Struct, frozen=True):
    """One thing that is paid for, before the roll."""

    on: str
    stat: Stat
    points: int
    rules: tuple[str, ...]


def bill(said: Task, stat: Stat, state: State) -> list[Item]:
    """DB-COST-3: in order of payment: initial cost, then Effort, then ability costs."""
    effort = effort_price(state, said.by, said.effort)
    wounded = ("DB-EFFORT-7", "DB-WOUND-6") if light_wound_cost(state, said.by, said.effort) else ()
    items = [
        Item("initial cost", said.initial_stat or stat, said.initial_cost, ("DB-COST-1", "DB-COST-3")),
        Item(
            f"Effort {said.effort}", stat, effort, ("DB-EFFORT-2", "DB-EFFORT-3", "DB-EFFORT-8", "DB-COST-3", *wounded)
        ),
        *(Item(on, cost.stat, cost.points, ("DB-COST-3",)) for on, cost in fixed(said)),
    ]
    return [item for item in items if item.points]


def fixed(said: Task) -> list[tuple[str, Cost]]:
    """DB-COST-3: what abilities and spells cost, whatever the roll."""
    spell = said.cost if isinstance(said, CastSpell) else ()
    return [*(("ability", cost) for cost in said.ability_cost), *(("spell", cost) for cost in spell)]


def minimum(said: Task, stat: Stat, state: State, *, retry: bool) -> dict[Stat, int]:
    """DB-COST-4: initial cost, fixed ability costs, and the first level of Effort where a retry demands one."""
    least: dict[Stat, int] = dict.fromkeys(STATS, 0)
    least[said.initial_stat or stat] += said.initial_cost
    for _, cost in fixed(said):
        least[cost.stat] += cost.points
    if retry and not free_levels(said, state):
        least[stat] += effort_price(state, said.by, 1)
    return least


def lacking(said: Task, stat: Stat, state: State, *, retry: bool) -> tuple[Stat, int] | None:
    """DB-ACT-4: the first pool that cannot pay its minimum, and that minimum; None when all can."""
    for pool, least in minimum(said, stat, state, retry=retry).items():
        if least > state.points(said.by, pool):
            return pool, least
    return None


def shortage(who: str, costs: tuple[Cost, ...], state: State) -> tuple[Stat, int] | None:
    """The first pool that cannot pay its part of these costs, and that part."""
    for pool in STATS:
        part = sum(cost.points for cost in costs if cost.stat == pool)
        if part > state.points(who, pool):
            return pool, part
    return None


def check_costs(who: str, costs: tuple[Cost, ...], state: State) -> None:
    """The form of a cost: whole points, of somebody who has pools to pay from."""
    for cost in costs:
        whole("cost", cost.points, 0)
        if (who, cost.stat) not in state.pools:
            raise value_refused("cost", "left out, since there is no such pool", cost.stat)


def pay(who: str, costs: tuple[Cost, ...], on: str, state: State, *rules: str) -> Iterator[Fact]:
    """DB-COST-3: points that are gone, whatever comes of it."""
    for cost in costs:
        now = state.points(who, cost.stat) - cost.points
        if cost.points:
            yield PointsSpent(rules=rules, who=who, pool=cost.stat, points=cost.points, now=now, because=on)


def check_points(said: Task, stat: Stat, state: State) -> None:
    """DB-COST-5: what can pay its minimum but not the Effort on top is refused, naming the most levels."""
    needed = sum(item.points for item in bill(said, stat, state) if item.stat == stat)
    pool = state.points(said.by, stat)
    if needed <= pool:
        return
    fixed = minimum(said, stat, state, retry=False)[stat]
    levels = max(n for n in range(EFFORT_STEPS_MOST + 1) if fixed + effort_price(state, said.by, n) <= pool)
    raise refused("POINTS", cost=needed, stat=stat, name=said.by, pool=pool, n=levels)


def payment(said: Task, stat: Stat, state: State) -> Iterator[Fact]:
    """DB-COST-3: all of it is paid before the roll, and gone whether or not the task succeeds."""
    for item in bill(said, stat, state):
        now = state.points(said.by, item.stat) - item.points
        yield PointsSpent(rules=item.rules, who=said.by, pool=item.stat, points=item.points, now=now, because=item.on)


def cost(said: Task, stat: Stat, state: State) -> Sum | None:
    """What is paid, item by item, or None when nothing is."""
    now, steps = 0, []
    for item in bill(said, stat, state):
        now += item.points
        steps.append(Step(op="+", value=item.points, rule=item.rules[0], reason=f"{item.on} from {item.stat}", now=now))
    return Sum(name="cost", start=0, steps=tuple(steps), total=now) if steps else None


def together(*costs: tuple[Cost, ...]) -> tuple[Cost, ...]:
    """DB-DEST-13: what several costs come to, by pool."""
    sums = {pool: sum(cost.points for some in costs for cost in some if cost.stat == pool) for pool in STATS}
    return tuple(Cost(pool, points) for pool, points in sums.items() if points)


def spent(said: Task, stat: Stat, state: State) -> tuple[Cost, ...]:
    """DB-DEST-13: all stat points that this action costs, by pool."""
    sums: dict[Stat, int] = dict.fromkeys(STATS, 0)
    for item in bill(said, stat, state):
        sums[item.stat] += item.points
    return tuple(Cost(pool, points) for pool, points in sums.items() if points)
