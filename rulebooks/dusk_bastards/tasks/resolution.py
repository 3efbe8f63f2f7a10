"""The resolution of an attempt, in the order that DB-PLAY-8 fixes: from Destiny spent before it to the open roll."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from ledger.dice import Dice
from ledger.facts import GM, Fact, WindowOpened
from projections.state import State
from rulebooks.dusk_bastards.declarations.combat import Defence
from rulebooks.dusk_bastards.declarations.parts import Cost, Stat
from rulebooks.dusk_bastards.declarations.tasks import Retry, Search, Task
from rulebooks.dusk_bastards.guards import Turn
from rulebooks.dusk_bastards.tasks import destiny, effects, judgement, stats, token_uses
from rulebooks.dusk_bastards.tasks.costs import Price, can_pay_minimum, pay_price, price_of
from rulebooks.dusk_bastards.tasks.difficulty import Target, all_modifiers, roll_target, score_bonus, with_own
from rulebooks.dusk_bastards.tasks.roll import OPEN_ROLL, TAKING_20, Roll, apply_consequences, throw
from rulebooks.dusk_bastards.world.waits import pass_time_for


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt that nothing speaks against: its line, and what it is decided from, worked out before its wait."""

    said: Task
    turn: Turn | None = None  # whose action it uses, where the roll is one
    stat: Stat
    kind: str = "task"  # of its consequences
    bases: tuple[int, ...] = ()  # the difficulty of a task, or the own ones of the targets of an attack
    retries: str = ""
    locates: str = ""
    rules: tuple[str, ...] = ()  # of what the roll is for
    paid: tuple[Cost, ...] = ()  # on the same action, before (DB-DEST-13)
    reach: bool = True  # False: there is no number to reach, steps count on the score

    def roll(self, targets: Sequence[Target], price: Price, **reached: Any) -> Roll:
        """Return the roll before its dice, with what is `reached`: the target number and its arithmetic."""
        said, first = self.said, targets[0]
        idle = [modifier.rule for target in targets for modifier in target.modifiers if not modifier.steps]
        return Roll(
            kind=self.kind,
            against=first.against,
            note=first.note,
            who=said.by,
            task=said.task,
            skill=(said.skill if isinstance(said, Search) else "") or msgspec.UNSET,
            stat=self.stat,
            base=first.base,
            duration=said.duration,
            hidden=said.hidden,
            floor=TAKING_20 if said.take20 else 0,
            retries=self.retries,
            locates=self.locates,
            spent=price.spent,
            rules=tuple(dict.fromkeys([*self.rules, *idle])),
            weapon=(said.foe_weapon if isinstance(said, Defence) else "") or msgspec.UNSET,
            **{"target": None, **reached},
        )


def wait(plan: Plan, state: State) -> Iterator[Fact]:
    """DB-GAP-80: the wait comes first, so that what ends during it bears on nothing.

    DB-COST-4: nobody waits who cannot pay the minimum. DB-T20-1: taking 20 takes twenty times the usual time;
    DB-RETRY-2: a retry as long as the attempt.
    """
    said = plan.said
    if said.duration and can_pay_minimum(said, plan.stat, state, retry=bool(plan.retries)):
        rule = "DB-T20-1" if said.take20 else "DB-RETRY-2" if isinstance(said, Retry) else "DB-ACT-3"
        what, times = ("taking 20", 20) if said.take20 else (said.task, 1)
        yield from pass_time_for(said.by, times * said.duration, what, state, rule)


def resolve(plan: Plan, targets: Sequence[Target], state: State, dice: Dice) -> Iterator[Fact]:
    """DB-PLAY-8: Destiny before the roll, costs, routine check, roll, destined effect, provisional result.

    DB-DEST-4: then the window is open. DB-GAP-80: the targets of the one roll, at least one, are those after the wait.
    """
    said = plan.said
    if said.destiny_first:
        yield from token_uses.spend_before_roll(said.by, said.destiny_first, state)
    price = price_of(said, plan.stat, state, retry=bool(plan.retries), before=plan.paid)
    if price.shortage is not None:
        what, against = judgement.JUDGED_AS.get(plan.kind, plan.kind), targets[0].against
        yield judgement.automatic_failure(said.by, what, against, price.shortage, state)
        yield from apply_consequences(plan.roll(targets, price), state, won=False, opened=None)
        return
    yield from pay_price(price, state)
    own, skilled = effects.own_modifiers(said.by, plan.kind, state), stats.skills(said, state)
    targets = [with_own(target, own, said.denied) for target in targets]
    if plan.reach:
        first, *others = [roll_target(said, target, skilled, price.free, state) for target in targets]
        sums = (first.sums[0], *price.sums, *first.sums[1:])
        roll = plan.roll(targets, price, target=first.target, sums=sums, others=tuple(others))
    else:
        bonus, steps = score_bonus(all_modifiers(said, targets[0].modifiers, skilled, price.free, state))
        roll = plan.roll(targets, price, bonus=bonus, sums=(*price.sums, steps))
    if said.refund:
        destiny.check_split(roll, said.refund, destiny.unrefunded_points(roll))
    if roll.target == 0 and not any(target.target for target in roll.others):
        for each in roll.per_target():
            yield judgement.routine_success(each)
        yield from apply_consequences(roll, state, won=True, opened=None)
        return
    roll = yield from throw(roll, dice, f"{roll.kind} {said.by}", state)
    roll = yield from destiny.apply_destined_effect(roll, state, said.refund)
    yield from judgement.judge(roll, state, final=False)
    yield WindowOpened(
        rules=("DB-DEST-4",), window=OPEN_ROLL, kind="roll", who=said.by, awaits=(said.by, GM), data=roll.encode()
    )
