"""Passing: the end of a turn, of all turns of a round, and what others let go when a line can only mean that."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.declarations import Declaration
from ledger.facts import Fact
from ledger.game import NextTurn
from projections.state import State
from rulebooks.common.beings import speaker
from rulebooks.common.decisions import decides
from rulebooks.common.encounters import EndTurn, PassOn
from rulebooks.semiautomagic import guards
from rulebooks.semiautomagic.declarations.turns import DyingCheck
from rulebooks.semiautomagic.squares import SQUARES
from rulebooks.semiautomagic.texts import refusal
from rulebooks.semiautomagic.turns import TURN_SECONDS, acts_again, begin_next, close_turn


@decides(EndTurn)
def end_turn(said: EndTurn, state: State) -> Iterator[Fact]:
    """TT-OUT-1: a turn ends, and the next one begins. TT-OUT-6: the dying make their check first."""
    guards.find_creature(said.by, state)
    encounter = state.encounter
    if encounter is None:
        raise refusal("NOT-TURN", name=said.by, way='No fight is on: ! fight "the yard"')
    if encounter.turn != said.by:
        refused = guards.not_turn(said.by, encounter, state)
        raise refused.as_idle() if said.by in encounter.done else refused
    check_no_check_due(said.by, state)
    yield from close_turn(said.by, state)
    yield from begin_next(state)


def check_no_check_due(who: str, state: State) -> None:
    """TT-OUT-6: refuse the end of a turn in which a dying creature has not made its check."""
    if guards.owes_check(who, state):
        raise refusal("DYING", case="check", name=who, speaker=speaker(who, state))


@decides(PassOn)
def pass_on(said: PassOn, state: State) -> Iterator[Fact]:
    """TT-OUT-1: all who are still to come in this round let their turns go. TT-OUT-6: not who has a check to make."""
    encounter = state.encounter
    if encounter is None or not encounter.turn:
        raise refusal("NOT-TURN", name="anybody", way="There is no turn to end").as_idle()
    number = encounter.round
    while (now := state.encounter) is not None and now.turn and now.round == number:
        check_no_check_due(now.turn, state)
        yield from close_turn(now.turn, state)
        yield from begin_next(state)


def implied_passes(said: Declaration, state: State) -> Iterator[Declaration]:
    """TT-OUT-1: a turn without a second left ends when somebody else acts.

    Who has seconds left is waited for, and so are a check of the dying and a mount that has done nothing yet.
    TT-GAP-44: a mount whose turn comes before that of its rider keeps its seconds, so its rider's line ends its turn.
    """
    encounter = state.encounter
    if encounter is None or not encounter.turn or guards.owes_check(encounter.turn, state):
        return
    turn = encounter.turn
    waits_for_rider = said.by == guards.rider_of(turn, state) and acts_again(turn, turn, state)
    if waits_for_rider or not (guards.seconds_left(turn, state) or has_idle_mount(turn, state)):
        yield EndTurn(by=turn)


def has_idle_mount(who: str, state: State) -> bool:
    """TT-MNT-4: whether a rider controls a mount that has neither moved nor spent a second in this turn."""
    mount = guards.controlled_mount(who, state)
    return bool(mount) and state.actions_left(mount, guards.SECONDS) == TURN_SECONDS and not state.count(mount, SQUARES)


def next_turns(state: State) -> Iterator[NextTurn]:
    """TT-OUT-1: return the open turn, which its end lets go. TT-OUT-6: the check of the dying is due before."""
    if state.encounter is not None and (who := state.encounter.turn):
        yield NextTurn(EndTurn(by=who), (who,), due=(DyingCheck(by=who),) if guards.owes_check(who, state) else ())
