"""Destiny and Doom: the destined effects of the dice, and the refund of an Eclipse."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

import msgspec

from ledger.facts import GM, Fact, Judged, TokensMoved
from projections.state import State
from rulebooks.common.values import point_gain, sheet_number
from rulebooks.dusk_bastards.declarations.parts import STATS, Cost, Stat
from rulebooks.dusk_bastards.tasks.roll import DestinedEffect, Roll
from rulebooks.dusk_bastards.texts import value_refusal

DESTINY: Final = "destiny"
DOOM: Final = "doom"
DUSK_DOOM: Final = 2
EFFECTS: Final[dict[DestinedEffect, str]] = {"dawn": "DB-DEST-2", "dusk": "DB-DEST-9", "eclipse": "DB-DEST-12"}


def destiny_limit(who: str, state: State) -> int:
    """DB-DEST-3: a character holds at most so much Destiny."""
    return sheet_number(who, "level", state, 1)


def destiny_change(who: str, change: int, because: str, state: State, *rules: str) -> TokensMoved:
    """Return the fact that a character's Destiny changes."""
    now = state.tokens_held(who, DESTINY) + change
    return TokensMoved(
        rules=rules, who=who, token=DESTINY, change=change, now=now, most=destiny_limit(who, state), because=because
    )


def doom_change(change: int, because: str, state: State, *rules: str) -> TokensMoved:
    """Return the fact that the game master's Doom changes: one total, no cap."""
    now = state.tokens_held(GM, DOOM) + change
    return TokensMoved(rules=rules, who=GM, token=DOOM, change=change, now=now, most=None, because=because)


def apply_destined_effect(roll: Roll, state: State, split: tuple[Cost, ...]) -> Generator[Fact, None, Roll]:
    """DB-DEST-1: apply the destined effect of the dice; return the roll after it."""
    if state.is_read:
        yield destined_effect(roll)
    if roll.who == GM:
        return (yield from apply_gm_effect(roll, state))
    match roll.effect:
        case "dawn":
            yield destiny_change(roll.who, 1, "Dawn", state, "DB-DEST-2")
            return msgspec.structs.replace(roll, destiny=roll.destiny + 1)
        case "dusk":
            yield doom_change(DUSK_DOOM, "Dusk", state, "DB-DEST-9")
            return msgspec.structs.replace(roll, doom=roll.doom + DUSK_DOOM)
    return (yield from apply_eclipse(roll, state, split))


def destined_effect(roll: Roll) -> Judged:
    """DB-ROLL-2: every roll of two dice has exactly one destined effect, whether it succeeds or fails."""
    effect, no_task = roll.effect, ("DB-DEST-14",) if roll.target is None else ()
    return Judged(
        rules=("DB-DEST-1", "DB-ROLL-2", EFFECTS[effect], *no_task),
        what="destined effect",
        who=roll.who,
        result=effect,
        rolls=(roll.purpose,),
        final=True,
    )


def apply_gm_effect(roll: Roll, state: State) -> Generator[Fact, None, Roll]:
    """DB-DMG-6: on the game master's side Dawn does nothing, Dusk gives 2 Doom, an Eclipse costs 1."""
    if roll.effect == "dusk":
        yield doom_change(DUSK_DOOM, "Dusk", state, "DB-DMG-6", "DB-DEST-9")
    if roll.effect == "eclipse" and state.tokens_held(GM, DOOM):
        yield doom_change(-1, "Eclipse", state, "DB-DMG-6", "DB-DEST-12")
    return roll


def apply_eclipse(roll: Roll, state: State, split: tuple[Cost, ...]) -> Generator[Fact, None, Roll]:
    """DB-DEST-12: the roller loses 1 Destiny if any, the game master 1 Doom if any, half of the points flow back."""
    if state.tokens_held(roll.who, DESTINY):
        yield destiny_change(roll.who, -1, "Eclipse", state, "DB-DEST-12")
    if state.tokens_held(GM, DOOM):
        yield doom_change(-1, "Eclipse", state, "DB-DEST-12")
    back = {cost.stat: cost.points for cost in roll.back}
    for cost in refund_shares(roll, state, split):
        back[cost.stat] = back.get(cost.stat, 0) + cost.points
        yield point_gain(roll.who, cost.stat, cost.points, "Eclipse", state, "DB-DEST-13", "DB-DEST-12")
    refunded = tuple(Cost(stat, back[stat]) for stat in STATS if back.get(stat))
    return cap_gains(msgspec.structs.replace(roll, back=refunded), state)


def cap_gains(roll: Roll, state: State) -> Roll:
    """DB-DEST-3: no more gained points are left than are held at all; points held before go first."""
    return msgspec.structs.replace(
        roll,
        destiny=min(roll.destiny, state.tokens_held(roll.who, DESTINY)),
        doom=min(roll.doom, state.tokens_held(GM, DOOM)),
    )


def half_rounded_up(points: int) -> int:
    """DB-DEST-12: half, rounded up."""
    return (points + 1) // 2


def refund_points(roll: Roll) -> int:
    """DB-DEST-13: half of the points not refunded yet."""
    return half_rounded_up(sum(unrefunded_points(roll).values()))


def unrefunded_points(roll: Roll) -> dict[Stat, int]:
    """DB-DEST-13: the points paid and not refunded, by pool."""
    back = {cost.stat: cost.points for cost in roll.back}
    return {cost.stat: cost.points - back.get(cost.stat, 0) for cost in roll.spent}


def refund_shares(roll: Roll, state: State, split: tuple[Cost, ...]) -> list[Cost]:
    """DB-DEST-13: half of the points not refunded yet, to the pool that paid most first, within each pool's limits."""
    paid = {cost.stat: cost.points for cost in roll.spent}
    rest = refund_points(roll)
    most = refund_limits(roll, state)
    if split and is_valid_split(split, most, rest):
        return [cost for cost in split if cost.points]
    order = sorted(paid, key=lambda stat: (-paid[stat], stat != roll.stat, STATS.index(stat)))
    shares = []
    for stat in order:
        share = min(rest, most[stat])
        rest -= share
        shares.append(Cost(stat, share))
    return [cost for cost in shares if cost.points]


def refund_limits(roll: Roll, state: State) -> dict[Stat, int]:
    """DB-DEST-13: never more to a pool than it paid, and never above its maximum."""
    return {stat: min(points, pool_room(roll.who, stat, state)) for stat, points in unrefunded_points(roll).items()}


def is_valid_split(split: tuple[Cost, ...], most: dict[Stat, int], half: int) -> bool:
    """Return whether the shares make up the refund, each inside its pool's limit and each pool named once."""
    named = [cost.stat for cost in split]
    inside = all(0 <= cost.points <= most.get(cost.stat, 0) for cost in split)
    return inside and len(set(named)) == len(named) and sum(cost.points for cost in split) == half


def check_split(roll: Roll, split: tuple[Cost, ...], most: dict[Stat, int]) -> None:
    """DB-DEST-13: another split may be named inside the limits: half of all, no pool more than it paid."""
    half = refund_points(roll)
    if split and not is_valid_split(split, most, half):
        shares = ", ".join(f"{cost.points} {cost.stat}" for cost in split)
        raise value_refusal("refund", f"{half} points in all, to no pool more than it paid", shares)


def pool_room(who: str, stat: Stat, state: State) -> int:
    """Return how many points a pool can take."""
    pool = state.pools[who, stat]
    return (pool.most or 0) - pool.points
