"""The check of the dying as their turn begins, and first aid where the table plays it so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.dice import Dice
from ledger.facts import Fact
from projections.state import State
from rulebooks.common.conditions import has_condition
from rulebooks.common.decisions import decides
from rulebooks.common.dice import EntryDice
from rulebooks.mars.declarations.harm import Stabilise
from rulebooks.mars.declarations.parts import Rolling
from rulebooks.mars.guards import DYING, HEALTH, check_able, check_alive, check_own_turn
from rulebooks.mars.harm.wounds import count_check, end_dying
from rulebooks.mars.tasks.checks import check_roll, entry_dice, judge, outcome
from rulebooks.mars.tasks.roll_steps import blind_edges
from rulebooks.mars.tasks.stat_values import value_of
from rulebooks.mars.texts import is_on, refusal
from rulebooks.mars.turns.actions import check_price, pay, price

FIRST_AID: Final = 10  # GR-OUT-16


def dying_check(who: str, state: State, throws: EntryDice, said: Rolling | None = None) -> Iterator[Fact]:
    """GR-DYI-2: fortitude against the amount by which health is negative, as it is now (GR-GAP-33).

    The difficulty is seen by those who see the numbers of `who`.
    """
    if not has_condition(who, DYING, state):
        return
    difficulty = max(0, -state.points(who, HEALTH))
    made = yield from check_roll(who, "fortitude", "dying", state, throws, "GR-DYI-2", said=said)
    if state.is_read:
        being = state.being(who)
        judged = judge("dying check", made, difficulty, state, "GR-DYI-2", "GR-DYI-3")
        yield msgspec.structs.replace(judged, seen=being.seen if being else judged.seen)
    result = outcome(made.total, difficulty, state)
    throws.dice.settle(result)
    yield from count_check(who, result, state)


@decides(Stabilise)
def stabilise(said: Stabilise, state: State, dice: Dice) -> Iterator[Fact]:
    """GR-OUT-16: medicine against 10 stabilises the dying; only where the option is on."""
    check_able(said.by, state)
    check_alive(said.patient, state)
    if state.encounter is not None:
        check_own_turn(said.by, state)
    if not is_on(state, "medicine_stabilise"):
        raise refusal("VALUE", case="off", what="medicine_stabilise")
    if not has_condition(said.patient, DYING, state):
        raise refusal("EFFECT", case="well", name=said.patient)
    value_of(said.by, "medicine", state)
    cost = price(said.by, said.speed, state)
    check_price(said.by, cost, state)
    throws = entry_dice(dice)
    yield from pay(said.by, cost, "first aid", state, "GR-OUT-16", "GR-SKL-1")
    edges = blind_edges(said.by, said.patient, state)
    made = yield from check_roll(said.by, "medicine", "stabilise", state, throws, "GR-OUT-16", said=said, edges=edges)
    yield judge("stabilise", made, FIRST_AID, state, "GR-OUT-16", against=said.patient)
    if outcome(made.total, FIRST_AID, state) in ("hit", "critical"):
        yield from end_dying(said.patient, state, "stabilised", "GR-OUT-16", "GR-DYI-4")
