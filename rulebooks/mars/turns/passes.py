"""Passing: the turns of all who are still to act in this round are over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from ledger.dice import Dice
from ledger.facts import Fact
from ledger.game import NextTurn
from projections.state import Encounter, State
from rulebooks.common.beings import name_in_line, speaker
from rulebooks.common.decisions import decides
from rulebooks.common.encounters import EndTurn, PassOn
from rulebooks.mars.declarations.turns import RollInitiative
from rulebooks.mars.guards import CHALLENGE, has_begun, initiative_due, next_to_act, running_encounter, turn_now
from rulebooks.mars.tasks.checks import entry_dice
from rulebooks.mars.texts import refusal
from rulebooks.mars.turns.start_of_turn import needs_dice
from rulebooks.mars.turns.turns import advance, close_slot, open_slot


@decides(PassOn)
def pass_on(said: PassOn, state: State, dice: Dice) -> Iterator[Fact]:
    """GR-INIT-4: all who are still to come in this round let their turns go, up to one whose start needs dice."""
    encounter = running_encounter(state)
    who = next_to_pass(state)
    if not has_begun(encounter) or not who:
        raise refusal("NO-ENCOUNTER", case="turn", way=way_on(encounter, state))
    while who and running_encounter(state).round == encounter.round:
        if not running_encounter(state).turn:
            yield from open_slot(who, state, entry_dice(dice))
        yield from close_slot(who, state)
        yield from advance(state)
        who = next_to_pass(state)


def way_on(encounter: Encounter, state: State) -> str:
    """Return whose turn it is, and the line that lets it go where its start needs dice."""
    rolling = next(iter(next_to_act(state)), "") if has_begun(encounter) else ""
    if not rolling:
        return turn_now(state)
    begin, end = f"{speaker(rolling, state)} begin", f"! {name_in_line(rolling)} end"
    return f"The turn of {rolling} begins with a roll: {begin}, or let it go: {end}"


def next_to_pass(state: State) -> str:
    """GR-DYI-2: whose turn is open, or who comes next and throws no dice then; empty if nobody can pass."""
    encounter = running_encounter(state)
    waiting = (who for who in next_to_act(state) if not needs_dice(who, state))
    return encounter.turn or next(waiting, "")


def next_turns(state: State) -> Sequence[NextTurn]:
    """GR-INIT-4, GR-INIT-5: return the open turn, or those of which the team may choose one.

    GR-INIT-1: initiative comes first.
    """
    encounter = state.encounter
    if encounter is None or encounter.scale == CHALLENGE:
        return ()
    if not has_begun(encounter):
        return [next_turn(RollInitiative, who) for who in initiative_due(encounter, state)]
    if encounter.turn:
        return (next_turn(EndTurn, encounter.turn),)
    return [next_turn(EndTurn, who) for who in next_to_act(state)]


@lru_cache(maxsize=1024)
def next_turn(passing: type[EndTurn | RollInitiative], who: str) -> NextTurn:
    """Return a turn of somebody, and what lets it go: asked for again with each line of a fight."""
    return NextTurn(passing(by=who), (who,))
