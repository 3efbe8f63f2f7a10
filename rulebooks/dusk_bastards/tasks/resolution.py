"""The resolution of an attempt, in the order that DB-PLAY-8 fixes: from Destiny spent before it to the open roll."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ledger.dice import Dice
from ledger.facts import GM, Fact, WindowOpened
from projections.state import State
from rulebooks.dusk_bastards.declarations.combat import Defence
from rulebooks.dusk_bastards.declarations.parts import Cost, Stat
from rulebooks.dusk_bastards.declarations.tasks import Retry, Search, Task
from rulebooks.dusk_bastards.tasks.consequences import apply_consequences
from rulebooks.dusk_bastards.tasks.costs import Price, can_pay_minimum, pay_price, price_of
from rulebooks.dusk_bastards.tasks.destiny import apply_destined_effect, check_split, unrefunded_points
from rulebooks.dusk_bastards.tasks.difficulty import (
    RollModifier,
    difficulty,
    leave_out_denied,
    routine,
    score_bonus,
    target_number,
    target_sum,
)
from rulebooks.dusk_bastards.tasks.effects import own_modifiers
from rulebooks.dusk_bastards.tasks.judgement import JUDGED_AS, automatic_failure, judge, routine_success
from rulebooks.dusk_bastards.tasks.roll import OPEN_ROLL, TAKING_20, Roll, RollTarget, throw
from rulebooks.dusk_bastards.tasks.token_uses import spend_before_roll
from rulebooks.dusk_bastards.world.waits import pass_time_for


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """A target before the roll: its own difficulty, the modifiers of a roll against it, and the effect of a hit."""

    base: int
    against: str = ""
    note: str = ""
    modifiers: tuple[RollModifier, ...] = ()


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The part of an attempt that depends on its kind: consequences, targets and rules."""

    kind: str = "task"
    targets: tuple[Target, ...] = ()  # of the one roll, at least one when it is resolved
    retries: str = ""
    locates: str = ""
    rules: tuple[str, ...] = ()  # of what the roll is for
    paid: tuple[Cost, ...] = ()  # on the same action, before (DB-DEST-13)
    reach: bool = True  # False: there is no number to reach, steps count on the score


def resolve(said: Task, stat: Stat, plan: Plan, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-PLAY-8: Destiny before the roll, costs, routine check, roll, destined effect, provisional result.

    DB-GAP-80: the targets are those after the wait.
    """
    yield from spend_before_roll(said.by, said.destiny_first, state)
    price = price_of(said, stat, state, retry=bool(plan.retries), before=plan.paid)
    roll = new_roll(said, stat, plan, price)
    if price.shortage is not None:
        what = JUDGED_AS.get(plan.kind, plan.kind)
        yield automatic_failure(said.by, what, roll.against, price.shortage, state)
        yield from apply_consequences(roll, state, won=False, opened=None)
        return
    yield from pay_price(price, state)
    if said.refund:
        check_split(roll, said.refund, unrefunded_points(roll))
    targets = modified_targets(said, plan, state)
    idle = [modifier.rule for target in targets for modifier in target.modifiers if not modifier.steps]
    roll = msgspec.structs.replace(roll, rules=tuple(dict.fromkeys([*plan.rules, *idle])))
    if not plan.reach:
        bonus, steps = score_bonus(said, state, targets[0].modifiers)
        yield from make_roll(said, msgspec.structs.replace(roll, bonus=bonus, sums=(*price.sums, steps)), state, dice)
        return
    first, *others = [roll_target(said, target, state) for target in targets]
    sums = (first.sums[0], *price.sums, *first.sums[1:])
    roll = msgspec.structs.replace(roll, target=first.target, sums=sums, others=tuple(others))
    if first.target or any(target.target for target in others):
        yield from make_roll(said, roll, state, dice)
        return
    for each in roll.per_target():
        yield routine_success(each)
    yield from apply_consequences(roll, state, won=True, opened=None)


def wait(said: Task, stat: Stat, state: State, *, retry: bool = False) -> Iterator[Fact]:
    """DB-GAP-80: the wait comes first, so that what ends during it bears on nothing.

    DB-COST-4: nobody waits who cannot pay the minimum.
    """
    if said.duration and can_pay_minimum(said, stat, state, retry=retry):
        yield from spend_time(said, state)


def new_roll(said: Task, stat: Stat, plan: Plan, price: Price) -> Roll:
    """Return the roll before its dice and its target number."""
    first = plan.targets[0]
    return Roll(
        kind=plan.kind,
        against=first.against,
        note=first.note,
        who=said.by,
        task=said.task,
        skill=(said.skill if isinstance(said, Search) else "") or msgspec.UNSET,
        stat=stat,
        base=first.base,
        duration=said.duration,
        hidden=said.hidden,
        floor=TAKING_20 if said.take20 else 0,
        target=None,
        retries=plan.retries,
        locates=plan.locates,
        spent=price.spent,
        weapon=(said.foe_weapon if isinstance(said, Defence) else "") or msgspec.UNSET,
    )


def modified_targets(said: Task, plan: Plan, state: State) -> list[Target]:
    """DB-MOD-4: each target with the modifiers of the roller added; denied ones are marked as not counted."""
    own = own_modifiers(said.by, plan.kind, state)
    return [
        msgspec.structs.replace(target, modifiers=leave_out_denied(said.denied, (*target.modifiers, *own)))
        for target in plan.targets
    ]


def roll_target(said: Task, target: Target, state: State) -> RollTarget:
    """DB-PLAY-3, DB-PLAY-4: the final difficulty against one target, and the target number that it gives."""
    final = difficulty(said, target.base, state, target.modifiers) if target.base else routine(target.base)
    number = target_number(final.total)
    sums = (final, target_sum(final.total, number)) if number else (final,)
    return RollTarget(against=target.against, note=target.note, base=target.base, target=number, sums=sums)


def spend_time(said: Task, state: State) -> Iterator[Fact]:
    """DB-T20-1: taking 20 takes twenty times the usual time; DB-RETRY-2: a retry as long as the attempt."""
    seconds = (said.duration or 0) * (20 if said.take20 else 1)
    rule = "DB-T20-1" if said.take20 else "DB-RETRY-2" if isinstance(said, Retry) else "DB-ACT-3"
    yield from pass_time_for(said.by, seconds, "taking 20" if said.take20 else said.task, state, rule)


def make_roll(said: Task, roll: Roll, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-PLAY-5, DB-DEST-4: the roll, its destined effect, the provisional result; then the window is open."""
    roll, faces = throw(roll, dice, f"{roll.kind} {said.by}")
    yield faces
    roll = yield from apply_destined_effect(roll, state, said.refund)
    yield from judge(roll, final=False)
    yield WindowOpened(
        rules=("DB-DEST-4",), window=OPEN_ROLL, kind="roll", who=said.by, awaits=(said.by, GM), data=roll.encode()
    )
