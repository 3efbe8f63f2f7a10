"""The members of the fight: who can act, and the order of turns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ledger.errors import Refused
from ledger.facts import EntryId, Fact
from projections.derived import derived
from projections.projection import StateProjection
from projections.state import Encounter, State
from rulebooks.common.beings import name_list, speaker
from rulebooks.common.conditions import has_condition
from rulebooks.common.encounters import EndTurn
from rulebooks.common.values import outside_domain
from rulebooks.momentum.texts import refusal

HP: Final = "hp"
FLED: Final = "fled"
MOMENTUM: Final = "momentum"
ACTION: Final = "action"
ALLOWANCE: Final = "allowance"  # on the sheet while the game master has set it
CHECK_DUE: Final = "opening check"
FIGHTING: Final = ("pc", "foe")  # the sides of which a fight needs somebody
PHASES: Final = {"momentum": "opening checks", "pc": "PCs' phase", "foe": "opponents' phase"}
NOT_WRITTEN: Final = EntryId(0, 0)


@derived("pools", "conditions")
def is_out(who: str, state: State) -> bool:
    """MO-HP-2, MO-HP-3, MO-ROUND-8: at 0 HP, or fled."""
    return state.points(who, HP) == 0 or has_condition(who, FLED, state)


def is_able(who: str, side: str, state: State) -> bool:
    """MO-ROUND-8: whether somebody of this side can fight."""
    return state.side(who) == side and not is_out(who, state)


def running_encounter(state: State) -> Encounter:
    """MO-ROUND-8: the running fight. Raises the refusal when there is none."""
    if state.encounter is None:
        beings = state.beings_in_order()
        idle = [side for side in FIGHTING if not any(is_able(each.name, side, state) for each in beings)]
        way = 'Begin one: ! fight "the yard" zones=yard'
        if idle:
            way = f"A fight needs somebody of each side who can fight, and there is nobody of side {idle[0]}"
        raise refusal("PHASE", phase="no fight is on", way=way)
    return state.encounter


def side_members(encounter: Encounter, side: str) -> tuple[str, ...]:
    """Return everybody on a side of the fight, in order of joining."""
    return next((slot.who for slot in encounter.order if slot.slot == side), ())


def is_in_fight(who: str, state: State) -> bool:
    """Tell whether somebody is on any side of the running fight."""
    return state.encounter is not None and any(who in slot.who for slot in state.encounter.order)


def members_to_act(encounter: Encounter, side: str, state: State) -> list[str]:
    """MO-ROUND-6: those of a side who can still take a turn in this round."""
    return [who for who in side_members(encounter, side) if who not in encounter.done and not is_out(who, state)]


@derived("windows")
def checks_due(state: State) -> tuple[str, ...]:
    """MO-ROUND-2: PCs who have not rolled to seize momentum yet, in the order in which their checks came due."""
    due = [(window.order, window.who) for window in state.windows.values() if window.kind == CHECK_DUE]
    return tuple([who for _, who in sorted(due)])


def check_in_fight(who: str, state: State, field: str = "by") -> None:
    """Refuse anybody but a combatant of this fight, under the name on the sheet."""
    being = state.being(who)
    if being is None or being.name != who or not is_in_fight(who, state):
        raise outside_domain(field, "somebody in this fight, spelled as on the sheet", who)


def check_turn(who: str, state: State) -> Encounter:
    """Refuse a turn, in the catalogue's order of codes: over, momentum, down, phase, turn; return its fight."""
    encounter = running_encounter(state)
    check_in_fight(who, state)
    check_momentum(state)
    check_up(who, state)
    if state.side(who) != encounter.phase:
        raise suggest_pass(phase_refusal(encounter, state), encounter, state)
    if encounter.turn not in ("", who) or who in encounter.done:
        case = "acted" if who in encounter.done else ""
        way = still_to_act(encounter, state)
        refused = refusal("TURN", case=case, name=who, round=encounter.round, way=way)
        raise suggest_pass(refused, encounter, state)
    return encounter


def check_momentum(state: State) -> None:
    """MO-ROUND-2: nobody acts before all PCs have rolled to seize momentum."""
    if due := checks_due(state):
        raise refusal("MOMENTUM", names=name_list(due), first=speaker(due[0], state))


def phase_refusal(encounter: Encounter, state: State) -> Refused:
    """MO-ROUND-6: it is the phase of the other side; the refusal says who has still to act in it."""
    phase = f"it is the {PHASES[encounter.phase]} of round {encounter.round}"
    return refusal("PHASE", phase=phase, way=still_to_act(encounter, state))


def check_up(who: str, state: State) -> None:
    """MO-HP-2, MO-ROUND-8: refuse those at 0 HP and those who have fled."""
    if is_out(who, state):
        raise refusal("DOWN", case="down" if not state.points(who, HP) else "fled", name=who)


def still_to_act(encounter: Encounter, state: State) -> str:
    """MO-ROUND-6: whose turn is open, or who has still to act in this phase, and how to go on."""
    waiting = members_to_act(encounter, encounter.phase, state)
    if encounter.turn:
        left = state.actions_left(encounter.turn, ACTION)
        has = f"with {left} action{'s' * (left != 1)} left" if left else "with no action left"
        return f"The turn of {encounter.turn} is open, {has}: end it, {speaker(encounter.turn, state)} end"
    if not waiting:
        return "Nobody is left to act in this phase"
    return f"Still to act: {name_list(waiting)}. Let them act, or end their turns: {speaker(waiting[0], state)} end"


def suggest_pass(refusal: Refused, encounter: Encounter, state: State) -> Refused:
    """MO-ROUND-6: the refusal, with the pass of the combatant who is to act first."""
    first = encounter.turn or next(iter(members_to_act(encounter, encounter.phase, state)), "")
    return refusal.with_first(EndTurn(by=first)) if first else refusal


def try_facts(facts: Iterable[Fact], state: State) -> None:
    """Check that these facts can be decided now, each on the state after the one before. Raises Refused."""
    projection = StateProjection()
    mark = projection.mark(state)
    try:
        for fact in facts:
            projection.step(state, NOT_WRITTEN, fact)
    finally:
        projection.roll_back(state, mark)
