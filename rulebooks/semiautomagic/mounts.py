"""Mounts: mounting, and the control that lets a mount act in its rider's turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import ConditionBegan, Counted, Ends, Fact, Linked, Placed, Ruled
from projections.state import State
from rulebooks.common.beings import name_in_line, speaker
from rulebooks.common.conditions import condition_end, find_condition, has_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.values import sheet_number
from rulebooks.semiautomagic import cover, guards, items, squares, turns
from rulebooks.semiautomagic.declarations.turns import ControlMount, Dismount, MountUp, ReleaseMount
from rulebooks.semiautomagic.texts import outside_domain, refusal

CONTROL_SECONDS: Final = 2
CONTROL_PAID: Final = "control"  # counts that it is paid for


@decides(MountUp)
def mount_up(said: MountUp, state: State) -> Iterator[Fact]:
    """TT-MNT-1: a rider mounts. TT-GAP-28: without ranks in Ride, or on an untrained mount, it is a ruling."""
    guards.find_creature(said.by, state)
    guards.find_creature(said.mount, state, "mount")
    guards.check_turn(said.by, state)
    guards.check_able(said.mount, state)
    taken = said.by == said.mount or guards.mount_of(said.by, state) or guards.mount_of(said.mount, state)
    if taken or guards.rider_of(said.mount, state) or guards.rider_of(said.by, state):
        raise outside_domain("mount", "a creature without a rider, for somebody on foot", said.mount)
    if cover.stance(said.by, state):
        raise refusal(
            "STANCE", case="mount", name=said.by, stance=cover.stance(said.by, state), line=speaker(said.by, state)
        )
    unfit = unfitness(said.by, said.mount, state)
    if unfit:
        text = f"the rules of mounted combat apply to {said.by}"
        yield Ruled(rules=("TT-GAP-28", "TT-MNT-1"), name="mount", text=text, because=said.reason or unfit)
    yield from squares.join_places(said.by, said.mount, state)
    yield Linked(rules=("TT-MNT-1",), one=said.by, tie=guards.RIDES, other=said.mount)
    if is_fresh(said.by, said.mount, state):
        yield from turns.give_seconds(said.mount, state, "TT-MNT-4")


def is_fresh(rider: str, mount: str, state: State) -> bool:
    """TT-MNT-4: whether a mount, mounted in its rider's turn, has not had a turn in this round."""
    encounter = state.encounter
    if encounter is None or encounter.turn != rider:
        return False
    return mount not in encounter.done and not turns.has_seconds(mount, state)


def unfitness(rider: str, mount: str, state: State) -> str:
    """TT-MNT-1: what a rider or a mount lacks for the rules of mounted combat."""
    lacks = [f"{rider} has no ranks in Ride"] if not sheet_number(rider, "ride", state) else []
    lacks += [f"{mount} is no trained warhorse"] if not sheet_number(mount, "warhorse", state) else []
    return ", ".join(lacks)


def find_mount(who: str, state: State) -> str:
    """TT-MNT-2: the mount of a rider. Raises the refusal of who rides none."""
    mount = guards.mount_of(who, state)
    if not mount:
        raise refusal("NOT-MOUNTED", name=who, line=speaker(who, state))
    return mount


@decides(Dismount)
def dismount(said: Dismount, state: State) -> Iterator[Fact]:
    """TT-MNT-1: a rider dismounts where the mount is, and with that gives up control."""
    guards.check_turn(said.by, state)
    mount = find_mount(said.by, state)
    yield from leave_saddle(said.by, mount, state)


def leave_saddle(who: str, mount: str, state: State) -> Iterator[Fact]:
    """TT-MNT-1: a rider is on foot, where the mount is."""
    yield from release(who, state)
    yield Linked(rules=("TT-MNT-1",), one=who, tie=guards.RIDES, other=mount, on=False)
    where = state.places.get(mount)
    if where is not None and where != state.places.get(who):
        yield Placed(rules=("TT-MNT-1",), who=who, place=where.place, square=where.square)


def check_on_foot(who: str, state: State, case: str) -> None:
    """TT-MNT-1: refuse what a rider does not do in the saddle: it goes where the mount goes, and has no stance."""
    mount = guards.mount_of(who, state)
    if mount:
        line, mount_line = speaker(who, state), name_in_line(mount)
        raise refusal("MOUNTED", case=case, name=who, mount=mount, line=line, mount_line=mount_line)


@decides(ControlMount)
def control_mount(said: ControlMount, state: State) -> Iterator[Fact]:
    """TT-MNT-2: control takes 2 seconds every round; TT-MNT-3: and one hand, unless the mount stays where it is.

    TT-GAP-44: who gives it up and takes it again in the same round does not pay again.
    """
    guards.check_turn(said.by, state)
    find_mount(said.by, state)
    paid = has_condition(said.by, guards.CONTROLLING, state) or state.count(said.by, CONTROL_PAID)
    control = take_reins(said.by, state, stationary=said.stationary)
    if not paid:
        turns.check_seconds(said.by, CONTROL_SECONDS, state)
        yield from turns.spend_seconds(said.by, CONTROL_SECONDS, state, "TT-MNT-2", "TT-GAP-29")
        yield from count_payment(said.by, state)
    yield control


def count_payment(who: str, state: State) -> Iterator[Fact]:
    """TT-GAP-44: control is paid for until the rider's next turn, while turns are counted."""
    if state.encounter is not None:
        yield Counted(rules=("TT-GAP-44",), who=who, name=CONTROL_PAID, change=1, now=1, of=1, until=squares.OWN_TURN)


def take_reins(who: str, state: State, *, stationary: bool) -> ConditionBegan:
    """TT-MNT-3: control of a mount; the reins of one that moves need a free hand. Raises the refusal of full hands."""
    before = find_condition(who, guards.CONTROLLING, state)
    has_reins = before is not None and before.about == guards.MOVING
    if not stationary and not has_reins and not items.free_hands(who, state):
        raise refusal("HANDS", name=who, line=speaker(who, state))
    about, ends = guards.STATIONARY if stationary else guards.MOVING, (Ends(at="slot", whose=who),)
    return new_condition(who, guards.CONTROLLING, "TT-MNT-3", "TT-MNT-4", about=about, ends=ends)


@decides(ReleaseMount)
def release_mount(said: ReleaseMount, state: State) -> Iterator[Fact]:
    """TT-GAP-29: a rider who gives up control has the hand free; the mount does what the game master says."""
    guards.check_turn(said.by, state)
    mount = find_mount(said.by, state)
    if not has_condition(said.by, guards.CONTROLLING, state):
        raise refusal("NO-CONTROL", case="none", name=mount, rider=said.by).as_idle()
    yield from release(said.by, state)


def release(who: str, state: State) -> Iterator[Fact]:
    """TT-GAP-29: control of a mount ends."""
    if has_condition(who, guards.CONTROLLING, state):
        yield condition_end(f"{guards.CONTROLLING} {who}", state, "given up", "TT-GAP-29")
