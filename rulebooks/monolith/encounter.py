"""Fights and their Rounds: begin, join, end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ledger.facts import GM, Allowed, Counted, CountsCleared, EncounterBegan, EncounterEnded, Fact, Reached, TimePassed
from projections.state import State
from rulebooks.common.absence import begin_absence, end_absence, is_absent
from rulebooks.common.beings import name_list
from rulebooks.common.conditions import condition_end, ending_conditions, has_condition
from rulebooks.common.decisions import decides
from rulebooks.common.encounters import BringIn
from rulebooks.common.fates import find_fates
from rulebooks.common.turn import current_round
from rulebooks.common.values import outside_domain
from rulebooks.monolith import groups, guards, order, turns, wounds
from rulebooks.monolith.declarations import BeginRound, EndEncounter, EndRound, StartEncounter
from rulebooks.monolith.texts import refusal

SECONDS: Final = 10
ACTIONS: Final = (("move", 1), ("action", 1))
START: Final = "start"


@decides(StartEncounter)
def start_encounter(said: StartEncounter, state: State) -> Iterator[Fact]:
    """ML-ROUND-1: where timing matters, Rounds are used. Everybody in play is in it, unless some are named."""
    for who in said.participants:
        guards.find_actor(who, state, "participants")
    if state.encounter is not None:
        raise refusal(
            "ORDER", case="fight", name=said.kind or "the fight", way="! over ends it, ! join brings somebody in"
        )
    yield from open_encounter(said.kind, said.participants, state)


def open_encounter(kind: str, named: Iterable[str], state: State) -> Iterator[Fact]:
    """ML-ROUND-1: a fight; ML-MOR-1: the counts of a group begin with it."""
    chosen = set(named)
    actors = [being for being in state.beings_in_order() if being.kind in guards.ACTORS]
    fighters = [being for being in actors if (being.name in chosen if chosen else is_ready(being.name, state))]
    sides = tuple(
        (side, tuple(being.name for being in fighters if being.side == side))
        for side in dict.fromkeys(being.side for being in fighters)
    )
    yield CountsCleared(rules=("ML-MOR-5",), until="encounter")
    yield EncounterBegan(rules=("ML-ROUND-1",), encounter=kind or "the fight", kind=kind, scale="combat", sides=sides)
    for being in fighters:
        yield from end_absence(being.name, state, "ML-ROUND-1")
    for group in (being.name for being in state.beings_in_order() if being.kind == groups.GROUP):
        yield from count_starting(group, sum(groups.group_of(being.name, state) == group for being in fighters), state)


def is_ready(who: str, state: State) -> bool:
    """ML-ROUND-1: whether somebody is in a fight without being named: able to act, and not gone from the last one."""
    return guards.is_able(who, state) and not is_absent(who, state)


def count_starting(group: str, number: int, state: State) -> Iterator[Fact]:
    """ML-MOR-2: the number with which a group starts."""
    if number:
        now = state.count(group, START) + number
        yield Counted(rules=("ML-MOR-2",), who=group, name=START, change=number, now=now, until="encounter")


@decides(BringIn)
def join_encounter(said: BringIn, state: State) -> Iterator[Fact]:
    """ML-ROUND-1: a latecomer acts in the Round that is open, and counts for the group."""
    guards.find_actor(said.who, state, "who")
    encounter = guards.running_encounter(state)
    if said.who in guards.members(encounter):
        raise outside_domain("who", "somebody who is not in the fight yet", said.who)
    yield order.add_newcomer(said.who, state)
    yield from end_absence(said.who, state, "ML-ROUND-1")
    if encounter.phase:
        yield Allowed(rules=("ML-ACT-1",), who=(said.who,), actions=ACTIONS, until="round")
    if encounter.phase == turns.DECLARING and said.who in guards.side_members("pc", state):
        yield await_intent(said.who, state)
    group = groups.group_of(said.who, state)
    if group:
        yield from count_starting(group, 1, state)


@decides(EndEncounter)
def end_encounter(said: EndEncounter, state: State) -> Iterator[Fact]:
    """ML-ROUND-1: no Rounds are counted any more; who has fled is out of the next fight too, unless named."""
    encounter = guards.running_encounter(state)
    if encounter.phase:
        yield from close_round(state)
    fates = find_fates(guards.members(encounter), guards.REASONS, state)
    for who in guards.members(encounter):
        if has_condition(who, guards.FLED, state):
            yield begin_absence(who, "ML-ROUND-1", "ML-MOR-5")
    yield from end_conditions_at("encounter", state, "the encounter ended", "ML-ROUND-1")
    yield CountsCleared(rules=("ML-MOR-5",), until="encounter")
    yield EncounterEnded(
        rules=("ML-ROUND-1",), encounter=encounter.id, because=said.reason, stand=fates.stand, out=fates.out
    )


@decides(BeginRound)
def begin_round(said: BeginRound, state: State) -> Iterator[Fact]:
    """ML-ROUND-1: a Round begins; ML-ACT-1: one move and one action for everybody in it."""
    if turns.phase(state):
        way = f"{still_to_act(state)}! done ends it"
        name = f"Round {current_round(state)}"
        raise refusal("ORDER", case="open", name=name, way=way).with_first(EndRound(by=GM))
    if state.encounter is None:
        if not any(is_ready(being.name, state) for being in state.beings_in_order() if being.kind in guards.ACTORS):
            raise refusal(
                "ORDER", case="nobody", name="a Round", way="Add characters and foes first: campaign cast SHEET"
            )
        yield from open_encounter("", (), state)
    encounter = guards.running_encounter(state)
    number = encounter.round + 1
    yield Reached(rules=("ML-ROUND-1",), point="round", round=number)
    yield Allowed(rules=("ML-ACT-1",), who=tuple(guards.members(encounter)), actions=ACTIONS, until="round")
    for who in guards.side_members("pc", state):
        yield await_intent(who, state)
    yield Reached(rules=("ML-ACT-4",), point="phase", round=number, phase=turns.DECLARING)


def still_to_act(state: State) -> str:
    """ML-ACT-1: who has an action left in this Round, in words; empty if nobody has."""
    left = [
        who for kind in ("pc", "npc") for who in guards.side_members(kind, state) if state.actions_left(who, "action")
    ]
    return f"{name_list(left)} {'have' if len(left) > 1 else 'has'} an action left; " if left else ""


def await_intent(who: str, state: State) -> Reached:
    """ML-ACT-4: a player who is to declare."""
    return Reached(rules=("ML-ACT-4",), point="awaited", round=current_round(state), who=who)


@decides(EndRound)
def end_round(said: EndRound, state: State) -> Iterator[Fact]:
    """ML-ROUND-1: ten seconds are over, and with them pools, moves, actions and the order."""
    if not turns.phase(state):
        raise refusal("ORDER", case="none", name="a Round", way=order.NO_ROUND).as_idle()
    yield from close_round(state)


def close_round(state: State) -> Iterator[Fact]:
    """ML-ROUND-1: the end of a Round; ML-CRIT-4: it runs on every clock."""
    number = current_round(state)
    yield from order.close_order(state)
    yield Reached(rules=("ML-ROUND-1",), point="round_end", round=number)
    yield from end_conditions_at("round", state, "the round ended", "ML-ACT-4")
    yield CountsCleared(rules=("ML-ROUND-1", "ML-GANG-2"), until="round")
    yield TimePassed(rules=("ML-ROUND-1", "ML-CRIT-4"), seconds=SECONDS, because=f"round {number}")
    yield from wounds.end_expired_clocks(state)


def end_conditions_at(at: str, state: State, because: str, *rules: str) -> Iterator[Fact]:
    """End the conditions that last until `at`: round or encounter."""
    for id, condition in ending_conditions(state):
        if any(end.at == at for end in condition.ends):
            yield condition_end(id, state, because, *rules)
