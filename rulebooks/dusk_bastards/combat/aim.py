"""Aim: the distance and the situation of an attack, a defence, or a task directed at somebody."""

from __future__ import annotations

from projections.state import State
from rulebooks.dusk_bastards.combat.interception import interception_hindrance
from rulebooks.dusk_bastards.combat.modifiers import UNSEEN, check_underwater_weapon, illumination
from rulebooks.dusk_bastards.combat.situations import (
    LIGHT_WORDS,
    Shot,
    check_distance,
    known_situations,
    situations_in_force,
)
from rulebooks.dusk_bastards.declarations.combat import Defence, Strike
from rulebooks.dusk_bastards.declarations.parts import BANDS
from rulebooks.dusk_bastards.declarations.tasks import Search
from rulebooks.dusk_bastards.guards import check_being, is_foe
from rulebooks.dusk_bastards.tasks.difficulty import RollModifier
from rulebooks.dusk_bastards.texts import value_refusal
from rulebooks.dusk_bastards.world.surroundings import distance_between


def check_shot(said: Strike, target: str, state: State) -> None:
    """DB-PLAY-9: refuse an attack that leaves out a distance or weapon which matters in its situation."""
    check_underwater_weapon(shot_of(said, target, state))
    shortest, farthest = said.range or "short", said.max_range or "extreme"
    if BANDS.index(farthest) < BANDS.index(shortest):
        raise value_refusal("max_range", f"{shortest} or more", farthest)


def shot_of(said: Strike, target: str, state: State) -> Shot:
    """Return the attack of a character with the weapon figures that are said (DB-GAP-30)."""
    known = known_situations(said.by, target, state)
    situations = situations_in_force(said.situations, said.denied, known)
    shot = Shot(
        attacker=said.by,
        target=target,
        ranged=said.mode == "ranged",
        distance=distance_between(said, said.by, target, state),
        range=BANDS.index(said.range or "short"),
        max_range=BANDS.index(said.max_range or "extreme"),
        weapon=said.weapon or "",
        works_underwater=said.works_underwater,
        aquatic=is_aquatic(said.by, state),
        situations=situations,
        known=known,
    )
    if shot.ranged:
        check_distance(shot)
    return shot


def shot_at(said: Defence, state: State, *, is_attack: bool) -> Shot:
    """DB-ROLL-4: return the attack of a foe that a character defends against. No target of a foe is refused.

    Against poison, disease and other harm only the situations that are said count.
    """
    ranged = said.mode == "ranged"
    known = known_situations(said.source, said.by, state) if is_attack else {}
    situations = situations_in_force(said.situations, said.denied, known)
    shot = Shot(
        attacker=said.source,
        target=said.by,
        ranged=ranged,
        distance=distance_between(said, said.by, said.source, state) if ranged else None,
        range=None if said.range is None else BANDS.index(said.range),
        weapon=said.weapon or "",
        aquatic=is_aquatic(said.source, state),
        situations=situations,
        known=known,
    )
    if shot.ranged:
        check_distance(shot)
    return shot


def is_attack(said: Defence, state: State) -> bool:
    """DB-ROLL-3: whether a defence is against an attack: against a foe, or said to be in melee or ranged."""
    return said.cause is None and (said.mode is not None or is_foe(said.source, state))


def is_aquatic(who: str, state: State) -> bool:
    """DB-WATER-2: at home in the water; the sheet says so."""
    return state.sheet(who, "aquatic") == "yes"


def task_modifiers(said: Search, state: State) -> tuple[RollModifier, ...]:
    """DB-LIGHT-1: a target at the range of the light is one step harder for any other task directed at it too.

    DB-REACT-5: whatever an intercepted enemy does to anyone other than the interceptor is hindered.

    The book is silent on such a task where the target cannot be seen at all: that is a ruling.
    """
    wrong = [word for word in said.situations if word not in LIGHT_WORDS]
    if wrong:
        domain = f"one of {', '.join(LIGHT_WORDS)} on a task that is not an attack; write others as +1 or -1"
        raise value_refusal("situations", domain, wrong[0])
    for field in ("toward", "locates"):
        if who := getattr(said, field):
            check_being(who, state, field)
    if not (said.toward or said.at or said.feet is not None or said.situations):
        return ()
    situations = situations_in_force(said.situations, said.denied, known_situations(said.by, said.toward, state))
    darkest = [word for word in LIGHT_WORDS if word in situations][-1:]
    shot = Shot(
        attacker=said.by,
        target=said.toward,
        ranged=False,
        distance=distance_between(said, said.by, said.toward, state),
        situations=dict.fromkeys(darkest, ""),
    )
    check_distance(shot)
    light = (modifier for modifier in illumination(shot, state) if modifier.steps < UNSEEN)
    return (*light, *(interception_hindrance(said.by, said.toward, state) if said.toward else ()))
