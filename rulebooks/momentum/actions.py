"""The other actions of a turn: move, do anything else within reason."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.declarations import Ruling
from ledger.dice import Dice
from ledger.facts import Fact, Ruled
from projections.state import State
from rulebooks.common.decisions import decides
from rulebooks.common.rulings import apply_settings
from rulebooks.common.values import outside_domain
from rulebooks.momentum import checks, guards, rulings, turns, wounds, zones
from rulebooks.momentum.declarations import Move, OtherAction
from rulebooks.momentum.texts import check_ruling


@decides(Move)
def move(said: Move, state: State) -> Iterator[Fact]:
    """MO-ACT-3: one action leads to one neighbouring zone; leaving foes has no cost."""
    turn = turns.turn_of(said.by, guards.check_turn(said.by, state), state)
    zone = zones.find_zone(said.zone, state)
    zones.check_neighbour(said.by, zone, state)
    turn.check_actions(state)
    yield from turns.begin_turn(turn, state)
    yield turns.spend_actions(said.by, state, "MO-ACT-3", "MO-ACT-2", "MO-ACT-4")
    yield zones.place_in_zone(said.by, zone, "MO-ACT-3")


@decides(OtherAction)
def other_action(said: OtherAction, state: State, dice: Dice) -> Iterator[Fact]:
    """MO-ACT-5: the deed, the ruling, the check if there is one, an action, and the changes of the ruling."""
    turn = turns.turn_of(said.by, guards.check_turn(said.by, state), state)
    check_ruling(deed=said.deed, ruling=said.ruling)
    turn.check_actions(state)
    edge = checks.net_edge(said.by, said.advantage, said.disadvantage, state)
    ruling = Ruling(by=said.by, text=said.deed, reason=said.ruling)
    guards.try_facts(apply_settings(said.changes, ruling, state, rulings.rulebook("MO-ACT-5")), state)
    if said.ability:
        checks.score_of(said.by, said.ability, state)
        checks.check_dice(edge, state, dice)
    elif said.advantage or said.disadvantage:
        raise outside_domain("advantage", "said of a check", "no ability")
    yield from turns.begin_turn(turn, state)
    yield Ruled(rules=("MO-ACT-5", "MO-ACT-2"), name="deed", text=said.deed, because=said.ruling)
    succeeds = True
    if said.ability:
        succeeds = yield from checks.roll_check(said.by, "check", said.ability, edge, state, dice)
    yield turns.spend_actions(said.by, state, "MO-ACT-5", "MO-ACT-2")
    if succeeds:
        yield from apply_settings(said.changes, ruling, state, rulings.rulebook("MO-ACT-5"))
        yield from wounds.update_all_conditions(state)
