"""Hit points and what follows from them: Wounded, down, dead; and who is out of the fight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import GM, ConditionBegan, ConditionEnded, Fact, PointsLost, WindowClosed, WindowOpened
from projections.state import State
from rulebooks.momentum.texts import option

HP: Final = "hp"
WOUNDED: Final = "wounded"
DOWN: Final = "down"
DEAD: Final = "dead"
FLED: Final = "fled"
FATE: Final = "fate"
RULES: Final = {WOUNDED: ("MO-WND-1",), DOWN: ("MO-HP-3", "MO-HP-1"), DEAD: ("MO-HP-2", "MO-HP-1")}


def holds(who: str, name: str, state: State) -> bool:
    """Whether this condition holds for somebody."""
    return f"{name} {who}" in state.conditions


def side_of(who: str, state: State) -> str:
    """pc, foe or bystander."""
    being = state.being(who)
    return being.side if being else ""


def is_out(who: str, state: State) -> bool:
    """MO-HP-2, MO-HP-3, MO-ROUND-8: at 0 HP, or fled."""
    return state.points(who, HP) == 0 or holds(who, FLED, state)


def is_wounded(who: str, state: State) -> bool:
    """MO-WND-1: above 0 HP and at half of the maximum or less. MO-GAP-4 and MO-GAP-28 have other readings."""
    pool = state.pools[who, HP]
    if side_of(who, state) != "pc" and option(state, "foes_wounded") == "no":
        return False
    reading, most = option(state, "wounded_at"), pool.most or 0
    low = 2 * pool.points <= most if reading == "half_or_less" else reading != "off" and pool.points <= 3
    return pool.points > 0 and low


def taken(target: str, hits: int, by: str, state: State) -> Iterator[Fact]:
    """MO-ATK-3: each hit takes 1 HP; they do not fall below 0, and hits beyond that are lost."""
    stands = state.points(target, HP)
    lost = min(hits, stands)
    if hits:
        yield PointsLost(
            rules=("MO-ATK-3", "MO-HP-1"),
            who=target,
            pool=HP,
            points=lost,
            now=stands - lost,
            because="hits",
            by=by,
            over=hits - lost,
        )
    yield from looked_at(target, state)


def looked_at(who: str, state: State) -> Iterator[Fact]:
    """MO-WND-1, MO-HP-2, MO-HP-3: what the HP make of somebody begins and ends by itself."""
    gone = DOWN if side_of(who, state) == "pc" else DEAD
    none_left = state.points(who, HP) == 0
    for name, now in ((WOUNDED, is_wounded(who, state)), (gone, none_left)):
        id = f"{name} {who}"
        if now and id not in state.conditions:
            yield ConditionBegan(rules=RULES[name], id=id, who=who, name=name)
        if not now and id in state.conditions:
            yield ConditionEnded(rules=RULES[name], id=id, who=who, name=name, because="removed")
    window = f"{FATE} {who}"
    if none_left and gone == DOWN and not state.sheet(who, FATE) and window not in state.windows:
        yield WindowOpened(rules=("MO-HP-3",), window=window, kind=FATE, who=who, awaits=(GM,), data="")
    if not none_left and window in state.windows:
        yield WindowClosed(rules=("MO-HP-3",), window=window, outcome="up again")


def all_looked_at(state: State) -> Iterator[Fact]:
    """Everybody with HP, in order of joining: after a ruling or another reading."""
    for being in state.in_order():
        if (being.name, HP) in state.pools:
            yield from looked_at(being.name, state)


def fled(who: str) -> ConditionBegan:
    """MO-ROUND-8: who has fled is out until another fight."""
    return ConditionBegan(rules=("MO-ROUND-8",), id=f"{FLED} {who}", who=who, name=FLED)


def back(who: str) -> ConditionEnded:
    """MO-ROUND-8: who fled from an earlier fight is in this one."""
    return ConditionEnded(rules=("MO-ROUND-8",), id=f"{FLED} {who}", who=who, name=FLED, because="removed")
