"""Durations: when a condition ends, and which of two ends is the later one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import Ends, Fact
from projections.state import Encounter, State
from rulebooks.common.conditions import end_after, with_ends
from rulebooks.common.turn import current_round
from rulebooks.dusk_bastards.declarations.parts import Effect
from rulebooks.dusk_bastards.guards import encounter_of
from rulebooks.dusk_bastards.tasks.effects import DAZED
from rulebooks.dusk_bastards.world.clock import COMBAT, ROUND

MINUTE: Final = 60
UNTIL_MOVED: Final = ("prone", "cover", "full_cover")


def duration(effect: Effect, who: str, whose: str, state: State) -> tuple[tuple[Ends, ...], tuple[str, ...]]:
    """Return when a condition ends and by which rules; if nothing is said, as its kind usually does."""
    usual = 1 if effect.name == DAZED and not (effect.lasts or effect.until) else None
    if rounds := effect.rounds or usual:
        return after_rounds(rounds, who, whose, state)
    if effect.lasts:
        return after_time(effect.lasts, who, whose, state)
    if effect.until == "encounter":
        return (Ends(at="encounter"),), ("DB-ENC-12",)
    if effect.until is None and effect.name in UNTIL_MOVED:
        return (Ends(at="move", whose=who), Ends(at="encounter")), ("DB-GAP-67",)
    return (), ()


def after_rounds(rounds: int, who: str, whose: str, state: State) -> tuple[tuple[Ends, ...], tuple[str, ...]]:
    """DB-DUR-1: so many rounds later, at the start of the slot in which it was made (DB-DUR-2).

    Rounds without slots end whole; where no round is running, they are seconds (DB-TIME-1).
    """
    running = encounter_of(who, state)
    if running is None:
        return (end_after(rounds * ROUND[COMBAT], state),), ("DB-TIME-1", "DB-TIME-3")
    if running.phase and (running.turn or whose):
        slot = Ends(at="slot", whose=whose or running.turn, phase=running.phase, due=running.round + rounds)
        return (slot,), ("DB-DUR-1", "DB-DUR-2")
    whole_rounds = Ends(at="round", due=max(running.round, 1) + rounds - 1)
    if running.scale == COMBAT:
        return (whole_rounds,), ("DB-DUR-1",)
    return (whole_rounds, end_after(rounds * ROUND[running.scale], state)), ("DB-DUR-1", "DB-TIME-1")


def after_time(seconds: int, who: str, whose: str, state: State) -> tuple[tuple[Ends, ...], tuple[str, ...]]:
    """DB-TIME-2: a minute that begins in an encounter is the rest of it; DB-TIME-3: else the clock of the story.

    Times below a minute in a fight, and rounds of another scale, are counted in rounds.
    """
    running = encounter_of(who, state)
    if running is not None and seconds == MINUTE:
        return (Ends(at="encounter"),), ("DB-TIME-2",)
    if running is not None and (seconds < MINUTE or running.scale != COMBAT):
        size = ROUND[running.scale]
        ends, rules = after_rounds((seconds + size - 1) // size, who, whose, state)
        return ends, (*rules, "DB-TIME-1")
    return (end_after(seconds, state),), ("DB-TIME-3",)


def short_effects_in_rounds(who: tuple[str, ...], round: int, state: State) -> Iterator[Fact]:
    """DB-GAP-79: an effect with less than a minute left lasts one round of combat for each 6 seconds, rounded up."""
    now = state.clock.get("seconds", 0)
    for id, condition in sorted(state.conditions.items()):
        left = min((end.due - now for end in condition.ends if end.at == "seconds"), default=MINUTE)
        if condition.who in who and left < MINUTE:
            rounds = (left + ROUND[COMBAT] - 1) // ROUND[COMBAT]
            ends = (Ends(at="round", due=max(round, 1) + rounds - 1), *condition.ends)
            yield with_ends(id, condition, ends, "DB-GAP-79", "DB-TIME-1")


def last_moment(ends: tuple[Ends, ...], state: State) -> tuple[int, ...]:
    """Return a sort key of ends: slots in their order, then the end of the encounter, a time, no end at all."""
    return min((_moment(end, state.encounter) for end in ends), default=(4,))


def _moment(end: Ends, encounter: Encounter | None) -> tuple[int, ...]:
    if end.at in ("slot", "turn", "round"):
        return 0, end.due, *_slot_order(end, encounter)
    return ({"move": 1, "use": 1, "encounter": 2}.get(end.at, 3), end.due)


def _slot_order(end: Ends, encounter: Encounter | None) -> tuple[int, int]:
    """DB-ENC-6, DB-ENC-8: the order of a slot in its round: movement from the lowest place, action from the highest."""
    if end.at != "slot" or encounter is None:
        return 2, 0
    names = [slot.slot for slot in encounter.order]
    index = names.index(end.whose) if end.whose in names else len(names)
    return (0, -index) if end.phase == "movement" else (1, index)


def until_round_end(state: State) -> tuple[Ends, ...]:
    """DB-DUR-3: a condition for the round ends with it at the latest."""
    return (Ends(at="round", due=current_round(state)),)
