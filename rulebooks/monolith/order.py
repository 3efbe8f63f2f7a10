"""The order of a Round: those who act before the opponents, by ruling or Save, and the end of an order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import GM, Fact, OrderSet, Reached, Ruled, Slot, WindowChanged, WindowClosed, WindowOpened
from projections.state import State
from rulebooks.common.beings import name_list
from rulebooks.common.decisions import decides
from rulebooks.common.values import outside_domain
from rulebooks.monolith.declarations import EndPart, SetOrder
from rulebooks.monolith.guards import find_actor, is_able, running_encounter, side_members
from rulebooks.monolith.scores import score_of, scores_of
from rulebooks.monolith.texts import refusal

FIRST: Final = "first"
OPPONENTS: Final = "opponents"
OTHERS: Final = "others"
PARTS: Final = (FIRST, OPPONENTS, OTHERS)
NO_ROUND: Final = "Begin one: ! round"
ORDER: Final = "order"


@decides(SetOrder)
def set_order(said: SetOrder, state: State) -> Iterator[Fact]:
    """ML-TURN-2: the game master says who acts first, or which Save decides."""
    for who in said.first:
        if find_actor(who, state, "first").kind != "pc":
            raise outside_domain("first", "players' characters, or opponents", who)
    if not said.reason or not (said.first or said.score or said.opponents):
        raise refusal("RULING", what="the order of a Round").of_field("reason")
    if said.opponents and (said.first or said.score):
        raise outside_domain("opponents", "said alone: they act before everybody", "opponents and others")
    able = [who for who in side_members("pc", state) if who not in said.first]
    asked = [who for who in able if said.score and score_of(who, said.score, state) is not None]
    if said.score and not asked:
        known = dict.fromkeys(score for who in able for score in scores_of(who, state))
        raise refusal("SCORE", name="anybody who can act", score=said.score, scores=", ".join(known) or "none")
    encounter = running_encounter(state)
    if not encounter.phase:
        raise refusal("ORDER", case="none", name="a Round", way=NO_ROUND)
    text = [*said.first, *((f"{said.score} Saves decide",) if said.score else ()), *((OPPONENTS,) * said.opponents)]
    yield Ruled(rules=("ML-TURN-2",), name=ORDER, text=", ".join(text), because=said.reason)
    if ORDER in state.windows:
        yield WindowClosed(rules=("ML-TURN-2",), window=ORDER, outcome="ruled anew")
    yield set_slots(said.first, state)
    if said.score and encounter.phase not in (OPPONENTS, OTHERS):
        yield WindowOpened(rules=("ML-TURN-2",), window=ORDER, kind=ORDER, who=GM, awaits=tuple(asked), data=said.score)
    if encounter.phase == "acting":
        yield Reached(rules=("ML-TURN-2",), point="phase", round=encounter.round, phase=FIRST)


def set_slots(first: tuple[str, ...], state: State) -> OrderSet:
    """ML-TURN-2: those who act first, the opponents, the others."""
    npcs, pcs = side_members("npc", state, able=False), side_members("pc", state, able=False)
    later = tuple(who for who in pcs if who not in first)
    parts = ((FIRST, first), (OPPONENTS, tuple(npcs)), (OTHERS, later))
    return OrderSet(rules=("ML-TURN-2",), slots=tuple(Slot(slot=part, score=None, who=who) for part, who in parts))


def is_asked(who: str, score: str, state: State) -> bool:
    """ML-TURN-2: whether this Save decides if this character acts first."""
    window = state.windows.get(ORDER)
    return window is not None and window.data == score and who in window.awaits


def settle_order_save(who: str, state: State, *, passed: bool) -> Iterator[Fact]:
    """ML-TURN-2: passed, the character acts before the opponents; failed, after them (ML-GAP-3)."""
    if passed:
        yield set_slots((*first_actors(state), who), state)
    window = state.windows[ORDER]
    others = tuple(name for name in window.awaits if name != who)
    if others:
        yield WindowChanged(rules=("ML-TURN-2",), window=ORDER, awaits=others, data=window.data)
    else:
        yield WindowClosed(rules=("ML-TURN-2",), window=ORDER, outcome="done")


def first_actors(state: State) -> tuple[str, ...]:
    """ML-TURN-2: those who act before the opponents."""
    order = state.encounter.order if state.encounter else ()
    return next((slot.who for slot in order if slot.slot == FIRST), ())


def check_order(who: str, state: State) -> None:
    """ML-TURN-2, ML-GAP-32: only those who act too early are refused."""
    encounter = state.encounter
    early = encounter is not None and encounter.phase in (FIRST, OPPONENTS) and state.kind(who) == "pc"
    if early and who not in first_actors(state):
        raise refusal("ORDER", name=who, way=turn_before(who, state)).with_first(EndPart(by=GM, part="opponents"))


def turn_before(who: str, state: State) -> str:
    """ML-TURN-2: who acts before this character, and how their part is ended."""
    first = [name for name in first_actors(state) if is_able(name, state)]
    foes = [name for name in side_members("npc", state) if state.actions_left(name, "action")]
    waiting = ORDER in state.windows and who in state.windows[ORDER].awaits
    save = f"{who} may roll {state.windows[ORDER].data} to act first. " if waiting else ""
    early = running_encounter(state).phase == FIRST and first
    before = f"{name_list(first)} and then the opponents" if early else f"The opponents ({name_list(foes)})"
    return f"{save}{before} act before {who}; ! acted opponents ends their part"


def close_order(state: State) -> Iterator[Fact]:
    """ML-TURN-2: an order is for one Round; those who joined since the fight began stay."""
    encounter = state.encounter
    if ORDER in state.windows:
        yield WindowClosed(rules=("ML-TURN-2",), window=ORDER, outcome="over")
    if encounter is not None and any(slot.slot == FIRST for slot in encounter.order):
        newcomers = set(encounter.in_order) - set(encounter.members)
        kept = ((slot.slot, tuple(who for who in slot.who if who in newcomers)) for slot in set_slots((), state).slots)
        slots = tuple(Slot(slot=part, score=None, who=who) for part, who in kept if who)
        yield OrderSet(rules=("ML-TURN-2",), slots=slots, because="the Round is over")


def add_newcomer(who: str, state: State) -> OrderSet:
    """ML-ROUND-1: one more on a side of the fight; a character acts with the others, where there is an order."""
    encounter = state.encounter
    part = OPPONENTS if state.kind(who) == "npc" else OTHERS
    parts = {slot.slot: slot.who for slot in encounter.order} if encounter else {}
    parts[part] = (*parts.get(part, ()), who)
    slots = tuple(Slot(slot=name, score=None, who=parts[name]) for name in PARTS if name in parts)
    return OrderSet(rules=("ML-ROUND-1",), slots=slots, because=f"{who} joins")
