"""Stun: which turn it costs, and the 1 health that comes back when somebody can act again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ledger.facts import ConditionBegan, Ends, Fact
from projections.state import Encounter, State
from rulebooks.common.conditions import condition_end, find_condition, has_condition, new_condition
from rulebooks.common.values import point_gain
from rulebooks.dusk_bastards.guards import DELAYED, STUNNED, encounter_of, is_out, wounds_due
from rulebooks.dusk_bastards.harm.health import HEALTH
from rulebooks.dusk_bastards.world.clock import COMBAT

RISING: Final = "rising"


def stun(who: str, state: State, *rules: str) -> ConditionBegan:
    """DB-ZERO-3: one turn is lost, of two stuns the later one; outside encounters there is none to lose."""
    encounter = encounter_of(who, state)
    ends: tuple[Ends, ...] = ()
    if encounter is not None:
        earlier = find_condition(who, STUNNED, state)
        due = max([turn_to_lose(who, encounter, state), *(end.due for end in (earlier.ends if earlier else ()))])
        ends = (Ends(at="turn", whose=who, due=due),)
    return new_condition(who, STUNNED, *rules, "DB-ZERO-3", "DB-SPEC-2", ends=ends)


def turn_to_lose(who: str, encounter: Encounter, state: State) -> int:
    """DB-ZERO-3: this round's turn if its action slot is not over, otherwise that of the next round.

    Where a standard action was delayed it is that which is lost (DB-STD-4): the turn is not over yet.
    """
    done = encounter.phase == "action" and who in encounter.done and not has_condition(who, DELAYED, state)
    over = done if encounter.scale == COMBAT else not state.actions_left(who, "action")
    return max(encounter.round, 1) + (over and encounter.round > 0)


def is_stunned_now(who: str, encounter: Encounter, state: State) -> bool:
    """DB-ZERO-3: whether this is the turn that a stun costs; one from outside encounters costs none."""
    return is_stunned_after(who, encounter.round - 1, state)


def is_stunned_after(who: str, round: int, state: State) -> bool:
    """DB-ZERO-3: whether a stun costs a turn of a later round than this one."""
    condition = find_condition(who, STUNNED, state)
    return condition is not None and any(end.due > round for end in condition.ends)


def lose_turn(who: str, state: State) -> Iterator[Fact]:
    """DB-ZERO-3: the stun ends with the action slot of the turn that it cost, or with the round of a delayed action."""
    encounter, condition = state.encounter, find_condition(who, STUNNED, state)
    if encounter is None or condition is None or encounter.phase != "action" or has_condition(who, DELAYED, state):
        return
    if all(end.due <= encounter.round for end in condition.ends):
        yield condition_end(f"{STUNNED} {who}", state, "due", "DB-ZERO-3")


def end_stun(who: str, state: State, *rules: str) -> Iterator[Fact]:
    """DB-WOUND-5: the dead lose no turn any more, and do not get up."""
    for name in (STUNNED, RISING):
        if has_condition(who, name, state):
            yield condition_end(f"{name} {who}", state, "dead", *rules)


def come_to(who: str, state: State) -> Iterator[Fact]:
    """DB-ZERO-3, DB-ZERO-4: where no turn is lost, a stun is over, and 1 health comes back."""
    if has_condition(who, STUNNED, state):
        yield condition_end(f"{STUNNED} {who}", state, "due", "DB-ZERO-3")
    yield from rise(who, state)


def recover_actors(actors: Iterable[str], state: State) -> Iterator[Fact]:
    """DB-ZERO-4: those who act outside an encounter, for the first time since they were stunned, are so no more.

    DB-WOUND-11: unless a wound roll is due first.
    """
    down = [who for who in actors if has_condition(who, STUNNED, state) or has_condition(who, RISING, state)]
    if down and not wounds_due(state):
        for who in down:
            if encounter_of(who, state) is None:
                yield from come_to(who, state)


def rise(who: str, state: State) -> Iterator[Fact]:
    """DB-ZERO-4: the next time that they can act, they regain 1 health, at any health."""
    if not has_condition(who, RISING, state):
        return
    yield condition_end(f"{RISING} {who}", state, "due", "DB-ZERO-4")
    health = state.pools[who, HEALTH]
    if (health.most is None or health.points < health.most) and not is_out(who, state):
        yield point_gain(who, HEALTH, 1, "able to act again", state, "DB-ZERO-4")
