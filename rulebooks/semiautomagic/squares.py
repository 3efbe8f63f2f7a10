"""Squares: where somebody stands, who is flanked, how far and how fast somebody has moved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import ConditionBegan, Counted, CountsCleared, Ends, Fact, Linked, Placed
from projections.derived import derived
from projections.state import Place, State
from rulebooks.common.absence import is_absent
from rulebooks.common.conditions import condition_end, find_condition, has_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.sums import SumSteps
from rulebooks.semiautomagic.creatures import scale, side_of_square
from rulebooks.semiautomagic.declarations.scene import PutAt, SetFlanked
from rulebooks.semiautomagic.guards import CREATURES, find_creature, is_able, mount_of, rider_of
from rulebooks.semiautomagic.texts import check_reason, outside_domain

FLANKED: Final = "flanked"
SQUARES: Final = "squares"
SPEED: Final = "speeding"
OWN_TURN: Final = "own turn"
LOCATED: Final = "located"
HERE: Final = "Here"  # the place of all that nobody has put elsewhere
FAST_SQUARES: Final = 30
NEIGHBOURS: Final = ((0, 1), (1, 1), (1, 0), (1, -1))  # one of each pair of opposite squares

Square = tuple[int, int]


def check_square(field: str, square: tuple[int, ...]) -> Square | None:
    """Return a square of two numbers; None where none is said. Raises the refusal of anything else."""
    if not square:
        return None
    if len(square) != 2:
        raise outside_domain(field, "two numbers, as in 5,5", ",".join(map(str, square)))
    return square[0], square[1]


def square_of(who: str, state: State) -> Square | None:
    """Return the square of a creature, if it is known; a rider is where the mount is."""
    place = position(who, state)
    return place.square if place else None


def is_located(who: str, observer: str, state: State) -> bool:
    """TT-INV-2: whether an observer knows the square of a creature that it cannot see."""
    return who in state.ties_from(observer, LOCATED)


def place_of(who: str, state: State) -> str:
    """TT-LIT-1: the place of a creature, whose light counts; a rider is where the mount is."""
    place = position(who, state)
    return place.place if place else HERE


@derived("places", "links", "beings")
def position(who: str, state: State) -> Place | None:
    """Return where a creature is. A rider is where the mount is, and a mount that nobody has put where its rider is."""
    pair = (mount_of(who, state), who, rider_of(who, state))
    return next((state.places[being] for being in pair if being in state.places), None)


@decides(PutAt)
def put_at(said: PutAt, state: State) -> Iterator[Fact]:
    """The game master says where a creature is; a mount and its rider stay together."""
    find_creature(said.who, state, "who")
    where, square = said.place or place_of(said.who, state), check_square("square", said.square)
    pair = together(said.who, state)
    if any(state.places.get(who) != Place(place=where, square=square) for who in pair):
        yield from place(said.who, where, square, state)


def together(who: str, state: State) -> list[str]:
    """TT-MNT-1: a creature, and the mount or the rider that goes with it."""
    return [being for being in (who, mount_of(who, state), rider_of(who, state)) if being]


def place(who: str, where: str, square: Square | None, state: State) -> Iterator[Fact]:
    """Put a creature somewhere, with its mount or rider. TT-GAP-38: who had located it has to locate it again."""
    for being in together(who, state):
        yield Placed(rules=("TT-INV-2",), who=being, place=where or HERE, square=square)
    yield from leave_square(who, state)


def leave_square(who: str, state: State) -> Iterator[Fact]:
    """TT-GAP-38: who had located a creature does not know its new square; mount and rider go together."""
    for being in together(who, state):
        for observer in state.ties_to(being, LOCATED):
            yield Linked(rules=("TT-GAP-38",), one=observer, tie=LOCATED, other=being, on=False)


def join_places(rider: str, mount: str, state: State) -> Iterator[Fact]:
    """TT-MNT-1: who mounts goes to the mount; a mount that nobody has put anywhere is where its rider is."""
    theirs, own = state.places.get(mount), state.places.get(rider)
    if theirs is None and own is not None:
        yield Placed(rules=("TT-MNT-1",), who=mount, place=own.place, square=own.square)
    elif theirs is not None and own != theirs:
        yield Placed(rules=("TT-MNT-1",), who=rider, place=theirs.place, square=theirs.square)
        yield from leave_square(rider, state)


# Flanking


def is_flanked(who: str, state: State) -> bool:
    """TT-FLK-1: enemies on two opposite adjacent squares, or the game master's word (TT-GAP-19)."""
    if has_condition(who, FLANKED, state):
        return True
    centre = square_of(who, state)
    if centre is None or scale(who, state):
        return False
    (x, y), squares = centre, enemy_squares(who, state)
    return any((x + dx, y + dy) in squares and (x - dx, y - dy) in squares for dx, dy in NEIGHBOURS)


@derived("beings", "sheets", "conditions", "places", "links")
def enemy_squares(who: str, state: State) -> frozenset[Square]:
    """TT-GAP-19: the squares of the enemies of scale 0 that are able to act, in the same place."""
    own = state.being(who)
    return frozenset(
        square
        for being in state.beings_in_order()
        if own and being.kind in CREATURES and being.side != own.side and not scale(being.name, state)
        if is_able(being.name, state) and not is_absent(being.name, state)
        if place_of(being.name, state) == place_of(who, state)
        if (square := square_of(being.name, state)) is not None
    )


@decides(SetFlanked)
def set_flanked(said: SetFlanked, state: State) -> Iterator[Fact]:
    """TT-GAP-19: the game master declares who is flanked, where the squares do not say it."""
    find_creature(said.who, state, "who")
    check_reason(said.reason, "flanking")
    if not said.off:
        yield new_condition(said.who, FLANKED, "TT-FLK-1", "TT-GAP-19")
    elif has_condition(said.who, FLANKED, state):
        yield condition_end(f"{FLANKED} {said.who}", state, said.reason, "TT-GAP-19")


# Distance and speed


def travel(who: str, squares: int, speed: int, state: State, *rules: str) -> Iterator[Fact]:
    """TT-SPD-1: squares moved count by whatever cause, for a rider in squares of its own (TT-GAP-20, TT-GAP-35)."""
    if state.encounter is None:
        yield CountsCleared(rules=("TT-GAP-20",), until=OWN_TURN, who=who)
    if squares:
        now = state.count(who, SQUARES) + squares
        yield Counted(rules=("TT-SPD-1", *rules), who=who, name=SQUARES, change=squares, now=now, until=OWN_TURN)
    if speed:
        yield new_speed(who, speed)
    rider = rider_of(who, state)
    if rider:
        yield from travel(rider, own_squares(squares, who, rider, state), speed, state, "TT-GAP-35")


def new_speed(who: str, speed: int) -> ConditionBegan:
    """TT-SPD-2: the speed in metres per second, until the creature's next turn."""
    return new_condition(who, SPEED, "TT-SPD-2", degree=speed, ends=(Ends(at="slot", whose=who),))


def own_squares(squares: int, mount: str, rider: str, state: State) -> int:
    """TT-GAP-35: the distance of a mount in the squares of its rider: 20 squares of 2 m are 40 of 1 m."""
    (side, parts), (own, own_parts) = side_of_square(mount, state), side_of_square(rider, state)
    return squares * side * own_parts // (parts * own)


def add_distance(steps: SumSteps, who: str, state: State) -> None:
    """TT-SPD-1: +1 Target for every 30 squares of the turn."""
    squares = state.count(who, SQUARES)
    steps.add(squares // FAST_SQUARES, "TT-SPD-1", f"{squares} squares moved")


def speed_of(who: str, state: State) -> int:
    """TT-SPD-2: the speed of a creature or of its mount, in metres per second."""
    speeds = [find_condition(being, SPEED, state) for being in (who, mount_of(who, state)) if being]
    return max((condition.degree for condition in speeds if condition), default=0)


def fast_damage(by: str, target: str, state: State) -> tuple[int, int]:
    """TT-SPD-2, TT-GAP-21: +1 for every 5 squares a second of the faster one, in squares of the one who is hurt.

    Returns the bonus and the speed.
    """
    fastest = max(speed_of(by, state), speed_of(target, state))
    side, parts = side_of_square(target, state)
    return fastest * parts // (5 * side), fastest
