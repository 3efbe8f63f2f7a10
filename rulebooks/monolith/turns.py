"""Rounds: everybody declares before dice are rolled, then acts, in an order where the game master has set one.

The phases of an encounter say where its Round stands: declaring; then acting, or, with an order, first, opponents and
others. Between Rounds there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ledger.facts import (
    ConditionEnded,
    Counted,
    CountsCleared,
    EncounterBegan,
    EncounterEnded,
    Fact,
    Reached,
    TimePassed,
    Told,
)
from projections.state import State
from rulebooks.common.groups import GROUP, group_of
from rulebooks.common.intents import intended, intent, undeclared
from rulebooks.common.turns import renewed, spent
from rulebooks.common.values import outside_domain
from rulebooks.monolith.declarations import (
    BeginRound,
    DeclareIntent,
    EndEncounter,
    EndRound,
    JoinEncounter,
    StartEncounter,
    Telegraph,
)
from rulebooks.monolith.guards import check_able, check_fights, in_play, is_able, members, running, side
from rulebooks.monolith.order import FIRST, OPPONENTS, ORDER, check_order, first, order_over, part_over, with_newcomer
from rulebooks.monolith.texts import refused
from rulebooks.monolith.wounds import expired

SECONDS: Final = 10
DECLARING: Final = "declaring"
ACTING: Final = "acting"
ACTIONS: Final = (("move", 1), ("action", 1))
START: Final = "start"


def phase(state: State) -> str:
    """Where the Round stands; empty while none is open."""
    return state.encounter.phase if state.encounter else ""


def this_round(state: State) -> int:
    """The number of the Round."""
    return state.encounter.round if state.encounter else 0


def start_encounter(said: StartEncounter, state: State) -> Iterator[Fact]:
    """ML-ROUND-1: where timing matters, Rounds are used. Everybody in play is in it, unless some are named."""
    for who in said.participants:
        in_play(who, state, "participants")
    if state.encounter is not None:
        raise refused("ORDER", name=said.kind or "the fight")
    yield from begun(said.kind, said.participants, state)


def begun(kind: str, named: Iterable[str], state: State) -> Iterator[Fact]:
    """ML-ROUND-1: a fight; ML-MOR-1: what a group counts begins with it."""
    chosen = set(named)
    there = [
        being for being in state.in_order() if being.kind in ("pc", "npc") and (not chosen or being.name in chosen)
    ]
    there = [being for being in there if chosen or is_able(being.name, state)]
    sides = tuple(
        (name, tuple(being.name for being in there if being.side == name))
        for name in dict.fromkeys(being.side for being in there)
    )
    yield CountsCleared(rules=("ML-MOR-5",), until="encounter")
    yield EncounterBegan(rules=("ML-ROUND-1",), encounter=kind or "the fight", kind=kind, scale="combat", sides=sides)
    for group in (being.name for being in state.in_order() if being.kind == GROUP):
        yield from enlisted(group, sum(group_of(being.name, state) == group for being in there), state)


def enlisted(group: str, number: int, state: State) -> Iterator[Fact]:
    """ML-MOR-2: the number with which a group starts."""
    if number:
        now = state.count(group, START) + number
        yield Counted(rules=("ML-MOR-2",), who=group, name=START, change=number, now=now, until="encounter")


def join_encounter(said: JoinEncounter, state: State) -> Iterator[Fact]:
    """ML-ROUND-1: who comes later acts in the Round that is open, and counts for the group."""
    in_play(said.who, state, "who")
    found = running(state)
    if said.who in members(found):
        raise outside_domain("who", "one who is not in the fight yet", said.who)
    yield with_newcomer(said.who, state)
    if found.phase:
        yield renewed((said.who,), ACTIONS, "round", "ML-ACT-1")
    if found.phase == DECLARING and said.who in side("pc", state):
        yield awaited(said.who, state)
    group = group_of(said.who, state)
    if group:
        yield from enlisted(group, 1, state)


def end_encounter(said: EndEncounter, state: State) -> Iterator[Fact]:
    """ML-ROUND-1: no Rounds are counted any more; who has fled is out of this fight, not of the next."""
    found = running(state)
    if found.phase:
        yield from round_over(state)
    yield from over("encounter", state, "the encounter ended", "ML-ROUND-1")
    yield CountsCleared(rules=("ML-MOR-5",), until="encounter")
    yield EncounterEnded(rules=("ML-ROUND-1",), encounter=found.id)


def over(at: str, state: State, because: str, *rules: str) -> Iterator[Fact]:
    """Whatever was to last until here ends."""
    for id, condition in sorted(state.conditions.items()):
        if any(end.at == at for end in condition.ends):
            yield ConditionEnded(rules=rules, id=id, who=condition.who, name=condition.name, because=because)


def begin_round(said: BeginRound, state: State) -> Iterator[Fact]:
    """ML-ROUND-1: a Round begins; ML-ACT-1: one move and one action for everybody in it."""
    if phase(state):
        raise refused("ORDER", name=f"Round {this_round(state)}")
    if state.encounter is None:
        yield from begun("", (), state)
    found = running(state)
    yield Reached(rules=("ML-ROUND-1",), point="round", round=found.round + 1)
    yield renewed(members(found), ACTIONS, "round", "ML-ACT-1")
    for who in side("pc", state):
        yield awaited(who, state)
    yield Reached(rules=("ML-ACT-4",), point="phase", round=found.round + 1, phase=DECLARING)


def awaited(who: str, state: State) -> Reached:
    """ML-ACT-4: a player who is to declare."""
    return Reached(rules=("ML-ACT-4",), point="awaited", round=this_round(state), who=who)


def end_round(said: EndRound, state: State) -> Iterator[Fact]:
    """ML-ROUND-1: ten seconds are over, and with them pools, moves, actions and the order."""
    if not phase(state):
        raise refused("ORDER", name="a Round")
    yield from round_over(state)


def round_over(state: State) -> Iterator[Fact]:
    """ML-ROUND-1: the end of a Round; ML-CRIT-4: it runs on every clock."""
    number = this_round(state)
    yield from order_over(state)
    yield Reached(rules=("ML-ROUND-1",), point="round_end", round=number)
    yield from over("round", state, "the round ended", "ML-ACT-4")
    yield CountsCleared(rules=("ML-ROUND-1", "ML-GANG-2"), until="round")
    yield TimePassed(rules=("ML-ROUND-1", "ML-CRIT-4"), seconds=SECONDS, because=f"round {number}")
    yield from expired(state)


def telegraph(said: Telegraph, state: State) -> Iterator[Fact]:
    """ML-TURN-1: shown, and not binding."""
    being = state.being(said.who)
    if being is None or being.kind not in ("npc", GROUP):
        raise outside_domain("who", "an enemy or a group in play", said.who)
    if not said.text:
        raise refused("RULING", what="what is telegraphed")
    yield Told(rules=("ML-TURN-1",), kind="telegraph", by=being.name, text=said.text)


def declare_intent(said: DeclareIntent, state: State) -> Iterator[Fact]:
    """ML-ACT-4: what the character does, or that it passes; ML-GAP-23: anew as long as it has not acted."""
    being = in_play(said.by, state)
    if being.kind != "pc":
        raise outside_domain("by", f"a player's character (say: ! telegraph {said.by})", said.by)
    check_able(said.by, state)
    if not phase(state):
        raise refused("ORDER", name=said.by)
    check_fights(said.by, state)
    if intent(said.by, state) is not None and not state.actions_left(said.by, "action"):
        raise refused("ACTION", name=said.by)
    yield intended(said.by, said.text or "pass", this_round(state), "ML-ACT-4")


def check_declared(state: State) -> None:
    """ML-ACT-4, ML-GAP-27: rolls, moves and actions wait until every player has declared."""
    if phase(state) == DECLARING:
        waiting = undeclared(side("pc", state), state)
        early = refused("DECL", names=", ".join(waiting), first=waiting[0])
        raise early.with_first(DeclareIntent(by=waiting[0]))


def check_turn(who: str, state: State) -> None:
    """ML-CRIT-2, ML-TURN-2: able to act, in the fight, in a Round of it, and not before its part of the order."""
    check_able(who, state)
    if state.encounter is not None:
        if not phase(state):
            raise refused("ORDER", name="a Round")
        check_fights(who, state)
        check_order(who, state)


def check_action(who: str, state: State) -> None:
    """ML-ACT-1: one action; where no Round is open nobody counts."""
    if phase(state) and not state.actions_left(who, "action"):
        raise refused("ACTION", name=who)


def acted(who: str, state: State, *rules: str) -> Iterator[Fact]:
    """ML-ACT-1: the action of this turn is spent."""
    if phase(state):
        yield spent(who, "action", state, "used", "ML-ACT-1", *rules)


def comes(who: str, state: State) -> Iterator[Fact]:
    """ML-GAP-32: with the first deed of an opponent those who act first are done."""
    being = state.being(who)
    if phase(state) == FIRST and being is not None and being.kind == "npc":
        yield from part_over(state)


def advanced(state: State) -> Iterator[Fact]:
    """ML-ACT-4, ML-GAP-32: on to the next phase of the Round as soon as this one is over."""
    while True:
        found = state.encounter
        if found is None:
            return
        if found.phase == DECLARING and not undeclared(side("pc", state), state):
            ordered = any(slot.slot == FIRST for slot in found.order)
            rule, after = ("ML-TURN-2", FIRST) if ordered else ("ML-ACT-4", ACTING)
            yield Reached(rules=(rule,), point="phase", round=found.round, phase=after)
        elif nobody_first(found.phase, state) or opponents_done(found.phase, state):
            yield from part_over(state)
        else:
            return


def nobody_first(phase: str, state: State) -> bool:
    """ML-GAP-32: nobody acts first, and nobody may still earn it with a Save."""
    able = any(is_able(who, state) for who in first(state))
    return phase == FIRST and ORDER not in state.windows and not able


def opponents_done(phase: str, state: State) -> bool:
    """ML-GAP-32: each opponent able to act has spent its action."""
    return phase == OPPONENTS and not any(state.actions_left(who, "action") for who in side("npc", state))
