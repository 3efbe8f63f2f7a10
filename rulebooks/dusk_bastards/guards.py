"""Guards: checks that somebody is in play, in the encounter, and able to act."""

from __future__ import annotations

from typing import Final

from ledger.errors import Refused
from ledger.facts import GM
from projections.derived import derived_of_being
from projections.state import Encounter, State
from rulebooks.common.beings import find_being
from rulebooks.common.conditions import has_any, has_condition
from rulebooks.common.turn import ActorTurn
from rulebooks.dusk_bastards.texts import option, refusal, value_refusal
from rulebooks.dusk_bastards.world.clock import COMBAT

WOUND_DUE: Final = "wound due"
DELAYED: Final = "delayed"
STUNNED: Final = "stunned"
OUT: Final = ("dead", "incapacitated")


class Turn(ActorTurn, frozen=True, kw_only=True):
    """What a moment is for somebody: also whether it is in a combat, and an action that they have delayed."""

    in_combat: bool
    has_delayed: bool  # the standard action (DB-STD-4)


def check_in_play(who: str, state: State, field: str = "by") -> None:
    """DB-PLAY-9: a character or a foe in play, under the name on the sheet."""
    find_being(field, who, state, ("pc", "npc"), "a character or a foe in play", value_refusal)


def check_being(who: str, state: State, field: str) -> None:
    """DB-PLAY-9: anybody or anything in play, under its own name."""
    find_being(field, who, state, (), "somebody or something in play", value_refusal)


def check_actor(who: str, state: State) -> None:
    """DB-ROLL-3: players make all rolls, for their characters."""
    find_being("by", who, state, ("pc",), "a player's character in play", value_refusal)


def is_foe(who: str, state: State) -> bool:
    """DB-ROLL-3: whether somebody is played by the game master, who does not roll."""
    return state.kind(who) == "npc"


@derived_of_being
def is_out(who: str, state: State) -> bool:
    """DB-WOUND-5, DB-DMG-5: dead or incapacitated."""
    return has_any(who, OUT, state)


@derived_of_being
def is_critical(who: str, state: State) -> bool:
    """DB-WOUND-9: a critical wound in force leaves no actions of any kind."""
    return any(wound.in_force and wound.kind == "critical" for _, wound in state.wounds_of(who))


@derived_of_being
def is_down(who: str, state: State) -> bool:
    """DB-WOUND-5, DB-WOUND-9: dead, incapacitated or critically wounded: out of a fight for now."""
    return is_out(who, state) or is_critical(who, state)


def members(encounter: Encounter) -> tuple[str, ...]:
    """DB-GAP-63: the members of an encounter: those it began with and those who joined, without those who left."""
    return encounter.present


def encounter_of(who: str, state: State) -> Encounter | None:
    """Return the running encounter if somebody is in it."""
    encounter = state.encounter
    return encounter if encounter is not None and who in members(encounter) else None


def turn_of(who: str, state: State) -> Turn:
    """Return what this moment is for somebody."""
    encounter = encounter_of(who, state)
    in_combat = encounter is not None and encounter.scale == COMBAT
    return Turn(who=who, encounter=encounter, in_combat=in_combat, has_delayed=has_condition(who, DELAYED, state))


def encounter_refusal(who: str, state: State) -> Refused:
    """DB-PLAY-9: no encounter for this declaration, or one too many; the refusal says what to do about it now."""
    encounter, case = state.encounter, ""
    if encounter is None:
        way = 'Begin one first: ! encounter "the lamp room"'
    elif not who:
        case, way = "running", "End it first: ! end"
    elif who not in members(encounter):
        case, way = "outside", f'Let {who} join it first: ! join "{who}"'
    elif encounter.scale != COMBAT:
        case, way = "scale", f"Only combat has that, and this is {encounter.scale}: one action a round, or pass"
    else:
        case, way = "inside", "Go on with what comes next"
    return refusal("ENC", case=case, name=who, way=way)


def running_encounter(state: State, who: str = "") -> Encounter:
    """DB-ENC-1: the running encounter; refused when there is none."""
    if state.encounter is None:
        raise encounter_refusal(who, state)
    return state.encounter


def wounds_due(state: State) -> list[tuple[str, str]]:
    """DB-WOUND-11: window and bearer of the wound rolls due, in the order in which they came due."""
    if not state.windows:
        return []
    due = [(window.order, name, window.who) for name, window in state.windows.items() if window.kind == WOUND_DUE]
    return [(name, who) for _, name, who in sorted(due)]


def check_alive(who: str, state: State) -> None:
    """DB-WOUND-5: the dead make no declarations. DB-WOUND-11: nor anybody while a wound roll is due."""
    check_not_out(who, state)
    check_no_wound_due(state)


def check_not_out(who: str, state: State) -> None:
    """DB-WOUND-5: the dead make no declarations."""
    if is_out(who, state):
        raise refusal("DEAD", case="dead" if has_condition(who, "dead", state) else "out", name=who)


def check_no_wound_due(state: State) -> None:
    """DB-WOUND-11: while a wound roll is due, everything but that roll and rulings is refused."""
    for window, bearer in wounds_due(state):
        raise wound_refusal(window, bearer, state)


def check_able(who: str, state: State, *, reacts: bool = False) -> None:
    """DB-WOUND-9, DB-SPEC-2: the critically wounded take no actions, the stunned lose their turn.

    Nor do the stunned react, unless the table reads it otherwise.
    """
    check_alive(who, state)
    check_unhindered(who, state, reacts=reacts)


def check_hindrances(who: str, state: State, *, reacts: bool = False) -> None:
    """Check that somebody is neither dead, nor critically wounded, nor stunned, whatever else is due first."""
    check_not_out(who, state)
    check_unhindered(who, state, reacts=reacts)


@derived_of_being
def can_use(who: str, action: str, state: State) -> bool:
    """Return whether somebody who has this action left is not hindered from taking it."""
    try:
        check_hindrances(who, state, reacts=action == "reaction")
    except Refused:
        return False
    return True


def check_unhindered(who: str, state: State, *, reacts: bool = False) -> None:
    """DB-WOUND-9, DB-SPEC-2: the living are neither critically wounded nor stunned."""
    if is_critical(who, state):
        raise refusal("NOACT", name=who)
    if has_condition(who, STUNNED, state) and not (reacts and option(state, "stunned_can_react") == "yes"):
        raise refusal("STUNNED", name=who)


def check_not_paralysed(who: str, state: State) -> None:
    """DB-SPEC-5: the paralysed do nothing that needs movement of the body."""
    if has_condition(who, "paralysed", state):
        raise refusal("PARALYSED", name=who)


def wound_refusal(window: str, bearer: str, state: State) -> Refused:
    """DB-WOUND-11, DB-DMG-6: the wound roll that is due first, and its roller."""
    roller = next(iter(state.windows[window].awaits), bearer)
    return refusal("PENDING-WOUND", name=bearer, line=f'"{roller}" wound "{bearer}"'.replace(f'"{GM}"', "!"))


def is_in_combat(who: str, state: State) -> bool:
    """DB-ENC-1: whether somebody is in a running combat."""
    return turn_of(who, state).in_combat


def turn_to_act(who: str, state: State, *, physical: bool) -> Turn:
    """DB-WOUND-9, DB-SPEC-2, DB-SPEC-5: the moment of somebody who is able to act."""
    check_able(who, state)
    if physical:
        check_not_paralysed(who, state)
    return turn_of(who, state)


def turn_in_combat(who: str, state: State, *, physical: bool = False) -> Turn:
    """The moment of a declaration for combat alone. DB-E-ENC comes after death and before all hindrances."""
    check_in_play(who, state)
    check_alive(who, state)
    moment = turn_of(who, state)
    if not moment.in_combat:
        raise encounter_refusal(who, state)
    check_unhindered(who, state)
    if physical:
        check_not_paralysed(who, state)
    return moment
