"""What a turn is made of besides attacks: stance, moves, things in hand, fortitude checks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.dice import Dice
from ledger.facts import Fact, Linked
from projections.state import State
from rulebooks.common.decisions import decides
from rulebooks.common.values import check_whole, sheet_number
from rulebooks.semiautomagic import checks, cover, guards, items, locations, mounts, turns, weapons
from rulebooks.semiautomagic.declarations.turns import Draw, Fortitude, Move, SetStance, Stow, Wear
from rulebooks.semiautomagic.squares import Square, check_square, leave_square, place, square_of, travel
from rulebooks.semiautomagic.texts import outside_domain, refusal

STANDING: Final = "standing"


def stance_seconds(before: str, after: str) -> int:
    """TT-STN-3: 2 seconds from prone to standing, 1 for any other change."""
    return 2 if (before, after) == (cover.PRONE, STANDING) else 1


@decides(SetStance)
def set_stance(said: SetStance, state: State) -> Iterator[Fact]:
    """TT-STN-3: a change of stance takes seconds."""
    guards.check_turn(said.by, state)
    mounts.check_on_foot(said.by, state, "stance")
    before = cover.stance(said.by, state) or STANDING
    if said.stance == before:
        raise refusal("STANCE", name=said.by, stance=before)
    seconds = stance_seconds(before, said.stance)
    turns.check_seconds(said.by, seconds, state)
    yield from turns.spend_seconds(said.by, seconds, state, "TT-STN-3")
    yield from cover.change_stance(said.by, said.stance, state, "TT-STN-3", "TT-STN-1")


@decides(Move)
def move(said: Move, state: State) -> Iterator[Fact]:
    """TT-SPD-1: squares moved, of one's own or by force; a mount moves with its rider (TT-GAP-20, TT-GAP-35).

    TT-MNT-1: a rider goes where the mount goes; who is thrown or falls is out of the saddle.
    """
    guards.find_creature(said.by, state)
    if said.forced:
        guards.check_alive(said.by, state)
    else:
        guards.check_turn(said.by, state)
        mounts.check_on_foot(said.by, state, "move")
    for field, value in (("squares", said.squares), ("speed", said.speed), ("seconds", said.seconds)):
        check_whole(field, value, 0, 1_000_000, outside_domain)
    square = check_square("to", said.to)
    if not said.forced:
        turns.check_seconds(said.by, said.seconds, state)
        yield from turns.spend_seconds(said.by, said.seconds, state, "TT-OUT-1")
        yield from start_mount(said.by, state)
    elif mount := guards.mount_of(said.by, state):
        yield from mounts.leave_saddle(said.by, mount, state)
    yield from travel(said.by, said.squares, said.speed, state)
    if said.squares or square is not None:
        yield from go_to(said.by, square, state)


def go_to(who: str, square: Square | None, state: State) -> Iterator[Fact]:
    """TT-GAP-38: a creature leaves its square; where it is now is known only if the line says it."""
    if square is not None or square_of(who, state) is not None:
        yield from place(who, state.place(who), square, state)
    else:
        yield from leave_square(who, state)


def start_mount(who: str, state: State) -> Iterator[Fact]:
    """TT-MNT-3: a mount that was to stay where it is moves: its rider needs a hand for it now."""
    rider = guards.rider_of(who, state)
    control = state.conditions.get(f"{guards.CONTROLLING} {rider}")
    if control is not None and control.about == guards.STATIONARY:
        yield mounts.take_reins(rider, state, stationary=False)


@decides(Draw)
def draw(said: Draw, state: State) -> Iterator[Fact]:
    """TT-CAL-4: take something in hand that is carried or lies about, if enough hands are free and of use."""
    guards.check_turn(said.by, state)
    item = items.find_item(said.by, said.item, state)
    if items.tie_of(item, state) in (items.HELD, items.PART):
        raise outside_domain("item", "something that is not in hand", said.item)
    hand = items.first_hand(items.free_hands(said.by, state), sheet_number(item, "hands", state, 1))
    if hand is None:
        raise items.no_hand(items.why_not_drawn(said.by, item, state), said.by, items.short_name(item, state), state)
    for tie in (items.CARRIED, items.WORN):
        if said.by in state.ties_from(item, tie):
            yield Linked(rules=("TT-CAL-4",), one=item, tie=tie, other=said.by, on=False)
    yield Linked(rules=("TT-CAL-4",), one=item, tie=items.HELD, other=said.by, degree=hand)


@decides(Stow)
def stow(said: Stow, state: State) -> Iterator[Fact]:
    """TT-MNT-3: put away what is in hand, or take off what is worn; the hand is free then."""
    guards.check_turn(said.by, state)
    item = items.find_item(said.by, said.item, state)
    tie = items.tie_of(item, state)
    if tie not in (items.HELD, items.WORN):
        raise outside_domain("item", f"something that {said.by} holds or wears", said.item)
    yield Linked(rules=("TT-MNT-3",), one=item, tie=tie, other=said.by, on=False)
    yield Linked(rules=("TT-MNT-3",), one=item, tie=items.CARRIED, other=said.by)


@decides(Wear)
def wear(said: Wear, state: State) -> Iterator[Fact]:
    """TT-OUT-5: put on what is carried, in hand or lies about, but no weapon and no shield."""
    guards.check_turn(said.by, state)
    item = items.find_item(said.by, said.item, state)
    tie = items.tie_of(item, state)
    if tie == items.WORN or not can_wear(item, state):
        raise outside_domain("item", f"something to wear that {said.by} does not wear yet", said.item)
    if tie:
        yield Linked(rules=("TT-OUT-5",), one=item, tie=tie, other=said.by, on=False)
    yield Linked(rules=("TT-OUT-5",), one=item, tie=items.WORN, other=said.by)


def can_wear(item: str, state: State) -> bool:
    """TT-OUT-5: whether an item is no weapon, no shield and no part of the body."""
    return not (
        items.tie_of(item, state) == items.PART or weapons.is_weapon(item, state) or sheet_number(item, "shield", state)
    )


@decides(Fortitude)
def fortitude(said: Fortitude, state: State, dice: Dice) -> Iterator[Fact]:
    """TT-CAL-4: the fortitude check that is due; who fails falls (a rider off the mount), drops it, or staggers."""
    due = yield from checks.roll_fortitude(said, state, dice)
    if due is not None and due.failure == locations.FALL and (mount := guards.mount_of(said.by, state)):
        yield from mounts.leave_saddle(said.by, mount, state)
    if due is not None:
        yield from locations.fail_fortitude(said.by, due, state)
