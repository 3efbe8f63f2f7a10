"""The start of a turn: everything that happens before its owner does anything, in one order (GR-RND-4)."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.facts import Allowed, CountsCleared, Fact
from projections.derived import derived_of_being
from projections.state import State
from rulebooks.common.conditions import ending_conditions, has_any, has_condition
from rulebooks.common.dice import EntryDice
from rulebooks.mars.declarations.turns import BeginTurn
from rulebooks.mars.guards import AP, BURNING, DEAD, DYING, FREE_ACTION, REACTION
from rulebooks.mars.harm import death, fire, stun
from rulebooks.mars.maneuvers.poison import due_poisons, work_poisons
from rulebooks.mars.texts import option, value_refusal
from rulebooks.mars.turns.actions import POINTS_A_TURN
from rulebooks.mars.turns.durations import end_due, measure_by


def start_of_turn(who: str, state: State, throws: EntryDice, said: BeginTurn | None = None) -> Iterator[Fact]:
    """GR-RND-4, GR-GAP-13: (a) what is due ends; (b) points and counters; (c) stun; (d) dying; (e) burning."""
    if ending_conditions(state):
        yield from measure_by(who, state)
        yield from work_poisons(who, state, throws)
        yield from end_due(who, state)
    yield from refresh(who, state)
    yield from stun.pay_stun(who, state)
    if not has_condition(who, DYING, state):
        check_says_nothing(said)
    if not is_in_danger(who, state):
        return
    if has_condition(who, DYING, state):
        yield from death.dying_check(who, state, throws, said)
    if has_condition(who, BURNING, state) and not has_condition(who, DEAD, state):
        yield from fire.burn(who, state, throws)


def check_says_nothing(said: BeginTurn | None) -> None:
    """GR-DYI-2: refuse what bears on the dying check in the turn of somebody who makes none."""
    if said is not None and said != BeginTurn(by=said.by):
        raise value_refusal("the roll", f"left out, since {said.by} is not dying and makes no check", "given")


def needs_dice(who: str, state: State) -> bool:
    """GR-DYI-2, GR-BUR-2: whether the start of somebody's turn throws dice; so does a poison whose time is over."""
    return is_in_danger(who, state) or (bool(ending_conditions(state)) and bool(due_poisons(who, state)))


@derived_of_being
def is_in_danger(who: str, state: State) -> bool:
    """GR-DYI-2, GR-BUR-2: tell whether somebody is dying or burning: the start of a turn throws dice for it."""
    return has_any(who, (DYING, BURNING), state)


def refresh(who: str, state: State) -> Iterator[Fact]:
    """GR-ACT-1, GR-ATK-5: 3 action points, and the counts of the turn anew. GR-GAP-10: and those of the round."""
    yield CountsCleared(rules=("GR-RND-4", "GR-ATK-5"), until="turn", who=who)
    actions = ((AP, POINTS_A_TURN), (FREE_ACTION, 1))
    yield Allowed(rules=("GR-ACT-1", "GR-ACT-2", "GR-RND-4"), who=(who,), actions=actions, until="turn")
    if option(state, "round_window") == "own_turn":
        yield from renew_reactions((who,))


def renew_reactions(characters: tuple[str, ...]) -> Iterator[Fact]:
    """GR-ACT-4, GR-MAN-2, GR-GAP-10: a new round for reactions and maneuvers."""
    for who in characters:
        yield CountsCleared(rules=("GR-MAN-2",), until="round", who=who)
    yield Allowed(rules=("GR-ACT-4", "GR-GAP-10"), who=characters, actions=((REACTION, 1),), until="round")
