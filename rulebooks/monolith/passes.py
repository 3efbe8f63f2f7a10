"""Passing for all who are still to come in a phase; and parts of a Round that end by themselves."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.declarations import Declaration
from ledger.facts import GM, Fact
from ledger.game import NextTurn
from projections.state import State
from rulebooks.common.decisions import decides
from rulebooks.common.encounters import PassOn
from rulebooks.common.turn import current_round
from rulebooks.monolith.declarations import BeginRound, DeclareIntent, EndPart, EndRound
from rulebooks.monolith.encounter import close_round
from rulebooks.monolith.guards import is_able, members, side_members
from rulebooks.monolith.order import FIRST, NO_ROUND, OPPONENTS, first_actors
from rulebooks.monolith.texts import refusal
from rulebooks.monolith.turns import DECLARING, close_part, new_intent, phase, without_intent


@decides(PassOn)
def pass_on(said: PassOn, state: State) -> Iterator[Fact]:
    """ML-ACT-1, ML-ACT-4: all who have not declared pass, or those of this part of the order, or all of the Round."""
    now = phase(state)
    if not now:
        raise refusal("ORDER", case="none", name="a Round", way=NO_ROUND).as_idle()
    if now == DECLARING:
        for who in without_intent(side_members("pc", state), state):
            yield new_intent(who, "pass", current_round(state), "ML-ACT-4")
    elif now in (FIRST, OPPONENTS):
        yield from close_part(state)
    else:
        yield from close_round(state)


def implied_passes(said: Declaration, state: State) -> Iterator[Declaration]:
    """ML-ACT-1: a Round, or a part of its order, in which no action is left is over when the next begins.

    What is left of moves is let go. Who has an action left is waited for.
    """
    encounter, now = state.encounter, phase(state)
    if encounter is None or now in ("", DECLARING):
        return
    if isinstance(said, BeginRound):
        before = members(encounter)
        over: Declaration = EndRound(by=GM)
    elif now in (FIRST, OPPONENTS):
        first = first_actors(state) if now == FIRST else ()
        before, over = [*first, *side_members("npc", state)], EndPart(by=GM, part=OPPONENTS)
    else:
        return
    if not any(is_able(who, state) and state.actions_left(who, "action") for who in before):
        yield over


def next_turns(state: State) -> Iterator[NextTurn]:
    """ML-ACT-4, ML-TURN-2: return who has to declare, or those whose part of the order is on; the last is for all."""
    now = phase(state)
    if now == DECLARING:
        for who in without_intent(side_members("pc", state), state):
            yield NextTurn(DeclareIntent(by=who), (who,))
    elif now == FIRST:
        yield NextTurn(EndPart(by=GM, part="first"), first_actors(state))
    elif now == OPPONENTS:
        yield NextTurn(EndPart(by=GM, part="opponents"), tuple(side_members("npc", state)))


def next_steps(state: State) -> Iterator[NextTurn]:
    """ML-ROUND-1: return the next turns; where there are none, the beginning of a Round, or the end of the open one."""
    turns = list(next_turns(state))
    if state.encounter is not None and not turns:
        turns = [NextTurn(EndRound(by=GM) if phase(state) else BeginRound(by=GM), tuple(members(state.encounter)))]
    yield from turns
