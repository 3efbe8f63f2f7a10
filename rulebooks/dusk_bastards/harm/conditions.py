"""Special damage: conditions, how they begin and end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import ConditionBegan, Fact, Ruled
from projections.state import State
from rulebooks.common.conditions import condition_end, has_condition
from rulebooks.common.decisions import decides
from rulebooks.common.values import shared_fields
from rulebooks.dusk_bastards.declarations.harm import SetCondition
from rulebooks.dusk_bastards.declarations.parts import Effect
from rulebooks.dusk_bastards.guards import STUNNED, check_being, check_no_wound_due, encounter_of, is_foe
from rulebooks.dusk_bastards.harm.durations import duration, last_moment
from rulebooks.dusk_bastards.harm.health import LASTING
from rulebooks.dusk_bastards.harm.stun import stun
from rulebooks.dusk_bastards.tasks.effects import DAZED
from rulebooks.dusk_bastards.texts import check_whole, value_refusal

CONDITIONS: Final = (
    "dazed",
    "stunned",
    "prone",
    "paralysed",
    "poisoned",
    "diseased",
    "blind",
    "deaf",
    "cover",
    "full_cover",
    "hidden",
    "invisible",
    "incapacitated",
)
LOCATED: Final = "located"
NAMES: Final = (*CONDITIONS, LOCATED)
OWN: Final = (  # names that no table may give its own conditions
    *("failed", "missed", "rising", "dead", "charging", "defending", "delayed"),
    *("casting", "without a standard action", "taking cover", "intercepted", "stopped", "absent"),
)
UNSEEN: Final = ("hidden", "invisible")
RULES: Final = {
    DAZED: "DB-SPEC-1",
    STUNNED: "DB-SPEC-2",
    "poisoned": "DB-SPEC-3",
    "diseased": "DB-SPEC-4",
    "paralysed": "DB-SPEC-5",
    "prone": "DB-POS-1",
    "cover": "DB-COVER-1",
    "full_cover": "DB-COVER-2",
    "hidden": "DB-VIS-3",
    "invisible": "DB-VIS-4",
    LOCATED: "DB-VIS-3",
    "incapacitated": "DB-DMG-5",
    LASTING: "DB-SPEC-4",
}


@decides(SetCondition)
def set_condition(said: SetCondition, state: State) -> Iterator[Fact]:
    """DB-SPEC-1 to 7: the game master gives somebody a condition, or ends it."""
    check_being(said.target, state, "target")
    if said.whose and encounter_of(said.whose, state) is None:
        raise value_refusal("whose", "somebody in the encounter that is running", said.whose)
    effect = Effect(**shared_fields(said, Effect))
    check_effect(effect)
    check_no_wound_due(state)
    if said.off:
        for id, condition in state.conditions_of(said.target):
            if condition.name == said.name:
                yield condition_end(id, state, "removed", condition_rule(effect))
        return
    if said.text:
        rules = ("DB-SPEC-6", "DB-PLAY-7")
        yield Ruled(rules=rules, name="condition", text=said.text, because=said.name, about=said.target)
    yield from impose(said.target, effect, state, whose=said.whose)


def check_effect(effect: Effect) -> None:
    """DB-PLAY-9: a name that is not the book's own, one duration at most, whole steps (DB-MOD-6), one turn of stun."""
    if not effect.name or effect.name in OWN:
        raise value_refusal("name", f"a condition: {', '.join(NAMES)} or another word", effect.name or None)
    durations = {field: getattr(effect, field) for field in ("rounds", "lasts", "until") if getattr(effect, field)}
    if len(durations) > 1:
        raise value_refusal("duration", "one of rounds, a time and until", ", ".join(durations))
    for field in ("rounds", "lasts"):
        if getattr(effect, field) is not None:
            check_whole(field, getattr(effect, field), 1)
    if effect.name == STUNNED and effect not in (Effect(STUNNED), Effect(STUNNED, rounds=1)):
        raise value_refusal("stunned", "said alone: a stun costs one turn (DB-ZERO-3)", "more than that")
    for field in ("armor", "magic", "effort"):
        check_whole(field, getattr(effect, field), 0)


def effect_numbers(effect: Effect) -> tuple[tuple[str, int], ...]:
    """DB-SPEC-7: the steps of a condition (above 0 eases) on all tasks, attacks or the defence; and its gifts.

    DB-ARMOR-2, DB-EFFORT-6, DB-SKILL-1: armor of an ability or of magic, free levels of Effort, a skill.
    """
    numbers = {
        "tasks": effect.tasks,
        "attacks": effect.attacks,
        "defence": effect.defence,
        "armor.ability": effect.armor,
        "armor.magic": effect.magic,
        "effort": effect.effort,
        f"skill.{effect.trained}": 1 if effect.trained else 0,
        f"skill.{effect.specialized}": 2 if effect.specialized else 0,
    }
    return tuple((name, number) for name, number in numbers.items() if number)


def impose(who: str, effect: Effect, state: State, *rules: str, whose: str = "") -> Iterator[Fact]:
    """DB-SPEC-7: a condition begins. DB-MOD-4, DB-SPEC-1: the same one again does not add up; the later end counts."""
    if effect.name == STUNNED:
        yield stun(who, state, *rules, "DB-SPEC-2")
        return
    id, (ends, duration_rules) = f"{effect.name} {who}", duration(effect, who, whose, state)
    earlier = state.conditions.get(id)
    if earlier is not None:
        ends = max(ends, earlier.ends, key=lambda each: last_moment(each, state))
    yield ConditionBegan(
        rules=(condition_rule(effect), *rules, *duration_rules, *foe_rules(who, state)),
        id=id,
        who=who,
        name=effect.name,
        effects=effect_numbers(effect),
        ends=ends,
    )
    if effect.name in UNSEEN and has_condition(who, LOCATED, state):
        yield condition_end(f"{LOCATED} {who}", state, "hidden anew", "DB-VIS-3")
    if effect.name == "paralysed":
        yield from impose(who, Effect("prone"), state, "DB-SPEC-5")


def condition_rule(effect: Effect) -> str:
    """Return the rule of a condition: the book's, or DB-SPEC-7 if it has numbers, or DB-SPEC-6."""
    return RULES.get(effect.name) or ("DB-SPEC-7" if effect_numbers(effect) else "DB-SPEC-6")


def foe_rules(who: str, state: State) -> tuple[str, ...]:
    """DB-NPC-1: conditions do the same to foes, unless it is ruled otherwise."""
    return ("DB-NPC-1",) if is_foe(who, state) else ()
