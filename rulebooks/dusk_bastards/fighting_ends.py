"""What attacks and defences come to when their results are final."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.facts import ConditionBegan, ConditionEnded, Ends, EntryId, Fact, PointsLost
from projections.state import State
from rulebooks.dusk_bastards.able import is_out, running_for
from rulebooks.dusk_bastards.book import option
from rulebooks.dusk_bastards.health import Hit, dead, grade, hurt, wound_due, wounds_are_taken
from rulebooks.dusk_bastards.rolling import Roll

MISSED: Final = "missed"


class Blow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an attack does when it hits."""

    hit: Hit
    wound: bool = False


def attack_settled(roll: Roll, state: State, won: bool, opened: EntryId | None) -> Iterator[Fact]:
    """DB-STD-1: on a hit the target takes the damage; DB-DMG-7: an object goes one place down."""
    target, missed = roll.against, f"{MISSED} {roll.who} {roll.against}"
    if not won and running_for(roll.who, state) is not None and option(state, "combat_attacks_are_retries") == "on":
        yield ConditionBegan(
            rules=("DB-RETRY-5",), id=missed, who=roll.who, name=MISSED, about=target, ends=(Ends(at="encounter"),)
        )
    if not won:
        return
    if missed in state.conditions:
        yield ConditionEnded(rules=("DB-RETRY-5",), id=missed, who=roll.who, name=MISSED, because="used")
    if grade(target, state) == "object":
        now = state.points(target, "state") - 1
        yield PointsLost(rules=("DB-DMG-7",), who=target, pool="state", points=1, now=now, how="hit", by=roll.who)
        return
    yield from struck(msgspec.json.decode(roll.note, type=Blow), state)


def defence_settled(roll: Roll, state: State, won: bool, opened: EntryId | None) -> Iterator[Fact]:
    """DB-ROLL-3: who fails to defend takes what the attack brings: damage, then a wound."""
    if not won and roll.note:
        yield from struck(msgspec.json.decode(roll.note, type=Blow), state)


def struck(blow: Blow, state: State) -> Iterator[Fact]:
    """Damage first, then a wound dealt directly (DB-WOUND-10, DB-NPC-2)."""
    if blow.hit.amount:
        yield from hurt(blow.hit, state)
    if not blow.wound or is_out(blow.hit.target, state):
        return
    if wounds_are_taken(blow.hit.target, state):
        yield wound_due(blow.hit.target, blow.hit.by, state, "DB-WOUND-10")
    else:
        yield dead(blow.hit.target, "DB-NPC-2")
