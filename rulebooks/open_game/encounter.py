"""Turns are begun and ended: who is there, and the order, by rolls of the house rules or as named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.dice import Dice
from ledger.facts import EncounterBegan, EncounterEnded, Fact, OrderSet, Ruled, Slot
from projections.state import State
from rulebooks.common.absence import begin_absence, end_absence, is_absent
from rulebooks.common.beings import find_being
from rulebooks.common.decisions import decides
from rulebooks.common.dice import EntryDice
from rulebooks.common.encounters import BringIn, EndFight, LeaveEncounter
from rulebooks.common.fates import find_fates
from rulebooks.common.values import outside_domain
from rulebooks.open_game.declarations import StartEncounter
from rulebooks.open_game.guards import is_able, running_encounter, ways_out
from rulebooks.open_game.house_rules import house_rules
from rulebooks.open_game.moves import CREATURES
from rulebooks.open_game.texts import dice_thrown, refusal
from rulebooks.open_game.throws import judgement, throw_expression
from rulebooks.open_game.values import check_rolled

ORDER: Final = "order"


@decides(StartEncounter)
def start_encounter(said: StartEncounter, state: State, dice: Dice) -> Iterator[Fact]:
    """OG-TURN-1: turns begin for those named, or for all who are able and there."""
    for who in said.participants:
        find_being("participants", who, state, CREATURES)
    if state.encounter is not None:
        raise refusal("TURN", case="on", name=state.encounter.id)
    there = [being.name for being in state.beings_in_order() if being.kind in CREATURES]
    here = [who for who in there if is_able(who, state) and not is_absent(who, state)]
    members = tuple(dict.fromkeys(said.participants)) or tuple(here)
    if not members:
        raise refusal("TURN", case="nobody")
    for who in members:
        for value in (part.value for part in house_rules(state).order if part.value):
            check_rolled(who, value, state)
    sides = sorted({state.side(who) for who in members}, reverse=True)
    yield EncounterBegan(
        rules=("OG-TURN-1",),
        encounter=said.kind or "the fight",
        kind=said.kind,
        scale="fight",
        sides=tuple((side, tuple(who for who in members if state.side(who) == side)) for side in sides),
    )
    for who in members:
        yield from end_absence(who, state, "OG-TURN-1")
    yield from set_order(members, EntryDice(dice, refusal, dice_thrown), state)


def set_order(members: tuple[str, ...], throws: EntryDice, state: State) -> Iterator[Fact]:
    """OG-TURN-2: the order of the rolls, the highest first and ties as named; without rolls as named."""
    expression = house_rules(state).order
    scores: dict[str, int] = {}
    for who in members if expression else ():
        total = yield from throw_expression(ORDER, who, expression, throws, state)
        scores[who] = total.number
        yield judgement("OG-TURN-2", ORDER, who, total, state)
    throws.check_all_thrown()
    ordered = sorted(members, key=lambda who: -scores.get(who, 0))
    slots = tuple(Slot(slot=who, score=scores.get(who), who=(who,)) for who in ordered)
    yield OrderSet(rules=("OG-TURN-2",), slots=slots)


@decides(BringIn)
def join_encounter(said: BringIn, state: State) -> Iterator[Fact]:
    """OG-TURN-1: a latecomer comes last in the order."""
    find_being("who", said.who, state, CREATURES)
    encounter = running_encounter(state)
    if said.who in encounter.in_order or not is_able(said.who, state):
        raise outside_domain("who", "somebody able who is not in it yet", said.who)
    yield from end_absence(said.who, state, "OG-TURN-1")
    slot = Slot(slot=said.who, score=None, who=(said.who,))
    yield OrderSet(rules=("OG-TURN-1",), slots=(*encounter.order, slot), because=f"{said.who} joins")


@decides(LeaveEncounter)
def leave_encounter(said: LeaveEncounter, state: State) -> Iterator[Fact]:
    """OG-TURN-1: who leaves has no turn any more, and is not in the next fight unless named."""
    find_being("who", said.who, state, CREATURES)
    encounter = running_encounter(state)
    if said.who not in encounter.in_order:
        raise outside_domain("who", "somebody in the fight", said.who)
    if not said.reason.strip():
        raise outside_domain("reason", "the reason, in quotes", None)
    yield Ruled(rules=("OG-TURN-1",), name="leave", text=f"{said.who} leaves the fight", because=said.reason)
    slots = tuple(slot for slot in encounter.order if said.who not in slot.who)
    yield OrderSet(rules=("OG-TURN-1",), slots=slots, because=said.reason)
    yield begin_absence(said.who, "OG-TURN-1")


@decides(EndFight)
def end_encounter(said: EndFight, state: State) -> Iterator[Fact]:
    """OG-TURN-1: no turns are counted any more."""
    encounter = running_encounter(state)
    fates = find_fates((*encounter.members, *encounter.in_order), ways_out(state), state)
    yield EncounterEnded(
        rules=("OG-TURN-1",), encounter=encounter.id, because=said.reason, stand=fates.stand, out=fates.out
    )
