"""Injuries, an option: who was at 0 health or less in an encounter keeps a lasting debilitation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import ConditionBegan, CountsCleared, Die, Fact, Rolled
from projections.state import State
from rulebooks.common.conditions import has_condition
from rulebooks.common.dice import EntryDice
from rulebooks.mars.guards import DEAD, DEBILITATION, HEALTH, STATS
from rulebooks.mars.harm.wounds import FALLEN, kill
from rulebooks.mars.tasks.roll_steps import INJURY, is_injured
from rulebooks.mars.texts import is_on

RULE: Final = "GR-OUT-15"


def injured_stats(who: str, state: State) -> tuple[str, ...]:
    """Return the primary stats of somebody that are injured."""
    return tuple(stat for stat in STATS if is_injured(who, stat, state))


def injure_fallen(state: State, throws: EntryDice) -> Iterator[Fact]:
    """GR-OUT-15: at the end of an encounter everybody who fell is injured; a fifth injury kills."""
    encounter = state.encounter
    if encounter is None or not is_on(state, "injuries"):
        return
    for who in encounter.in_order:
        fell = state.count(who, FALLEN) or state.points(who, HEALTH) <= 0
        if not fell or has_condition(who, DEAD, state):
            continue
        free = [stat for stat in STATS if stat not in injured_stats(who, state)]
        if free:
            yield from injure(who, free, throws)
        else:
            yield from kill(who, state, RULE)
    yield CountsCleared(rules=(RULE,), until="encounter")


def injure(who: str, free: list[str], throws: EntryDice) -> Iterator[Fact]:
    """GR-OUT-15: a primary stat that is not injured, drawn by a die, is debilitated for months."""
    purpose, index = f"{INJURY} {who}", 0
    if len(free) > 1:
        (face,) = throws.group(lambda dice: dice.throw(purpose, len(free)), key=lambda faces: faces)
        index = face - 1
        die = Die(ordinal=0, sides=len(free), face=face, label=", ".join(free))
        yield Rolled(rules=(RULE,), who=who, purpose=purpose, source=throws.dice.source, dice=(die,))
    yield begin_injury(who, free[index])


def begin_injury(who: str, stat: str) -> ConditionBegan:
    """GR-OUT-15: a lasting debilitation beside any other of this stat, which time and medicine heal."""
    return ConditionBegan(
        rules=(RULE, "GR-DEB-1"), id=f"{INJURY} {stat} {who}", who=who, name=f"{DEBILITATION} {stat}", about=INJURY
    )
