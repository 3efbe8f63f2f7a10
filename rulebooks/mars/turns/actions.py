"""Action points: what an action costs, and whether it can be paid; and the smaller actions of a turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.facts import Counted, Fact, Judged, PointsSpent
from projections.state import State
from rulebooks.common.beings import speaker
from rulebooks.common.conditions import condition_end, find_condition, has_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.values import action_use
from rulebooks.mars import guards
from rulebooks.mars.declarations.turns import DropProne, Interact, Rise, SpecialAction
from rulebooks.mars.maneuvers.aids import reload_speed
from rulebooks.mars.texts import check_whole, refusal

ATTACKS: Final = "attacks"
MOVES: Final = "moves"
POINTS_A_TURN: Final = 3
PENALTY: Final = 5


class Price(msgspec.Struct, frozen=True):
    """What an action costs: action points, stamina, the free action of the turn, or the reaction of the round."""

    ap: int = 0
    stamina: int = 0
    free: bool = False
    reaction: bool = False


NO_PRICE: Final = Price()


def counts_points(state: State) -> bool:
    """GR-ACT-1, GR-CHAL-1: whether action points are counted: in an encounter that is no complex challenge."""
    return state.encounter is not None and state.encounter.scale != guards.CHALLENGE


def price(who: str, speed: int, state: State, *, stamina: int = 0, reaction: bool = False) -> Price:
    """GR-ACT-1: as many points as the speed. GR-ACT-2: the first action of speed 0 is free, every other costs 1."""
    if not counts_points(state):
        return Price(stamina=stamina)
    if reaction:
        return Price(stamina=stamina, reaction=True)
    if speed == 0 and state.actions_left(who, guards.FREE_ACTION):
        return Price(stamina=stamina, free=True)
    return Price(ap=max(speed, 1), stamina=stamina)


def check_price(who: str, cost: Price, state: State) -> None:
    """Refuse what cannot be paid: the reaction, then stamina, then action points."""
    if cost.reaction:
        guards.check_reaction_left(who, state)
    if cost.stamina:
        check_stamina(who, cost.stamina, state)
    has = state.actions_left(who, guards.AP)
    if cost.ap > has:
        raise refusal("NO-AP", name=who, need=cost.ap, has=has, line=speaker(who, state))


def check_stamina(who: str, need: int, state: State) -> None:
    """Refuse stamina that somebody does not have."""
    has = state.points(who, guards.STAMINA)
    if need > has:
        raise refusal("NO-STAMINA", name=who, need=need, has=has)


def spend_stamina(who: str, points: int, because: str, state: State, *rules: str) -> Iterator[Fact]:
    """Spend stamina, if the action costs any."""
    if points:
        now = state.points(who, guards.STAMINA) - points
        yield PointsSpent(rules=rules, who=who, pool=guards.STAMINA, points=points, now=now, because=because)


def pay(who: str, cost: Price, because: str, state: State, *rules: str) -> Iterator[Fact]:
    """GR-ACT-1: pay for an action."""
    if cost.reaction:
        yield from guards.use_reaction(who, state, *rules)
    if cost.free:
        yield action_use(who, guards.FREE_ACTION, state, "used", *rules, "GR-ACT-2")
    if cost.ap:
        yield action_use(who, guards.AP, state, "used", *rules, "GR-ACT-1", cost=cost.ap)
    if cost.stamina:
        yield from spend_stamina(who, cost.stamina, because, state, *rules)


def attack_penalty(who: str, state: State) -> int:
    """GR-ATK-5: -5 for each attack made in this turn."""
    return -PENALTY * state.count(who, ATTACKS)


def add_attack(who: str, state: State) -> Iterator[Fact]:
    """GR-ATK-5: an attack of this turn counts, whether it hit or not."""
    if counts_points(state):
        now = state.count(who, ATTACKS) + 1
        yield Counted(rules=("GR-ATK-5",), who=who, name=ATTACKS, change=1, now=now, until="turn")


def check_action(who: str, state: State) -> None:
    """Refuse an action of those who can do nothing, and outside the own turn; without an encounter any time will do."""
    guards.check_able(who, state)
    if state.encounter is not None:
        guards.check_own_turn(who, state)


def pay_action(who: str, speed: int, because: str, state: State, *rules: str) -> Iterator[Fact]:
    """GR-ACT-1: check that an action of this speed can be paid, and pay for it."""
    cost = price(who, speed, state)
    check_price(who, cost, state)
    yield from pay(who, cost, because, state, *rules)


def fall_prone(who: str, state: State, *rules: str) -> Iterator[Fact]:
    """GR-PRO-1: somebody becomes prone, unless that is so already. GR-EFF-3: who was prone for a while stays so."""
    condition = find_condition(who, guards.PRONE, state)
    if condition is None or condition.ends:
        yield new_condition(who, guards.PRONE, *rules, "GR-PRO-1")


def check_upright(who: str, state: State) -> None:
    """Refuse the prone."""
    if has_condition(who, guards.PRONE, state):
        raise refusal("PRONE", name=who, line=speaker(who, state))


def check_prone(who: str, state: State) -> None:
    """Refuse those who are not prone."""
    if not has_condition(who, guards.PRONE, state):
        raise refusal("NOT-PRONE", name=who)


@decides(DropProne)
def drop_prone(said: DropProne, state: State) -> Iterator[Fact]:
    """GR-DRP-1: speed 0."""
    check_action(said.by, state)
    check_upright(said.by, state)
    yield from pay_action(said.by, 0, "drop prone", state, "GR-DRP-1")
    yield from fall_prone(said.by, state, "GR-DRP-1")


def get_up(who: str, state: State) -> Iterator[Fact]:
    """GR-RIS-1: prone ends, with everything that it did."""
    yield condition_end(f"{guards.PRONE} {who}", state, "rises", "GR-RIS-1", "GR-PRO-2")


@decides(Rise)
def rise(said: Rise, state: State) -> Iterator[Fact]:
    """GR-RIS-1: speed 1."""
    check_action(said.by, state)
    check_prone(said.by, state)
    yield from pay_action(said.by, 1, "rise", state, "GR-RIS-1")
    yield from get_up(said.by, state)


@decides(Interact)
def interact(said: Interact, state: State) -> Iterator[Fact]:
    """GR-INT-1: speed 1, or what the game master says."""
    check_action(said.by, state)
    check_whole("speed", said.speed, 0, POINTS_A_TURN)
    speed = yield from reload_speed(said.by, said.note, said.speed, state)
    yield from pay_action(said.by, speed, "interact", state, "GR-INT-1")
    yield Judged(rules=("GR-INT-1",), what="interact", who=said.by, result=said.note or "done", final=True)


@decides(SpecialAction)
def act(said: SpecialAction, state: State) -> Iterator[Fact]:
    """GR-ACT-6: actions of skills and talents follow the same economy; what they do is the campaign's."""
    check_action(said.by, state)
    check_whole("speed", said.speed, 0, POINTS_A_TURN)
    check_whole("stamina", said.stamina, 0)
    check_whole("focus", said.focus, 0, state.points(said.by, guards.FOCUS))
    cost = price(said.by, said.speed, state, stamina=said.stamina)
    check_price(said.by, cost, state)
    note = said.note or "a special action"
    yield from pay(said.by, cost, note, state, "GR-ACT-6")
    if said.focus:
        now = state.points(said.by, guards.FOCUS) - said.focus
        yield PointsSpent(rules=("GR-ACT-6",), who=said.by, pool=guards.FOCUS, points=said.focus, now=now, because=note)
    yield Judged(rules=("GR-ACT-6",), what="action", who=said.by, result=note, final=True)
