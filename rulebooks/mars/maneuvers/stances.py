"""Maneuvers without a roll: stances, cries, and those that meet an attack before its dice."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.facts import Fact
from projections.state import State
from rulebooks.common.dice import EntryDice
from rulebooks.mars.guards import is_able, members, team_of
from rulebooks.mars.maneuvers.outcomes import begin_ally_effects, begin_own_effects, begin_target_effects
from rulebooks.mars.maneuvers.use import Use


def allies_of(use: Use, state: State) -> tuple[str, ...]:
    """GR-OUT-17: return the allies who hear a cry: those named, or all of the team who can act."""
    if use.targets:
        return use.targets
    everybody = members(state.encounter, state) if state.encounter else ()
    team = team_of(use.who, state)
    return tuple(who for who in everybody if who != use.who and team_of(who, state) == team and is_able(who, state))


def perform_stance(use: Use, state: State, throws: EntryDice) -> Iterator[Fact]:
    """GR-OUT-17: begin what the maneuver does for its maker, for allies, and to the one whom it meets."""
    yield from begin_own_effects(use, state)
    yield from begin_ally_effects(use, allies_of(use, state), state)
    yield from begin_target_effects(use, "full", state)
