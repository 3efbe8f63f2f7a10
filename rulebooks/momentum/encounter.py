"""A fight: its zones and who is in it, who comes into it, who leaves it, and its end."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.facts import EncounterBegan, Fact, OrderSet, Reached, Ruled, Slot, WindowOpened
from projections.state import State
from rulebooks.common.values import outside_domain
from rulebooks.momentum.declarations import EndEncounter, Flee, JoinFight, StartEncounter
from rulebooks.momentum.texts import check_ruling, refused
from rulebooks.momentum.turns import (
    CHECK_DUE,
    MOMENTUM,
    advanced,
    check_in_fight,
    fight_ended,
    fighting,
    reactions_renewed,
    running,
)
from rulebooks.momentum.wounds import FLED, HP, back, fled, holds, is_out, side_of
from rulebooks.momentum.zones import PLACE, linked, placed, zone_named, zones_made

SIDES = ("pc", "foe", "bystander")


def start_encounter(said: StartEncounter, state: State) -> Iterator[Fact]:
    """MO-ZONE-1, MO-ROUND-1: the zones, everybody in one of them, and round 1 with the checks that open it."""
    if state.encounter is not None:
        raise refused("PHASE", phase="a fight is on already")
    known = [being.name for being in state.in_order() if being.kind == PLACE]
    named = [*said.zones, *(end for path in said.paths for end in (path.one, path.other))] or known
    if not named:
        raise outside_domain("zones", "one or more (zones=cellar, or paths=gate:yard)", "none")
    yield from zones_made(list(dict.fromkeys(named)), state)
    for path in said.paths:
        yield from linked(path.one, path.other, state)
    fighters = [who for who in there(state) if not said.participants or who in said.participants]
    for who in fighters:
        if holds(who, FLED, state):
            yield back(who)
    sides = sides_of(fighters, state)
    zones = beginnings(said, fighters, named[0], state)
    yield EncounterBegan(
        rules=("MO-ROUND-1", "MO-ZONE-1"),
        encounter=said.kind or "fight",
        kind=said.kind,
        scale="combat",
        sides=tuple((side, who) for side, who in sides.items() if who),
    )
    yield OrderSet(rules=("MO-ROUND-1",), slots=tuple(Slot(slot=side, score=None, who=sides[side]) for side in SIDES))
    for who in fighters:
        yield placed(who, zones[who])
    yield Reached(rules=("MO-ROUND-1",), point="round", round=1)
    yield reactions_renewed(sides["pc"])
    yield Reached(rules=("MO-ROUND-2",), point="phase", round=1, phase=MOMENTUM)
    for who in sides["pc"]:
        if not is_out(who, state):
            yield check_opened(who)


def sides_of(fighters: list[str], state: State) -> dict[str, tuple[str, ...]]:
    """MO-ROUND-1: who fights on which side. Raises the refusal of a fight with nobody who can on one of them."""
    sides = {side: tuple(who for who in fighters if side_of(who, state) == side) for side in SIDES}
    for side in ("pc", "foe"):
        if all(is_out(who, state) for who in sides[side]):
            raise outside_domain("participants", "somebody of each side who can fight", f"nobody for side {side}")
    return sides


def beginnings(said: StartEncounter, fighters: list[str], first: str, state: State) -> dict[str, str]:
    """MO-ZONE-1: the zone in which everybody begins: their own, their side's, or the first."""
    wanted = {stand.who: stand.zone for stand in said.at}
    if extra := wanted.keys() - fighters:
        raise outside_domain("at", "about somebody in the fight", min(extra))
    places = {"pc": said.pcs, "foe": said.foes}
    return {who: zone_named(wanted.get(who) or places.get(side_of(who, state)) or first, state) for who in fighters}


def there(state: State) -> list[str]:
    """Everybody with hit points, in order of joining."""
    return [being.name for being in state.in_order() if (being.name, HP) in state.pools]


def check_opened(who: str) -> WindowOpened:
    """MO-ROUND-2: a check to seize momentum is due."""
    return WindowOpened(
        rules=("MO-ROUND-2",), window=f"{MOMENTUM} {who}", kind=CHECK_DUE, who=who, awaits=(who,), data=""
    )


def join_fight(said: JoinFight, state: State) -> Iterator[Fact]:
    """MO-GAP-31: who comes late acts with their side; from round 2 on without a check."""
    found = running(state)
    if said.who not in there(state) or fighting(said.who, state):
        raise outside_domain("who", "somebody in play who is not in the fight", said.who)
    if holds(said.who, FLED, state):
        yield back(said.who)
    if is_out(said.who, state):
        raise refused("DOWN")
    zone = zone_named(said.zone, state)
    side = side_of(said.who, state)
    slots = tuple(
        Slot(slot=slot.slot, score=None, who=(*slot.who, said.who)) if slot.slot == side else slot
        for slot in found.order
    )
    yield OrderSet(rules=("MO-ROUND-1",), slots=slots, because=f"{said.who} comes")
    yield placed(said.who, zone)
    if side == "pc":
        yield reactions_renewed((said.who,))
        if found.phase == MOMENTUM:
            yield check_opened(said.who)


def flee(said: Flee, state: State) -> Iterator[Fact]:
    """MO-ROUND-8: flight has no rule of its own: it is a ruling with a reason."""
    check_ruling(said.reason)
    running(state)
    check_in_fight(said.by, state)
    if is_out(said.by, state):
        raise refused("DOWN")
    yield Ruled(rules=("MO-ROUND-8",), name="flight", text=f"{said.by} flees", because=said.reason)
    yield fled(said.by)
    yield from advanced(state)


def end_encounter(said: EndEncounter, state: State) -> Iterator[Fact]:
    """MO-ROUND-8: any other kind of defeat is a ruling too."""
    check_ruling(said.reason)
    found = running(state)
    yield Ruled(rules=("MO-ROUND-8",), name="end", text="the fight is over", because=said.reason)
    yield from fight_ended(found, state, said.reason)
