"""The members of the fight: who can act, and who is a casualty."""

from __future__ import annotations

from typing import Final

from projections.derived import derived_of_being
from projections.state import Being, Encounter, State
from rulebooks.common.beings import find_being
from rulebooks.common.conditions import has_any, has_condition
from rulebooks.common.values import outside_domain
from rulebooks.monolith.texts import refusal

DEAD: Final = "dead"
FLED: Final = "fled"
CRITICAL: Final = "critical"
TREATED: Final = "treated"
STABLE: Final = "stable"
UNCONSCIOUS: Final = "unconscious"
CASUALTY: Final = (DEAD, CRITICAL, STABLE, UNCONSCIOUS)
OUT: Final = (*CASUALTY, FLED)
REASONS: Final = (DEAD, FLED, UNCONSCIOUS, CRITICAL, STABLE)  # the first that holds is the one to say
ACTORS: Final = ("pc", "npc")


@derived_of_being
def is_able(who: str, state: State) -> bool:
    """ML-CRIT-2: neither dead nor gone, neither under Critical Damage nor stable after it, and conscious."""
    return not has_any(who, OUT, state)


@derived_of_being
def is_casualty(who: str, state: State) -> bool:
    """ML-MOR-1: dead, under Critical Damage, stable after it, or unconscious."""
    return has_any(who, CASUALTY, state)


def find_actor(who: str, state: State, field: str = "by") -> Being:
    """Return a character or a foe in play, by the name on the sheet. Raises the refusal of any other name."""
    return find_being(field, who, state, ACTORS)


def check_able(who: str, state: State) -> None:
    """ML-CRIT-2: a being that is out can at most crawl."""
    for name in REASONS:
        if has_condition(who, name, state):
            raise refusal("OUT", case=name, name=who)


def check_target(who: str, state: State) -> None:
    """Refuse the dead and the fled as targets."""
    for name in (DEAD, FLED):
        if has_condition(who, name, state):
            raise refusal("TARGET", case=name, name=who)


def members(encounter: Encounter) -> list[str]:
    """Return everybody in a fight: those it began with, and those who joined."""
    return list(dict.fromkeys((*encounter.members, *encounter.in_order)))


def running_encounter(state: State) -> Encounter:
    """ML-ROUND-1: the fight that is running. Raises the refusal where none is."""
    if state.encounter is None:
        raise refusal("ORDER", case="peace", name="a fight", way="Begin one: ! encounter, or a Round: ! round")
    return state.encounter


def side_members(kind: str, state: State, *, able: bool = True) -> list[str]:
    """Return those of a kind (pc, npc) in the running fight; with `able` only those who can act."""
    return [
        who
        for who in (members(state.encounter) if state.encounter else ())
        if (being := state.being(who)) and being.kind == kind and (not able or is_able(who, state))
    ]


def check_in_fight(who: str, state: State) -> None:
    """Refuse anybody outside the fight, while one is running."""
    if state.encounter is not None and who not in members(state.encounter):
        raise outside_domain("by", f"somebody in the fight (declare first: ! join {who})", who)
