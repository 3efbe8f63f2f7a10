"""Area attacks of characters: one roll against everybody in the area."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ledger.dice import Dice
from ledger.facts import EntryId, Fact
from projections.state import State
from rulebooks.common.decisions import decides
from rulebooks.dusk_bastards.combat.attack import begin, check_strike, mark_target, prepare, settle_attack
from rulebooks.dusk_bastards.combat.situations import check_situations
from rulebooks.dusk_bastards.declarations.combat import AreaAttack, Strike
from rulebooks.dusk_bastards.declarations.parts import Spot
from rulebooks.dusk_bastards.tasks.resolution import resolve
from rulebooks.dusk_bastards.tasks.roll import Roll, consequences_of
from rulebooks.dusk_bastards.texts import value_refusal


def check_area(said: AreaAttack, state: State) -> None:
    """Refuse an area with nobody in it or somebody twice, and an attack that is malformed against any of them."""
    names = [spot.target for spot in said.targets]
    if not names or len(set(names)) < len(names):
        raise value_refusal("targets", "everybody in the area, each once", ", ".join(names) or "nobody")
    for spot in said.targets:
        strike = strike_at(said, spot)
        check_situations(strike.situations, strike.denied)
        check_strike(strike, spot.target, state)


def strike_at(said: AreaAttack, spot: Spot) -> Strike:
    """DB-AREA-1: the attack as it is on one target, with what is said of that target alone."""
    elsewhere = spot.at is not None or spot.feet is not None
    return msgspec.structs.replace(
        said,
        situations=tuple(dict.fromkeys((*said.situations, *spot.situations))),
        at=spot.at if elsewhere else said.at,
        feet=spot.feet if elsewhere else said.feet,
    )


@decides(AreaAttack)
def attack_area(said: AreaAttack, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-AREA-1: one roll, one cost and one destined effect, against each target's own number."""
    plan = prepare(said, "area", [spot.target for spot in said.targets], state)
    yield from begin(plan, state)
    targets = []
    for spot, base in zip(said.targets, plan.bases, strict=True):
        target = yield from mark_target(strike_at(said, spot), spot.target, base, state)
        targets.append(target)
    yield from resolve(plan, targets, state, dice)


@consequences_of("area")
def settle_area(roll: Roll, state: State, won: bool, opened: EntryId | None) -> Iterator[Fact]:
    """DB-AREA-1: the one total against each target's own number, in their order; unrolled, all fare alike."""
    for attack in roll.per_target():
        yield from settle_attack(attack, state, attack.is_success if roll.purpose else won, opened)
