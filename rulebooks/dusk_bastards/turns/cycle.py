"""The cycle of an encounter: slots, phases and rounds, and what begins and ends at each of them.

Combat rounds have a movement phase, from the lowest place of the order to the highest, and an action phase, from
the highest to the lowest. Other rounds have one action each and no phases. A slot with nothing left to do is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import Allowed, CountsCleared, Fact, Reached
from projections.state import Encounter, State
from rulebooks.dusk_bastards.guards import (
    DELAYED,
    STUNNED,
    is_critical,
    is_out,
    members,
)
from rulebooks.dusk_bastards.harm.hazards import EXPOSURES, continue_exposure
from rulebooks.dusk_bastards.harm.stun import come_to, is_stunned_after, is_stunned_now, lose_turn
from rulebooks.dusk_bastards.turns.allowances import PARTS_OF, action_use, awaiting_initiative
from rulebooks.dusk_bastards.world.clock import COMBAT, condition_end, pass_rounds

CHARGING: Final = "charging"
CASTING: Final = "casting"
NO_STANDARD: Final = "without a standard action"
LOST: Final = {DELAYED: "DB-STD-4", CASTING: "DB-STD-3", STUNNED: "DB-ZERO-3", CHARGING: "DB-MOVE-3"}
COMBAT_ACTIONS: Final = (("move", 1), ("standard", 1), ("bonus", 1), ("reaction", 1))
OTHER_ACTIONS: Final = (("action", 1), ("reaction", 1))


def advance(state: State) -> Iterator[Fact]:
    """DB-ENC-6, 8, 9: on to the next slot, phase and round, until somebody has something to do."""
    while True:
        found = state.encounter
        if found is None or state.windows:
            return
        if found.turn:
            if has_action_left(found, state):
                return
            yield from end_slot(found, state)
        elif not can_continue(found, state) or awaiting_initiative(found, state):
            return
        elif not found.round:
            yield from start_round(found, state)
        elif found.scale != COMBAT:
            if any(state.actions_left(who, "action") and can_act(who, found, state) for who in members(found)):
                return
            yield from end_round(found, state)
        elif not found.phase:
            yield Reached(rules=("DB-ENC-5",), point="phase", round=found.round, phase="movement")
        else:
            yield from start_next_slot(found, state)


def can_continue(found: Encounter, state: State) -> bool:
    """Return whether anybody in the encounter can ever act again. If nobody can, it waits to be joined or ended."""
    return any(not is_out(who, state) and not is_critical(who, state) for who in members(found))


def can_act(who: str, found: Encounter, state: State) -> bool:
    """DB-DUR-2: whether somebody can use a slot now: neither stunned nor gone, dead or critically wounded."""
    out = is_out(who, state) or is_critical(who, state) or is_stunned_now(who, found, state)
    return not out and who in members(found)


def has_action_left(found: Encounter, state: State) -> bool:
    """Whether whoever is at turn can still do something in it."""
    left = any(state.actions_left(found.turn, action) for action in PARTS_OF[found.phase])
    return left and can_act(found.turn, found, state)


def end_slot(found: Encounter, state: State) -> Iterator[Fact]:
    """DB-ENC-7: a slot is over; one that was interrupted goes on."""
    who, waiting = found.turn, found.waiting
    yield Reached(rules=("DB-ENC-8",), point="slot_end", round=found.round, phase=found.phase, who=who)
    yield from lose_turn(who, state)
    if waiting:
        yield Reached(rules=("DB-ENC-7",), point="resumed", round=found.round, phase=found.phase, who=waiting[-1])


def start_next_slot(found: Encounter, state: State) -> Iterator[Fact]:
    """DB-ENC-6, DB-ENC-8: movement from the lowest place up, action from the highest down."""
    order = found.order if found.phase == "action" else found.order[::-1]
    for slot in order:
        if slot.slot not in found.done:
            yield from start_slot(slot.slot, found, state)
            return
    yield Reached(rules=("DB-ENC-8",), point="phase_end", round=found.round, phase=found.phase)
    if found.phase == "movement":
        yield Reached(rules=("DB-ENC-8",), point="phase", round=found.round, phase="action")
    else:
        yield from end_round(found, state)


def start_slot(who: str, found: Encounter, state: State) -> Iterator[Fact]:
    """DB-DUR-1: what was to last until here ends first; a lost slot is passed over (DB-DUR-2)."""
    if can_act(who, found, state):
        rule = "DB-ENC-6" if found.phase == "movement" else "DB-ENC-8"
        yield Reached(rules=(rule,), point="slot", round=found.round, phase=found.phase, who=who)
        yield from enter_slot(who, found, state)
        return
    yield Reached(rules=("DB-DUR-2",), point="skipped", round=found.round, phase=found.phase, who=who)
    yield from end_due_at_slot(who, found, state)
    yield from lose_turn(who, state)


def enter_slot(who: str, found: Encounter, state: State) -> Iterator[Fact]:
    """DB-DUR-1, DB-ZERO-4: before anything is done in a slot: what was to last until here ends, 1 health comes back."""
    yield from end_due_at_slot(who, found, state)
    if can_act(who, found, state):
        yield from come_to(who, state)


def end_due_at_slot(who: str, found: Encounter, state: State) -> Iterator[Fact]:
    """DB-DUR-1, DB-DUR-2: effects end at the place where they began, whether or not anybody acts there."""
    for id, condition in sorted(state.conditions.items()):
        for end in condition.ends:
            here = end.at == "slot" and end.whose == who and end.phase == found.phase
            if here and end.due <= found.round and id in state.conditions:
                yield condition_end(id, state, "due", "DB-DUR-1", "DB-DUR-2")
                if condition.name in EXPOSURES:
                    yield from continue_exposure(condition, found, state)


def end_round(found: Encounter, state: State) -> Iterator[Fact]:
    """DB-ENC-9: the round is over: what lasted for it ends, delayed actions are lost (DB-STD-4, DB-DUR-3)."""
    yield Reached(rules=("DB-ENC-9",), point="round_end", round=found.round)
    for id, condition in sorted(state.conditions.items()):
        if any(end.at in ("round", "turn") and end.due <= found.round for end in condition.ends):
            yield condition_end(id, state, "due", LOST.get(condition.name, "DB-DUR-3"))
    yield CountsCleared(rules=("DB-ENC-9",), until="round")
    if found.scale != COMBAT:
        yield from pass_rounds(1, found.scale, state)
    yield from start_round(found, state)


def start_round(found: Encounter, state: State) -> Iterator[Fact]:
    """DB-ENC-9, DB-ACTN-1: the next round begins, and everybody's actions and reaction come back."""
    yield Reached(rules=("DB-ENC-9",), point="round", round=found.round + 1)
    able = tuple(who for slot in found.order for who in slot.who if not is_out(who, state))
    if found.scale == COMBAT:
        yield Allowed(rules=("DB-ACTN-1", "DB-ACTN-2"), who=able, actions=COMBAT_ACTIONS, until="round")
        yield from collect_owed_actions(state)
        return
    rules = ("DB-ACTN-5", "DB-ACT-1", "DB-ACT-2")
    yield Allowed(rules=rules, who=able, actions=OTHER_ACTIONS, until="round")
    for who in able:
        if not is_stunned_after(who, found.round, state):
            yield from come_to(who, state)


def collect_owed_actions(state: State) -> Iterator[Fact]:
    """DB-REACT-3: who took cover in the last action phase has no standard action in this one."""
    for id, condition in sorted(state.conditions.items()):
        if condition.name == NO_STANDARD:
            yield condition_end(id, state, "due", "DB-REACT-3")
            if state.actions_left(condition.who, "standard"):
                yield action_use(condition.who, "standard", state, "lost", "DB-REACT-3")
