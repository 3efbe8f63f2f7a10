"""Who is in a fight, who can act, and who is a casualty."""

from __future__ import annotations

from typing import Final

from projections.state import Being, Encounter, State
from rulebooks.common.beings import find_being
from rulebooks.common.values import outside_domain
from rulebooks.monolith.texts import refused

DEAD: Final = "dead"
FLED: Final = "fled"
CRITICAL: Final = "critical"
TREATED: Final = "treated"
STABLE: Final = "stable"
UNCONSCIOUS: Final = "unconscious"
CASUALTY: Final = (DEAD, CRITICAL, STABLE, UNCONSCIOUS)
OUT: Final = (*CASUALTY, FLED)
ACTORS: Final = ("pc", "npc")


def holds(who: str, name: str, state: State) -> bool:
    """Whether this condition holds for somebody."""
    return f"{name} {who}" in state.conditions


def is_able(who: str, state: State) -> bool:
    """ML-CRIT-2: neither dead nor gone, neither under Critical Damage nor stable after it, and conscious."""
    return not any(holds(who, name, state) for name in OUT)


def is_casualty(who: str, state: State) -> bool:
    """Dead, under Critical Damage, stable after it, or unconscious."""
    return any(holds(who, name, state) for name in CASUALTY)


def in_play(who: str, state: State, field: str = "by") -> Being:
    """Somebody in play, by the name on the sheet."""
    return find_being(field, who, state, ACTORS)


def check_able(who: str, state: State) -> None:
    """ML-CRIT-2: whoever is out can do nothing but crawl, if that."""
    if not is_able(who, state):
        raise refused("OUT", name=who)


def check_target(who: str, state: State) -> None:
    """The dead and the fled are no targets."""
    if holds(who, DEAD, state) or holds(who, FLED, state):
        raise refused("TARGET", name=who)


def members(found: Encounter) -> list[str]:
    """Everybody in a fight: those it began with, and those who joined."""
    return list(dict.fromkeys((*found.members, *(who for slot in found.order for who in slot.who))))


def running(state: State) -> Encounter:
    """ML-ROUND-1: the fight that is running. Raises the refusal where none is."""
    if state.encounter is None:
        raise refused("ORDER", name="a fight")
    return state.encounter


def side(kind: str, state: State, *, able: bool = True) -> list[str]:
    """Those of the running fight of this kind (pc, npc), who are able to act."""
    found = state.encounter
    return [
        who
        for who in (members(found) if found else ())
        if (being := state.being(who)) and being.kind == kind and (not able or is_able(who, state))
    ]


def check_fights(who: str, state: State) -> None:
    """While a Round is open, only those in the fight have a part in it."""
    if state.encounter is not None and who not in members(state.encounter):
        raise outside_domain("by", f"one in the fight (say first: ! join {who})", who)
