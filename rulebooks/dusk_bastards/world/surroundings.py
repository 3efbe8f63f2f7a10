"""Surroundings: the distance between two, the light, and obscurity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ledger.facts import Counted, Fact
from ledger.names import name_key
from projections.state import State
from rulebooks.common.decisions import decides
from rulebooks.dusk_bastards.declarations.parts import BANDS, Far
from rulebooks.dusk_bastards.declarations.tasks import Directed
from rulebooks.dusk_bastards.declarations.world import SetDistance, SetLight, SetObscurity
from rulebooks.dusk_bastards.guards import check_being, check_no_wound_due
from rulebooks.dusk_bastards.texts import check_whole, value_refusal

FEET: Final = (10, 50, 100, 500)  # the last foot of each band
LIGHT: Final = "light"
LIGHTS: Final = ("bright", "dim", "very_dim", "dark")
LIGHT_RULES: Final = ("DB-LIGHT-1", "DB-LIGHT-2", "DB-LIGHT-3", "DB-LIGHT-4")
OBSCURITY: Final = "obscurity"
OBSCURITIES: Final = ("none", "light", "heavy")
OBSCURITY_RULES: Final = ("DB-VIS-5", "DB-VIS-1", "DB-VIS-2")
APART: Final = "distance."


def band(feet: int) -> Far:
    """DB-DIST-1: immediate to 10 feet, short to 50, long to 100, extreme to 500."""
    return BANDS[sum(feet > last for last in FEET)]


def distance_index(at: Far | None, feet: int | None) -> int | None:
    """DB-DIST-2: the index in BANDS of a distance given as a band or in feet; None without one."""
    if feet is not None:
        check_whole("feet", feet, 0)
        if at not in (None, band(feet)):
            raise value_refusal("at", f"{band(feet)}, which {feet} feet are", at)
        return BANDS.index(band(feet))
    return None if at is None else BANDS.index(at)


@decides(SetDistance)
def set_distance(said: SetDistance, state: State) -> Iterator[Fact]:
    """DB-DIST-2: the game master says the distance of two; only the band is kept."""
    far = distance_index(said.at, said.feet)
    for who in said.between:
        check_being(who, state, "between")
    if len(set(said.between)) != 2 or len(said.between) != 2:
        raise value_refusal("between", "two of those in play", ", ".join(said.between))
    if far is None:
        raise value_refusal("at", f"one of {', '.join(BANDS)}, or feet", None)
    check_no_wound_due(state)
    one, other = said.between
    yield from record_distance(one, other, far, state, "DB-DIST-2", "DB-DIST-1")


def record_distance(one: str, other: str, far: int, state: State, *rules: str) -> Iterator[Fact]:
    """DB-DIST-2: two are so far apart, until one of them moves. Yields nothing where that is known."""
    who, name = _between(one, other, state)
    change = far + 1 - state.count(who, name)
    if change:
        yield Counted(
            rules=rules, who=who, name=name, change=change, now=far + 1, until="encounter", because=BANDS[far]
        )


def known_distance(one: str, other: str, state: State) -> int | None:
    """Return the index in BANDS of the distance of two, None where it is not known."""
    if state.being(one) is None or state.being(other) is None:
        return None
    far = state.count(*_between(one, other, state))
    return far - 1 if far else None


def known_distances(who: str, state: State) -> Mapping[str, int]:
    """Return the index in BANDS of each known distance of somebody, by the name of the other, in order of joining."""
    others = (state.being(name.removeprefix(APART) if being == who else being) for being, name in _apart(who, state))
    by_joining = sorted((other for other in others if other), key=lambda other: other.joined)
    far = {other.name: known_distance(who, other.name, state) for other in by_joining}
    return {name: index for name, index in far.items() if index is not None}


def distance_between(said: Directed, one: str, other: str, state: State) -> int | None:
    """DB-DIST-2: the distance in the line, or else the known one."""
    index = distance_index(said.at, said.feet)
    return known_distance(one, other, state) if index is None else index


def forget_distances(who: str, state: State) -> Iterator[Fact]:
    """DB-DIST-2: all distances of somebody who moves are unknown again."""
    for being, name in sorted(_apart(who, state)):
        stood = state.count(being, name)
        yield Counted(
            rules=("DB-DIST-2",), who=being, name=name, change=-stood, now=0, until="encounter", because="moved"
        )


def _apart(who: str, state: State) -> list[tuple[str, str]]:
    """Return the counts of the distances of somebody: the holder and the name of each."""
    mine = f"{APART}{name_key(who)}"
    return [(being, name) for being, name in state.counts if name.startswith(APART) and (being == who or name == mine)]


def _between(one: str, other: str, state: State) -> tuple[str, str]:
    """Return the holder of the count of the distance of two (the first that joined), and the name of the count."""
    first, second = state.being(one), state.being(other)
    is_later = (first.joined if first else 0) > (second.joined if second else 0)
    return (other, f"{APART}{name_key(one)}") if is_later else (one, f"{APART}{name_key(other)}")


@decides(SetLight)
def set_light(said: SetLight, state: State) -> Iterator[Fact]:
    """DB-LIGHT-1: the light from now on."""
    yield from _set_scene(LIGHT, LIGHTS, said.light, LIGHT_RULES, state)


@decides(SetObscurity)
def set_obscurity(said: SetObscurity, state: State) -> Iterator[Fact]:
    """DB-VIS-1, DB-VIS-2: mist or fog that obscures everybody from now on."""
    yield from _set_scene(OBSCURITY, OBSCURITIES, said.obscurity, OBSCURITY_RULES, state)


def _set_scene(
    name: str, degrees: tuple[str, ...], degree: str, rules: tuple[str, ...], state: State
) -> Iterator[Fact]:
    """Count a degree of light or obscurity; it belongs to nobody."""
    check_no_wound_due(state)
    now = degrees.index(degree)
    change = now - state.count("", name)
    if change:
        most = len(degrees) - 1
        yield Counted(rules=(rules[now],), who="", name=name, change=change, now=now, of=most, because=degree)
