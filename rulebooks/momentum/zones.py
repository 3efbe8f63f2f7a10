"""Zones: the place of everybody, neighbouring zones, and the reach of attacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal

from ledger.facts import Fact, Joined, Linked, Placed, Scalar
from ledger.names import name_key, valid_name
from projections.state import State
from rulebooks.common.conditions import condition_end, has_condition, new_condition
from rulebooks.common.values import outside_domain
from rulebooks.momentum.texts import option, refusal

PLACE: Final = "place"
NEIGHBOUR: Final = "neighbour"
ELSEWHERE: Final = "elsewhere"
Reach = Literal["hand-to-hand", "thrown", "ranged"]


def find_zone(text: str, state: State) -> str:
    """MO-ZONE-1: the zone of this name. Raises the refusal of an unknown one."""
    being = state.being(text)
    if being is None or being.kind != PLACE or has_condition(being.name, ELSEWHERE, state):
        raise outside_domain("zone", "a zone of this fight", text)
    return being.name


def zones_of_fight(state: State) -> list[str]:
    """MO-ZONE-1: the zones of this fight, or of the last one while none is running."""
    places = [being.name for being in state.beings_in_order() if being.kind == PLACE]
    return [name for name in places if not has_condition(name, ELSEWHERE, state)]


def leave_other_zones(names: Iterable[str], state: State) -> Iterator[Fact]:
    """MO-ZONE-1: a fight has the zones that are said of it; those of an earlier one are elsewhere."""
    kept = {name_key(name) for name in names}
    for being in state.beings_in_order():
        if being.kind != PLACE:
            continue
        elsewhere = has_condition(being.name, ELSEWHERE, state)
        if name_key(being.name) in kept and elsewhere:
            yield condition_end(f"{ELSEWHERE} {being.name}", state, "said again", "MO-ZONE-1")
        elif name_key(being.name) not in kept and not elsewhere:
            yield new_condition(being.name, ELSEWHERE, "MO-ZONE-1")


def create_zones(names: list[str], state: State) -> Iterator[Fact]:
    """MO-ZONE-1: create zones that do not exist yet."""
    for text in names:
        being = state.being(text)
        if being is not None and being.kind != PLACE:
            raise outside_domain("zone", "a name that nobody else has", text)
        if being is None:
            yield Joined(
                rules=("MO-ZONE-1",), who=valid_name(text, where="zone"), kind=PLACE, side="", sheet=(), seen="table"
            )


def link_zones(one: str, other: str, state: State) -> Iterator[Fact]:
    """MO-ZONE-1: two zones are neighbours, both ways."""
    if name_key(one) == name_key(other):
        raise outside_domain("paths", "between two zones", f"{one}:{other}")
    ends = find_zone(one, state), find_zone(other, state)
    for here, there in (ends, ends[::-1]):
        if (here, NEIGHBOUR, there) not in state.links:
            yield Linked(rules=("MO-ZONE-1",), one=here, tie=NEIGHBOUR, other=there)


def unlink_other_zones(paths: Iterable[tuple[str, str]], state: State) -> Iterator[Fact]:
    """MO-ZONE-1: end the paths of an earlier fight, except those that are said again."""
    kept = {(name_key(one), name_key(other)) for one, other in paths}
    for one, tie, other in sorted(state.links):
        ends = name_key(one), name_key(other)
        if tie == NEIGHBOUR and ends not in kept and ends[::-1] not in kept:
            yield Linked(rules=("MO-ZONE-1",), one=one, tie=NEIGHBOUR, other=other, on=False)


def set_path(one: str, tie: str, to: Scalar, state: State) -> Iterator[Fact]:
    """MO-ZONE-1: a ruling makes a path between two zones (1) or takes it away (0), both ways."""
    kind, _, other = tie.partition(".")
    if kind != NEIGHBOUR or not other or to not in (0, 1):
        raise outside_domain("a path", "set to 1 or 0 (gate.neighbour.yard=0)", f"{name_key(one)}.{tie}={to}")
    if to:
        yield from link_zones(one, other, state)
        return
    here, there = find_zone(one, state), find_zone(other, state)
    for ends in ((here, there), (there, here)):
        if (ends[0], NEIGHBOUR, ends[1]) in state.links:
            yield Linked(rules=("MO-ZONE-1",), one=ends[0], tie=NEIGHBOUR, other=ends[1], on=False)


def place_in_zone(who: str, zone: str, *rules: str) -> Placed:
    """MO-ZONE-1: everybody is in exactly one zone."""
    return Placed(rules=(*rules, "MO-ZONE-1"), who=who, place=zone)


def zone_of(who: str, state: State) -> str:
    """MO-ZONE-1: the zone in which somebody is; a zone itself is its own."""
    being = state.being(who)
    return who if being is not None and being.kind == PLACE else state.place(who)


def distance(one: str, other: str, state: State) -> int | None:
    """MO-ZONE-1: the fewest moves from one to the other; None where there is no path."""
    start, goal = zone_of(one, state), zone_of(other, state)
    reached, edge, moves = {start}, [start], 0
    while edge:
        if goal in edge:
            return moves
        edge = [there for here in edge for there in state.ties_from(here, NEIGHBOUR) if there not in reached]
        reached.update(edge)
        moves += 1
    return None


def check_neighbour(who: str, zone: str, state: State) -> None:
    """MO-ACT-3: one move leads to one neighbouring zone."""
    if zone not in state.ties_from(state.place(who), NEIGHBOUR):
        here = state.place(who)
        ways = ", ".join(state.ties_from(here, NEIGHBOUR)) or "nowhere"
        raise refusal("NEIGHBOUR", "there" if zone == here else "", name=who, zone=zone, place=here, ways=ways)


def check_reach(one: str, other: str, weapon: str, kind: Reach, state: State) -> int:
    """MO-ZONE-2 to 5: by hand in the same zone, thrown one zone apart, ranged up to three. Return the distance."""
    zones = distance(one, other, state)
    if zones is None or not is_within_reach(zones, kind, state):
        away = zones_away(zones, state.place(other))
        raise refusal("RANGE", name=one, target=other, weapon=weapon, reach=REACHES[kind], away=away)
    return zones


def is_within_reach(zones: int, kind: Reach, state: State) -> bool:
    """MO-ZONE-2 to 5: whether an attack of this kind reaches so many zones far."""
    return least_reach(kind, state) <= zones <= MOST_REACH[kind]


def zones_away(zones: int | None, zone: str) -> str:
    """Return how far away a zone is, in words."""
    if not zones:
        return "in the same zone" if zones == 0 else f"where no path leads ({zone})"
    return f"{zones} zone{'s' if zones > 1 else ''} away ({zone})"


MOST_REACH: Final[dict[Reach, int]] = {"hand-to-hand": 0, "thrown": 1, "ranged": 3}
REACHES: Final[dict[Reach, str]] = {
    "hand-to-hand": "only the own zone",
    "thrown": "only the next zone when it is thrown",
    "ranged": "up to 3 zones",
}


def least_reach(kind: Reach, state: State) -> int:
    """MO-GAP-35: no throws within a zone. MO-GAP-9: shots are possible, unless the table reads it otherwise."""
    if kind == "ranged":
        return int(option(state, "ranged_same_zone") == "forbid")
    return int(kind == "thrown")


def reach_rules(zones: int) -> tuple[str, ...]:
    """Return the rule on this distance."""
    return (("MO-ZONE-2",), ("MO-ZONE-3",), ("MO-ZONE-4",), ("MO-ZONE-4",))[zones]
