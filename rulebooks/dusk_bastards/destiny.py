"""Destined effects, Destiny and Doom, and the window of an open roll."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final

import msgspec

from ledger.dice import Dice
from ledger.facts import (
    GM,
    Fact,
    PointsRegained,
    Ruled,
    TokensMoved,
    WindowChanged,
    WindowClosed,
)
from projections.state import State
from rulebooks.dusk_bastards.book import option, refused, value_refused, whole
from rulebooks.dusk_bastards.declarations import STATS, Close, Cost, SpendDestiny, SpendDoom, Stat, Use
from rulebooks.dusk_bastards.retrying import consequences
from rulebooks.dusk_bastards.rolling import (
    OPEN_ROLL,
    Roll,
    check_dice,
    destined_effect,
    judged,
    open_roll,
    shifted,
    thrown,
)

DESTINY: Final = "destiny"
DOOM: Final = "doom"
DUSK_DOOM: Final = 2


def level(state: State, who: str) -> int:
    """DB-DEST-3: a character holds at most so much Destiny."""
    written = state.sheet(who, "level")
    return written if isinstance(written, int) else 1


def destiny_moved(state: State, who: str, change: int, how: str, *rules: str) -> TokensMoved:
    """A character's Destiny by so much more or less."""
    now = state.count(who, DESTINY) + change
    return TokensMoved(rules=rules, who=who, token=DESTINY, change=change, now=now, most=level(state, who), how=how)


def doom_moved(state: State, change: int, how: str, *rules: str) -> TokensMoved:
    """The game master's Doom by so much more or less: one total, no cap."""
    now = state.count(GM, DOOM) + change
    return TokensMoved(rules=rules, who=GM, token=DOOM, change=change, now=now, most=None, how=how)


def destined(roll: Roll, state: State, split: tuple[Cost, ...]) -> Generator[Fact, None, Roll]:
    """DB-DEST-1: what the dice destine; the roll as it stands after it."""
    yield destined_effect(roll)
    match roll.destined:
        case "dawn":
            yield destiny_moved(state, roll.who, 1, "Dawn", "DB-DEST-2")
            return msgspec.structs.replace(roll, destiny=roll.destiny + 1)
        case "dusk":
            yield doom_moved(state, DUSK_DOOM, "Dusk", "DB-DEST-9")
            return msgspec.structs.replace(roll, doom=roll.doom + DUSK_DOOM)
    return (yield from eclipse(roll, state, split))


def eclipse(roll: Roll, state: State, split: tuple[Cost, ...]) -> Generator[Fact, None, Roll]:
    """DB-DEST-12: the roller loses 1 Destiny if any, the game master 1 Doom if any, half of the points flow back."""
    if state.count(roll.who, DESTINY):
        yield destiny_moved(state, roll.who, -1, "Eclipse", "DB-DEST-12")
    if state.count(GM, DOOM):
        yield doom_moved(state, -1, "Eclipse", "DB-DEST-12")
    back = {cost.stat: cost.points for cost in roll.back}
    for cost in refund(roll, state, split):
        now = state.points(roll.who, cost.stat) + cost.points
        back[cost.stat] = back.get(cost.stat, 0) + cost.points
        yield PointsRegained(
            rules=("DB-DEST-13", "DB-DEST-12"),
            who=roll.who,
            pool=cost.stat,
            points=cost.points,
            now=now,
            how="Eclipse",
        )
    refunded = tuple(Cost(stat, back[stat]) for stat in STATS if back.get(stat))
    return held(msgspec.structs.replace(roll, back=refunded), state)


def held(roll: Roll, state: State) -> Roll:
    """DB-DEST-3: of points gained by this task no more are left than are held at all; held ones go first."""
    return msgspec.structs.replace(
        roll,
        destiny=min(roll.destiny, state.count(roll.who, DESTINY)),
        doom=min(roll.doom, state.count(GM, DOOM)),
    )


def half_rounded_up(points: int) -> int:
    """DB-DEST-12: half, rounded up."""
    return (points + 1) // 2


def refund(roll: Roll, state: State, split: tuple[Cost, ...]) -> list[Cost]:
    """DB-DEST-13: half of what is still out, to the pool that paid most first, within each pool's limits."""
    paid = {cost.stat: cost.points for cost in roll.spent}
    out = {stat: paid[stat] - _points(roll.back, stat) for stat in paid}
    rest = half_rounded_up(sum(out.values()))
    room = {stat: min(out[stat], _room(state, roll.who, stat)) for stat in paid}
    wanted = {cost.stat: cost.points for cost in split}
    if split and sum(wanted.values()) == rest and all(wanted[stat] <= room.get(stat, 0) for stat in wanted):
        return [cost for cost in split if cost.points]
    order = sorted(paid, key=lambda stat: (-paid[stat], stat != roll.stat, STATS.index(stat)))
    shares = []
    for stat in order:
        share = min(rest, room[stat])
        rest -= share
        shares.append(Cost(stat, share))
    return [cost for cost in shares if cost.points]


def check_split(split: tuple[Cost, ...], paid: tuple[Cost, ...]) -> None:
    """DB-DEST-13: another split may be named inside the limits: half of all, no pool more than it paid."""
    if not split:
        return
    most = {cost.stat: cost.points for cost in paid}
    half = half_rounded_up(sum(most.values()))
    if sum(cost.points for cost in split) != half or any(
        not 0 <= cost.points <= most.get(cost.stat, 0) for cost in split
    ):
        shares = ", ".join(f"{cost.points} {cost.stat}" for cost in split)
        raise value_refused("refund", f"{half} points in all, to no pool more than it paid", shares)


def _points(costs: tuple[Cost, ...], stat: Stat) -> int:
    """What these costs say of one pool."""
    return sum(cost.points for cost in costs if cost.stat == stat)


def _room(state: State, who: str, stat: Stat) -> int:
    """How many points a pool can take."""
    pool = state.pools[who, stat]
    return (pool.most or 0) - pool.points


def spend_first(who: str, uses: tuple[Use, ...], state: State) -> Iterator[Fact]:
    """DB-DEST-5: Destiny spent before the roll, before costs are checked; there is nothing to reroll yet."""
    if len(uses) > state.count(who, DESTINY):
        raise refused("DESTINY-NONE", name=who, n=state.count(who, DESTINY))
    for use in uses:
        if use.use not in ("regain", "activate"):
            raise refused("DESTINY-USE")
        yield from _regained_or_activated(who, use, "", state)


def _regained_or_activated(who: str, use: Use, effect: str, state: State) -> Iterator[Fact]:
    """DB-DEST-7 and DB-DEST-8: the two uses that need no open roll."""
    stat = stat_named(use) if use.use == "regain" else None
    if stat and not _room(state, who, stat):
        raise refused("POOL-FULL", name=who, stat=stat)
    rule = "DB-DEST-7" if stat else "DB-DEST-8"
    yield destiny_moved(state, who, -1, use.use, rule, "DB-DEST-5")
    if stat:
        now = state.points(who, stat) + 1
        yield PointsRegained(rules=("DB-DEST-7",), who=who, pool=stat, points=1, now=now, how=DESTINY)
    else:
        yield Ruled(
            rules=("DB-DEST-8",), name="activate", text=use.of, because=effect or "relevant", about=who, agreed=(GM,)
        )


def stat_named(use: Use) -> Stat:
    """DB-DEST-7: one of the three stat pools; health is not one."""
    for stat in STATS:
        if use.of and stat.startswith(use.of.casefold()):
            return stat
    raise value_refused("regain", "might, speed or intellect", use.of or "nothing")


def spend_destiny(said: SpendDestiny, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-DEST-5: any number of points in the window of one's own roll, one use each."""
    if not said.uses:
        raise value_refused("uses", "reroll, regain, activate or change-target", "nothing")
    rerolls = sum(use.use == "reroll" for use in said.uses)
    if rerolls:
        check_dice(dice, rerolls)
    roll = open_roll(state)
    if roll is None or roll.who != said.by:
        raise refused("DESTINY-WINDOW", name=said.by)
    if len(said.uses) > state.count(said.by, DESTINY):
        raise refused("DESTINY-NONE", name=said.by, n=state.count(said.by, DESTINY))
    for place, use in enumerate(said.uses, start=1):
        match use.use:
            case "reroll":
                roll = yield from rerolled(said, roll, state, dice, place)
            case "change-target":
                roll = yield from lowered(roll, state)
            case _:
                yield from _regained_or_activated(said.by, use, said.effect, state)
                roll = held(roll, state)
                yield changed(roll)


def rerolled(said: SpendDestiny, roll: Roll, state: State, dice: Dice, place: int) -> Generator[Fact, None, Roll]:
    """DB-DEST-6: both dice again, same target number, no further cost; the new roll stands even if worse."""
    yield destiny_moved(state, said.by, -1, "reroll", "DB-DEST-6", "DB-DEST-5")
    purpose = f"reroll {said.by}" if place == 1 else f"reroll {said.by} {place}"
    roll, rolled = thrown(held(roll, state), dice, purpose)
    yield rolled
    roll = yield from destined(roll, state, said.refund)
    yield judged(roll, final=False)
    yield changed(roll)
    return roll


def lowered(roll: Roll, state: State) -> Generator[Fact, None, Roll]:
    """DB-PLAY-6, DB-DEST-10: a Destiny gained by this very task lowers its target number."""
    if option(state, "points_change_target") == "off" or not roll.destiny:
        raise refused("DESTINY-USE")
    yield destiny_moved(state, roll.who, -1, "change target", "DB-DEST-10", "DB-PLAY-6")
    roll = shifted(roll, -per_point(state), "DB-DEST-10", "Destiny just gained")
    roll = held(msgspec.structs.replace(roll, destiny=roll.destiny - 1), state)
    yield judged(roll, final=False)
    yield changed(roll)
    return roll


def per_point(state: State) -> int:
    """DB-DEST-10: how far one point moves the target number; a table may choose another amount."""
    amount = option(state, "target_change_per_point")
    return amount if isinstance(amount, int) else 0


def spend_doom(said: SpendDoom, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-DEST-11: from 1 point to the whole total; the open roll, if there is one, stays open."""
    whole("points", said.points, 1)
    if said.use == "other" and not said.purpose:
        raise value_refused("purpose", "a few words in quotes", "nothing")
    if said.points > state.count(GM, DOOM):
        raise refused("DOOM-NONE", n=state.count(GM, DOOM))
    if said.use == "change-target":
        yield from raised(said, state)
        return
    yield doom_moved(state, -said.points, said.purpose, "DB-DEST-11", "DB-DEST-9")
    roll = open_roll(state)
    if roll is not None:
        yield changed(held(roll, state))
    yield Ruled(
        rules=("DB-DEST-11",), name=DOOM, text=said.purpose, because=said.because or said.effect, about=said.effect
    )


def raised(said: SpendDoom, state: State) -> Iterator[Fact]:
    """DB-DEST-10: Doom gained by this very task raises its target number, one step a point."""
    roll = open_roll(state)
    if roll is None or said.points > roll.doom or option(state, "points_change_target") == "off":
        raise refused("DOOM-USE")
    yield doom_moved(state, -said.points, "change target", "DB-DEST-10", "DB-PLAY-6")
    roll = shifted(roll, said.points * per_point(state), "DB-DEST-10", "Doom just gained")
    roll = held(msgspec.structs.replace(roll, doom=roll.doom - said.points), state)
    yield judged(roll, final=False)
    yield changed(roll)


def changed(roll: Roll) -> Fact:
    """The window as it stands now."""
    return WindowChanged(rules=("DB-DEST-4",), window=OPEN_ROLL, awaits=(roll.who, GM), data=roll.packed())


def close(said: Close, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-DEST-4: closing makes the result final."""
    if open_roll(state) is None:
        raise refused("NO-ROLL")
    yield from closed(state, "done")


def closed(state: State, how: str) -> Iterator[Fact]:
    """DB-DEST-4: overflow Destiny is lost, the result is final, and its consequences take effect."""
    roll = open_roll(state)
    if roll is None:
        return
    over = state.count(roll.who, DESTINY) - level(state, roll.who)
    if over > 0:
        yield destiny_moved(state, roll.who, -over, "overflow", "DB-DEST-3")
    yield judged(roll, final=True)
    yield from consequences(roll, state)
    yield WindowClosed(rules=("DB-DEST-4",), window=OPEN_ROLL, how=how)
