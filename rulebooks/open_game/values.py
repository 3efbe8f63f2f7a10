"""Values of any name: stats, pools, tokens and conditions of a sheet, looked up and changed by their name."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from ledger.facts import Fact, PointsLost, PointsRegained, SheetChanged, TokensMoved
from ledger.names import NUMBER_MOST
from projections.state import State
from rulebooks.common.conditions import condition_end, has_condition, new_condition
from rulebooks.common.values import point_gain, point_loss
from rulebooks.open_game.texts import refusal

ROLLED_MOST: Final = 1_000_000  # of a value in a roll


def number_of(who: str, name: str, state: State) -> int:
    """OG-VALUE-1: return a number of somebody by its name. Raises the refusal of a name that has none."""
    found = find_number(who, name, state)
    if found is None:
        raise refusal("VALUE", name=who, value=name, values=", ".join(numbers_of(who, state)) or "none")
    return found


def check_rolled(who: str, name: str, state: State) -> None:
    """OG-VALUE-1: refuse a number that nobody has, or that is too large for a roll."""
    if abs(number_of(who, name, state)) > ROLLED_MOST:
        raise refusal("VALUE", case="large", name=who, value=name, most=ROLLED_MOST)


def find_number(who: str, name: str, state: State) -> int | None:
    """Return a number of somebody by its name; None where they have none."""
    if (who, name) in state.pools:
        return state.points(who, name)
    if (who, name) in state.tokens:
        return state.tokens_held(who, name)
    entry = state.sheet(who, name)
    return entry if isinstance(entry, int) else None


def has_value(who: str, name: str, state: State) -> bool:
    """Return whether somebody has a number or a trait of this name, which no condition takes then."""
    return find_number(who, name, state) is not None or state.sheet(who, name) is not None


def numbers_of(who: str, state: State) -> Collection[str]:
    """Return the names of all numbers of somebody."""
    held = (name for part in (state.pools, state.tokens) for owner, name in part if owner == who)
    entries = (name for name, value in state.sheet_of(who).items() if isinstance(value, int))
    return sorted({*held, *entries})


def change_number(who: str, name: str, change: int, because: str, state: State, *, by: str = "") -> Iterator[Fact]:
    """OG-VALUE-2: change a number by so much, within its bounds. 0 changes nothing. Raises the refusal of VALUE."""
    now, rules = number_of(who, name, state), ("OG-VALUE-2",)
    if not change:
        return
    if (who, name) in state.pools:
        yield pool_change(who, name, change, because, state, by)
        return
    held = state.tokens.get((who, name))
    least, most = (-NUMBER_MOST, NUMBER_MOST) if held is None else (0, NUMBER_MOST if held.most is None else held.most)
    to = min(max(now + change, least), most)
    if to == now:
        return
    if held is None:
        yield SheetChanged(rules=rules, who=who, key=name, was=now, now=to, because=because)
    else:
        yield TokensMoved(rules=rules, who=who, token=name, change=to - now, now=to, most=held.most, because=because)


def pool_change(who: str, pool: str, change: int, because: str, state: State, by: str) -> PointsLost | PointsRegained:
    """OG-VALUE-2: a pool goes down to 0 and up to its maximum; what goes beyond is noted."""
    if change < 0:
        return point_loss(who, pool, -change, because, state, "OG-VALUE-2", by=by)
    held = state.pools[who, pool]
    room = change if held.most is None else min(change, held.most - held.points)
    return point_gain(who, pool, room, because, state, "OG-VALUE-2", over=change - room)


def highest(who: str, name: str, state: State) -> int:
    """Return the number at which a pool or a count is full. Raises the refusal of what has no maximum."""
    held = state.pools.get((who, name)) or state.tokens.get((who, name))
    if held is None or held.most is None:
        raise refusal("VALUE", case="most", name=who, value=name)
    return held.most


def check_condition(who: str, name: str, state: State) -> None:
    """OG-VALUE-3: refuse a condition with the name of a value of the sheet."""
    if has_value(who, name, state):
        raise refusal("CONDITION", case="name", name=who, condition=name)


def turn_condition(who: str, name: str, on: bool, because: str, state: State) -> Iterator[Fact]:
    """OG-VALUE-3: a condition of any name begins or ends; nothing happens where it is so already."""
    if on and not has_condition(who, name, state):
        yield new_condition(who, name, "OG-VALUE-3")
    elif not on and has_condition(who, name, state):
        yield condition_end(f"{name} {who}", state, because, "OG-VALUE-3")
