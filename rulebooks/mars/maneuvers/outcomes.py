"""What a maneuver leaves behind: the conditions of its row, and what the table settles after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from ledger.facts import Ends, Fact, Ruled, SheetChanged
from projections.state import State
from rulebooks.common.conditions import condition_end, find_condition, new_condition
from rulebooks.mars.combat import shields, weapons
from rulebooks.mars.guards import ENDURANCE, HELD, PRONE, STUNNED
from rulebooks.mars.harm import concentration, interruption, wounds
from rulebooks.mars.harm.stun import stun
from rulebooks.mars.maneuvers.aids import this_turn
from rulebooks.mars.maneuvers.resistance import Share
from rulebooks.mars.maneuvers.table import RowEffect
from rulebooks.mars.maneuvers.use import BOTH, RULE, Use, is_master, left_to_the_table
from rulebooks.mars.texts import refusal
from rulebooks.mars.turns import actions, durations

RULES: Final = (RULE, "GR-MAN-5", "GR-EFF-1")


def begin_own_effects(use: Use, state: State, share: Share = "full") -> Iterator[Fact]:
    """GR-OUT-17: begin what the maneuver does for the one who performs it."""
    for effect in use.row.effects:
        if effect.on == "self" and share != "none":
            yield from begin_effect(use, effect, use.who, share, state)


def begin_target_effects(use: Use, share: Share, state: State) -> Iterator[Fact]:
    """GR-MAN-5: begin what the maneuver does to its target, as far as the target has not resisted it."""
    if share == "none":
        return
    if use.row.result:
        yield settled_by_the_table(use, state)
    for effect in use.row.effects:
        if effect.on == "target" and (not effect.when or use.readied):
            yield from begin_effect(use, effect, use.target, share, state)


def begin_ally_effects(use: Use, allies: Iterable[str], state: State) -> Iterator[Fact]:
    """GR-OUT-17: begin what the maneuver does for allies."""
    for effect in use.row.effects:
        if effect.on == "allies":
            for ally in allies:
                yield from begin_effect(use, effect, ally, "full", state)


def begin_effect(use: Use, effect: RowEffect, who: str, share: Share, state: State) -> Iterator[Fact]:
    """GR-OUT-17: begin one effect of a row: by its own function, or as a condition that aids.py reads."""
    special = SPECIAL.get(effect.name)
    if special is not None:
        yield from special(use, who, share, state)
        return
    about = {"self": use.who, "target": use.target, "": ""}[effect.against]
    amounts = tuple((name, amount * use.times) for name, amount in amounts_of(use, effect, state).items())
    ends = (*ends_of(use, effect, share, state), *((Ends(at=durations.USE, due=effect.uses),) if effect.uses else ()))
    yield from begin_unless_weaker(who, effect.name, amounts, about, ends, state)


def begin_unless_weaker(
    who: str, name: str, amounts: tuple[tuple[str, int], ...], about: str, ends: tuple[Ends, ...], state: State
) -> Iterator[Fact]:
    """GR-EFF-3: begin a condition, unless the same one holds, as strong and for longer."""
    earlier = find_condition(who, name, state)
    if earlier is not None and about in ("", earlier.about) and durations.lasts_longer(earlier.ends, ends):
        strength = dict(earlier.effects)
        if all(abs(strength.get(changed, 0)) >= abs(amount) for changed, amount in amounts):
            return
    yield new_condition(who, name, *RULES, effects=amounts, about=about, ends=ends)


def amounts_of(use: Use, effect: RowEffect, state: State) -> dict[str, int]:
    """GR-OUT-17: return what an effect changes; more of it for who has the skill at r12."""
    better = effect.better
    if better is not None and is_master(use.who, better.skill, state):
        return effect.effects | better.effects
    return effect.effects


def ends_of(use: Use, effect: RowEffect, share: Share, state: State) -> tuple[Ends, ...]:
    """GR-MAN-5, GR-RND-3: return when an effect ends: with this turn, or after its rounds, halved by a graze."""
    if effect.lasts == "turn":
        return (this_turn(state),)
    rounds = use.row.rounds // 2 if share == "half" else use.row.rounds
    return durations.in_rounds(rounds, state, use.who) if rounds else ()


def settled_by_the_table(use: Use, state: State) -> Ruled:
    """GR-OUT-17: return what the table settles after a success: where somebody is now, what somebody has to do."""
    how = "2 m away, or goes along with it up to half the speed"
    if use.said.boost and use.row.boost == BOTH:
        how = "2 m away, and goes along with it up to half the speed"
    return left_to_the_table(use, use.row.result, how=how, item=item_to_lose(use, state, check=False))


def be_thrown_down(use: Use, who: str, share: Share, state: State) -> Iterator[Fact]:
    """GR-PRO-1: on the ground; who lies there already stays there (GR-EFF-3)."""
    yield from actions.fall_prone(who, state, *RULES)


def be_stunned(use: Use, who: str, share: Share, state: State) -> Iterator[Fact]:
    """GR-OUT-17: stunned; or unconscious for the round, if no endurance is left."""
    if state.points(who, ENDURANCE):
        yield from stun(who, 1, None, use.row.name, state, *RULES)
    else:
        ends = durations.in_rounds(use.row.rounds, state, use.who)
        yield from wounds.knock_out(who, state, *RULES, ends=ends, about=use.row.name)


def be_distracted(use: Use, who: str, share: Share, state: State) -> Iterator[Fact]:
    """GR-OUT-17: concentration and actions in progress are lost; what was held cannot be used in the next turn."""
    held = concentration.held_effect(who, state)
    yield from concentration.lose_concentration(who, state, use.row.name, *RULES)
    yield from interruption.interrupt(who, use.row.name, state, *RULES)
    if held:
        yield left_to_the_table(use, "{target} cannot use {held} in its next turn", held=held)


def be_disarmed(use: Use, who: str, share: Share, state: State) -> Iterator[Fact]:
    """GR-OUT-17: an item is no longer in hand."""
    item, held = item_to_lose(use, state), weapons.held_items(who, state)
    left = ", ".join(each for each in held if each != item) or None
    yield SheetChanged(rules=RULES, who=who, key=weapons.HELD, was=", ".join(held), now=left, because=use.row.name)


def item_to_lose(use: Use, state: State, *, check: bool = True) -> str:
    """GR-OUT-17: return what a target can be made to drop: the item said, or the first; no shield."""
    safe = shields.held_shields(use.target, state)
    loose = tuple(item for item in weapons.held_items(use.target, state) if item not in safe)
    item = use.said.item or next(iter(loose), "")
    if check and item not in loose:
        raise refusal(
            "NOT-WIELDED",
            name=use.target,
            item=item or "anything to lose",
            items=", ".join(weapons.held_items(use.target, state)) or "nothing",
        )
    return item


def be_held(use: Use, who: str, share: Share, state: State) -> Iterator[Fact]:
    """GR-OUT-17: held where one is. Who is held by the target and grapples turns the hold around."""
    effect = next(effect for effect in use.row.effects if effect.name == HELD)
    own = find_condition(use.who, HELD, state)
    if effect.against == "self" and own is not None and own.about == who:
        yield condition_end(f"{HELD} {use.who}", state, use.row.name, *RULES)
    about = use.who if effect.against == "self" else ""
    yield from begin_unless_weaker(who, HELD, (), about, ends_of(use, effect, share, state), state)


SPECIAL: Final[dict[str, Callable[[Use, str, Share, State], Iterator[Fact]]]] = {
    PRONE: be_thrown_down,
    STUNNED: be_stunned,
    "distracted": be_distracted,
    "disarmed": be_disarmed,
    HELD: be_held,
}
