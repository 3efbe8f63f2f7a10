"""Recovery rolls: the division of their points among the pools, and the window in which it may be changed.

The window `rest` holds all who rest at the same time. A roll that leaves no choice, or with shares said before, is not
open in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from ledger.facts import Fact, WindowChanged, WindowClosed, WindowOpened
from projections.state import State
from rulebooks.common.decisions import decides
from rulebooks.common.values import new_points
from rulebooks.dusk_bastards.declarations.harm import Rest, Share
from rulebooks.dusk_bastards.declarations.parts import STATS, Cost, Stat
from rulebooks.dusk_bastards.guards import check_actor, check_no_wound_due, encounter_of
from rulebooks.dusk_bastards.tasks.destiny import pool_room
from rulebooks.dusk_bastards.texts import check_whole, refusal

RESTING: Final = "rest"
Room = Mapping[Stat, int]


class Recovery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One recovery roll: its points, and the points that each pool has from it."""

    who: str
    points: int
    shares: tuple[Cost, ...]
    is_open: bool


class RestTogether(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """DB-GAP-76: one rest of one kind, and the recovery rolls of those who rest."""

    kind: str
    rolls: tuple[Recovery, ...]

    @property
    def awaits(self) -> tuple[str, ...]:
        """Those who may still share their points otherwise."""
        return tuple(roll.who for roll in self.rolls if roll.is_open)

    def encode(self) -> str:
        """Return the rest as canonical JSON, for its window."""
        return msgspec.json.encode(self, order="deterministic").decode()


def open_rest(state: State) -> RestTogether | None:
    """DB-GAP-76: the rest that others may join, if the declaration before was one."""
    window = state.windows.get(RESTING)
    return msgspec.json.decode(window.data, type=RestTogether) if window else None


def room_of(who: str, state: State) -> Room:
    """Return how many points each pool can take."""
    return {stat: pool_room(who, stat, state) for stat in STATS}


def divide(points: int, said: Rest | Share, room: Room) -> tuple[Cost, ...]:
    """DB-REC-1: among the three pools as the player likes, none above its maximum.

    A low die cuts the shares named last. DB-GAP-77: what is not named goes where there is room, in the order that is
    said and then that of the sheet, to pools without a share first, unless the player gives it up.
    """
    shares = dict.fromkeys(STATS, 0)
    named = [cost.stat for cost in said.split]
    order = [*said.order, *(() if said.lose else sorted(STATS, key=lambda stat: stat in named))]
    wanted = [(cost.stat, cost.points) for cost in said.split] + [(stat, points) for stat in order]
    for stat, most in wanted:
        share = min(points, most, room[stat] - shares[stat])
        shares[stat] += share
        points -= share
    return tuple(Cost(stat, share) for stat, share in shares.items() if share)


def is_choice(points: int, said: Rest, room: Room) -> bool:
    """DB-GAP-77: whether the points can be shared otherwise: nothing was said before, and not all pools fill up."""
    unsaid = not (said.split or said.order or said.lose)
    return unsaid and points < sum(room.values()) and sum(bool(free) for free in room.values()) > 1


def check_split(split: Iterable[Cost], points: int, room: Room) -> None:
    """DB-REC-1: no share above what a pool can take, nor all of them above the points that there are."""
    asked = dict.fromkeys(STATS, 0)
    for cost in split:
        asked[cost.stat] += cost.points
    if sum(asked.values()) > points:
        raise refusal("SPLIT", n=points, given=sum(asked.values()))
    for stat in STATS:
        if asked[stat] > room[stat]:
            raise refusal("SPLIT", case="full", stat=stat, n=room[stat], given=asked[stat])


def join_rest(kind: str, rolls: Sequence[Recovery], state: State) -> Iterator[Fact]:
    """DB-GAP-76: those who rest begin a rest, or join the one that is open."""
    earlier = open_rest(state)
    rest = RestTogether(kind=kind, rolls=(*(earlier.rolls if earlier else ()), *rolls))
    yield from close_rest(state, "joined")
    yield WindowOpened(
        rules=("DB-GAP-76", "DB-GAP-77"),
        window=RESTING,
        kind=RESTING,
        who=rolls[0].who,
        awaits=rest.awaits,
        data=rest.encode(),
    )


def is_same_rest(said: Rest, state: State) -> bool:
    """DB-GAP-76: whether a rest is part of the open one: of its kind, by others, who have not acted in the round."""
    rest, who = open_rest(state), (said.by, *said.others)
    if rest is None or said.kind != rest.kind or said.kind == "one_action":
        return False
    if any(roll.who in who for roll in rest.rolls):
        return False
    return all(encounter_of(each, state) is None or state.actions_left(each, "action") for each in who)


@decides(Share)
def share(said: Share, state: State) -> Iterator[Fact]:
    """DB-GAP-77: the points of one's own recovery roll are divided otherwise, while it is open."""
    check_actor(said.by, state)
    for cost in said.split:
        check_whole("split", cost.points, 0)
    check_no_wound_due(state)
    rest = open_rest(state)
    old = next((roll for roll in rest.rolls if roll.who == said.by and roll.is_open), None) if rest else None
    if rest is None or old is None:
        rested = rest is not None and any(roll.who == said.by for roll in rest.rolls)
        raise refusal("NO-ROLL", case="shared" if rested else "", name=said.by)
    had = {stat: sum(cost.points for cost in old.shares if cost.stat == stat) for stat in STATS}
    room = {stat: free + had[stat] for stat, free in room_of(said.by, state).items()}
    check_split(said.split, old.points, room)
    roll = msgspec.structs.replace(old, shares=divide(old.points, said, room))
    for stat in STATS:
        change = sum(cost.points for cost in roll.shares if cost.stat == stat) - had[stat]
        if change:
            now = state.points(said.by, stat) + change
            yield new_points(said.by, stat, now, f"{rest.kind} rest", state, "DB-REC-1", "DB-GAP-77")
    rolls = tuple(roll if each is old else each for each in rest.rolls)
    rest = msgspec.structs.replace(rest, rolls=rolls)
    yield WindowChanged(rules=("DB-GAP-77",), window=RESTING, awaits=rest.awaits, data=rest.encode())


def close_recovery(state: State) -> Iterator[Fact]:
    """DB-GAP-77: the recovery rolls are closed, and others may still join the rest."""
    rest = open_rest(state)
    if rest is not None and rest.awaits:
        rolls = tuple(msgspec.structs.replace(roll, is_open=False) for roll in rest.rolls)
        data = msgspec.structs.replace(rest, rolls=rolls).encode()
        yield WindowChanged(rules=("DB-GAP-77",), window=RESTING, awaits=(), data=data)


def close_rest(state: State, outcome: str) -> Iterator[Fact]:
    """DB-GAP-77: the recovery rolls are closed; the points stay as they were shared."""
    if RESTING in state.windows:
        yield WindowClosed(rules=("DB-GAP-77",), window=RESTING, outcome=outcome)
