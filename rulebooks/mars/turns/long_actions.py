"""Long actions: those that need more than 3 action points, and so several turns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import Fact, Judged
from projections.state import Condition, State
from rulebooks.common.beings import speaker
from rulebooks.common.conditions import condition_end, find_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.values import action_use
from rulebooks.mars.declarations.turns import CancelLongAction, ContinueLongAction, StartLongAction
from rulebooks.mars.guards import AP, LONG_ACTION, check_able, check_own_turn
from rulebooks.mars.texts import check_whole, refusal
from rulebooks.mars.turns.actions import POINTS_A_TURN, counts_points

LEAST: Final = 4


def check_payment(who: str, pay: int | None, missing: int, state: State) -> int:
    """GR-GAP-14: return what is paid: all points that are left, or the number that is named; never more than needed.

    GR-GAP-67: in a complex challenge, which counts no points, it is what a turn has.
    """
    has = state.actions_left(who, AP) if counts_points(state) else POINTS_A_TURN
    if pay is not None:
        check_whole("pay", pay, 1, missing)
    if not has or (pay or 0) > has:
        raise refusal("NO-AP", name=who, need=pay or 1, has=has, line=speaker(who, state))
    return min(has, missing) if pay is None else pay


@decides(StartLongAction)
def start_long_action(said: StartLongAction, state: State) -> Iterator[Fact]:
    """GR-ACT-3: an action of more than 3 points is begun."""
    check_able(said.by, state)
    check_own_turn(said.by, state)
    if said.need < LEAST:
        raise refusal("NOT-LONG", need=said.need, line=speaker(said.by, state))
    if find_condition(said.by, LONG_ACTION, state) is not None:
        raise refusal("NO-LONG", case="running", name=said.by, line=speaker(said.by, state))
    paid = check_payment(said.by, said.pay, said.need, state)
    yield from pay_for(said.by, paid, 0, said.need, said.note, state)


@decides(ContinueLongAction)
def continue_long_action(said: ContinueLongAction, state: State) -> Iterator[Fact]:
    """GR-ACT-3: the next turn of a long action."""
    check_able(said.by, state)
    check_own_turn(said.by, state)
    running = find_long_action(said.by, state)
    need = running.of or 0
    paid = check_payment(said.by, said.pay, need - running.degree, state)
    yield from pay_for(said.by, paid, running.degree, need, running.about, state)


@decides(CancelLongAction)
def cancel_long_action(said: CancelLongAction, state: State) -> Iterator[Fact]:
    """GR-ACT-3: given up, in the own turn; what was paid is lost."""
    check_able(said.by, state)
    check_own_turn(said.by, state)
    find_long_action(said.by, state)
    yield condition_end(f"{LONG_ACTION} {said.by}", state, "cancelled", "GR-ACT-3")


def find_long_action(who: str, state: State) -> Condition:
    """GR-ACT-3: return the long action in progress. Raises the refusal when there is none."""
    running = find_condition(who, LONG_ACTION, state)
    if running is None:
        raise refusal("NO-LONG", name=who, line=speaker(who, state))
    return running


def pay_for(who: str, points: int, before: int, need: int, note: str, state: State) -> Iterator[Fact]:
    """GR-GAP-14: pay; the action is completed in the moment in which everything is paid."""
    if counts_points(state):
        yield action_use(who, AP, state, "used", "GR-ACT-3", "GR-ACT-1", cost=points)
    paid = before + points
    yield new_condition(who, LONG_ACTION, "GR-ACT-3", "GR-SKL-1", "GR-SKL-2", degree=paid, of=need, about=note)
    if paid == need:
        yield condition_end(f"{LONG_ACTION} {who}", state, "completed", "GR-ACT-3")
        result = f"completed: {note}" if note else "completed"
        yield Judged(rules=("GR-ACT-3",), what=LONG_ACTION, who=who, total=paid, target=need, result=result, final=True)
