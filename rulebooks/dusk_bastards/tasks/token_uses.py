"""Uses of Destiny and Doom: before a roll, in its window, and on the game master's side."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final

import msgspec

from ledger.dice import Dice
from ledger.facts import GM, Fact, Ruled, WindowChanged
from projections.state import State
from rulebooks.common.decisions import decides
from rulebooks.common.values import point_gain
from rulebooks.dusk_bastards import case_law, guards
from rulebooks.dusk_bastards.declarations.parts import STATS, Cost, Stat, Use
from rulebooks.dusk_bastards.declarations.tasks import SpendDestiny, SpendDoom
from rulebooks.dusk_bastards.tasks import destiny, judgement
from rulebooks.dusk_bastards.tasks.roll import (
    OPEN_ROLL,
    Roll,
    check_dice,
    is_roll_open,
    open_roll,
    shift_targets,
    throw,
)
from rulebooks.dusk_bastards.texts import check_whole, option, refusal, value_refusal

USE_RULES: Final[dict[str, tuple[str, str]]] = {
    "reroll": ("DB-DEST-6", "DB-DEST-5"),
    "regain": ("DB-DEST-7", "DB-DEST-5"),
    "activate": ("DB-DEST-8", "DB-DEST-5"),
    "change-target": ("DB-DEST-10", "DB-PLAY-6"),
}


def spend_before_roll(who: str, uses: tuple[Use, ...], state: State) -> Iterator[Fact]:
    """DB-DEST-5: Destiny spent before the roll, before costs are checked; there is nothing to reroll yet."""
    if not uses:
        return
    check_held(who, uses, state)
    if any(use.use not in ("regain", "activate") for use in uses):
        raise refusal("DESTINY-USE")
    check_room(who, uses, state)
    for use in uses:
        yield use_payment(who, use, state)
        yield use_benefit(who, use, "", state)


def check_held(who: str, uses: tuple[Use, ...], state: State) -> None:
    """DB-DEST-5: one point buys one use."""
    if len(uses) > state.tokens_held(who, destiny.DESTINY):
        raise refusal("DESTINY-NONE", name=who, n=state.tokens_held(who, destiny.DESTINY))


def check_room(who: str, uses: tuple[Use, ...], state: State) -> None:
    """DB-DEST-7: no pool above its maximum."""
    wanted = [regained_stat(use) for use in uses if use.use == "regain"]
    for stat in STATS:
        if wanted.count(stat) > destiny.pool_room(who, stat, state):
            raise refusal("POOL-FULL", name=who, stat=stat)


def use_payment(who: str, use: Use, state: State) -> Fact:
    """DB-DEST-5: one point for one use."""
    return destiny.destiny_change(who, -1, use.use.replace("-", " "), state, *USE_RULES[use.use])


def use_benefit(who: str, use: Use, effect: str, state: State) -> Fact:
    """DB-DEST-7 and DB-DEST-8: the two uses that need no open roll. A point for a full pool is lost."""
    if use.use == "activate":
        return Ruled(
            rules=("DB-DEST-8",), name="activate", text=use.of, because=effect or "relevant", about=who, agreed=(GM,)
        )
    stat = regained_stat(use)
    back = min(1, destiny.pool_room(who, stat, state))
    return point_gain(who, stat, back, destiny.DESTINY, state, "DB-DEST-7", over=1 - back)


def regained_stat(use: Use) -> Stat:
    """DB-DEST-7: one of the three stat pools; health is not one."""
    for stat in STATS:
        if use.of and stat.startswith(use.of.casefold()):
            return stat
    raise value_refusal("regain", "might, speed or intellect", use.of or None)


def check_uses(said: SpendDestiny, state: State, dice: Dice) -> Roll:
    """DB-DEST-5: check everything before a die is thrown, so that no refusal depends on its face."""
    if not said.uses:
        raise value_refusal("uses", "reroll, regain, activate or change-target", None)
    check_shares(said.refund, said.uses)
    rerolls = sum(use.use == "reroll" for use in said.uses)
    if rerolls:
        check_dice(dice, rerolls)
    roll = open_roll(state)
    if roll is None:
        guards.check_no_wound_due(state)
    if roll is None or roll.who != said.by:
        raise refusal("DESTINY-WINDOW", name=said.by)
    check_held(said.by, said.uses, state)
    changes = sum(use.use == "change-target" for use in said.uses)
    if changes > roll.destiny or (changes and not can_change_target(roll, state)):
        raise refusal("DESTINY-USE")
    if is_limited_to_gains(roll, state) and (rerolls or len(said.uses) > roll.destiny):
        raise refusal("DESTINY-USE")
    check_room(said.by, said.uses, state)
    destiny.check_split(roll, said.refund, destiny.refund_limits(roll, state))
    return roll


def can_change_target(roll: Roll, state: State) -> bool:
    """DB-DEST-10: whether the roll has a target number, and the table reads step 6 so."""
    return roll.target is not None and option(state, "points_change_target") == "on"


def is_limited_to_gains(roll: Roll, state: State) -> bool:
    """DB-DEST-15: on a wound roll only the point that it gives may be spent, for uses that need no task."""
    return roll.kind == "wound" and option(state, "destiny_on_wound_rolls") == "off"


def check_shares(split: tuple[Cost, ...], uses: tuple[Use, ...]) -> None:
    """DB-PLAY-9: the form of a refund and of a regain, whatever the state."""
    for share in split:
        check_whole("refund", share.points, 0)
    for use in uses:
        if use.use == "regain":
            regained_stat(use)


@decides(SpendDestiny)
def spend_destiny(said: SpendDestiny, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-DEST-5: any number of points in the window of one's own roll, one use each, all paid first."""
    roll = check_uses(said, state, dice)
    for use in said.uses:
        yield use_payment(said.by, use, state)
    changes = sum(use.use == "change-target" for use in said.uses)
    gained = len(said.uses) if is_limited_to_gains(roll, state) else changes
    roll = destiny.cap_gains(msgspec.structs.replace(roll, destiny=roll.destiny - gained), state)
    rerolls = 0
    for use in said.uses:
        match use.use:
            case "reroll":
                rerolls += 1
                roll = yield from reroll(said, roll, state, dice, rerolls)
            case "change-target":
                roll = shift_targets(roll, -target_change_per_point(state), "DB-DEST-10", "Destiny just gained")
                yield from judgement.judge(roll, state, final=False)
            case _:
                yield use_benefit(said.by, use, said.effect, state)
    yield window_change(roll)


def reroll(said: SpendDestiny, roll: Roll, state: State, dice: Dice, number: int) -> Generator[Fact, None, Roll]:
    """DB-DEST-6: both dice again, same target number, no further cost; the new roll counts even if worse."""
    purpose = f"reroll {said.by}" if number == 1 else f"reroll {said.by} {number}"
    roll = yield from throw(roll, dice, purpose, state)
    roll = yield from destiny.apply_destined_effect(roll, state, said.refund)
    yield from judgement.judge(roll, state, final=False)
    return roll


def target_change_per_point(state: State) -> int:
    """DB-DEST-10: how far one point moves the target number; a table may choose another amount."""
    amount = option(state, "target_change_per_point")
    return amount if isinstance(amount, int) else 0


@decides(SpendDoom)
def spend_doom(said: SpendDoom, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-DEST-11: from 1 point to the whole total; the open roll, if there is one, stays open."""
    check_whole("points", said.points, 1)
    if said.use == "other" and not said.purpose:
        raise value_refusal("purpose", "a few words in quotes", None)
    if said.points != (ruled := case_law.doom_cost(said, state) or said.points):
        raise value_refusal("points", f"{ruled}, the ruled price of {said.purpose}", said.points)
    if not is_roll_open(state):
        guards.check_no_wound_due(state)
    if said.points > state.tokens_held(GM, destiny.DOOM):
        raise refusal("DOOM-NONE", n=state.tokens_held(GM, destiny.DOOM))
    if said.use == "change-target":
        yield from raise_target(said, state)
        return
    yield destiny.doom_change(-said.points, said.purpose, state, "DB-DEST-11", "DB-DEST-9")
    roll = open_roll(state)
    if roll is not None:
        yield window_change(destiny.cap_gains(roll, state))
    yield Ruled(
        rules=("DB-DEST-11",),
        name=destiny.DOOM,
        text=said.purpose,
        because=said.because or said.effect,
        about=said.effect,
    )


def raise_target(said: SpendDoom, state: State) -> Iterator[Fact]:
    """DB-DEST-10: Doom gained by this very task raises its target number, one step a point."""
    roll = open_roll(state)
    if roll is None or said.points > roll.doom or not can_change_target(roll, state):
        raise refusal("DOOM-USE")
    yield destiny.doom_change(-said.points, "change target", state, "DB-DEST-10", "DB-PLAY-6")
    roll = shift_targets(roll, said.points * target_change_per_point(state), "DB-DEST-10", "Doom just gained")
    roll = destiny.cap_gains(msgspec.structs.replace(roll, doom=roll.doom - said.points), state)
    yield from judgement.judge(roll, state, final=False)
    yield window_change(roll)


def window_change(roll: Roll) -> Fact:
    """Return the fact that the open window now holds this roll."""
    area = ("DB-AREA-3",) if roll.others else ()
    return WindowChanged(rules=("DB-DEST-4", *area), window=OPEN_ROLL, awaits=(roll.who, GM), data=roll.encode())
