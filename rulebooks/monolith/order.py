"""The order of a Round: who acts before the opponents, by ruling or by a Save, and when a part of it is over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import GM, Fact, OrderSet, Reached, Ruled, Slot, WindowChanged, WindowClosed, WindowOpened
from projections.state import State
from rulebooks.common.values import outside_domain
from rulebooks.monolith.declarations import EndPart, SetOrder
from rulebooks.monolith.guards import in_play, running, side
from rulebooks.monolith.scores import score_of
from rulebooks.monolith.texts import refused

FIRST: Final = "first"
OPPONENTS: Final = "opponents"
OTHERS: Final = "others"
PARTS: Final = (FIRST, OPPONENTS, OTHERS)
ORDER: Final = "order"


def set_order(said: SetOrder, state: State) -> Iterator[Fact]:
    """ML-TURN-2: the game master says who acts first, or which Save decides."""
    for who in said.first:
        if in_play(who, state, "first").kind != "pc":
            raise outside_domain("first", "players' characters, or opponents", who)
    if not said.reason or not (said.first or said.score or said.opponents):
        raise refused("RULING", what="the order of a Round")
    if said.opponents and (said.first or said.score):
        raise outside_domain("opponents", "said alone: they act before everybody", "opponents and others")
    able = [who for who in side("pc", state) if who not in said.first]
    asked = [who for who in able if said.score and score_of(who, said.score, state) is not None]
    if said.score and not asked:
        raise refused("SCORE", name="No character who can act", score=said.score)
    found = running(state)
    if not found.phase:
        raise refused("ORDER", name="a Round")
    text = [*said.first, *((f"{said.score} Saves decide",) if said.score else ()), *((OPPONENTS,) * said.opponents)]
    yield Ruled(rules=("ML-TURN-2",), name=ORDER, text=", ".join(text), because=said.reason)
    if ORDER in state.windows:
        yield WindowClosed(rules=("ML-TURN-2",), window=ORDER, outcome="ruled anew")
    yield ordered(said.first, state)
    if said.score and found.phase not in (OPPONENTS, OTHERS):
        yield WindowOpened(rules=("ML-TURN-2",), window=ORDER, kind=ORDER, who=GM, awaits=tuple(asked), data=said.score)
    if found.phase == "acting":
        yield Reached(rules=("ML-TURN-2",), point="phase", round=found.round, phase=FIRST)


def ordered(first: tuple[str, ...], state: State) -> OrderSet:
    """ML-TURN-2: those who act first, the opponents, the others."""
    npcs, pcs = side("npc", state, able=False), side("pc", state, able=False)
    later = tuple(who for who in pcs if who not in first)
    return OrderSet(
        rules=("ML-TURN-2",),
        slots=tuple(
            Slot(slot=part, score=None, who=who)
            for part, who in ((FIRST, first), (OPPONENTS, tuple(npcs)), (OTHERS, later))
        ),
    )


def is_asked(who: str, score: str, state: State) -> bool:
    """ML-TURN-2: whether this Save decides for this character who acts first."""
    window = state.windows.get(ORDER)
    return window is not None and window.data == score and who in window.awaits


def earned(who: str, state: State, *, passed: bool) -> Iterator[Fact]:
    """ML-TURN-2: passed, the character acts before the opponents; failed, after them (ML-GAP-3)."""
    if passed:
        yield ordered((*first(state), who), state)
    window = state.windows[ORDER]
    left = tuple(one for one in window.awaits if one != who)
    if left:
        yield WindowChanged(rules=("ML-TURN-2",), window=ORDER, awaits=left, data=window.data)
    else:
        yield WindowClosed(rules=("ML-TURN-2",), window=ORDER, outcome="done")


def first(state: State) -> tuple[str, ...]:
    """ML-TURN-2: those who act before the opponents."""
    found = state.encounter
    return next((slot.who for slot in found.order if slot.slot == FIRST), ()) if found else ()


def check_order(who: str, state: State) -> None:
    """ML-TURN-2, ML-GAP-32: only who comes too early is refused."""
    found = state.encounter
    being = state.being(who)
    early = found is not None and found.phase in (FIRST, OPPONENTS) and being is not None and being.kind == "pc"
    if early and who not in first(state):
        raise refused("ORDER", name=who).with_first(EndPart(by=GM, part="opponents"))


def end_part(said: EndPart, state: State) -> Iterator[Fact]:
    """ML-GAP-32: a part of the order is over when the game master says so; the opponents' closes the first too."""
    phase = running(state).phase
    if phase not in (FIRST, OPPONENTS) or (said.part, phase) == (FIRST, OPPONENTS):
        raise refused("ORDER", name=f"the part of the {said.part}")
    yield from part_over(state)
    if said.part == OPPONENTS and phase == FIRST:
        yield from part_over(state)


def part_over(state: State) -> Iterator[Fact]:
    """ML-TURN-2: on to the next part; who has made no Save by then acts after the opponents (ML-GAP-3)."""
    found = running(state)
    if ORDER in state.windows:
        yield WindowClosed(rules=("ML-TURN-2",), window=ORDER, outcome="over")
    yield Reached(rules=("ML-TURN-2",), point="phase_end", round=found.round, phase=found.phase)
    after = PARTS[PARTS.index(found.phase) + 1]
    yield Reached(rules=("ML-TURN-2",), point="phase", round=found.round, phase=after)


def order_over(state: State) -> Iterator[Fact]:
    """ML-TURN-2: an order is one of this Round; what stays is who has joined since the fight began."""
    found = state.encounter
    if ORDER in state.windows:
        yield WindowClosed(rules=("ML-TURN-2",), window=ORDER, outcome="over")
    if found is not None and any(slot.slot == FIRST for slot in found.order):
        newcomers = {who for slot in found.order for who in slot.who} - set(found.members)
        kept = (Slot(slot=slot.slot, score=None, who=those(slot.who, newcomers)) for slot in ordered((), state).slots)
        yield OrderSet(
            rules=("ML-TURN-2",), slots=tuple(slot for slot in kept if slot.who), because="the Round is over"
        )


def those(who: tuple[str, ...], kept: set[str]) -> tuple[str, ...]:
    """Those of them that are kept, in their order."""
    return tuple(name for name in who if name in kept)


def with_newcomer(who: str, state: State) -> OrderSet:
    """ML-ROUND-1: one more on a side of the fight; a character acts with the others, where there is an order."""
    found, being = state.encounter, state.being(who)
    part = OPPONENTS if being is not None and being.kind == "npc" else OTHERS
    slots = {slot.slot: slot.who for slot in found.order} if found else {}
    slots[part] = (*slots.get(part, ()), who)
    return OrderSet(
        rules=("ML-ROUND-1",),
        slots=tuple(Slot(slot=name, score=None, who=slots[name]) for name in PARTS if name in slots),
        because=f"{who} joins",
    )
