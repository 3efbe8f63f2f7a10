"""Fights: begin, join, end."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.facts import CountsCleared, EncounterBegan, EncounterEnded, Fact, Linked, OrderSet, Ruled, Slot
from projections.state import State
from rulebooks.common.absence import begin_absence, end_absence, is_absent
from rulebooks.common.conditions import condition_end, ending_conditions
from rulebooks.common.decisions import decides
from rulebooks.common.encounters import BringIn, EndFight, LeaveEncounter
from rulebooks.common.fates import find_fates
from rulebooks.semiautomagic import guards, squares, stealth, turns
from rulebooks.semiautomagic.declarations.turns import StartEncounter
from rulebooks.semiautomagic.texts import check_reason, outside_domain, refusal


@decides(StartEncounter)
def start_encounter(said: StartEncounter, state: State) -> Iterator[Fact]:
    """TT-OUT-1: a fight in rounds of six seconds. Its order is the game master's: initiative is in another chapter."""
    for who in said.order:
        guards.find_creature(who, state, "order")
    if state.encounter is not None:
        raise outside_domain("fight", "begun after the one that is on has ended (! over)", state.encounter.id)
    creatures = [being.name for being in state.beings_in_order() if being.kind in guards.CREATURES]
    here = (who for who in creatures if guards.is_able(who, state) and not is_absent(who, state))
    order = tuple(dict.fromkeys(said.order)) or tuple(here)
    if not order:
        raise outside_domain("order", "at least one creature that is able", None)
    sides = {being.side for being in state.beings_in_order() if being.name in order}
    yield EncounterBegan(
        rules=("TT-OUT-1",),
        encounter=said.kind or "the fight",
        kind=said.kind,
        scale="combat",
        sides=tuple((side, tuple(who for who in order if state.side(who) == side)) for side in sorted(sides)),
    )
    for who in order:
        yield from end_absence(who, state, "TT-OUT-1")
    yield from reset_turns(state)
    yield OrderSet(rules=("TT-OUT-1",), slots=tuple(Slot(slot=who, score=None, who=(who,)) for who in order))


def reset_turns(state: State) -> Iterator[Fact]:
    """TT-GAP-20: what lasts until somebody's next turn ends where turns begin or end to be counted."""
    for until in (squares.OWN_TURN, "round"):
        yield CountsCleared(rules=("TT-GAP-20",), until=until)
    for id, condition in ending_conditions(state):
        if any(end.at == "slot" for end in condition.ends):
            yield condition_end(id, state, "no turns are counted", "TT-GAP-20")


@decides(BringIn)
def join_encounter(said: BringIn, state: State) -> Iterator[Fact]:
    """TT-OUT-1: a latecomer comes last in the order."""
    guards.find_creature(said.who, state, "who")
    encounter = state.encounter
    if encounter is None:
        raise refusal("NOT-TURN", name=said.who, way='No fight is on: ! fight "the yard"')
    if guards.is_in_fight(said.who, state) or f"{guards.DEAD} {said.who}" in state.conditions:
        raise outside_domain("who", "a living creature that is not in the fight yet", said.who)
    yield from end_absence(said.who, state, "TT-OUT-1")
    yield OrderSet(rules=("TT-OUT-1",), slots=(*encounter.order, Slot(slot=said.who, score=None, who=(said.who,))))


@decides(LeaveEncounter)
def leave_encounter(said: LeaveEncounter, state: State) -> Iterator[Fact]:
    """TT-OUT-1: who leaves, by a ruling, has no turn any more; the mount goes along."""
    guards.find_creature(said.who, state, "who")
    encounter = state.encounter
    if encounter is None or not guards.is_in_fight(said.who, state):
        raise outside_domain("who", "somebody in the fight", said.who)
    check_reason(said.reason, "leaving")
    gone = [who for who in (said.who, guards.mount_of(said.who, state)) if who]
    yield Ruled(rules=("TT-OUT-1",), name="leave", text=f"{said.who} leaves the fight", because=said.reason)
    slots = tuple(slot for slot in encounter.order if not set(slot.who) & set(gone))
    yield OrderSet(rules=("TT-OUT-1",), slots=slots, because=said.reason)
    for who in gone:
        yield from turns.end_at_slot(who, state)  # there is no next turn that would end it
        yield begin_absence(who, "TT-OUT-1")


@decides(EndFight)
def end_encounter(said: EndFight, state: State) -> Iterator[Fact]:
    """TT-OUT-1: no seconds are counted any more. TT-GAP-10: surprise ends, and what is known of foes."""
    encounter = state.encounter
    if encounter is None:
        raise refusal("NOT-TURN", case="none")
    yield from reset_turns(state)
    for one, tie, other in sorted(state.links):
        if tie in (stealth.FLAT_FOOTED, stealth.AWARE):
            yield Linked(rules=("TT-GAP-10",), one=one, tie=tie, other=other, on=False)
    fates = find_fates((*encounter.members, *(slot.slot for slot in encounter.order)), guards.WAYS_OUT, state)
    yield EncounterEnded(
        rules=("TT-OUT-1",), encounter=encounter.id, because=said.reason, stand=fates.stand, out=fates.out
    )
