"""Fights: start one with its zones and sides, join it, flee from it, end it."""

from __future__ import annotations

from collections.abc import Iterator

from ledger import facts
from projections.state import Encounter, State
from rulebooks.common.announcements import ANNOUNCED
from rulebooks.common.conditions import condition_end, has_condition
from rulebooks.common.decisions import decides
from rulebooks.common.fates import find_fates
from rulebooks.common.values import outside_domain
from rulebooks.momentum import guards, reactions, wounds
from rulebooks.momentum.declarations import EndEncounter, Flee, JoinFight, StartEncounter
from rulebooks.momentum.texts import check_ruling, refusal
from rulebooks.momentum.zones import (
    create_zones,
    find_zone,
    leave_other_zones,
    link_zones,
    place_in_zone,
    unlink_other_zones,
    zones_of_fight,
)

SIDES = ("pc", "foe", "bystander")


@decides(StartEncounter)
def start_encounter(said: StartEncounter, state: State) -> Iterator[facts.Fact]:
    """MO-ZONE-1, MO-ROUND-1: the zones, everybody in one of them, and round 1 with the checks that open it."""
    if state.encounter is not None:
        raise refusal("PHASE", phase="a fight is on already", way='End it first: ! over "they yield"')
    named = [*said.zones, *(end for path in said.paths for end in (path.one, path.other))] or zones_of_fight(state)
    if not named:
        raise outside_domain("zones", "one or more (zones=cellar, or paths=gate:yard)", "none")
    yield from create_zones(list(dict.fromkeys(named)), state)
    if said.zones or said.paths:
        yield from leave_other_zones(named, state)
        yield from unlink_other_zones([(path.one, path.other) for path in said.paths], state)
    for path in said.paths:
        yield from link_zones(path.one, path.other, state)
    called = {*said.participants, *(stand.who for stand in said.at)}
    fighters = [who for who in beings_in_play(state) if is_in_opening(who, said, called, state)]
    for who in fighters:
        if has_condition(who, guards.FLED, state):
            yield wounds.end_flight(who)
    sides = fighters_by_side(fighters, state)
    zones = starting_zones(said, fighters, named[0], state)
    yield facts.EncounterBegan(
        rules=("MO-ROUND-1", "MO-ZONE-1"),
        encounter=said.kind or "fight",
        kind=said.kind,
        scale="combat",
        sides=tuple((side, who) for side, who in sides.items() if who),
    )
    yield facts.OrderSet(
        rules=("MO-ROUND-1",), slots=tuple(facts.Slot(slot=side, score=None, who=sides[side]) for side in SIDES)
    )
    for who in fighters:
        yield place_in_zone(who, zones[who])
    yield facts.Reached(rules=("MO-ROUND-1",), point="round", round=1)
    yield reactions.renew_reactions(sides["pc"])
    yield facts.Reached(rules=("MO-ROUND-2",), point="phase", round=1, phase=guards.MOMENTUM)
    for who in sides["pc"]:
        if not guards.is_out(who, state):
            yield open_check(who)


def is_in_opening(who: str, said: StartEncounter, called: set[str], state: State) -> bool:
    """MO-ROUND-8: those who are called are in the fight; if nobody is, all who are up and have not fled."""
    return who in called or not (said.participants or guards.is_out(who, state))


def fighters_by_side(fighters: list[str], state: State) -> dict[str, tuple[str, ...]]:
    """MO-ROUND-1: the fighters of each side. Raises the refusal of a fight with nobody able on one of them."""
    sides = {side: tuple(who for who in fighters if state.side(who) == side) for side in SIDES}
    for side in guards.FIGHTING:
        if all(guards.is_out(who, state) for who in sides[side]):
            raise outside_domain("participants", "somebody of each side who can fight", f"nobody for side {side}")
    return sides


def starting_zones(said: StartEncounter, fighters: list[str], first: str, state: State) -> dict[str, str]:
    """MO-ZONE-1: everybody's starting zone: their own, their side's, or the first."""
    wanted = {stand.who: stand.zone for stand in said.at}
    if extra := wanted.keys() - fighters:
        raise outside_domain("at", "about somebody in the fight", min(extra))
    sides = {"pc": said.pcs, "foe": said.foes}
    return {who: find_zone(wanted.get(who) or sides.get(state.side(who)) or first, state) for who in fighters}


def beings_in_play(state: State) -> list[str]:
    """Return everybody with hit points, in order of joining."""
    return [being.name for being in state.beings_in_order() if (being.name, guards.HP) in state.pools]


def open_check(who: str) -> facts.WindowOpened:
    """MO-ROUND-2: a check to seize momentum is due."""
    return facts.WindowOpened(
        rules=("MO-ROUND-2",), window=f"{guards.MOMENTUM} {who}", kind=guards.CHECK_DUE, who=who, awaits=(who,), data=""
    )


@decides(JoinFight)
def join_fight(said: JoinFight, state: State) -> Iterator[facts.Fact]:
    """MO-GAP-31: a latecomer acts with their side; from round 2 on without a check."""
    encounter = guards.running_encounter(state)
    if said.who not in beings_in_play(state) or guards.is_in_fight(said.who, state):
        raise outside_domain("who", "somebody in play who is not in the fight", said.who)
    if has_condition(said.who, guards.FLED, state):
        yield wounds.end_flight(said.who)
    guards.check_up(said.who, state)
    zone = find_zone(said.zone, state)
    side = state.side(said.who)
    slots = tuple(
        facts.Slot(slot=slot.slot, score=None, who=(*slot.who, said.who)) if slot.slot == side else slot
        for slot in encounter.order
    )
    yield facts.OrderSet(rules=("MO-ROUND-1",), slots=slots, because=f"{said.who} comes")
    yield place_in_zone(said.who, zone)
    if side == "pc":
        yield reactions.renew_reactions((said.who,))
        if encounter.phase == guards.MOMENTUM:
            yield open_check(said.who)


@decides(Flee)
def flee(said: Flee, state: State) -> Iterator[facts.Fact]:
    """MO-ROUND-8: flight has no rule of its own: it is a ruling with a reason."""
    if not said.reason.strip():
        raise refusal("RULING")  # without its field: no unknown sentence is heard as the reason of a flight
    guards.running_encounter(state)
    guards.check_in_fight(said.by, state)
    guards.check_up(said.by, state)
    yield facts.Ruled(rules=("MO-ROUND-8",), name="flight", text=f"{said.by} flees", because=said.reason)
    yield wounds.begin_flight(said.by)


@decides(EndEncounter)
def end_encounter(said: EndEncounter, state: State) -> Iterator[facts.Fact]:
    """MO-ROUND-8: any other kind of defeat is a ruling too."""
    check_ruling(reason=said.reason)
    encounter = guards.running_encounter(state)
    yield facts.Ruled(rules=("MO-ROUND-8",), name="end", text="the fight is over", because=said.reason)
    yield from close_encounter(encounter, state, said.reason)


def close_encounter(encounter: Encounter, state: State, because: str) -> Iterator[facts.Fact]:
    """MO-ROUND-8: the fight is over, and its conditions end."""
    for name, window in sorted(state.windows.items()):
        if window.kind in (guards.CHECK_DUE, ANNOUNCED):
            yield facts.WindowClosed(rules=("MO-ROUND-8",), window=name, outcome="void")
    members = encounter.in_order
    fates = find_fates(members, wounds.WAYS_OUT, state)
    yield from end_momentum(state, "MO-ROUND-8")
    for who in members:
        yield from end_ruled_allowance(who, "fight over", "MO-ROUND-8", state)
    for until in ("turn", "encounter"):
        yield facts.CountsCleared(rules=("MO-ROUND-8",), until=until)
    yield facts.EncounterEnded(
        rules=("MO-ROUND-8",), encounter=encounter.id, because=because, stand=fates.stand, out=fates.out
    )


def end_momentum(state: State, rule: str) -> Iterator[facts.Fact]:
    """MO-ROUND-7: momentum counts in round 1 alone."""
    for id in sorted(id for id, condition in state.conditions.items() if condition.name == guards.MOMENTUM):
        yield condition_end(id, state, "round over", rule)


def end_ruled_allowance(who: str, because: str, rule: str, state: State) -> Iterator[facts.Fact]:
    """MO-REACT-3: an allowance that was ruled holds for one turn. MO-ROUND-8: and not beyond the fight."""
    if (ruled := state.sheet(who, guards.ALLOWANCE)) is not None:
        yield facts.SheetChanged(rules=(rule,), who=who, key=guards.ALLOWANCE, was=ruled, now=None, because=because)
