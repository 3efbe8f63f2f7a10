"""Who is in play, who can act at all, and whose turn it is."""

from __future__ import annotations

from typing import Final

from ledger.errors import Refused
from projections.derived import derived, derived_of_being
from projections.state import Being, Encounter, State
from rulebooks.common.beings import find_being, name_in_line, speaker
from rulebooks.common.conditions import has_any, has_condition
from rulebooks.common.encounters import EndTurn
from rulebooks.semiautomagic.texts import outside_domain, refusal, unknown

CREATURES: Final = ("pc", "npc")
DEAD: Final = "dead"
DYING: Final = "dying"
DYING_CHECK: Final = "dying check"
UNCONSCIOUS: Final = "unconscious"
WAYS_OUT: Final = (DEAD, DYING, UNCONSCIOUS)
RIDES: Final = "rides"
SECONDS: Final = "seconds"  # of a turn
CONTROLLING: Final = "controlling"
MOVING: Final = "moving"  # what a condition of control is about; else it is STATIONARY
STATIONARY: Final = "stationary"


def find_creature(who: str, state: State, field: str = "by") -> Being:
    """Return the creature of this name. Raises the refusal of any other name."""
    return find_being(field, who, state, CREATURES, "a creature in play, spelled as on the sheet", unknown)


def find_two(who: str, target: str, state: State) -> None:
    """Refuse a line that is not about two creatures in play."""
    find_creature(who, state)
    find_creature(target, state, "target")
    if who == target:
        raise outside_domain("target", "somebody else", target)


@derived_of_being
def is_able(who: str, state: State) -> bool:
    """TT-OUT-6: neither dead, nor dying, nor unconscious."""
    return not has_any(who, WAYS_OUT, state)


def check_able(who: str, state: State) -> None:
    """TT-OUT-6: refuse an act of the dead, the dying and the unconscious."""
    check_alive(who, state)
    if not is_able(who, state):
        case = DYING if has_condition(who, DYING, state) else UNCONSCIOUS
        raise refusal("DYING", case=case, name=who, speaker=speaker(who, state))


def check_alive(who: str, state: State) -> None:
    """TT-OUT-6: refuse the dead."""
    if has_condition(who, DEAD, state):
        raise refusal("DEAD", name=who)


@derived("links")
def mount_of(who: str, state: State) -> str:
    """TT-MNT-1: the mount that a creature rides, or an empty text."""
    return next(iter(state.ties_from(who, RIDES)), "")


@derived("links", "beings")
def rider_of(who: str, state: State) -> str:
    """TT-MNT-1: the creature that rides this one, or an empty text."""
    return next(iter(state.ties_to(who, RIDES)), "")


def controlled_mount(who: str, state: State) -> str:
    """TT-MNT-4: the mount that acts in a rider's turn: under control, and both able; or an empty text."""
    mount = mount_of(who, state) if has_condition(who, CONTROLLING, state) and is_able(who, state) else ""
    return mount if mount and is_able(mount, state) else ""


def acts_for_itself(who: str, state: State) -> bool:
    """TT-MNT-4, TT-GAP-44: whether a creature has a turn of its own: a mount has none while it is under control."""
    rider = rider_of(who, state)
    return not (rider and controlled_mount(rider, state) and is_playing(rider, state))


def is_playing(who: str, state: State) -> bool:
    """TT-OUT-1: whether a creature is able, and in the fight if there is one."""
    return is_able(who, state) and (state.encounter is None or is_in_fight(who, state))


def is_in_fight(who: str, state: State) -> bool:
    """TT-OUT-1: whether a creature is in the order of turns."""
    return state.encounter is not None and who in state.encounter.in_order


def seconds_left(who: str, state: State) -> int:
    """TT-OUT-1, TT-OUT-6: the seconds left of a turn; none for who is unable to act."""
    return state.actions_left(who, SECONDS) if is_able(who, state) else 0


def check_turn(who: str, state: State) -> None:
    """TT-OUT-1, TT-MNT-4: refuse an act of no creature, of the unable, out of turn, or of a mount without control."""
    find_creature(who, state)
    check_able(who, state)
    encounter = state.encounter
    if encounter is None:
        return
    rider = rider_of(who, state)
    if not acts_for_itself(who, state):
        who = rider
    elif rider and encounter.turn == rider and is_playing(rider, state):
        raise no_control(who, rider, state)
    if not is_in_fight(who, state):
        raise refusal("NOT-TURN", name=who, way=f"{who} is not in the fight: ! join {name_in_line(who)}")
    if encounter.turn != who:
        raise not_turn(who, encounter, state)


def no_control(mount: str, rider: str, state: State) -> Refused:
    """TT-MNT-4, TT-GAP-44: the refusal of what a mount does in its rider's turn without control."""
    case = "" if is_in_fight(mount, state) else "absent"
    line = speaker(rider, state)
    return refusal("NO-CONTROL", case=case, name=mount, mount=name_in_line(mount), rider=rider, line=line)


def owes_check(who: str, state: State) -> bool:
    """TT-OUT-6: whether a dying creature has its check of this round to make."""
    return has_condition(who, DYING, state) and not state.count(who, DYING_CHECK)


def not_turn(who: str, encounter: Encounter, state: State) -> Refused:
    """TT-OUT-1: the refusal of an act out of turn, with the end of the turn that must come first."""
    if not encounter.turn:
        return refusal("NOT-TURN", name=who, way="Nobody in the fight can act")
    line = speaker(encounter.turn, state)
    if owes_check(encounter.turn, state):
        way = f"It is the turn of {encounter.turn}, who has the check of the dying to make: {line} dying"
    else:
        way = f"It is the turn of {encounter.turn}, {seconds_left(encounter.turn, state)} s left: {line} end"
    return refusal("NOT-TURN", name=who, way=way).with_first(EndTurn(by=encounter.turn))
