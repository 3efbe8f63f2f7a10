"""Rounds and turns: whose slot it is, how a turn begins and ends, and how the rounds go on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.dice import Dice
from ledger.errors import Refused
from ledger.facts import GM, Fact, Reached, TimePassed
from projections.state import Encounter, State
from rulebooks.common.conditions import condition_end, has_condition
from rulebooks.common.decisions import decides
from rulebooks.common.dice import EntryDice
from rulebooks.common.encounters import EndTurn
from rulebooks.mars import guards
from rulebooks.mars.declarations.turns import BeginTurn
from rulebooks.mars.harm.wounds import bleed_out
from rulebooks.mars.maneuvers.aids import end_of_turn
from rulebooks.mars.tasks.checks import entry_dice
from rulebooks.mars.texts import option, refusal
from rulebooks.mars.turns.durations import end_unmeasured
from rulebooks.mars.turns.initiative import begin_rounds
from rulebooks.mars.turns.start_of_turn import needs_dice, renew_reactions, start_of_turn

SECONDS: Final = 6


def turn_refusal(who: str, case: str, state: State) -> Refused:
    """Return the refusal of a turn, which says whose it is."""
    return refusal("NOT-TURN", case=case, name=who, way=guards.turn_now(state))


def check_begin(who: str, state: State) -> None:
    """GR-INIT-4, GR-ENC-4, GR-RND-2: refuse a turn that somebody else has, or that was had already."""
    guards.check_alive(who, state)
    encounter = guards.check_in_encounter(who, state)
    if encounter.scale == guards.CHALLENGE:
        raise refusal("NO-ENCOUNTER", case="challenge", way="Say what is done: no turns are counted")
    if not guards.has_begun(encounter):
        raise turn_refusal(who, "", state)
    if who in encounter.done or encounter.turn == who:
        raise turn_refusal(who, "acted" if who in encounter.done else "begun", state)
    if has_condition(who, guards.SURPRISED, state):
        raise turn_refusal(who, "surprised", state)
    if encounter.turn:
        raise guards.suggest_pass(turn_refusal(who, "open", state), encounter, state)
    if who not in guards.next_to_act(state):
        raise guards.suggest_pass(turn_refusal(who, "slot", state), encounter, state)


def may_begin(who: str, state: State) -> bool:
    """GR-INIT-4: tell whether somebody could begin a turn now, in rounds that have begun."""
    return not guards.running_encounter(state).turn and who in guards.next_to_act(state)


@decides(BeginTurn)
def begin_turn(said: BeginTurn, state: State, dice: Dice) -> Iterator[Fact]:
    """GR-INIT-5: the team chooses who acts. GR-GAP-55: the helpless have their slot too."""
    if state.encounter is not None:
        yield from end_spent_turn(said.by, state)
    check_begin(said.by, state)
    yield from open_slot(said.by, state, entry_dice(dice), said)


def open_slot(who: str, state: State, throws: EntryDice, said: BeginTurn | None = None) -> Iterator[Fact]:
    """GR-RND-4: a turn begins."""
    encounter = guards.running_encounter(state)
    yield Reached(rules=("GR-INIT-4", "GR-INIT-5", "GR-RND-2"), point="slot", round=encounter.round, who=who)
    yield from start_of_turn(who, state, throws, said)


def close_slot(who: str, state: State, *rules: str) -> Iterator[Fact]:
    """GR-RND-2: a turn is over."""
    yield from end_of_turn(state)
    yield Reached(rules=(*rules, "GR-RND-2"), point="slot_end", round=guards.running_encounter(state).round, who=who)


@decides(EndTurn)
def end_turn(said: EndTurn, state: State, dice: Dice) -> Iterator[Fact]:
    """GR-RND-2: end one's turn, also one that was not begun; the game master may end any."""
    if said.by != GM:
        guards.check_alive(said.by, state)
    encounter = guards.running_encounter(state)
    if said.by == GM and not encounter.turn:
        raise refusal("NO-ENCOUNTER", case="turn", way=guards.turn_now(state)).as_idle()
    if said.by not in (GM, encounter.turn):
        if said.by in encounter.done:
            raise turn_refusal(said.by, "acted", state).as_idle()
        yield from begin_turn(BeginTurn(by=said.by), state, dice)
        encounter = guards.running_encounter(state)
    yield from close_slot(encounter.turn, state)


def end_spent_turn(who: str, state: State) -> Iterator[Fact]:
    """End the open turn of somebody else who has no action points left, since another one acts."""
    encounter = guards.running_encounter(state)
    if encounter.turn not in ("", who) and not state.actions_left(encounter.turn, guards.AP):
        yield from close_slot(encounter.turn, state)
        yield from advance(state)


def open_turn(who: str, encounter: Encounter, state: State, dice: Dice) -> Iterator[Fact]:
    """Begin the turn of somebody who acts outside of it, where nothing stands in its way and its start needs no dice.

    GR-GAP-55: slots of the helpless that come before it are passed, if nothing is rolled in them.
    """
    if (
        encounter.scale == guards.CHALLENGE
        or not guards.is_member(who, encounter, state)
        or not guards.is_able(who, state)
    ):
        return
    if not guards.has_begun(encounter) or has_condition(who, guards.SURPRISED, state):
        return
    if encounter.turn:
        yield from end_spent_turn(who, state)
    while helpless := passed_over(who, state):
        yield from open_slot(helpless, state, entry_dice(dice))
        yield from advance(state)
    if may_begin(who, state) and not needs_dice(who, state):
        yield from open_slot(who, state, entry_dice(dice))


def passed_over(who: str, state: State) -> str:
    """GR-GAP-55: one whose slot comes first and passes by itself: all of the team are helpless and roll nothing."""
    encounter = guards.running_encounter(state)
    if encounter.turn or who in encounter.done:
        return ""
    waiting = guards.next_to_act(state)
    if who in waiting or any(guards.is_able(other, state) or needs_dice(other, state) for other in waiting):
        return ""
    return next(iter(waiting), "")


def advance(state: State) -> Iterator[Fact]:
    """Go on by itself: order and first round after the last roll, the end of a helpless turn, the next round."""
    encounter = state.encounter
    if encounter is None or encounter.scale == guards.CHALLENGE:
        return
    if not guards.has_begun(encounter):
        if not guards.initiative_due(encounter, state) and any(
            guards.takes_turns(who, state) for who in guards.members(encounter, state)
        ):
            yield from begin_rounds(encounter, state)
        return
    if encounter.turn and not guards.is_able(encounter.turn, state):
        yield from close_slot(encounter.turn, state, "GR-GAP-55")
        encounter = guards.running_encounter(state)
    if encounter.turn or guards.next_to_act(state):
        return
    taking = tuple(who for who in guards.members(encounter, state) if guards.takes_turns(who, state))
    if taking:
        yield from end_round(encounter, taking, state)


def round_time(encounter: Encounter) -> TimePassed:
    """GR-RND-1: a round is six seconds."""
    because = f"round {encounter.round}" if encounter.round else "the surprise round"
    return TimePassed(rules=("GR-RND-1",), seconds=SECONDS, because=because)


def end_round(encounter: Encounter, taking: tuple[str, ...], state: State) -> Iterator[Fact]:
    """GR-ENC-5, GR-DYI-5: the round ends when all have acted, and the next one begins."""
    yield from bleed_out(state)
    yield from end_unmeasured(state)
    for who in guards.members(encounter, state):
        if has_condition(who, guards.SURPRISED, state):
            yield condition_end(f"{guards.SURPRISED} {who}", state, "the surprise round ended", "GR-ENC-4")
    yield Reached(rules=("GR-INIT-4",), point="round_end", round=encounter.round)
    yield round_time(encounter)
    yield Reached(rules=("GR-ENC-5", "GR-INIT-4", "GR-RND-1"), point="round", round=encounter.round + 1)
    if option(state, "round_window") == "encounter_round":
        yield from renew_reactions(taking)
