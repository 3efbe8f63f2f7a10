"""The cycle of an encounter: slots, phases and rounds, and the effects that begin and end at each of them.

Combat rounds have a movement phase, from the lowest place of the order to the highest, and an action phase, from
the highest to the lowest. Other rounds have one action each and no phases. A slot with nothing left to do is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import Allowed, CountsCleared, Fact, Reached
from projections.state import Encounter, State
from rulebooks.common.conditions import condition_end, ending_conditions
from rulebooks.common.values import action_use
from rulebooks.dusk_bastards.guards import DELAYED, STUNNED, is_down, is_out, members
from rulebooks.dusk_bastards.harm import hazards, stun
from rulebooks.dusk_bastards.turns.allowances import PARTS_OF, awaiting_initiative
from rulebooks.dusk_bastards.world import clock, waits

CHARGING: Final = "charging"
CASTING: Final = "casting"
NO_STANDARD: Final = "without a standard action"
LOST: Final = {DELAYED: "DB-STD-4", CASTING: "DB-STD-3", STUNNED: "DB-ZERO-3", CHARGING: "DB-MOVE-3"}
COMBAT_ACTIONS: Final = (("move", 1), ("standard", 1), ("bonus", 1), ("reaction", 1))
OTHER_ACTIONS: Final = (("action", 1), ("reaction", 1))


def advance(state: State) -> Iterator[Fact]:
    """DB-ENC-6, 8, 9: on to the next slot, phase and round, until somebody has something to do."""
    while True:
        encounter = state.encounter
        if encounter is None or state.windows:
            return
        if encounter.turn:
            if has_action_left(encounter, state):
                return
            yield from end_slot(encounter, state)
        elif not can_continue(encounter, state) or awaiting_initiative(encounter, state):
            return
        elif not encounter.round:
            yield from start_round(encounter, state)
        elif encounter.scale != clock.COMBAT:
            if any(state.actions_left(who, "action") and can_act(who, encounter, state) for who in members(encounter)):
                return
            yield from end_round(encounter, state)
        elif not encounter.phase:
            yield cycle_point("phase", encounter, "DB-ENC-5", phase="movement")
        else:
            yield from start_next_slot(encounter, state)


def cycle_point(point: str, encounter: Encounter, *rules: str, who: str = "", phase: str = "") -> Reached:
    """Return the fact that a point of the cycle is reached, in the running round and, unless named, phase."""
    return Reached(rules=rules, point=point, round=encounter.round, phase=phase or encounter.phase, who=who)


def can_continue(encounter: Encounter, state: State) -> bool:
    """Return whether anybody in the encounter can ever act again. If nobody can, it waits to be joined or ended."""
    for who in members(encounter):  # noqa: SIM110 - a generator takes twice as long, and this is asked all the time
        if not is_down(who, state):
            return True
    return False


def can_act(who: str, encounter: Encounter, state: State) -> bool:
    """DB-DUR-2: whether somebody can use a slot now: neither stunned nor gone, dead or critically wounded."""
    out = is_down(who, state) or stun.is_stunned_now(who, encounter, state)
    return not out and who in members(encounter)


def has_action_left(encounter: Encounter, state: State) -> bool:
    """Return whether the one whose turn it is can still do something in it."""
    for action in PARTS_OF[encounter.phase]:
        if state.actions_left(encounter.turn, action):
            return can_act(encounter.turn, encounter, state)
    return False


def end_slot(encounter: Encounter, state: State) -> Iterator[Fact]:
    """DB-ENC-7: a slot is over; one that was interrupted goes on."""
    who, waiting = encounter.turn, encounter.waiting
    yield cycle_point("slot_end", encounter, "DB-ENC-8", who=who)
    yield from stun.lose_turn(who, state)
    if waiting:
        yield cycle_point("resumed", encounter, "DB-ENC-7", who=waiting[-1])


def start_next_slot(encounter: Encounter, state: State) -> Iterator[Fact]:
    """DB-ENC-6, DB-ENC-8: movement from the lowest place up, action from the highest down."""
    order = encounter.order if encounter.phase == "action" else encounter.order[::-1]
    for slot in order:
        if slot.slot not in encounter.done:
            yield from start_slot(slot.slot, encounter, state)
            return
    yield cycle_point("phase_end", encounter, "DB-ENC-8")
    if encounter.phase == "movement":
        yield cycle_point("phase", encounter, "DB-ENC-8", phase="action")
    else:
        yield from end_round(encounter, state)


def start_slot(who: str, encounter: Encounter, state: State) -> Iterator[Fact]:
    """DB-DUR-1: effects due at this slot end first; DB-DUR-2: a lost slot is passed over."""
    if can_act(who, encounter, state):
        rule = "DB-ENC-6" if encounter.phase == "movement" else "DB-ENC-8"
        yield cycle_point("slot", encounter, rule, who=who)
        yield from enter_slot(who, encounter, state)
        return
    yield cycle_point("skipped", encounter, "DB-DUR-2", who=who)
    yield from end_due_at_slot(who, encounter, state)
    yield from stun.lose_turn(who, state)


def enter_slot(who: str, encounter: Encounter, state: State) -> Iterator[Fact]:
    """DB-DUR-1, DB-ZERO-4: before anything is done in a slot, effects due at it end and 1 health comes back."""
    yield from end_due_at_slot(who, encounter, state)
    if can_act(who, encounter, state):
        yield from stun.come_to(who, state)


def end_due_at_slot(who: str, encounter: Encounter, state: State) -> Iterator[Fact]:
    """DB-DUR-1, DB-DUR-2: effects end at the place where they began, whether or not anybody acts there."""
    for id, condition in ending_conditions(state):
        for end in condition.ends:
            here = end.at == "slot" and end.whose == who and end.phase == encounter.phase
            if here and end.due <= encounter.round and id in state.conditions:
                yield condition_end(id, state, "due", "DB-DUR-1", "DB-DUR-2")
                if condition.name in hazards.EXPOSURES:
                    yield from hazards.continue_exposure(condition, encounter, state)


def end_round(encounter: Encounter, state: State) -> Iterator[Fact]:
    """DB-ENC-9, DB-DUR-3: effects that last for the round end. DB-STD-4: delayed actions are lost."""
    yield Reached(rules=("DB-ENC-9",), point="round_end", round=encounter.round)
    for id, condition in ending_conditions(state):
        if any(end.at in ("round", "turn") and end.due <= encounter.round for end in condition.ends):
            yield condition_end(id, state, "due", LOST.get(condition.name, "DB-DUR-3"))
    if encounter.scale != clock.COMBAT:
        yield from waits.end_round_time(encounter, state)
    yield CountsCleared(rules=("DB-ENC-9",), until="round")
    yield from start_round(encounter, state)


def start_round(encounter: Encounter, state: State) -> Iterator[Fact]:
    """DB-ENC-9, DB-ACTN-1: the next round begins, and everybody's actions and reaction come back."""
    yield Reached(rules=("DB-ENC-9",), point="round", round=encounter.round + 1)
    able = tuple(who for slot in encounter.order for who in slot.who if not is_out(who, state))
    if encounter.scale == clock.COMBAT:
        yield Allowed(rules=("DB-ACTN-1", "DB-ACTN-2"), who=able, actions=COMBAT_ACTIONS, until="round")
        yield from collect_owed_actions(state)
        return
    rules = ("DB-ACTN-5", "DB-ACT-1", "DB-ACT-2")
    yield Allowed(rules=rules, who=able, actions=OTHER_ACTIONS, until="round")
    for who in able:
        if not stun.is_stunned_after(who, encounter.round, state):
            yield from stun.come_to(who, state)


def collect_owed_actions(state: State) -> Iterator[Fact]:
    """DB-REACT-3: a character that took cover in the last action phase has no standard action in this one."""
    for id, condition in sorted(state.conditions.items()):
        if condition.name == NO_STANDARD:
            yield condition_end(id, state, "due", "DB-REACT-3")
            if state.actions_left(condition.who, "standard"):
                yield action_use(condition.who, "standard", state, "lost", "DB-REACT-3")
