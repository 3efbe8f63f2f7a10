"""Turns: six seconds each, in the order of the fight; what a new turn ends, and what a declaration costs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import ActionSpent, Allowed, Counted, CountsCleared, Fact, Linked, Reached, TimePassed
from projections.state import State
from rulebooks.common.beings import speaker
from rulebooks.common.conditions import condition_end, ending_conditions, has_condition
from rulebooks.common.values import action_use
from rulebooks.semiautomagic import guards
from rulebooks.semiautomagic.locations import STAGGERED
from rulebooks.semiautomagic.squares import OWN_TURN
from rulebooks.semiautomagic.stealth import AWARE, FLAT_FOOTED
from rulebooks.semiautomagic.texts import refusal

TURN_SECONDS: Final = 6
HAS_SECONDS: Final = "seconds of the round"  # of a mount, which may have them with its rider or in its own turn


def check_seconds(who: str, seconds: int, state: State) -> None:
    """TT-OUT-1: refuse what costs more seconds than are left of the turn. Outside a fight none are counted."""
    left = state.actions_left(who, guards.SECONDS)
    if state.encounter is not None and seconds > left:
        raise refusal("NO-SECONDS", name=who, need=seconds, left=left, line=speaker(who, state))


def spend_seconds(who: str, seconds: int, state: State, *rules: str) -> Iterator[Fact]:
    """TT-OUT-1: seconds of a turn are spent."""
    if state.encounter is not None and seconds:
        yield action_use(who, guards.SECONDS, state, "used", *rules, cost=seconds)


def takes_turn(who: str, state: State) -> bool:
    """TT-OUT-1, TT-OUT-6: the able have a turn, and the dying for their check; a mount acts in its rider's."""
    return guards.acts_for_itself(who, state) and (
        guards.is_able(who, state) or has_condition(who, guards.DYING, state)
    )


def next_up(state: State) -> list[str]:
    """TT-OUT-1, TT-MNT-4: who may act now: whose turn it is, and the mount that it controls."""
    who = state.encounter.turn if state.encounter else ""
    return [being for being in (who, guards.controlled_mount(who, state)) if being]


def advance(state: State) -> Iterator[Fact]:
    """TT-OUT-1: the turn goes on as soon as who has it is dead, unconscious or gone."""
    encounter = state.encounter
    if encounter is None:
        return
    if encounter.turn and not (guards.is_in_fight(encounter.turn, state) and takes_turn(encounter.turn, state)):
        yield from close_turn(encounter.turn, state)
    encounter = state.encounter
    if encounter is not None and not encounter.turn:
        yield from begin_next(state)


def begin_next(state: State) -> Iterator[Fact]:
    """TT-OUT-1: the next in the order has a turn; after the last one, a new round begins. Nobody may be left."""
    encounter = state.encounter
    if encounter is None or not any(takes_turn(who, state) for who in encounter.in_order):
        return
    while True:
        encounter = state.encounter
        if encounter is None:
            return
        waiting = [who for who in encounter.in_order if who not in encounter.done]
        for who in waiting:
            if encounter.round and takes_turn(who, state) and not is_spent(who, state):
                yield from begin_turn(who, state)
                return
            if encounter.round:
                if guards.acts_for_itself(who, state) and not has_seconds(who, state):
                    yield from end_at_slot(who, state)  # what lasts until a mount's turn lasts until its rider's
                yield Reached(rules=("TT-OUT-1",), point="skipped", round=encounter.round, who=who)
        yield from begin_round(encounter.round, state)


def begin_round(before: int, state: State) -> Iterator[Fact]:
    """TT-OUT-1: a round of six seconds is over, and the next begins."""
    if before:
        yield Reached(rules=("TT-OUT-1",), point="round_end", round=before)
        yield CountsCleared(rules=("TT-OUT-6",), until="round")
        yield TimePassed(rules=("TT-OUT-1",), seconds=TURN_SECONDS, because=f"round {before}")
    yield Reached(rules=("TT-OUT-1",), point="round", round=before + 1)


def begin_turn(who: str, state: State) -> Iterator[Fact]:
    """TT-OUT-1: six seconds, for the mount as well (TT-MNT-4); what lasted until this turn is over."""
    encounter = state.encounter
    assert encounter is not None
    yield Reached(rules=("TT-OUT-1",), point="slot", round=encounter.round, who=who)
    mount = guards.mount_of(who, state)
    for being in (who, *((mount,) if mount else ())):
        if not has_seconds(being, state):
            yield from end_at_slot(being, state)
    if not guards.is_able(who, state):
        yield Allowed(rules=("TT-OUT-6",), who=(who,), actions=((guards.SECONDS, 0),), until="turn")
    elif not has_seconds(who, state):
        yield from give_seconds(who, state, "TT-OUT-1")
    if mount and guards.is_able(who, state) and guards.is_able(mount, state) and not has_seconds(mount, state):
        yield from give_seconds(mount, state, "TT-OUT-1", "TT-MNT-4")


def give_seconds(who: str, state: State, *rules: str) -> Iterator[Fact]:
    """TT-OUT-1: the six seconds of a round. TT-GAP-44: a mount has them once, with its rider or in its own turn."""
    yield Allowed(rules=rules, who=(who,), actions=((guards.SECONDS, TURN_SECONDS),), until="turn")
    if is_mount(who, state):
        yield Counted(rules=("TT-GAP-44",), who=who, name=HAS_SECONDS, change=1, now=1, of=1, until="round")


def is_mount(who: str, state: State) -> bool:
    """TT-MNT-4: whether somebody who is able rides this creature."""
    rider = guards.rider_of(who, state)
    return bool(rider) and guards.is_playing(rider, state)


def has_seconds(who: str, state: State) -> bool:
    """TT-GAP-44: whether a mount has had the seconds of this round."""
    return bool(state.count(who, HAS_SECONDS))


def is_spent(who: str, state: State) -> bool:
    """TT-GAP-44: whether a mount has used its seconds of this round before its own turn, and owes no check."""
    return has_seconds(who, state) and not (state.actions_left(who, guards.SECONDS) or guards.owes_check(who, state))


def end_at_slot(who: str, state: State) -> Iterator[Fact]:
    """TT-GAP-10, TT-GAP-20: flat-footedness, distance, speed and control end at the start of one's turn."""
    for other in state.ties_from(who, FLAT_FOOTED):
        yield Linked(rules=("TT-GAP-10",), one=who, tie=FLAT_FOOTED, other=other, on=False)
        if other not in state.ties_from(who, AWARE):
            yield Linked(rules=("TT-GAP-10",), one=who, tie=AWARE, other=other)
    yield CountsCleared(rules=("TT-GAP-20",), until=OWN_TURN, who=who)
    for id, condition in ending_conditions(state):
        if any(end.at == "slot" and end.whose == who for end in condition.ends):
            yield condition_end(id, state, "over", "TT-GAP-17" if condition.name == STAGGERED else "TT-GAP-20")


def close_turn(who: str, state: State) -> Iterator[Fact]:
    """TT-OUT-1: seconds that are not used are lost, but not those of a mount that may still act in this round."""
    encounter = state.encounter
    assert encounter is not None
    for being in (who, guards.mount_of(who, state)):
        if being and state.actions_left(being, guards.SECONDS) and not acts_again(being, who, state):
            yield unused(being, state)
    yield Reached(rules=("TT-OUT-1",), point="slot_end", round=encounter.round, who=who)


def acts_again(who: str, holder: str, state: State) -> bool:
    """TT-GAP-44: whether a mount may still act in this round: in its own turn, or in that of its rider.

    A mount outside the fight, which nobody controls, may still join. `holder`: whose turn ends.
    """
    encounter, rider = state.encounter, guards.rider_of(who, state)
    if encounter is None or not rider:
        return False
    turn, comes = (rider, guards.is_playing(rider, state)) if who == holder else (who, takes_turn(who, state))
    return comes and (turn == who or turn in encounter.in_order) and turn not in encounter.done


def unused(who: str, state: State) -> ActionSpent:
    """TT-OUT-1: the seconds that are left of a turn are lost."""
    return action_use(who, guards.SECONDS, state, "unused", "TT-OUT-1", cost=state.actions_left(who, guards.SECONDS))
