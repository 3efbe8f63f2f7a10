"""Spells: long ones in two steps, and those cast at once as standard action, bonus action or reaction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.dice import Dice
from ledger.facts import Counted, EntryId, Fact, Judged
from projections.state import State
from rulebooks.common.conditions import condition_end, find_condition, has_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.dusk_bastards import guards
from rulebooks.dusk_bastards.combat.attack import check_strike, check_target, check_unbroken, missed_before, roll_attack
from rulebooks.dusk_bastards.declarations.combat import CastSpell, FinishLongSpell, Spell, StartLongSpell
from rulebooks.dusk_bastards.declarations.parts import Cost, Stat
from rulebooks.dusk_bastards.harm.durations import until_round_end
from rulebooks.dusk_bastards.tasks import costs, judgement, stats
from rulebooks.dusk_bastards.tasks.difficulty import Target
from rulebooks.dusk_bastards.tasks.resolution import Plan, resolve, wait
from rulebooks.dusk_bastards.tasks.roll import Roll, consequences_of
from rulebooks.dusk_bastards.texts import refusal, value_refusal
from rulebooks.dusk_bastards.turns import allowances, cycle

RULES: Final = {"standard": "DB-STD-2", "bonus": "DB-BONUS-1", "reaction": "DB-REACT-6"}
STANDARD_SPELL: Final = "standard spell"
REACTION_SPELL: Final = "reaction spell"
BARS: Final = {"standard": (STANDARD_SPELL, "DB-REACT-6"), "reaction": (REACTION_SPELL, "DB-REACT-7")}


@decides(StartLongSpell)
def start_long_spell(said: StartLongSpell, state: State) -> Iterator[Fact]:
    """DB-MOVE-5: in the movement phase, as the move action; its costs are paid now."""
    guards.check_in_play(said.by, state)
    check_spell_name(said.spell)
    costs.check_costs(said.by, said.cost, state)
    turn = allowances.check_move(said.by, state, physical=said.physical)
    check_free_to_cast(said.by, "long", state)
    yield from allowances.use_action(turn, "move", state, "DB-MOVE-5")
    if unpaid := costs.shortage(said.by, said.cost, state):
        yield judgement.automatic_failure(said.by, "spell", "", unpaid, state)
        return
    yield from costs.pay(said.by, said.cost, said.spell, state, "DB-MOVE-5", "DB-COST-3")
    yield new_condition(
        said.by,
        cycle.CASTING,
        "DB-MOVE-5",
        "DB-STD-3",
        about=said.spell,
        ends=until_round_end(state),
        data=msgspec.json.encode(said.cost, order="deterministic").decode(),
    )


@decides(FinishLongSpell)
def finish_long_spell(said: FinishLongSpell, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-STD-3: as the standard action of the same round. DB-DEST-13: start and finish are one action."""
    base = check_target(said.target, said, state) if said.target else said.difficulty or 0
    stat = spell_stat(said, state)
    turn = guards.turn_to_act(said.by, state, physical=stats.is_physical(said, stat))
    allowances.check_action(turn, "standard", state)
    allowances.check_take20(said, turn)
    started = find_condition(said.by, cycle.CASTING, state)
    if started is None:
        raise refusal("SPELL", name=said.by, reason="no long spell was started this round")
    if said.task not in ("", started.about):
        raise refusal("SPELL", name=said.by, reason=f"the spell that was started is {started.about}")
    check_unbroken(said.target, state)
    yield from allowances.use_action(turn, "standard", state, "DB-STD-3")
    yield condition_end(f"{cycle.CASTING} {said.by}", state, "used", "DB-STD-3")
    paid = msgspec.json.decode(started.data, type=tuple[Cost, ...])
    named = msgspec.structs.replace(said, task=started.about)
    yield from resolve_spell(named, stat, base, "DB-STD-3", state, dice, paid=paid)


@decides(CastSpell)
def cast_spell(said: CastSpell, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-STD-2, DB-BONUS-1, DB-REACT-6: cast whole, as a standard action, a bonus action or a reaction."""
    base = check_target(said.target, said, state) if said.target else said.difficulty or 0
    stat = spell_stat(said, state)
    physical = stats.is_physical(said, stat)
    if said.time == "reaction":
        turn = allowances.check_reaction(said.by, state, in_encounter=False, physical=physical)
    else:
        turn = guards.turn_to_act(said.by, state, physical=physical)
        allowances.check_action(turn, said.time, state)
    allowances.check_take20(said, turn)
    check_free_to_cast(said.by, said.time, state)
    check_unbroken(said.target, state)
    rule = RULES[said.time]
    if said.time == "reaction":
        yield from allowances.use_reaction(turn, state, rule)
    else:
        yield from allowances.use_action(turn, said.time, state, rule)
    yield from bar_spells(said, state)
    yield from resolve_spell(said, stat, base, rule, state, dice)


def resolve_spell(
    said: Spell, stat: Stat | None, base: int, rule: str, state: State, dice: Dice, *, paid: tuple[Cost, ...] = ()
) -> Iterator[Fact]:
    """DB-STD-1: a spell on a target is an attack, one with a difficulty a task; without either it is routine."""
    if stat is None:
        yield Judged(rules=(rule, "DB-ACT-3"), what="spell", who=said.by, result="routine", final=True)
        return
    kind, missed = ("attack", missed_before(said.by, said.target, state)) if said.target else ("spell", "")
    plan = Plan(said=said, stat=stat, kind=kind, bases=(base,), retries=missed, rules=(rule,), paid=paid)
    yield from wait(plan, state)
    if said.target:
        yield from roll_attack(plan, said, said.target, state, dice)
    else:
        yield from resolve(plan, [Target(base=base)], state, dice)


@consequences_of("spell")
def settle_spell(roll: Roll, state: State, won: bool, opened: EntryId | None) -> Iterator[Fact]:
    """DB-STD-2, DB-STD-3: the effect of a spell without a target is narrated, not computed."""
    return iter(())


def spell_stat(said: Spell, state: State) -> Stat | None:
    """DB-GAP-62: the stat of a spell is said when it is rolled; without a roll it is intellect. Foes have none."""
    if guards.is_foe(said.by, state):
        return None
    rolled = said.target or said.difficulty is not None
    return stats.stat_of(said, state) if rolled else said.stat or "intellect"


def bar_spells(said: CastSpell, state: State) -> Iterator[Fact]:
    """DB-REACT-6, DB-REACT-7: a standard or a reaction spell shuts out others for the rest of the round."""
    if said.time in BARS and guards.encounter_of(said.by, state) is not None:
        name, rule = BARS[said.time]
        change = 1 - state.count(said.by, name)
        if change:
            yield Counted(rules=(rule, "DB-DUR-3"), who=said.by, name=name, change=change, now=1, until="round")


def check_free_to_cast(who: str, time: str, state: State) -> None:
    """DB-REACT-6: no reaction spell within a long one or after a standard one; DB-REACT-7: after it bonus ones only."""
    if time == "reaction" and has_condition(who, cycle.CASTING, state):
        raise refusal("SPELL", name=who, reason="a long spell is being cast")
    if time == "reaction" and state.count(who, STANDARD_SPELL):
        raise refusal("SPELL", name=who, reason="a standard spell was cast this round")
    if time in ("standard", "long") and state.count(who, REACTION_SPELL):
        raise refusal("SPELL", name=who, reason="after a reaction spell only bonus spells are left this round")


def check_spell(said: Spell, state: State) -> None:
    """DB-ROLL-3: refuse a malformed spell, and one of a foe that would need a roll."""
    guards.check_in_play(said.by, state)
    if isinstance(said, CastSpell):
        check_spell_name(said.task)
        costs.check_costs(said.by, said.cost, state)
    if guards.is_foe(said.by, state) and (said.target or said.difficulty is not None):
        raise value_refusal("target", "empty, since foes do not roll: the target dodges", said.target)
    if said.target:
        check_strike(said, said.target, state)


def check_spell_name(spell: str) -> None:
    """Refuse a spell without a name."""
    if not spell:
        raise value_refusal("spell", "named in quotes", None)
