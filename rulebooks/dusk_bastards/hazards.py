"""Damage that no attack deals: what the game master says, and the hazards of the table."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.facts import Fact
from projections.state import State
from rulebooks.dusk_bastards.able import check_no_wound_due, check_not_out
from rulebooks.dusk_bastards.book import value_refused, whole
from rulebooks.dusk_bastards.declarations import Damage
from rulebooks.dusk_bastards.health import HEALTH, Hit, hurt


def damage(said: Damage, state: State) -> Iterator[Fact]:
    """DB-DMG-2: damage from any source, as the game master says."""
    whole("amount", said.amount, 0)
    if (said.target, HEALTH) not in state.pools:
        raise value_refused("target", "somebody with health, spelled as on the sheet", said.target)
    check_not_out(said.target, state)
    check_no_wound_due(state)
    hit = Hit(
        target=said.target, amount=said.amount, type=said.damage_type, ambient=said.ambient, how=said.source or "damage"
    )
    yield from hurt(hit, state)
