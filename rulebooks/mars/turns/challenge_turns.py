"""A turn of a complex challenge: how long it takes, and what ends with the rounds that pass in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.dice import Dice
from ledger.facts import CountsCleared, Fact, Judged, TimePassed
from projections.state import State
from rulebooks.common.beings import name_list
from rulebooks.common.conditions import with_ends
from rulebooks.common.decisions import decides
from rulebooks.common.dice import EntryDice
from rulebooks.common.sums import SumSteps
from rulebooks.mars import guards
from rulebooks.mars.declarations.turns import ChallengeTurn
from rulebooks.mars.harm.stun import pay_stun
from rulebooks.mars.harm.wounds import notice
from rulebooks.mars.maneuvers.aids import end_of_turn
from rulebooks.mars.maneuvers.poison import find_poison, work_poison
from rulebooks.mars.tasks.checks import entry_dice
from rulebooks.mars.texts import check_whole, refusal, value_refusal
from rulebooks.mars.turns.durations import TURN, end_one

SECONDS_A_MINUTE: Final = 60
ROUNDS_A_MINUTE: Final = 10  # GR-RND-1
NEEDS_TURNS: Final = (guards.DYING, guards.BURNING)


@decides(ChallengeTurn)
def challenge_turn(said: ChallengeTurn, state: State, dice: Dice) -> Iterator[Fact]:
    """GR-CHAL-2, GR-GAP-59: the length of a turn is the exact mean of what its checks and minor actions take."""
    from fractions import Fraction  # imported here to start faster: few encounters are challenges

    for time in said.minutes:
        guards.check_alive(time.who, state)
    guards.running_encounter(state)
    if not guards.is_challenge(state):
        raise refusal("NO-ENCOUNTER", case="turns", way="Begin one as a challenge: ! encounter challenge")
    if not said.minutes:
        raise value_refusal("minutes", "somebody and the minutes of their check (NAME:10)", None)
    total = SumSteps("minutes", 0)
    for time in said.minutes:
        check_whole(f"minutes of {time.who}", time.minutes, 0)
        total.take("+", time.minutes, "GR-CHAL-2", time.who)
    mean = Fraction(total.total, len(said.minutes))
    yield Judged(
        rules=("GR-CHAL-2", "GR-CHAL-1"),
        what="challenge turn",
        who="",
        sums=(total.sum(),),
        result=f"{mean} {'minute' if mean == 1 else 'minutes'}",
        final=True,
    )
    seconds = int(mean * SECONDS_A_MINUTE)
    yield TimePassed(rules=("GR-CHAL-2",), seconds=seconds, because="a turn of the challenge")
    yield from pass_rounds(int(mean * ROUNDS_A_MINUTE), state, entry_dice(dice))


def pass_rounds(rounds: int, state: State, throws: EntryDice) -> Iterator[Fact]:
    """GR-GAP-67: these rounds pass for whatever is counted in rounds, and a new round begins for all who take part.

    A poison works once in each turn of the challenge. The dying and the burning need turns, which are not counted here.
    """
    taking = [who for who in guards.members(guards.running_encounter(state), state) if guards.takes_turns(who, state)]
    yield from end_of_turn(state)
    for who in taking:
        poison = find_poison(who, state)
        if poison is not None:
            yield from work_poison(poison, state, throws)
    for who in taking:
        yield from count_rounds(who, rounds, state)
        yield from pay_stun(who, state)
        yield CountsCleared(rules=("GR-MAN-2", "GR-GAP-67"), until="round", who=who)
        waiting = [each.name for _, each in state.conditions_of(who) if each.name in NEEDS_TURNS]
        if waiting:
            text = f"{who} is still {name_list(waiting)}: a challenge has no turns for it"
            yield notice(who, text, "GR-GAP-64", "GR-GAP-67")


def count_rounds(who: str, rounds: int, state: State) -> Iterator[Fact]:
    """GR-RND-3, GR-GAP-67: what lasts no longer than these rounds ends, and of the rest so much less is left."""
    poison = find_poison(who, state)
    for id, condition in state.conditions_of(who):
        counted = [end for end in condition.ends if end.at == TURN]
        if not counted or condition is poison:
            continue
        if min(end.due for end in counted) <= rounds:
            yield end_one(id, state, "its time is over", "GR-RND-3", "GR-RND-4", "GR-GAP-67")
            continue
        left = tuple(
            msgspec.structs.replace(end, due=end.due - rounds) if end.at == TURN else end for end in condition.ends
        )
        yield with_ends(id, condition, left, "GR-GAP-67", "GR-RND-3")
