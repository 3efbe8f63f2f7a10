"""How long effects last: rounds, counted by the turns of one character, or until one's own next turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.facts import ConditionEnded, Ends, Fact
from projections.state import State
from rulebooks.common.conditions import condition_end, ending_conditions, with_ends
from rulebooks.common.turn import current_round
from rulebooks.mars.guards import members, takes_turns
from rulebooks.mars.texts import option

TURN: Final = "turn"
DAY: Final = "day"
USE: Final = "use"  # ends when it has counted, however long it lasts
ANOTHER: Final = "another goes on"


def in_rounds(rounds: int, state: State, source: str = "") -> tuple[Ends, ...]:
    """GR-RND-3: an effect of so many rounds, measured by the turn in which it begins (GR-GAP-11).

    Outside any turn it waits for the next character to act (GR-GAP-12); until then `whose` is empty.
    """
    encounter = state.encounter
    turn = encounter.turn if encounter else ""
    if turn and source and option(state, "duration_anchor") == "source":
        turn = source
    if encounter is None or not turn:
        return (Ends(at=TURN, due=rounds),)
    return (Ends(at=TURN, whose=turn, due=encounter.round + rounds),)


def until_own_turn(who: str) -> tuple[Ends, ...]:
    """GR-RND-4: an effect until somebody's next turn begins."""
    return (Ends(at=TURN, whose=who),)


def lasts_longer(ends: tuple[Ends, ...], other: tuple[Ends, ...]) -> bool:
    """GR-EFF-3: tell whether an effect with these ends lasts longer than one with the other ends."""
    return duration_key(ends) > duration_key(other)


def duration_key(ends: tuple[Ends, ...]) -> tuple[int, int]:
    """Return a key that sorts durations: rounds, then days, then no end at all."""
    return min(((1 if end.at == DAY else 0, end.due) for end in ends if end.at != USE), default=(2, 0))


def measure_by(who: str, state: State) -> Iterator[Fact]:
    """GR-GAP-12: what began outside any turn is measured by the turn that begins now."""
    round = current_round(state)
    for id, condition in ending_conditions(state):
        if any(end.at == TURN and not end.whose for end in condition.ends):
            ends = tuple(
                Ends(at=TURN, whose=who, due=round + end.due) if end.at == TURN and not end.whose else end
                for end in condition.ends
            )
            yield with_ends(id, condition, ends, "GR-GAP-12")


def is_due(end: Ends, who: str, round: int) -> bool:
    """GR-RND-3: tell whether this end comes as somebody's turn of a round begins."""
    return end.at == TURN and end.whose == who and end.due <= round


def end_one(id: str, state: State, because: str, *rules: str) -> ConditionEnded:
    """Return the end of a condition: where somebody has another of its kind, the end says that this one goes on."""
    ended = state.conditions[id]
    own = state.conditions_of(ended.who)
    others = any(each.name == ended.name for other, each in own if other != id)
    return condition_end(id, state, ANOTHER if others else because, *rules)


def end_due(who: str, state: State) -> Iterator[Fact]:
    """GR-RND-3: at the start of somebody's turn what is measured by it and due ends, before anything is done."""
    round = current_round(state)
    for id, condition in ending_conditions(state):
        if any(is_due(end, who, round) for end in condition.ends):
            yield end_one(id, state, "its time is over", "GR-RND-3", "GR-RND-4")


def end_unmeasured(state: State) -> Iterator[Fact]:
    """GR-GAP-11: at the end of a round what is due ends, if the one whose turn measured it takes no more turns."""
    encounter = state.encounter
    if encounter is None:
        return
    taking = {who for who in members(encounter, state) if takes_turns(who, state)}
    for id, condition in ending_conditions(state):
        ends = (end for end in condition.ends if end.at == TURN and end.whose and end.whose not in taking)
        if any(end.due <= encounter.round for end in ends):
            yield end_one(id, state, "its time is over", "GR-GAP-11", "GR-RND-3")


def stand_still(state: State) -> Iterator[Fact]:
    """GR-GAP-64: rounds exist in encounters alone: what is left of a duration waits for the next one."""
    round = current_round(state)
    for id, condition in ending_conditions(state):
        ends = tuple(
            msgspec.structs.replace(end, due=max(1, end.due - round)) if end.at == TURN and end.due else end
            for end in condition.ends
        )
        if ends != condition.ends:
            yield with_ends(id, condition, ends, "GR-GAP-64")
