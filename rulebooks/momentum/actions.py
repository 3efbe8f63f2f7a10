"""What a turn is made of besides attacks: moves, anything else within reason, and its end."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.declarations import Ruling
from ledger.dice import Dice
from ledger.facts import Fact, Ruled
from projections.state import State
from rulebooks.common.rulings import apply_settings
from rulebooks.common.values import outside_domain
from rulebooks.momentum.checks import check_dice, checked, edge_of, score_of
from rulebooks.momentum.declarations import EndTurn, Move, OtherAction
from rulebooks.momentum.rulings import rulebook, update_conditions
from rulebooks.momentum.texts import check_ruling
from rulebooks.momentum.turns import advanced, check_actions, check_turn, come_to, running, spent, turn_closed
from rulebooks.momentum.zones import check_neighbour, placed, zone_named


def move(said: Move, state: State) -> Iterator[Fact]:
    """MO-ACT-3: one action leads to one neighbouring zone; leaving foes behind has no cost."""
    check_turn(said.by, state)
    zone = zone_named(said.zone, state)
    check_neighbour(said.by, zone, state)
    check_actions(said.by, state)
    yield from come_to(said.by, state)
    yield spent(said.by, state, "MO-ACT-3", "MO-ACT-2", "MO-ACT-4")
    yield placed(said.by, zone, "MO-ACT-3")


def other_action(said: OtherAction, state: State, dice: Dice) -> Iterator[Fact]:
    """MO-ACT-5: the deed, the ruling, the check if there is one, an action, and what the ruling says."""
    check_turn(said.by, state)
    check_ruling(said.deed, said.ruling)
    check_actions(said.by, state)
    edge = edge_of(said.by, said.advantage, said.disadvantage, state)
    if said.ability:
        score_of(said.by, said.ability, state)
        check_dice(edge, state, dice)
    elif said.advantage or said.disadvantage:
        raise outside_domain("advantage", "said of a check", "no ability")
    yield from come_to(said.by, state)
    yield Ruled(rules=("MO-ACT-5", "MO-ACT-2"), name="deed", text=said.deed, because=said.ruling)
    won = True
    if said.ability:
        won = yield from checked(said.by, "check", said.ability, edge, state, dice)
    yield spent(said.by, state, "MO-ACT-5", "MO-ACT-2")
    if won:
        ruling = Ruling(by=said.by, text=said.deed, reason=said.ruling)
        yield from apply_settings(said.changes, ruling, state, rulebook("MO-ACT-5"))
        yield from update_conditions(state)


def end_turn(said: EndTurn, state: State) -> Iterator[Fact]:
    """MO-ACT-1, MO-ROUND-6: the turn is over; after the last of a side the other acts, then the next round begins."""
    check_turn(said.by, state)
    yield from come_to(said.by, state)
    yield from turn_closed(said.by, running(state), state, "MO-ACT-1")
    yield from advanced(state)
