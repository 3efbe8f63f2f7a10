"""Encounters as text: members, turn order, point of the turn cycle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.phrases.parts import in_brackets, readable
from ledger.facts import EncounterBegan, EncounterEnded, Fact, OrderSet, Reached, Ruled, Slot
from ledger.names import escape, word_list

TURN: Final = ("slot", "handed", "resumed")  # points at which it is somebody's turn


def encounter_start_line(fact: EncounterBegan) -> str:
    """Return `fight begins (combat): players Ash, Bryn; foes thug`."""
    name = escape(fact.kind or fact.scale)
    scale = in_brackets("" if fact.kind in ("", fact.scale) else escape(fact.scale), escape(fact.because))
    sides = "; ".join(f"{escape(side)} {', '.join(map(escape, who))}".strip() for side, who in fact.sides if who)
    return f"{name} begins{scale}" + (f": {sides}" if sides else "")


def encounter_end_line(fact: EncounterEnded) -> str:
    """Return `fight is over`, and the members that are out of it."""
    out = f"; out: {', '.join(f'{escape(who)} ({readable(how)})' for who, how in fact.out)}" if fact.out else ""
    return f"{escape(fact.encounter)} is over{in_brackets(escape(fact.because))}{out}"


def order_line(facts: Sequence[Fact]) -> str:
    """Return the order of the turns after the entry; with its reason, unless a ruling has said it."""
    orders = [fact for fact in facts if isinstance(fact, OrderSet)]
    if not orders:
        return ""
    reason = orders[-1].because
    is_ruled = any(reason in (fact.text, fact.because) for fact in facts if isinstance(fact, Ruled))
    return f"order: {turn_order(orders[-1].slots)}{'' if is_ruled else in_brackets(escape(reason))}"


def turn_order(slots: Sequence[Slot]) -> str:
    """Return `captain 18, Bryn 17`; for a slot of another name also its members. A slot of nobody is left out."""
    return ", ".join(_slot(slot) for slot in slots if slot.who) or "nobody yet"


def _slot(slot: Slot) -> str:
    """Return one slot of the order."""
    mark = ":" if slot.slot[-1:].isdigit() else ""  # brute 2: 9
    name = escape(slot.slot) + ("" if slot.score is None else f"{mark} {slot.score}")
    return name if slot.who == (slot.slot,) else f"{name} ({', '.join(map(escape, slot.who))})"


def cycle_line(facts: Sequence[Fact]) -> str:
    """Return the point of the turn cycle after the entry: `round 2, movement phase: Ash's turn`."""
    points = [fact for fact in facts if isinstance(fact, Reached)]
    if not points or any(isinstance(fact, EncounterEnded) for fact in facts):
        return ""
    last = points[-1]
    begun = f"round {last.round}" if any(fact.point == "round" for fact in points) else ""
    skipped = word_list(list(dict.fromkeys(escape(fact.who) for fact in points if fact.point == "skipped")))
    phase, turn = last.phase if last.point in (*TURN, "phase") else "", last.who if last.point in TURN else ""
    text = ", ".join(part for part in (begun, phase_and_turn(phase, turn)) if part)
    missed = f"{skipped} skipped" if skipped else ""
    return text + in_brackets(missed) if text else missed


def phase_and_turn(phase: str, turn: str) -> str:
    """Return `action phase: captain's turn`, as far as there are phases and turns."""
    parts = (f"{readable(phase)} phase" if phase else "", f"{escape(turn)}'s turn" if turn else "")
    return ": ".join(part for part in parts if part)
