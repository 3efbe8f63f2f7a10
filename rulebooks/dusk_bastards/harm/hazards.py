"""Damage that no attack deals: what the game master says, and what hazards do."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.facts import Fact
from projections.state import State
from rulebooks.dusk_bastards.declarations import Damage, Hazard
from rulebooks.dusk_bastards.guards import check_no_wound_due, check_not_out, encounter_of, is_out
from rulebooks.dusk_bastards.harm.damage import HEALTH, Hit, hurt, stun
from rulebooks.dusk_bastards.harm.exposure import TABLE, begin_exposure, hazard_hit
from rulebooks.dusk_bastards.texts import value_refused, whole
from rulebooks.dusk_bastards.turns.cycle import is_in_combat


def deal_damage(said: Damage, state: State) -> Iterator[Fact]:
    """DB-DMG-2: damage from any source, as the game master says."""
    whole("amount", said.amount, 0)
    check_hurt(said.target, state)
    hit = Hit(
        target=said.target,
        amount=said.amount,
        type=said.damage_type,
        ambient=said.ambient,
        lasting=said.lasting,
        how=said.source or "damage",
    )
    yield from hurt(hit, state)


def check_hurt(target: str, state: State) -> None:
    """Somebody with health, who is not out of the fight; a wound roll that is due comes first."""
    if (target, HEALTH) not in state.pools:
        raise value_refused("target", "somebody with health, spelled as on the sheet", target)
    check_not_out(target, state)
    check_no_wound_due(state)


def apply_hazard(said: Hazard, state: State) -> Iterator[Fact]:
    """DB-HAZ-2: one instance when exposure starts, one more in each later round; in a combat they wait for theirs."""
    check_row(said)
    check_hurt(said.target, state)
    hit = hazard_hit(said.target, said.row, said.feet or 0)
    found = encounter_of(said.target, state) if is_in_combat(said.target, state) else None
    for _ in range(1 if found else said.rounds):
        if not is_out(said.target, state):
            yield from hurt(hit, state)
    if said.lose_action and not is_out(said.target, state):
        yield stun(said.target, state, "DB-HAZ-3")
    if found and said.rounds > 1 and not is_out(said.target, state):
        yield from begin_exposure(said.target, said.row, said.rounds - 1, found, state)


def check_row(said: Hazard) -> None:
    """DB-HAZ-1, DB-HAZ-3: feet are fallen, rounds are lasted, an action is lost to a shock: each where it may be."""
    source = TABLE[said.row]
    whole("rounds", said.rounds, 1, None if source.per_round else 1)
    if said.feet is not None:
        whole("feet", said.feet, 0)
    if (said.row == "falling") != (said.feet is not None):
        needed = "the feet fallen (feet=30)" if said.row == "falling" else "left out: only who falls counts them"
        raise value_refused("feet", needed, "nothing" if said.feet is None else said.feet)
    if said.lose_action and not source.shocks:
        raise value_refused("lose_action", "left out: only shock and electrocution cost an action", said.row)
