"""What conditions of maneuvers do to rolls, and the end of those that count once.

Effects by name, each with a number: `attack`, `defence`, `melee defence` and `check` are added to these rolls; `foes`
to attack rolls and checks against another team. `attack advantage` and `melee advantage` are sources of advantage, or
of disadvantage below 0; so is `others advantage`, in actions against anybody but the one whom the condition names.
Any other condition that names somebody (`about`) counts only against that being.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from ledger.facts import ConditionEnded, Ends, Fact
from ledger.names import fold_case
from projections.derived import derived, derived_of_being, grouped
from projections.state import Condition, Conditions, State
from rulebooks.common.conditions import condition_end, ending_conditions, find_condition, has_any, has_condition
from rulebooks.mars.combat.weapons import parry_items, parry_value
from rulebooks.mars.guards import are_foes
from rulebooks.mars.tasks.roll_steps import Edge, RollStep
from rulebooks.mars.tasks.roll_values import RollValue
from rulebooks.mars.tasks.stat_values import Value, armour_rating, skill_rank, value_of
from rulebooks.mars.turns.durations import USE

HIDDEN: Final = "hidden"
PROVOKED: Final = "provoked"
INTERCEPT: Final = "intercept"
PROTECTED: Final = "protected"  # by the one whom the condition names
HARD_PARRY: Final = "hard-parry"
ANSWERS: Final = (HARD_PARRY, INTERCEPT, PROTECTED)  # to one attack
PARRY_SKILLS: Final = ("finesse", "martial")
SMALL_PARRY: Final = 6
QUICK_RELOAD: Final = "quick-reload"
RELOAD: Final = "reload"
RULE: Final = "GR-OUT-17"
TURN_END: Final = "turn_end"
FOES: Final = "foes"


class Aids(msgspec.Struct, frozen=True):
    """What maneuvers add to a roll: steps, sources of advantage, then of disadvantage, and the ids of conditions."""

    steps: tuple[RollStep, ...] = ()
    edges: tuple[Edge, ...] = ()
    ids: tuple[str, ...] = ()


NO_AIDS: Final = Aids()


def attack_aids(who: str, target: str, state: State, *, melee: bool) -> Aids:
    """Return what maneuvers do to an attack roll of somebody."""
    edges = ("attack advantage", "melee advantage") if melee else ("attack advantage",)
    return collect(who, target, ("attack", FOES), edges, state, acts=True)


def defence_aids(who: str, attacker: str, state: State, *, melee: bool) -> Aids:
    """Return what maneuvers do to a roll of deflection, or what takes its place, against an attacker."""
    return collect(who, attacker, ("defence", "melee defence") if melee else ("defence",), (), state)


def check_aids(who: str, target: str, state: State) -> Aids:
    """Return what maneuvers do to a check of somebody, against a target if it has one."""
    return collect(who, target, ("check", FOES), (), state, acts=True)


def resist_aids(who: str, by: str, state: State) -> Aids:
    """Return what maneuvers do to a roll that resists one: it is no action."""
    return collect(who, by, ("check", FOES), (), state)


def collect(
    who: str, other: str, adds: tuple[str, ...], edges: tuple[str, ...], state: State, *, acts: bool = False
) -> Aids:
    """Return the effects of these names on a roll of somebody against somebody else, or against nobody.

    Those of the name `FOES` count against enemies. `acts`: the roll is an action against the other.
    """
    conditions = conditions_with_effects(who, state)
    if not conditions:
        return NO_AIDS
    if not (other and are_foes(who, other, state)):
        adds = tuple([name for name in adds if name != FOES])
    steps: list[RollStep] = []
    plus: list[Edge] = []
    minus: list[Edge] = []
    ids: list[str] = []
    for id, condition in conditions:
        known, counts = dict(condition.effects), condition.about in ("", other)
        amount = sum(known.get(name, 0) for name in adds) if counts else 0
        sources = sum(known.get(name, 0) for name in edges) if counts else 0
        if acts and other and not counts:
            sources += known.get("others advantage", 0)
        if amount:
            steps.append(RollStep(amount, condition.name, RULE))
        edge = Edge(1 if sources > 0 else -1, condition.name, RULE)
        (plus if sources > 0 else minus).extend([edge] * abs(sources))
        if amount or sources:
            ids.append(id)
    return Aids(tuple(steps), (*plus, *minus), tuple(ids))


@derived_of_being
def conditions_with_effects(who: str, state: State) -> Conditions:
    """Return the conditions of somebody that have effects, with their ids, oldest first."""
    return tuple([(id, condition) for id, condition in state.conditions_of(who) if condition.effects])


def end_used(aids: Aids, state: State) -> Iterator[ConditionEnded]:
    """End the conditions that count for one roll, after that roll."""
    for id in aids.ids:
        if id in state.conditions and is_single(state.conditions[id]):
            yield condition_end(id, state, "used", RULE)


def is_single(condition: Condition) -> bool:
    """Tell whether a condition counts for one roll only."""
    return any(end.at == USE for end in condition.ends)


def end_of_turn(state: State) -> Iterator[ConditionEnded]:
    """End what lasts as long as the present turn."""
    for id, condition in ending_conditions(state):
        if any(end.at == TURN_END for end in condition.ends):
            yield condition_end(id, state, "the turn is over", RULE)


def this_turn(state: State) -> Ends:
    """Return the end of the present turn."""
    encounter = state.encounter
    return Ends(at=TURN_END, whose=encounter.turn if encounter else "")


def intercepted(target: str, state: State) -> str:
    """GR-OUT-17: return who is hit in place of a target: the one who has changed places with it, if anybody has."""
    condition = find_condition(target, PROTECTED, state)
    return condition.about if condition else target


def defends_free(who: str, state: State) -> bool:
    """GR-OUT-17: tell whether a block or a parry costs nothing: after changing places with an ally."""
    return has_condition(who, INTERCEPT, state)


def hard_parry(who: str, attacker: str, state: State) -> Value | None:
    """GR-OUT-17: return what a hard parry rolls against an attacker: the combat skill, AR, and 1 or 2 by the item."""
    condition = find_condition(who, HARD_PARRY, state)
    if condition is None or condition.about != attacker or not (items := parry_items(who, state)):
        return None
    skill = max(PARRY_SKILLS, key=lambda name: skill_rank(who, name, state))
    value = value_of(who, skill, state)
    parry = max(parry_value(who, item, state).most for item in items)
    flat = armour_rating(who, state) + (1 if parry <= SMALL_PARRY else 2)
    return Value(name=f"{HARD_PARRY} ({skill})", roll=value.roll + RollValue(0, flat), stats=value.stats)


def end_answers(who: str, state: State) -> Sequence[ConditionEnded]:
    """End what somebody did against one attack, after that attack."""
    ids = answers_to_attacks(state).get(who)
    return [condition_end(id, state, "used", RULE) for id in ids] if ids else ()


@derived("conditions")
def answers_to_attacks(state: State) -> Mapping[str, tuple[str, ...]]:
    """GR-OUT-17: return hard parries and what an exchange of places leaves, by who is hit: mostly there is nothing."""
    answers = [(id, each) for id, each in state.conditions.items() if each.name in ANSWERS]
    if not answers:
        return {}
    answers.sort(key=lambda answer: ANSWERS.index(answer[1].name))
    return grouped([(each.about if each.name == PROTECTED else each.who, id) for id, each in answers])


def half_speeds(who: str, state: State) -> int:
    """GR-GAP-24: return how often maneuvers halve somebody's speed."""
    return sum(dict(condition.effects).get("half speed", 0) for _, condition in state.conditions_of(who))


def reload_speed(who: str, note: str, speed: int, state: State) -> Generator[Fact, None, int]:
    """Return the speed of handling something: the next reload after a quick reload is one faster."""
    id = f"{QUICK_RELOAD} {who}"
    if id not in state.conditions or RELOAD not in fold_case(note) or not speed:
        return speed
    yield condition_end(id, state, "used", RULE)
    return speed - 1


def is_hidden_from(who: str, other: str, state: State) -> bool:
    """GR-ATK-7: tell whether an escape hides somebody from another."""
    condition = find_condition(who, HIDDEN, state)
    return condition is not None and condition.about == other


def is_provoked_by_ally_of(who: str, attacker: str, state: State) -> bool:
    """GR-ATK-7: tell whether the first attack of an ally of the taunter on somebody is a sneak attack."""
    condition = find_condition(who, PROVOKED, state)
    if condition is None or condition.about == attacker:
        return False
    return not are_foes(condition.about, attacker, state)


def may_sneak(attacker: str, target: str, state: State) -> bool:
    """GR-ATK-7: tell whether something may make this a sneak attack once: mostly nobody has escaped or was taunted."""
    return is_concealed(attacker, state) or is_concealed(target, state)


@derived_of_being
def is_concealed(who: str, state: State) -> bool:
    """GR-ATK-7: tell whether somebody is hidden from somebody, or provoked by somebody's ally."""
    return has_any(who, (HIDDEN, PROVOKED), state)


def end_sneak(attacker: str, target: str, state: State) -> Iterator[ConditionEnded]:
    """End what made an attack a sneak attack once: an escape, a provocation."""
    if is_hidden_from(attacker, target, state):
        yield condition_end(f"{HIDDEN} {attacker}", state, "an attack from hiding", RULE)
    if is_provoked_by_ally_of(target, attacker, state):
        yield condition_end(f"{PROVOKED} {target}", state, "used", RULE)
