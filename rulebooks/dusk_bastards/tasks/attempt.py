"""How you play: one attempt, in the order that DB-PLAY-8 fixes, from the words to the open roll."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.dice import Dice
from ledger.facts import GM, Fact, Judged, Sum, WindowOpened
from projections.state import State
from rulebooks.dusk_bastards.combat.aim import task_modifiers
from rulebooks.dusk_bastards.combat.situations import check_situations, leave_out_denied
from rulebooks.dusk_bastards.declarations import (
    AreaAttack,
    Attack,
    Attempt,
    Cost,
    Denied,
    Directed,
    Intercept,
    Retry,
    Search,
    Spell,
    Stat,
    Task,
)
from rulebooks.dusk_bastards.guards import check_able, check_actor, check_not_paralysed
from rulebooks.dusk_bastards.tasks.consequences import settle
from rulebooks.dusk_bastards.tasks.costs import check_points, cost, lacking, payment, spent, together
from rulebooks.dusk_bastards.tasks.destiny import apply_destined_effect, check_split, half_rounded_up
from rulebooks.dusk_bastards.tasks.difficulty import RollModifier, difficulty, routine, score_bonus, target_number
from rulebooks.dusk_bastards.tasks.effects import own_modifiers
from rulebooks.dusk_bastards.tasks.effort import check_effort, free_levels
from rulebooks.dusk_bastards.tasks.retries import failure, failure_to_retry, failures_of, retry_stat
from rulebooks.dusk_bastards.tasks.roll import (
    JUDGED_AS,
    OPEN_ROLL,
    TAKING_20,
    Aim,
    Roll,
    check_dice,
    judge,
    target_sum,
    throw,
)
from rulebooks.dusk_bastards.tasks.stats import is_physical, stat_of
from rulebooks.dusk_bastards.tasks.token_uses import check_shares, spend_before_roll
from rulebooks.dusk_bastards.texts import refused, value_refused, whole
from rulebooks.dusk_bastards.turns.cycle import check_action, is_in_combat, use_action
from rulebooks.dusk_bastards.world.clock import pass_time

DIFFICULTY_MOST: Final = 12


def check_form(said: Task, state: State, dice: Dice) -> None:
    """DB-PLAY-9: the form of the input first: values, faces, difficulty."""
    check_actor(said.by, state)
    for field in ("effort", "free_effort", "initial_cost"):
        whole(field, getattr(said, field), 0)
    for steps in [*(asset.steps for asset in said.assets), *(found.steps for found in (*said.ease, *said.hinder))]:
        whole("steps", steps, 1)
    for paid in said.ability_cost:
        whole("ability_cost", paid.points, 0)
    check_situations(said.situations if isinstance(said, Directed) else (), said.denied)
    if isinstance(said, Search):
        task_modifiers(said, state)
    check_shares(said.refund, said.destiny_first)
    for helper in said.helpers:
        check_helper(helper, said.by, state)
    if said.duration is not None:
        whole("duration", said.duration, 0)
    if isinstance(said, Attack | AreaAttack | Intercept) or (isinstance(said, Attempt) and said.difficulty is not None):
        stat_of(said, state)
    if isinstance(said, Spell) and (said.target or said.difficulty is not None):
        stat_of(said, state)
    check_dice(dice, 1)
    if said.difficulty is not None and not 0 <= said.difficulty <= DIFFICULTY_MOST:
        raise refused("DIFFICULTY")


def check_helper(helper: str, by: str, state: State) -> None:
    """DB-MOD-5: somebody in play helps, and nobody helps themselves."""
    being = state.being(helper)
    if being is None or being.name == by:
        raise value_refused("helpers", "somebody else in play", helper)


def attempt(said: Attempt, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-PLAY-1 to 8. Without a difficulty, a task that failed before is tried again (DB-RETRY-1)."""
    if said.difficulty is not None:
        check_moment(said, stat_of(said, state), state)
        yield from use_action(said.by, said.slot, state)
        plan = Plan(modifiers=task_modifiers(said, state), locates=said.locates)
        yield from resolve(said, stat_of(said, state), said.difficulty, state, dice, plan)
        return
    if said.task not in {failure(found).task for _, found in failures_of(said.by, state)} - {""}:
        raise refused("DIFFICULTY")
    again = {field: getattr(said, field) for field in said.__struct_fields__}
    yield from retry(Retry(**again), state, dice)


def retry(said: Retry, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-RETRY-2: a new action; stat, difficulty and duration are the old ones unless said otherwise."""
    check_moment(said, retry_stat(said, state), state)
    id, failed = failure_to_retry(said, state)
    again = msgspec.structs.replace(
        said,
        task=failed.task,
        duration=failed.duration if said.duration is None else said.duration,
    )
    base = failed.difficulty if said.difficulty is None else said.difficulty
    plan = Plan(modifiers=task_modifiers(said, state), retries=id, locates=said.locates or failed.locates)
    yield from use_action(said.by, said.slot, state)
    yield from resolve(again, said.stat or failed.stat, base, state, dice, plan)


def check_moment(said: Task, stat: Stat | None, state: State) -> None:
    """DB-ACTN-4: who may act, and now. DB-SPEC-5: the paralysed without moving their body."""
    check_able(said.by, state)
    if is_physical(said, stat):
        check_not_paralysed(said.by, state)
    check_action(said.by, said.slot, state, fits=can_use_slot(said, state))
    check_take20(said, state)


def can_use_slot(said: Task, state: State) -> bool:
    """DB-ACTN-4, DB-BONUS-1: an attack is a standard action, and no bonus one; free only where no combat is running."""
    if not isinstance(said, Attack | AreaAttack) or said.slot in (None, "standard"):
        return True
    return said.slot == "none" and not is_in_combat(said.by, state)


def check_take20(said: Task, state: State) -> None:
    """DB-T20-3: twenty rounds would pass: there is no time to take 20 in combat."""
    if said.take20 and is_in_combat(said.by, state):
        raise refused("T20-COMBAT")


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """A target: its own difficulty, what bears on the roll against it, and what a hit does."""

    against: str
    note: str
    base: int
    modifiers: tuple[RollModifier, ...]


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a chapter adds to the six steps: whose consequences, against whom, and what it knows to bear on the roll."""

    kind: str = "task"
    against: str = ""
    note: str = ""
    retries: str = ""
    modifiers: tuple[RollModifier, ...] = ()
    locates: str = ""
    others: tuple[Target, ...] = ()  # further targets of the same roll
    rules: tuple[str, ...] = ()  # of what the roll is for
    paid: tuple[Cost, ...] = ()  # on the same action, before (DB-DEST-13)
    reach: bool = True  # False: there is no number to reach, steps count on the score


def resolve(said: Task, stat: Stat, base: int, state: State, dice: Dice, plan: Plan) -> Iterator[Fact]:
    """DB-PLAY-8: Destiny before the roll, costs, routine check, roll, destined effect, provisional result."""
    yield from spend_before_roll(said.by, said.destiny_first, state)
    check_effort(said, stat, state)
    if plan.retries and not said.effort + free_levels(said, state):
        raise refused("RETRY-EFFORT")
    roll = new_roll(said, stat, base, state, plan)
    short = lacking(said, stat, state, retry=bool(plan.retries))
    if short is not None:
        yield from fail_automatically(said, roll, plan, state, short)
        return
    check_points(said, stat, state)
    out = {cost.stat: cost.points for cost in roll.spent}
    check_split(said.refund, out, half_rounded_up(sum(out.values())))
    own = own_modifiers(said.by, plan.kind, state)
    bears = leave_out_denied(said.denied, (*plan.modifiers, *own))
    plan = msgspec.structs.replace(plan, others=tuple(marked(mark, own, said.denied) for mark in plan.others))
    idle = (one.rule for mark in (bears, *(mark.modifiers for mark in plan.others)) for one in mark if not one.steps)
    roll = msgspec.structs.replace(roll, rules=tuple(dict.fromkeys([*plan.rules, *idle])))
    paid = cost(said, stat, state)
    costs = (paid,) if paid else ()
    if not plan.reach:
        bonus, steps = score_bonus(said, state, bears)
        yield from payment(said, stat, state)
        yield from make_roll(said, msgspec.structs.replace(roll, bonus=bonus, sums=(*costs, steps)), state, dice)
        return
    first = roll_target(said, Target(against=plan.against, note=plan.note, base=base, modifiers=bears), costs, state)
    others = tuple(roll_target(said, mark, (), state) for mark in plan.others)
    roll = msgspec.structs.replace(roll, target=first.target, sums=first.sums, others=others)
    yield from payment(said, stat, state)
    yield from spend_time(said, state)
    if not any(one.target for one in (first, *others)):
        for one in roll.per_target():
            yield routine_success(one)
        yield from settle(roll, state, won=True, opened=None)
        return
    yield from make_roll(said, roll, state, dice)


def marked(mark: Target, own: tuple[RollModifier, ...], denied: tuple[Denied, ...]) -> Target:
    """DB-MOD-4: what bears on the roll against one target, with what bears on every roll of whoever makes it."""
    return msgspec.structs.replace(mark, modifiers=leave_out_denied(denied, (*mark.modifiers, *own)))


def roll_target(said: Task, mark: Target, costs: tuple[Sum, ...], state: State) -> Aim:
    """DB-PLAY-3, DB-PLAY-4: the final difficulty against one target, and the target number that it gives."""
    final = difficulty(said, mark.base, state, mark.modifiers) if mark.base else routine(mark.base)
    target = target_number(final.total)
    numbers = (target_sum(final.total, target),) if target else ()
    return Aim(against=mark.against, note=mark.note, base=mark.base, target=target, sums=(final, *costs, *numbers))


def new_roll(said: Task, stat: Stat, base: int, state: State, plan: Plan) -> Roll:
    """The roll before its dice and its target number."""
    return Roll(
        kind=plan.kind,
        against=plan.against,
        note=plan.note,
        who=said.by,
        task=said.task,
        stat=stat,
        base=base,
        duration=said.duration,
        hidden=said.hidden,
        floor=TAKING_20 if said.take20 else 0,
        target=None,
        retries=plan.retries,
        locates=plan.locates,
        spent=together(plan.paid, spent(said, stat, state)),
    )


def make_roll(said: Task, roll: Roll, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-PLAY-5, DB-DEST-4: the roll, its destined effect, the provisional result; then the window is open."""
    roll, faces = throw(roll, dice, f"{roll.kind} {said.by}")
    yield faces
    roll = yield from apply_destined_effect(roll, state, said.refund)
    yield from judge(roll, final=False)
    yield WindowOpened(
        rules=("DB-DEST-4",), window=OPEN_ROLL, kind="roll", who=said.by, awaits=(said.by, GM), data=roll.encode()
    )


def routine_success(roll: Roll) -> Fact:
    """DB-PLAY-3, DB-MOD-3: routine: success without a roll, so no destined effect and no tokens."""
    eased = ("DB-PLAY-3", "DB-MOD-3", "DB-MOD-1", "DB-DIFF-2") if roll.base else ("DB-PLAY-1", "DB-MOD-3")
    return Judged(
        rules=(*eased, "DB-ACT-3", *roll.rules, "DB-PLAY-8"),
        what=JUDGED_AS.get(roll.kind, roll.kind),
        who=roll.who,
        against=roll.against,
        sums=roll.sums,
        result="routine",
        final=True,
        seen="gm" if roll.hidden else "table",
    )


def fail_automatically(said: Task, roll: Roll, plan: Plan, state: State, short: tuple[Stat, int]) -> Iterator[Fact]:
    """DB-COST-4, DB-ACT-4: who cannot pay the minimum fails; nothing is spent, nothing rolled."""
    yield automatic_failure(said.by, JUDGED_AS.get(plan.kind, plan.kind), plan.against, short, state)
    yield from settle(roll, state, won=False, opened=None)


def automatic_failure(who: str, what: str, against: str, short: tuple[Stat, int], state: State) -> Fact:
    """DB-COST-4: the pool that falls short, and what it should have paid."""
    pool, least = short
    return Judged(
        rules=("DB-COST-4", "DB-ACT-4"),
        what=what,
        who=who,
        against=against,
        sums=(Sum(name=f"least {pool}", start=least, steps=(), total=least),),
        total=state.points(who, pool),
        target=least,
        result="automatic failure",
        final=True,
    )


def spend_time(said: Task, state: State) -> Iterator[Fact]:
    """DB-T20-1: taking 20 takes twenty times the usual time; DB-RETRY-2: a retry as long as the attempt."""
    if said.duration:
        seconds = said.duration * (20 if said.take20 else 1)
        rule = "DB-T20-1" if said.take20 else "DB-RETRY-2" if isinstance(said, Retry) else "DB-ACT-3"
        yield from pass_time(seconds, "taking 20" if said.take20 else said.task, state, rule)
