"""Passing: an action, a slot, a whole phase; and what others let go when a line can only mean that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.declarations import Declaration
from ledger.errors import Refused
from ledger.facts import GM, Fact
from ledger.game import NextTurn
from projections.state import Encounter, State
from rulebooks.common.decisions import decides
from rulebooks.common.encounters import PassOn
from rulebooks.common.values import action_use
from rulebooks.dusk_bastards import guards
from rulebooks.dusk_bastards.declarations.harm import WoundRoll
from rulebooks.dusk_bastards.declarations.tasks import Close
from rulebooks.dusk_bastards.declarations.turns import Initiative, Pass
from rulebooks.dusk_bastards.tasks.roll import OPEN_ROLL
from rulebooks.dusk_bastards.turns import allowances
from rulebooks.dusk_bastards.turns.cycle import advance
from rulebooks.dusk_bastards.world.clock import COMBAT

CANNOT_ACT: Final = ("DB-E-DEAD", "DB-E-NOACT", "DB-E-STUNNED")


@decides(Pass)
def pass_actions(said: Pass, state: State) -> Iterator[Fact]:
    """DB-ENC-11: any action may be skipped; a skipped action is gone."""
    guards.check_in_play(said.by, state)
    try:
        encounter = check_can_pass(said.by, state)
    except Refused as error:
        raise error.as_idle() if error.code in CANNOT_ACT and said.what == "rest" else error from None
    wanted = [part for part in parts_to_pass(said, encounter, state) if state.actions_left(said.by, part)]
    if not wanted:
        refused = allowances.slot_refusal(said.by, "further" if said.what == "rest" else said.what, state)
        raise refused.as_idle() if said.what == "rest" else refused
    if encounter.scale == COMBAT:
        allowances.check_turn(said.by, encounter, state)
    for part in wanted:
        yield action_use(said.by, part, state, "passed", "DB-ENC-11")


def check_can_pass(who: str, state: State) -> Encounter:
    """DB-ENC-11: return the encounter of somebody who is able to act in it."""
    guards.check_alive(who, state)
    encounter = guards.encounter_of(who, state)
    if encounter is None:
        raise guards.encounter_refusal(who, state)
    guards.check_unhindered(who, state)
    return encounter


def parts_to_pass(said: Pass, encounter: Encounter, state: State) -> tuple[str, ...]:
    """DB-ACTN-4, DB-ACTN-5: the actions of a slot in this phase, or the one that is named."""
    if encounter.scale != COMBAT:
        return ("action",)
    if said.what == "rest" and encounter.phase:
        return allowances.PARTS_OF[encounter.phase]
    phase = allowances.PHASE_OF.get(said.what, "movement")
    if phase != encounter.phase:
        raise allowances.phase_refusal(phase, encounter, state)
    return (said.what,)


@decides(PassOn)
def pass_on(said: PassOn, state: State) -> Iterator[Fact]:
    """DB-ENC-11: everybody still to come in this phase skips all that is left in it; outside combat, in this round."""
    guards.check_no_wound_due(state)
    encounter = guards.running_encounter(state)
    if encounter.scale != COMBAT:
        for who in [who for who, action in sorted(state.allowances) if action == "action"]:
            if state.actions_left(who, "action"):
                yield action_use(who, "action", state, "passed", "DB-ENC-11")
        return
    if allowances.awaiting_initiative(encounter, state) or not encounter.turn:
        raise allowances.phase_refusal("movement or action", encounter, state)
    at = encounter.round, encounter.phase
    while (now := state.encounter) is not None and now.turn and (now.round, now.phase) == at and not state.windows:
        for action in allowances.slot_actions(now, state):
            yield action_use(now.turn, action, state, "passed", "DB-ENC-11")
        yield from advance(state)


def implied_passes(said: Declaration, state: State) -> Iterator[Declaration]:
    """DB-ENC-11: who has the turn lets go a bonus action when somebody else acts.

    Who has nothing left but an open roll closes it. Who still has a standard action, or a move, is waited for.
    """
    encounter = state.encounter
    if encounter is None or encounter.scale != COMBAT or not encounter.turn:
        return
    left = allowances.slot_actions(encounter, state)
    if not left:
        yield Close(by=GM)
    elif left == ["bonus"]:
        yield Pass(by=encounter.turn)


def next_turns(state: State) -> Iterator[NextTurn]:
    """DB-ENC-11: return whose turn it is in a combat; all that is left of it in this phase can be skipped.

    DB-WOUND-11, DB-ENC-2: wound rolls that are due come first, then initiative.
    """
    encounter = state.encounter
    for window, bearer in guards.wounds_due(state):
        roller = next(iter(state.windows[window].awaits), bearer)
        yield NextTurn(WoundRoll(by=roller, who=bearer), (roller,))
    if encounter is None or encounter.scale != COMBAT:
        return
    for who in allowances.awaiting_initiative(encounter, state):
        yield NextTurn(Initiative(by=who), (who,))
    if encounter.turn:
        yield NextTurn(Pass(by=encounter.turn), (encounter.turn,))


def next_steps(state: State) -> Iterator[NextTurn]:
    """DB-PLAY-8: return the next turns, then the close of an open roll, which may decide whose turn it is."""
    yield from next_turns(state)
    if OPEN_ROLL in state.windows:
        yield NextTurn(Close(by=GM), tuple(state.windows[OPEN_ROLL].awaits))
