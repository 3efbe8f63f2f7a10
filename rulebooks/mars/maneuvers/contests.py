"""Maneuvers that are a roll against what resists them, and the evasion of a spell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import Fact, Judged
from projections.state import State
from rulebooks.common.dice import EntryDice
from rulebooks.mars.maneuvers import outcomes, resistance
from rulebooks.mars.maneuvers.use import RULE, Use, checked_skill, left_to_the_table
from rulebooks.mars.tasks.checks import check_roll, outcome
from rulebooks.mars.tasks.roll_steps import RollStep, blind_edges
from rulebooks.mars.texts import value_refusal
from rulebooks.mars.turns import actions, movement

DISARMED: Final = "disarmed"
EVASION: Final = "evasion"


def check_contest(use: Use, state: State) -> None:
    """Refuse to take from a target what it does not hold."""
    if any(effect.name == DISARMED for effect in use.row.effects):
        outcomes.item_to_lose(use, state)


def perform_contest(use: Use, state: State, throws: EntryDice) -> Iterator[Fact]:
    """GR-GAP-43: the roll of a skill stands for the attack roll; the target resists; then the effects begin."""
    steps = (RollStep(use.row.to_hit, use.row.name, RULE),) if use.row.to_hit else ()
    made = yield from check_roll(
        use.who,
        checked_skill(use, state),
        use.row.name,
        state,
        throws,
        RULE,
        said=use.said,
        against=use.target,
        steps=steps,
        edges=blind_edges(use.who, use.target, state),
    )
    share = yield from resistance.resist(use, made.total, state, throws, made)
    yield from outcomes.begin_own_effects(use, state, share)
    yield from outcomes.begin_target_effects(use, share, state)


def check_evasion(use: Use, state: State) -> None:
    """Refuse to evade a spell whose total is not said, and to move where that cannot be."""
    if use.said.difficulty is None:
        raise value_refusal("the total of the spell", "a number, as in v14", None)
    if use.said.after == "move":
        movement.check_can_move(use.who, state)


def perform_evasion(use: Use, state: State, throws: EntryDice) -> Iterator[Fact]:
    """GR-OUT-17: evasion in place of what would resist a spell: its graze misses; then drop prone, or move."""
    spell = use.said.difficulty or 0
    made = yield from check_roll(use.who, EVASION, use.row.name, state, throws, RULE, said=use.said)
    graded = outcome(spell, made.total, state)
    yield Judged(
        rules=tuple(dict.fromkeys((RULE, "GR-OUT-4", *made.rules))),
        what=use.row.name,
        who=use.who,
        sums=made.sums,
        total=spell,
        target=made.total,
        margin=spell - made.total,
        result="fail" if graded == "graze" else graded,
        rolls=made.rolls,
        final=True,
    )
    if use.said.after == "prone":
        yield from actions.fall_prone(use.who, state, RULE)
    elif use.said.after == "move":
        yield left_to_the_table(use, "{who} moves up to half the speed")
