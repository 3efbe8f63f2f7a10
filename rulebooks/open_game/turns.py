"""Turns and rounds, one after the other in the order, and what 0 points bring. Nobody is refused out of turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledger.facts import GM, Fact, Reached, TimePassed
from ledger.game import NextTurn
from projections.state import Encounter, State
from rulebooks.common.beings import find_being, speaker
from rulebooks.common.conditions import has_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.encounters import EndTurn, PassTime
from rulebooks.common.values import check_whole
from rulebooks.open_game.declarations import PassTurn
from rulebooks.open_game.guards import is_able, running_encounter
from rulebooks.open_game.house_rules import house_rules
from rulebooks.open_game.moves import CREATURES
from rulebooks.open_game.texts import refusal
from rulebooks.open_game.values import has_value


def advance(state: State) -> Iterator[Fact]:
    """OG-ZERO-1, OG-TURN-3: pools at 0 bring their condition; then whoever is next has the turn."""
    for pool, condition in house_rules(state).zero:
        empty = [who for (who, name), held in state.pools.items() if name == pool and held.points == 0]
        for being in state.beings_in_order():
            taken = has_condition(being.name, condition, state) or has_value(being.name, condition, state)
            if being.name in empty and not taken:
                yield new_condition(being.name, condition, "OG-ZERO-1")
    encounter = state.encounter
    if encounter is None:
        return
    if encounter.turn and not takes_turn(encounter.turn, encounter, state):
        yield Reached(rules=("OG-TURN-3",), point="slot_end", round=encounter.round, who=encounter.turn)
    yield from begin_next(state)


def takes_turn(who: str, encounter: Encounter, state: State) -> bool:
    """OG-TURN-3: return whether somebody is in the order and able."""
    return who in encounter.in_order and is_able(who, state)


def begin_next(state: State) -> Iterator[Fact]:
    """OG-TURN-3: the next who is able has the turn; after the last one the next round begins."""
    encounter = state.encounter
    if encounter is None or encounter.turn:
        return
    able = [who for who in encounter.in_order if is_able(who, state)]
    if not able:
        return
    waiting = [who for who in able if who not in encounter.done]
    number = encounter.round
    if not number or not waiting:
        if number:
            yield Reached(rules=("OG-TURN-3",), point="round_end", round=number)
        number, waiting = number + 1, able
        yield Reached(rules=("OG-TURN-3",), point="round", round=number)
    yield Reached(rules=("OG-TURN-3",), point="slot", round=number, who=waiting[0])


@decides(EndTurn)
def end_turn(said: EndTurn, state: State) -> Iterator[Fact]:
    """OG-TURN-3: whoever has the turn ends it."""
    find_being("by", said.by, state, CREATURES)
    encounter = running_encounter(state)
    if encounter.turn != said.by:
        raise refusal(
            "TURN", name=encounter.turn or "nobody", line=speaker(encounter.turn, state) if encounter.turn else "!"
        )
    yield Reached(rules=("OG-TURN-3",), point="slot_end", round=encounter.round, who=said.by)


@decides(PassTurn)
def pass_turn(said: PassTurn, state: State) -> Iterator[Fact]:
    """OG-TURN-3: the game master ends the turn of whoever has it."""
    encounter = state.encounter
    if encounter is None or not encounter.turn:
        raise refusal("TURN", case="none").as_idle()
    yield Reached(rules=("OG-TURN-3",), point="slot_end", round=encounter.round, who=encounter.turn)


@decides(PassTime)
def pass_time(said: PassTime, state: State) -> Iterator[Fact]:
    """OG-TIME-1: the clock of the story goes on."""
    check_whole("seconds", said.seconds, 1)
    yield TimePassed(rules=("OG-TIME-1",), seconds=said.seconds, because=said.label)


def next_turns(state: State) -> Iterable[NextTurn]:
    """OG-TURN-3: return the turn that is open."""
    encounter = state.encounter
    if encounter is None or not encounter.turn:
        return ()
    return (NextTurn(passing=PassTurn(by=GM), who=(encounter.turn,)),)
