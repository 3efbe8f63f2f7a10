"""A blow: all effects of an attack that hits, or of a defence that fails."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ledger.facts import Fact
from projections.state import State
from rulebooks.dusk_bastards.combat.this_round import Interception, apply_interception
from rulebooks.dusk_bastards.declarations.parts import Effect
from rulebooks.dusk_bastards.guards import is_out
from rulebooks.dusk_bastards.harm.conditions import impose
from rulebooks.dusk_bastards.harm.damage import Hit, can_be_wounded, die, due_wound_roll, hurt
from rulebooks.dusk_bastards.harm.stun import stun


class AttackEffects(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Damage, and then a wound, conditions, a turn lost or an interception."""

    hit: Hit
    wound: bool = False
    effects: tuple[Effect, ...] = ()
    lose_action: bool = False
    interception: Interception | None = None

    def encode(self) -> str:
        """Return the blow as canonical JSON, for the note of a roll."""
        return msgspec.json.encode(self, order="deterministic").decode()

    @staticmethod
    def decode(note: str) -> AttackEffects:
        """Return the blow in the note of a roll."""
        return msgspec.json.decode(note, type=AttackEffects)


def deal_blow(blow: AttackEffects, state: State) -> Iterator[Fact]:
    """DB-WOUND-10, DB-NPC-2: damage first, then a wound dealt directly, then everything else."""
    who = blow.hit.target
    if blow.hit.amount:
        yield from hurt(blow.hit, state)
    if blow.wound and not is_out(who, state):
        if can_be_wounded(who, state):
            yield due_wound_roll(who, blow.hit.by, state, *blow.hit.because, "DB-WOUND-10")
        else:
            yield from die(who, state, *blow.hit.because, "DB-NPC-2")
    for effect in blow.effects:
        if not is_out(who, state):
            yield from impose(who, effect, state, *blow.hit.because)
    if blow.lose_action and not is_out(who, state):
        yield stun(who, state, *blow.hit.because, "DB-SPEC-2")
    if blow.interception is not None:
        yield from apply_interception(blow.interception, state)
