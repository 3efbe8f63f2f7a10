"""Passing: the end of one's turn, of all turns of a phase; and turns that end by themselves."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.errors import Refused
from ledger.facts import Fact
from ledger.game import NextTurn
from projections.state import Encounter, State
from rulebooks.common.decisions import decides
from rulebooks.common.encounters import EndTurn, PassOn
from rulebooks.momentum import guards
from rulebooks.momentum.declarations import SeizeMomentum
from rulebooks.momentum.turns import actions_left, begin_turn, close_turn, turn_of


@decides(EndTurn)
def end_turn(said: EndTurn, state: State) -> Iterator[Fact]:
    """MO-ACT-1, MO-ROUND-6: the turn is over; after the last of a side the other acts, then the next round begins."""
    try:
        encounter = guards.check_turn(said.by, state)
    except Refused as refused:
        raise refused.as_idle() if is_turn_over(said.by, state) else refused from None
    yield from begin_turn(turn_of(said.by, encounter, state), state)
    yield from close_turn(said.by, guards.running_encounter(state), state, "MO-ACT-1")


def is_turn_over(who: str, state: State) -> bool:
    """MO-ROUND-6, MO-HP-2: whether somebody in the fight has had their turn of this round, or takes none."""
    encounter = state.encounter
    return encounter is not None and (
        who in encounter.done or (guards.is_in_fight(who, state) and guards.is_out(who, state))
    )


@decides(PassOn)
def pass_on(said: PassOn, state: State) -> Iterator[Fact]:
    """MO-ACT-1, MO-ROUND-6: the turns of all who are still to act in this phase are over."""
    encounter = guards.running_encounter(state)
    guards.check_momentum(state)
    waiting = turns_left(encounter, state)
    if not waiting:
        raise guards.phase_refusal(encounter, state).as_idle()
    for who in waiting:
        yield from begin_turn(turn_of(who, guards.running_encounter(state), state), state)
        yield from close_turn(who, guards.running_encounter(state), state, "MO-ACT-1")


def turns_left(encounter: Encounter, state: State) -> list[str]:
    """MO-ROUND-6: those whose turn in this phase is not over, first the one whose turn is open."""
    waiting = guards.members_to_act(encounter, encounter.phase, state)
    return sorted(waiting, key=lambda who: who != encounter.turn)


def implied_passes(state: State) -> Iterator[EndTurn]:
    """MO-ACT-1, MO-ROUND-6: a turn with no action left ends when somebody else acts. Any other turn is waited for."""
    encounter = state.encounter
    for who in turns_left(encounter, state) if encounter else ():
        if not actions_left(who, state):
            yield EndTurn(by=who)
        elif encounter is not None and who == encounter.turn:
            return


def next_turns(state: State) -> Iterator[NextTurn]:
    """MO-ROUND-6: return the open turn, or those of this phase that are left. MO-ROUND-2: opening checks come first."""
    encounter = state.encounter
    for who in guards.checks_due(state):
        yield NextTurn(SeizeMomentum(by=who), (who,))
    if encounter is not None and not guards.checks_due(state):
        left = turns_left(encounter, state)
        for who in left[:1] if encounter.turn else left:
            yield NextTurn(EndTurn(by=who), (who,))
