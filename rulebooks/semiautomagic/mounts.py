"""Mounts: mounting, and the control that lets a mount act in its rider's turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import Allowed, ConditionBegan, Ends, Fact, Linked, Placed, Ruled
from projections.state import State
from rulebooks.common.beings import speaker
from rulebooks.common.conditions import condition_end, find_condition, has_condition, new_condition
from rulebooks.semiautomagic.declarations.turns import ControlMount, Dismount, MountUp, ReleaseMount
from rulebooks.semiautomagic.guards import (
    CONTROLLING,
    MOVING,
    RIDES,
    SECONDS,
    STATIONARY,
    check_able,
    check_turn,
    entry,
    find_creature,
    mount_of,
    rider_of,
)
from rulebooks.semiautomagic.items import free_hands
from rulebooks.semiautomagic.texts import outside_domain, refusal
from rulebooks.semiautomagic.turns import TURN_SECONDS, check_seconds, spend_seconds

CONTROL_SECONDS: Final = 2


def mount_up(said: MountUp, state: State) -> Iterator[Fact]:
    """TT-MNT-1: a rider mounts. TT-GAP-28: without ranks in Ride, or on an untrained mount, it is a ruling."""
    find_creature(said.by, state)
    find_creature(said.mount, state, "mount")
    check_turn(said.by, state)
    check_able(said.mount, state)
    taken = said.by == said.mount or mount_of(said.by, state) or mount_of(said.mount, state)
    if taken or rider_of(said.mount, state) or rider_of(said.by, state):
        raise outside_domain("mount", "a creature without a rider, for somebody on foot", said.mount)
    unfit = unfitness(said.by, said.mount, state)
    if unfit:
        text = f"the rules of mounted combat apply to {said.by}"
        yield Ruled(rules=("TT-GAP-28", "TT-MNT-1"), name="mount", text=text, because=said.reason or unfit)
    yield Linked(rules=("TT-MNT-1",), one=said.by, tie=RIDES, other=said.mount)
    if is_fresh(said.by, said.mount, state):
        yield Allowed(rules=("TT-MNT-4",), who=(said.mount,), actions=((SECONDS, TURN_SECONDS),), until="turn")


def is_fresh(rider: str, mount: str, state: State) -> bool:
    """TT-MNT-4: whether a mount, mounted in its rider's turn, has not had a turn in this round."""
    encounter = state.encounter
    if encounter is None or encounter.turn != rider:
        return False
    return mount not in encounter.done and (mount, SECONDS) not in state.allowances


def unfitness(rider: str, mount: str, state: State) -> str:
    """TT-MNT-1: what a rider or a mount lacks for the rules of mounted combat."""
    lacks = [f"{rider} has no ranks in Ride"] if not entry(rider, "ride", state) else []
    lacks += [f"{mount} is no trained warhorse"] if not entry(mount, "warhorse", state) else []
    return ", ".join(lacks)


def find_mount(who: str, state: State) -> str:
    """TT-MNT-2: the mount of a rider. Raises the refusal of who rides none."""
    mount = mount_of(who, state)
    if not mount:
        raise refusal("NOT-MOUNTED", name=who, line=speaker(who, state))
    return mount


def dismount(said: Dismount, state: State) -> Iterator[Fact]:
    """TT-MNT-1: a rider dismounts where the mount is, and with that gives up control."""
    find_creature(said.by, state)
    check_turn(said.by, state)
    mount = find_mount(said.by, state)
    yield from release(said.by, state)
    yield Linked(rules=("TT-MNT-1",), one=said.by, tie=RIDES, other=mount, on=False)
    position = state.places.get(mount)
    if position is not None and position != state.places.get(said.by):
        yield Placed(rules=("TT-MNT-1",), who=said.by, place=position.place, square=position.square)


def control_mount(said: ControlMount, state: State) -> Iterator[Fact]:
    """TT-MNT-2: control takes 2 seconds every round; TT-MNT-3: and one hand, unless the mount stays where it is."""
    find_creature(said.by, state)
    check_turn(said.by, state)
    find_mount(said.by, state)
    before = find_condition(said.by, CONTROLLING, state)
    control = take_reins(said.by, state, stationary=said.stationary)
    seconds = 0 if before else CONTROL_SECONDS
    check_seconds(said.by, seconds, state)
    yield from spend_seconds(said.by, seconds, state, "TT-MNT-2", "TT-GAP-29")
    yield control


def take_reins(who: str, state: State, *, stationary: bool) -> ConditionBegan:
    """TT-MNT-3: control of a mount; of one that moves only with a free hand. Raises the refusal of full hands."""
    before = find_condition(who, CONTROLLING, state)
    has_reins = before is not None and before.about == MOVING
    if not stationary and not has_reins and not free_hands(who, state):
        raise refusal("HANDS", name=who, line=speaker(who, state))
    about, ends = STATIONARY if stationary else MOVING, (Ends(at="slot", whose=who),)
    return new_condition(who, CONTROLLING, "TT-MNT-3", "TT-MNT-4", about=about, ends=ends)


def release_mount(said: ReleaseMount, state: State) -> Iterator[Fact]:
    """TT-GAP-29: a rider who gives up control has the hand free; the mount does what the game master says."""
    find_creature(said.by, state)
    check_turn(said.by, state)
    mount = find_mount(said.by, state)
    if not has_condition(said.by, CONTROLLING, state):
        raise refusal("NO-CONTROL", name=mount, rider=said.by, line=speaker(said.by, state))
    yield from release(said.by, state)


def release(who: str, state: State) -> Iterator[Fact]:
    """TT-GAP-29: control of a mount ends."""
    if has_condition(who, CONTROLLING, state):
        yield condition_end(f"{CONTROLLING} {who}", state, "given up", "TT-GAP-29")
