"""Defences against an attack: deflection, or what is declared: evade, parry, block; their costs and their rolls."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Final

import msgspec

from ledger.errors import Refused
from ledger.facts import Fact, Sum
from projections.derived import derived_of_being
from projections.state import State
from rulebooks.common.dice import EntryDice
from rulebooks.common.sums import SumSteps
from rulebooks.mars import guards
from rulebooks.mars.combat import shields, weapons
from rulebooks.mars.declarations.parts import Reaction
from rulebooks.mars.maneuvers.aids import Aids, defence_aids, defends_free, end_used
from rulebooks.mars.tasks.checks import Grading, RollPlan, check_pick, roll
from rulebooks.mars.tasks.stat_values import DEFLECTION, EVASION, Value, value_of
from rulebooks.mars.texts import option, refusal, value_refusal
from rulebooks.mars.turns import actions, movement

EVADE: Final = "evade"
EVADE_AS_REACTION: Final = "evade_reaction"
PARRY: Final = "parry"
MOST_DEFENCES: Final = 2  # one of evade and parry, and a block
RULES: Final = {EVADE: "GR-EVD-1", EVADE_AS_REACTION: "GR-EVD-1", PARRY: "GR-PAR-1", shields.BLOCK: "GR-BLK-1"}


class Defence(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody does against an attack: at most one of evade and parry, and a block if it hits (GR-GAP-15).

    `declared` are these reactions. `kind` is what takes the place of deflection, empty for nothing; `evades`: whether
    that is an evasion (GR-EVD-1).
    """

    who: str
    declared: tuple[Reaction, ...] = ()
    first: Reaction | None = None
    block: Reaction | None = None
    kind: str = ""
    evades: bool = False


class Difficulty(msgspec.Struct, frozen=True, kw_only=True):
    """What an attack has to reach: the total of the defence, and the sums, rolls and rules behind it."""

    total: int
    sums: tuple[Sum, ...]
    rolls: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


def defence_of(who: str, reactions: Sequence[Reaction]) -> Defence:
    """GR-GAP-15: return the defence on a line. Refuses those of somebody else, and two of one kind."""
    if not reactions:
        return Defence(who=who)
    for reaction in reactions:
        if reaction.who != who:
            raise value_refusal("who defends", f"{who}, who is attacked", reaction.who)
        if reaction.after != "stay" and reaction.kind not in (EVADE, EVADE_AS_REACTION):
            raise value_refusal(f"what follows a {reaction.kind}", "nothing", reaction.after)
    first = block = None
    for reaction in reactions:
        if reaction.kind == shields.BLOCK:
            block = reaction
        else:
            first = reaction
    if len(reactions) > (first is not None) + (block is not None):
        raise one_defence_refusal(*(reaction.kind for reaction in reactions))
    kind = first.kind if first else ""
    evades = kind in (EVADE, EVADE_AS_REACTION)
    return Defence(who=who, declared=tuple(reactions), first=first, block=block, kind=kind, evades=evades)


def one_defence_refusal(*kinds: str) -> Refused:
    """GR-GAP-15: return the refusal of several defences that take the place of deflection."""
    return value_refusal("the defence", "one of evade and parry, and a block", " and ".join(kinds).replace("_", " "))


def check_defender(defence: Defence, state: State) -> None:
    """GR-GAP-56: the unconscious can neither evade nor parry nor block."""
    if defence.declared:
        guards.check_able(defence.who, state)


def check_moment(defence: Defence, state: State) -> None:
    """GR-GAP-60, GR-STU-4: refuse defences in the own turn, where the table plays it so, and those of the stunned."""
    if not defence.declared:
        return
    guards.check_may_react(defence.who, state, defence=True)
    for reaction in defence.declared:
        guards.check_not_stunned(defence.who, state, free=reaction.kind != EVADE_AS_REACTION)


def check_means(defence: Defence, state: State) -> None:
    """GR-EVD-4, GR-PAR-1, GR-BLK-1: refuse a step, a parry and a block that are not possible."""
    first, who = defence.first, defence.who
    if first is not None and first.after == "step":
        if first.kind != EVADE_AS_REACTION:
            raise refusal("STEP-NEEDS-REACTION", name=who)
        movement.check_can_move(who, state)
    if first is not None and first.kind == PARRY:
        find_parry_item(who, first.item, state)
    if first is not None and first.pick:
        check_pick(first.pick, defence_value(defence, state))
    if defence.block is not None:
        shields.check_block(who, defence.block, state)


def check_cost(defence: Defence, state: State, *, free: bool = False) -> None:
    """GR-ACT-4, GR-BLK-1, GR-EVD-1, GR-PAR-1: refuse a second reaction, and what stamina does not pay."""
    if defence.kind == EVADE_AS_REACTION:
        guards.check_reaction_left(defence.who, state)
    actions.check_stamina(defence.who, int(defence.evades) if free else len(defence.declared), state)


def find_parry_item(who: str, item: str, state: State) -> str:
    """GR-PAR-1: return what is parried with: the item named, or the only one."""
    usable = weapons.parry_items(who, state)
    chosen = weapons.choose(item, usable)
    if not chosen:
        case = ("other" if item else "several") if usable else ""
        raise refusal("NO-PARRY", case, name=who, item=item, items=", ".join(usable) or "none").of_field("item")
    return chosen


def possible_defences(who: str, state: State) -> list[Reaction]:
    """GR-BLK-1, GR-PAR-1, GR-EVD-1: return the defences for which somebody has one means, which need not be named."""
    defences: list[Reaction] = []
    if len(shields.whole_shields(who, state)) == 1:
        defences.append(Reaction(who=who, kind="block"))
    if len(weapons.parry_items(who, state)) == 1:
        defences.append(Reaction(who=who, kind="parry"))
    defences.append(Reaction(who=who, kind="evade"))
    return defences


def pay_defence(defence: Defence, state: State, *, free: bool = False) -> Iterator[Fact]:
    """GR-EVD-1, GR-PAR-1: 1 stamina before the roll, and the reaction if it is taken. A block costs when it is made."""
    first, who = defence.first, defence.who
    if first is None:
        return
    rule = RULES[first.kind]
    window = () if first.kind == EVADE_AS_REACTION else ("GR-ACT-5",)
    if defence.evades or not free:
        yield from actions.spend_stamina(who, 1, EVADE if defence.evades else PARRY, state, rule, *window)
    if first.kind == EVADE_AS_REACTION:
        yield from guards.use_reaction(who, state, rule)


def roll_defence(
    defence: Defence,
    attacker: str,
    melee: bool,
    hard_parry: Value | None,
    against: Grading,
    state: State,
    throws: EntryDice,
) -> Generator[Fact, None, Difficulty]:
    """GR-ATK-2: roll deflection, or what takes its place. GR-GAP-4: or its passive value where nothing does.

    GR-OUT-17: a hard parry takes the place of deflection and of a parry.
    """
    aids = defence_aids(defence.who, attacker, state, melee=melee)
    value = hard_parry or defence_value(defence, state)
    rule = "GR-OUT-17" if hard_parry else RULES.get(defence.kind, "GR-ATK-2")
    if option(state, "deflection") == "passive" and defence.first is None and hard_parry is None:
        yield from end_used(aids, state)
        return passive_difficulty(value, aids)
    plan = RollPlan(
        who=defence.who,
        purpose=f"defence {defence.who}",
        what=value.name,
        value=value,
        steps=aids.steps,
        edges=aids.edges,
        pick=defence.first.pick if defence.first else (),
        rules=(rule, "GR-OUT-2") if defence.kind == PARRY else (rule,),
    )
    made = yield from roll(plan, state, throws, against)
    if aids.ids:
        yield from end_used(aids, state)
    return Difficulty(total=made.total, sums=made.sums, rolls=made.rolls, rules=made.rules)


def defence_value(defence: Defence, state: State) -> Value:
    """GR-EVD-1: evasion in place of deflection; GR-PAR-1: or deflection with what parries."""
    if defence.evades:
        return value_of(defence.who, EVASION, state)
    if defence.first is None:
        return value_of(defence.who, DEFLECTION, state)
    return parried_deflection(defence.who, find_parry_item(defence.who, defence.first.item, state), state)


@derived_of_being
def parried_deflection(who: str, item: str, state: State) -> Value:
    """GR-PAR-1, GR-OUT-2: deflection merged with the parry value of an item."""
    deflection, value = value_of(who, DEFLECTION, state), weapons.parry_value(who, item, state)
    return Value(name=f"{DEFLECTION} with the {item}", roll=deflection.roll + value, stats=deflection.stats)


def passive_difficulty(value: Value, aids: Aids) -> Difficulty:
    """GR-OUT-3: half the sides and the flat number; nothing is rolled."""
    total = SumSteps(f"passive {value.name}", value.roll.sides // 2)
    total.add(value.roll.flat, "GR-OUT-3", f"{value.name} {value.roll}")
    for step in aids.steps:
        total.add(step.change, step.rule, step.because)
    return Difficulty(total=total.total, sums=(total.sum(),), rules=("GR-OUT-3",))


def after_evasion(defence: Defence, state: State) -> Iterator[Fact]:
    """GR-EVD-3: drop prone at no cost. GR-EVD-4: or step up to 1 m, if the evasion took the reaction."""
    assert defence.first is not None
    if defence.first.after == "prone":
        yield from actions.fall_prone(defence.who, state, "GR-EVD-3")
    elif defence.first.after == "step":
        yield from movement.step(defence.who, state, "GR-EVD-4")


def can_defend(who: str, declared: Sequence[Reaction], state: State) -> bool:
    """Tell whether somebody may still add a defence to these: able, not barred, with stamina for one more.

    GR-OUT-17: who has intercepted the attack needs none to parry or block.
    """
    has_one_left = len(declared) < MOST_DEFENCES and (
        state.points(who, guards.STAMINA) > len(declared) or defends_free(who, state)
    )
    if not has_one_left or not guards.is_able(who, state):
        return False
    try:
        guards.check_may_react(who, state, defence=True)
        guards.check_not_stunned(who, state, free=True)
    except Refused:
        return False
    return True
