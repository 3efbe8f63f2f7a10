"""Damage that no attack deals: traps, falls, spells, as the game master says; and things that are broken."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.dice import Dice
from ledger.facts import Fact, Ruled
from ledger.names import fold_case
from projections.state import State
from rulebooks.common.decisions import decides
from rulebooks.mars.combat import shields
from rulebooks.mars.combat.defence import Defence, check_cost, check_defender, check_means, check_moment, defence_of
from rulebooks.mars.declarations.harm import BreakObject, DealDamage
from rulebooks.mars.guards import check_able, check_alive
from rulebooks.mars.harm.damage import Impact, roll_value
from rulebooks.mars.tasks import roll_steps, roll_values, skills, stat_values
from rulebooks.mars.tasks.checks import Roll, check_roll, entry_dice, judge
from rulebooks.mars.texts import check_reason, check_whole, value_refusal


@decides(DealDamage)
def deal_damage(said: DealDamage, state: State, dice: Dice) -> Iterator[Fact]:
    """GR-DMG-1: damage of a trap, a fall or a spell, as the game master says; it can be blocked."""
    check_alive(said.target, state)
    defence = defence_of(said.target, said.defences)
    check_defender(defence, state)
    check_moment(defence, state)
    if defence.first is not None:
        raise value_refusal("a defence against damage", "a block", defence.first.kind)
    check_amount(said, state)
    check_means(defence, state)
    check_cost(defence, state)
    throws, made = entry_dice(dice), None
    if said.roll:
        value = roll_values.parse_roll_value(said.roll, state, "the damage")
        made = yield from roll_value(said.target, f"damage on {said.target}", value, throws, "GR-DMG-1")
    if defence.block is not None:
        yield from shields.pay_block(said.target, state)
    yield from shields.land(said_impact(said, defence, made, state), state)


def check_amount(said: DealDamage, state: State) -> None:
    """Refuse damage without its amount or its roll value, with both, an amount below 1, and other numbers below 0."""
    if (said.amount is None) == (not said.roll):
        raise value_refusal("the damage", "an amount or a roll value", None if said.amount is None else said.amount)
    if said.amount is not None:
        check_whole("amount", said.amount, 1)
    for field in ("bonus", "halvings", "doublings"):
        check_whole(field, getattr(said, field), 0)
    if said.roll:
        roll_values.parse_roll_value(said.roll, state, "the damage")


def said_impact(said: DealDamage, defence: Defence, made: Roll | None, state: State) -> Impact:
    """Return the damage of a line."""
    return Impact(
        target=said.target,
        rolled=made.total if made else said.amount or 0,
        outcome=said.outcome,
        type=fold_case(said.type),
        bonus=said.bonus,
        nonlethal=said.nonlethal,
        dr=said.dr,
        halvings=said.halvings,
        doublings=said.doublings,
        shield=shields.find_shield(said.target, defence.block.item, state) if defence.block else "",
        rolls=made.rolls if made else (),
        sums=made.sums if made else (),
    )


@decides(BreakObject)
def break_object(said: BreakObject, state: State, dice: Dice) -> Iterator[Fact]:
    """GR-DMG-7: a check against a difficulty that the game master sets from how hard the thing looks to break."""
    check_able(said.by, state)
    skills.check_difficulty(said.difficulty, stat_values.value_of(said.by, said.skill, state))
    check_reason(said.reason, "The difficulty")
    text = f"{said.thing}: difficulty {said.difficulty}"
    yield Ruled(rules=("GR-DMG-7", "GR-GAP-54"), name="object", text=text, because=said.reason, about=said.by)
    throws, edges = entry_dice(dice), roll_steps.blind_edges(said.by, said.thing, state)
    made = yield from check_roll(said.by, said.skill, "break", state, throws, "GR-DMG-7", said=said, edges=edges)
    yield judge("break", made, said.difficulty or 0, state, "GR-DMG-7", "GR-OUT-7")
