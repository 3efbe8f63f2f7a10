"""Results of attacks, defences and interceptions, once they are final."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.facts import ConditionBegan, Ends, EntryId, Fact, PointsLost
from projections.state import State
from rulebooks.dusk_bastards.combat.interception import Interception, apply_interception
from rulebooks.dusk_bastards.declarations import Effect
from rulebooks.dusk_bastards.guards import encounter_of, is_out
from rulebooks.dusk_bastards.harm.conditions import impose
from rulebooks.dusk_bastards.harm.damage import Hit, can_be_wounded, death, due_wound_roll, grade, hurt
from rulebooks.dusk_bastards.harm.stun import stun
from rulebooks.dusk_bastards.tasks.consequences import settles
from rulebooks.dusk_bastards.tasks.roll import Roll
from rulebooks.dusk_bastards.texts import option
from rulebooks.dusk_bastards.world.clock import condition_end

MISSED: Final = "missed"


class Blow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an attack, or a failed defence, does: damage, a wound, conditions, a turn lost, an interception."""

    hit: Hit
    wound: bool = False
    effects: tuple[Effect, ...] = ()
    lose_action: bool = False
    interception: Interception | None = None

    def packed(self) -> str:
        """Return it as canonical JSON, for the note of a roll."""
        return msgspec.json.encode(self, order="deterministic").decode()


def unpacked(note: str) -> Blow:
    """Return the blow in the note of a roll."""
    return msgspec.json.decode(note, type=Blow)


@settles("attack")
def settle_attack(roll: Roll, state: State, won: bool, opened: EntryId | None) -> Iterator[Fact]:
    """DB-STD-1: on a hit the target takes the damage; DB-DMG-7: an object goes one place down."""
    target, missed = roll.against, f"{MISSED} {roll.who} {roll.against}"
    if not won and encounter_of(roll.who, state) is not None and option(state, "combat_attacks_are_retries") == "on":
        yield ConditionBegan(
            rules=("DB-RETRY-5",), id=missed, who=roll.who, name=MISSED, about=target, ends=(Ends(at="encounter"),)
        )
    if not won:
        return
    if missed in state.conditions:
        yield condition_end(missed, state, "used", "DB-RETRY-5")
    if grade(target, state) == "object":
        now = state.points(target, "state") - 1
        yield PointsLost(rules=("DB-DMG-7",), who=target, pool="state", points=1, now=now, because="hit", by=roll.who)
        return
    yield from deal_blow(unpacked(roll.note), state)


@settles("area")
def settle_area(roll: Roll, state: State, won: bool, opened: EntryId | None) -> Iterator[Fact]:
    """DB-AREA-1: the one total against each target's own number, in their order; unrolled, all fare alike."""
    for attack in roll.per_target():
        yield from settle_attack(attack, state, attack.is_success if roll.purpose else won, opened)


@settles("defence")
def settle_defence(roll: Roll, state: State, won: bool, opened: EntryId | None) -> Iterator[Fact]:
    """DB-ROLL-3: who fails to defend takes what the attack brings: damage, then a wound."""
    if not won and roll.note:
        yield from deal_blow(unpacked(roll.note), state)


@settles("intercept")
def settle_intercept(roll: Roll, state: State, won: bool, opened: EntryId | None) -> Iterator[Fact]:
    """DB-REACT-4, DB-REACT-5: on a hit no damage, but what the interception is for."""
    if won:
        yield from deal_blow(unpacked(roll.note), state)


@settles("spell")
def settle_spell(roll: Roll, state: State, won: bool, opened: EntryId | None) -> Iterator[Fact]:
    """DB-STD-2, DB-STD-3: the effect of a spell without a target is told, not computed."""
    return iter(())


def deal_blow(blow: Blow, state: State) -> Iterator[Fact]:
    """Damage first, then a wound dealt directly (DB-WOUND-10, DB-NPC-2), then what it does besides."""
    who = blow.hit.target
    if blow.hit.amount:
        yield from hurt(blow.hit, state)
    if blow.wound and not is_out(who, state):
        if can_be_wounded(who, state):
            yield due_wound_roll(who, blow.hit.by, state, *blow.hit.because, "DB-WOUND-10")
        else:
            yield death(who, *blow.hit.because, "DB-NPC-2")
    for effect in blow.effects:
        if not is_out(who, state):
            yield from impose(who, effect, state, *blow.hit.because)
    if blow.lose_action and not is_out(who, state):
        yield stun(who, state, *blow.hit.because, "DB-SPEC-2")
    if blow.interception is not None:
        yield from apply_interception(blow.interception, state)
