"""Turns of a Round: everybody declares before dice are rolled, then acts, in the game master's order if there is one.

The phase of an encounter is that of its Round: declaring; then acting, or, with an order, first, opponents and others.
Between Rounds it is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from ledger.errors import Refused
from ledger.facts import ConditionBegan, Ends, Fact, Reached, Told, WindowClosed
from projections.state import State
from rulebooks.common.beings import name_in_line, speaker
from rulebooks.common.conditions import find_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.turn import current_round
from rulebooks.common.values import action_use, outside_domain
from rulebooks.monolith.declarations import DeclareIntent, EndPart, Telegraph
from rulebooks.monolith.groups import GROUP
from rulebooks.monolith.guards import check_able, check_in_fight, find_actor, is_able, running_encounter, side_members
from rulebooks.monolith.order import FIRST, NO_ROUND, OPPONENTS, ORDER, PARTS, check_order, first_actors
from rulebooks.monolith.texts import refusal

DECLARING: Final = "declaring"
ACTING: Final = "acting"
SAVES: Final = "saves"
INTENT: Final = "intent"


def phase(state: State) -> str:
    """Return the phase of the Round; empty while none is open."""
    return state.encounter.phase if state.encounter else ""


@decides(Telegraph)
def telegraph(said: Telegraph, state: State) -> Iterator[Fact]:
    """ML-TURN-1: shown, and not binding."""
    being = state.being(said.who)
    if being is None or being.kind not in ("npc", GROUP):
        raise outside_domain("who", "an enemy or a group in play", said.who)
    if not said.text:
        raise refusal("RULING", what="what is telegraphed")
    yield Told(rules=("ML-TURN-1",), kind="telegraph", by=being.name, text=said.text)


@decides(DeclareIntent)
def declare_intent(said: DeclareIntent, state: State) -> Iterator[Fact]:
    """ML-ACT-4: a character declares a deed, or passes; ML-GAP-23: again before its own roll and action."""
    being = find_actor(said.by, state)
    if being.kind != "pc":
        line = f'! telegraph {name_in_line(said.by)} "{said.text}"'
        raise outside_domain("by", f"a player's character, whose intents bind; what a foe shows is: {line}", said.by)
    try:
        check_able(said.by, state)
    except Refused as error:
        raise error.as_idle() if said.text == "pass" else error from None
    if not phase(state):
        refused = refusal("ORDER", case="none", name=said.by, way=NO_ROUND)
        raise refused.as_idle() if said.text == "pass" else refused
    check_in_fight(said.by, state)
    if intent(said.by, state) is not None and not state.actions_left(said.by, "action"):
        refused = refusal("ACTION", name=said.by)
        raise refused.as_idle() if said.text == "pass" else refused
    if state.count(said.by, SAVES):
        raise outside_domain("the intent", "said before the own roll of this Round", said.text or "pass")
    yield new_intent(said.by, said.text or "pass", current_round(state), "ML-ACT-4")


def check_declared(state: State) -> None:
    """ML-ACT-4, ML-GAP-27: rolls, moves and actions wait until every player has declared."""
    if phase(state) == DECLARING:
        waiting = without_intent(side_members("pc", state), state)
        early = refusal("DECL", names=", ".join(waiting), first=speaker(waiting[0], state))
        raise early.with_first(DeclareIntent(by=waiting[0]))


def check_turn(who: str, state: State) -> None:
    """ML-CRIT-2, ML-TURN-2: able to act, in the fight, in a Round of it, and not before its part of the order."""
    check_able(who, state)
    if state.encounter is not None:
        if not state.encounter.phase:
            raise refusal("ORDER", case="none", name="a Round", way=NO_ROUND)
        check_in_fight(who, state)
        check_order(who, state)


def check_action(who: str, state: State) -> None:
    """ML-ACT-1: one action; outside a Round it is not counted."""
    if phase(state) and not state.actions_left(who, "action"):
        raise refusal("ACTION", name=who)


def spend_action(who: str, state: State, *rules: str) -> Iterator[Fact]:
    """ML-ACT-1: the action of this turn is spent."""
    if phase(state):
        yield action_use(who, "action", state, "used", "ML-ACT-1", *rules)


def close_first_part(who: str, state: State) -> Iterator[Fact]:
    """ML-GAP-32: with the first deed of an opponent the part of those who act first is over."""
    if phase(state) == FIRST and state.kind(who) == "npc":
        yield from close_part(state)


def advance(state: State) -> Iterator[Fact]:
    """ML-ACT-4, ML-GAP-32: on to the next phase of the Round as soon as this one is over."""
    while True:
        encounter = state.encounter
        if encounter is None:
            return
        if encounter.phase == DECLARING and not without_intent(side_members("pc", state), state):
            has_order = any(slot.slot == FIRST for slot in encounter.order)
            rule, following = ("ML-TURN-2", FIRST) if has_order else ("ML-ACT-4", ACTING)
            yield Reached(rules=(rule,), point="phase", round=encounter.round, phase=following)
        elif is_part_over(encounter.phase, state):
            yield from close_part(state)
        else:
            return


def next_up(state: State) -> list[str]:
    """ML-ACT-4, ML-TURN-2: those who have yet to declare, or to act in this part of the Round; at last only to move."""
    pcs, npcs = side_members("pc", state), side_members("npc", state)
    if phase(state) in ("", DECLARING):
        return without_intent(pcs, state) if phase(state) else []
    asked = state.windows[ORDER].awaits if ORDER in state.windows else ()
    first = [who for who in pcs if who in (*asked, *first_actors(state))]
    due = {FIRST: first, OPPONENTS: npcs}.get(phase(state), [*pcs, *npcs])
    able = [who for who in due if is_able(who, state)]
    with_action = [who for who in able if state.actions_left(who, "action")]
    return with_action or [who for who in able if state.actions_left(who, "move")]


def next_line(state: State) -> str:
    """ML-ROUND-1, ML-GAP-32: with nobody left to act a part of the Round is over, or the next Round begins."""
    if phase(state) in (FIRST, OPPONENTS):
        return f"! acted {phase(state)}"
    return "! round" if state.encounter else ""


def is_part_over(part: str, state: State) -> bool:
    """ML-GAP-32: no first actor is left, and no Save to act first is open; or each opponent able to act has acted."""
    if part == FIRST:
        return ORDER not in state.windows and not any(is_able(who, state) for who in first_actors(state))
    return part == OPPONENTS and not any(state.actions_left(who, "action") for who in side_members("npc", state))


@decides(EndPart)
def end_part(said: EndPart, state: State) -> Iterator[Fact]:
    """ML-GAP-32: a part of the order is over when the game master says so; the opponents' closes the first too."""
    current = running_encounter(state).phase
    if current not in (FIRST, OPPONENTS) or (said.part, current) == (FIRST, OPPONENTS):
        now = f"it is the part of the {current}" if current in PARTS else "there is no order in this Round"
        raise refusal(
            "ORDER", case="part", name=f"The part of the {said.part}", way=f"Nothing to end, since {now}"
        ).as_idle()
    yield from close_part(state)
    if said.part == OPPONENTS and current == FIRST:
        yield from close_part(state)


def close_part(state: State) -> Iterator[Fact]:
    """ML-TURN-2: on to the next part; without a Save by then a character acts after the opponents (ML-GAP-3)."""
    encounter = running_encounter(state)
    if ORDER in state.windows:
        yield WindowClosed(rules=("ML-TURN-2",), window=ORDER, outcome="over")
    yield Reached(rules=("ML-TURN-2",), point="phase_end", round=encounter.round, phase=encounter.phase)
    following = PARTS[PARTS.index(encounter.phase) + 1]
    yield Reached(rules=("ML-TURN-2",), point="phase", round=encounter.round, phase=following)


def new_intent(who: str, text: str, round: int, *rules: str) -> ConditionBegan:
    """Return the condition that keeps somebody's intent for this round."""
    note = msgspec.json.encode(text).decode()
    ends = (Ends(at="round", due=round),)
    return new_condition(who, INTENT, *rules, ends=ends, data=note)


def intent(who: str, state: State) -> str | None:
    """Return somebody's intent, or None."""
    condition = find_condition(who, INTENT, state)
    return None if condition is None else msgspec.json.decode(condition.data, type=str)


def without_intent(who: Iterable[str], state: State) -> list[str]:
    """Return those without an intent."""
    return [name for name in who if intent(name, state) is None]
