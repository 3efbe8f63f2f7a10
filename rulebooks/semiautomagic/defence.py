"""Defence rolls: block, dodge or parry, and the penalties of who is flanked or caught flat-footed."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

from ledger.errors import Refused
from ledger.facts import Fact, Judged
from projections.state import State
from rulebooks.common.dice import EntryDice
from rulebooks.common.sums import SumSteps
from rulebooks.common.values import sheet_number
from rulebooks.semiautomagic import checks, guards, items, squares, stealth, weapons
from rulebooks.semiautomagic.texts import option, outside_domain, refusal

BLOCK: Final = "block"
DODGE: Final = "dodge"
PARRY: Final = "parry"
DEFENCES: Final = (BLOCK, DODGE, PARRY)


def is_flat_footed(who: str, against: str, state: State) -> bool:
    """TT-SUR-2: whether somebody is flat-footed against this creature."""
    return against in state.ties_from(who, stealth.FLAT_FOOTED)


def check_defence(who: str, defence: str, by: str, state: State) -> None:
    """TT-OUT-2, TT-CAL-4, TT-GAP-9: refuse a defence that somebody has not, or cannot make now."""
    if defence not in DEFENCES:
        return
    guards.check_able(who, state)
    if defence != PARRY and state.sheet(who, defence) is None:
        raise outside_domain("defence", f"one that {who} has ({', '.join(defences_of(who, state)) or 'none'})", defence)
    if defence == BLOCK and not shields(who, state):
        raise no_shield(who, state)
    if defence == PARRY and not parrying_weapons(who, state):
        broken = [item for item in melee_weapons(who, state) if items.is_destroyed(item, state)]
        raise (
            refusal("DESTROYED", case="parry", item=broken[0])
            if broken
            else items.no_hand("parry", who, "weapon", state)
        )
    if is_flat_footed(who, by, state) and option(state, "flat_footed") == "no_defence":
        raise refusal("FLAT-FOOTED", name=who, other=by)


def defences_of(who: str, state: State) -> list[str]:
    """TT-OUT-2: the defences that somebody could make, as far as sheet and hands go."""
    return [
        *([BLOCK] if state.sheet(who, BLOCK) is not None and shields(who, state) else []),
        *([DODGE] if state.sheet(who, DODGE) is not None else []),
        *([PARRY] if parrying_weapons(who, state) else []),
    ]


def no_shield(who: str, state: State) -> Refused:
    """TT-OUT-2, TT-ITM-4: the refusal of a block without a shield, or with one that is destroyed."""
    known = (*items.items_of(who, state), *items.dropped_items(who, state))
    own = [item for item in known if sheet_number(item, "shield", state)]
    broken = [item for item in own if items.is_destroyed(item, state) and items.tie_of(item, state) == items.HELD]
    whole = [item for item in own if not items.is_destroyed(item, state)]
    if broken and not whole:
        return refusal("DESTROYED", case="block", item=broken[0])
    return items.no_hand(
        "shield" if whole else "no shield", who, items.short_name(whole[0], state) if whole else "", state
    )


def shields(who: str, state: State) -> list[str]:
    """TT-OUT-2: the shields in hand that are not destroyed."""
    held = items.items_of(who, state, items.HELD)
    return [item for item in held if sheet_number(item, "shield", state) and not items.is_destroyed(item, state)]


def parrying_weapons(who: str, state: State) -> list[str]:
    """TT-OUT-2: the weapons for close combat that somebody can parry with."""
    return [item for item in melee_weapons(who, state) if not items.is_destroyed(item, state)]


def melee_weapons(who: str, state: State) -> list[str]:
    """TT-OUT-2: the weapons for close combat in hand, or of the body."""
    ready = [item for item in items.items_of(who, state, items.HELD, items.PART) if weapons.is_weapon(item, state)]
    return [item for item in ready if weapons.MELEE in weapons.reaches(item, state)]


def defence_bonus(who: str, defence: str, state: State) -> int:
    """TT-OUT-2: shield use for a block, reflex for a dodge, the weapon's skill for a parry."""
    return sheet_number(who, defence, state, sheet_number(who, weapons.MELEE, state) if defence == PARRY else 0)


def add_penalties(steps: SumSteps, who: str, by: str, state: State) -> None:
    """TT-FLK-2, TT-SUR-2: flanked and flat-footed take 1 each; they add up unless the table says no (TT-GAP-11)."""
    penalties = [("TT-FLK-2", "flanked")] if squares.is_flanked(who, state) else []
    penalties += [("TT-SUR-2", f"flat-footed against {by}")] if by and is_flat_footed(who, by, state) else []
    stacks = option(state, "circumstance_stacks") == "on"
    for index, (rule, because) in enumerate(penalties):
        steps.take("-", 1, rule, because, counted=stacks or not index)


def defend(
    who: str, defence: str, by: str, dc: SumSteps, state: State, throws: EntryDice | int, *rules: str
) -> Generator[Fact, None, bool]:
    """TT-OUT-2: die + bonus against the DC, meet or beat (TT-OUT-4). Returns whether the attack is negated.

    `throws`: the dice, or the total of a defence that was rolled elsewhere.
    """
    purpose = f"{defence} {who}"
    if isinstance(throws, int):
        steps = SumSteps(defence, throws)
    else:
        steps = yield from checks.roll_sum(who, purpose, defence, state, throws, "TT-OUT-2", *rules)
        steps.add(defence_bonus(who, defence, state), "TT-OUT-2", defence)
        add_penalties(steps, who, by, state)
    negated = steps.total >= dc.total
    penalties = tuple(step.rule for step in steps.steps if step.rule != "TT-OUT-2")
    penalties += ("TT-SUM-1",) if "TT-FLK-2" in penalties else ()
    yield Judged(
        rules=("TT-OUT-2", "TT-OUT-4", *rules, *penalties),
        what="defence",
        who=who,
        against=by,
        sums=(steps.sum(), dc.sum()),
        total=steps.total,
        target=dc.total,
        result="negated" if negated else "not negated",
        margin=steps.total - dc.total,
        rolls=() if isinstance(throws, int) else (purpose,),
        final=True,
    )
    return negated


def defence_dc(bonus: int) -> SumSteps:
    """TT-OUT-2, TT-GAP-36: 4 + the attacker's bonus of the sheet, without scale and penalties."""
    steps = SumSteps("DC", 4)
    steps.add(bonus, "TT-OUT-2", "attack bonus without scale")
    return steps
