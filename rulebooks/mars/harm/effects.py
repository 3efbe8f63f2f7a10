"""Effects: how they begin, how long they last, and how they are ended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.facts import Ends, Fact
from projections.state import Condition, State
from rulebooks.common.conditions import find_condition, has_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.mars import guards
from rulebooks.mars.declarations.harm import ApplyEffect, RemoveEffect
from rulebooks.mars.harm import concentration, fire, stat_changes, wounds
from rulebooks.mars.harm.sickness import DIFFICULTY, WEEK, Course, fall_sick, sicknesses
from rulebooks.mars.harm.stun import stun
from rulebooks.mars.tasks import roll_steps, stat_values
from rulebooks.mars.texts import check_whole, refusal
from rulebooks.mars.turns.durations import DAY, in_rounds, lasts_longer

CHANGE: Final = "change"
PLAIN: Final = {
    guards.BLIND: ("GR-BLI-1", "GR-BLI-2"),
    guards.ENCUMBERED: ("GR-ENB-1",),
    guards.OVERENCUMBERED: ("GR-ENB-2",),
    guards.PRONE: ("GR-PRO-1", "GR-PRO-2"),
    guards.HELD: ("GR-EFF-1",),
}
OF_A_STAT: Final = {guards.DEBILITATION: "GR-DEB-1", guards.ENHANCEMENT: "GR-ENH-1"}
STATES: Final = (guards.BURNING, guards.STUNNED, guards.UNCONSCIOUS)  # what somebody is said to be
SAID: Final = {"held": guards.HELD}  # a shorter word on a line; what somebody has in hand is `held` on the sheet
EFFECTS: Final = (
    *PLAIN,
    *OF_A_STAT,
    guards.BURNING,
    guards.SICKNESS,
    guards.STUNNED,
    guards.UNCONSCIOUS,
    guards.DYING,
    CHANGE,
)


@decides(ApplyEffect)
def apply_effect(said: ApplyEffect, state: State) -> Iterator[Fact]:
    """GR-EFF-1: the game master, or a source that the table knows, gives somebody an effect."""
    guards.check_alive(said.target, state)
    said = msgspec.structs.replace(said, effect=SAID.get(said.effect, said.effect))
    check_effect(said)
    who, rule = said.target, "GR-EFF-1"
    if said.effect == guards.BURNING:
        yield from fire.ignite(who, said.degree, said.source, state, rule)
    elif said.effect == guards.STUNNED:
        yield from stun(who, said.degree, said.difficulty, said.source, state, rule)
    elif said.effect == guards.SICKNESS:
        yield begin_sickness(said, state)
    elif said.effect == guards.UNCONSCIOUS:
        yield from wounds.knock_out(who, state, rule, ends=effect_ends(said, state), about=said.source)
    elif said.effect == guards.DYING:
        yield from wounds.begin_dying(who, state, rule)
    elif said.effect == CHANGE:
        yield from change_stat(said, state)
    else:
        yield from begin_plain(said, state)


def check_effect(said: ApplyEffect) -> None:
    """Refuse an unknown effect, one that lacks its stat, and numbers outside their range."""
    if said.effect not in EFFECTS or ((said.effect in OF_A_STAT or said.effect == CHANGE) and said.stat is None):
        effects, named = ", ".join(EFFECTS), said.effect + (" without a stat" if said.effect in EFFECTS else "")
        raise refusal("EFFECT", case="unknown", name=said.target, effect=named, effects=effects)
    check_whole("degree", said.degree, 1)
    for field in ("difficulty", "rounds", "days"):
        value = getattr(said, field)
        if value is not None:
            check_whole(field, value, 0 if field == "difficulty" else 1)
    if said.effect == CHANGE and not said.amount:
        raise refusal("VALUE", what="amount", given=said.amount, domain="a number above or below 0")


def effect_ends(said: ApplyEffect, state: State) -> tuple[Ends, ...]:
    """GR-RND-3: when an effect ends; GR-EFF-1: an effect without an end lasts until it is ended."""
    rounds = in_rounds(said.rounds, state, said.by_whom) if said.rounds else ()
    days = (Ends(at=DAY, whose=said.target, due=state.count("", DAY) + said.days),) if said.days else ()
    return (*rounds, *days)


def begin_sickness(said: ApplyEffect, state: State) -> Fact:
    """GR-SIC-5: a sickness with the difficulty and the days of its source, or the usual ones."""
    difficulty = DIFFICULTY if said.difficulty is None else said.difficulty
    course = Course(difficulty=difficulty, days=said.days or WEEK)
    ends = in_rounds(said.rounds, state, said.by_whom) if said.rounds else ()
    return fall_sick(said.target, said.degree, course, said.source, state, "GR-EFF-1", ends=ends)


def change_stat(said: ApplyEffect, state: State) -> Iterator[Fact]:
    """GR-EFF-2: a change for a while, if it is said to be one or has a duration; else for good."""
    ends = effect_ends(said, state)
    stat = said.stat or ""
    if said.temporary or ends:
        yield from stat_changes.change_for_a_while(said.target, stat, said.amount, said.source, ends, state)
    else:
        yield from stat_changes.change_for_good(said.target, stat, said.amount, said.source or "an effect", state)


def begin_plain(said: ApplyEffect, state: State) -> Iterator[Fact]:
    """GR-EFF-3: effects of one kind do not add up. The one that lasts longer counts."""
    name = f"{said.effect} {said.stat}" if said.effect in OF_A_STAT else said.effect
    rules = PLAIN.get(said.effect) or (OF_A_STAT[said.effect],)
    ends, earlier = effect_ends(said, state), find_condition(said.target, name, state)
    if earlier is None or lasts_longer(ends, earlier.ends):
        yield new_condition(said.target, name, *rules, "GR-EFF-1", about=said.source, ends=ends)
    if earlier is not None:
        yield wounds.notice(
            said.target, f"no further effect: {said.target} is under {name} already", "GR-EFF-3", *rules
        )


@decides(RemoveEffect)
def remove_effect(said: RemoveEffect, state: State) -> Iterator[Fact]:
    """GR-EFF-1: an effect ends before its time, or at last."""
    guards.check_alive(said.target, state)
    said = msgspec.structs.replace(said, effect=SAID.get(said.effect, said.effect))
    ids = conditions_named(said, state)
    if not ids:
        effect = " ".join(str(word) for word in (said.effect, said.stat, said.degree) if word is not None)
        own = (each for _, each in state.conditions_of(said.target) if not each.data)
        effects = ", ".join(sorted({written_effect(each) for each in own})) or "none"
        raise refusal("EFFECT", name=said.target, effect=effect, effects=effects)
    if said.effect == guards.UNCONSCIOUS and has_condition(said.target, guards.DYING, state):
        raise refusal("DYING", name=said.target)
    if said.effect == guards.DYING:
        yield from wounds.end_dying(said.target, state, said.reason or "removed", "GR-EFF-1")
        return
    because = said.reason or ("removed" if said.effect in PLAIN or said.effect in STATES else "ended")
    if said.effect == guards.CONCENTRATION:
        yield from concentration.lose_concentration(said.target, state, because, "GR-EFF-1")
        return
    penalties_first = sorted(
        ids, key=lambda id: state.conditions[id].name.endswith(stat_changes.BONUS)
    )  # a bonus cuts the points
    for id in penalties_first:
        yield from stat_changes.lift_change(id, because, state, "GR-EFF-1")


def written_effect(condition: Condition) -> str:
    """Return how a line that removes a condition names it."""
    name = condition.name.removeprefix(stat_values.LASTING)
    if is_injury(condition):
        return name.replace(guards.DEBILITATION, roll_steps.INJURY)
    short = next((word for word, full in SAID.items() if full == name), name)
    return f"{short} {condition.degree}" if name == guards.SICKNESS else short


def is_injury(condition: Condition) -> bool:
    """GR-OUT-15: whether a debilitation is an injury."""
    return condition.about == roll_steps.INJURY and condition.name.startswith(guards.DEBILITATION)


def conditions_named(said: RemoveEffect, state: State) -> list[str]:
    """Return the ids of the conditions of somebody that a line names."""
    if said.effect == guards.SICKNESS:
        found = sicknesses(said.target, state)
        return [id for id, each in found if said.degree in (None, each.degree)]
    words = (word for word, name in SAID.items() if name == said.effect)  # older ledgers have it under that name
    of_stat = (
        f"{said.effect} {said.stat}",
        f"{said.stat} {said.effect}",
        f"{stat_values.LASTING}{said.stat} {said.effect}",
    )
    names = {said.effect, *of_stat, *words}
    if said.effect == CHANGE:
        names = {
            name(said.stat or "", sign)
            for sign in (1, -1)
            for name in (stat_changes.change_name, stat_changes.lasting_name)
        }
    if said.effect == roll_steps.INJURY:
        names = {f"{guards.DEBILITATION} {said.stat}"}
    own = [(id, each) for id, each in state.conditions_of(said.target) if each.name in names and not each.data]
    injuries = [(id, each) for id, each in own if is_injury(each)]
    others = [(id, each) for id, each in own if not is_injury(each)]
    named = injuries if said.effect == roll_steps.INJURY else others or injuries
    return [id for id, each in named if said.degree in (None, each.degree)]
