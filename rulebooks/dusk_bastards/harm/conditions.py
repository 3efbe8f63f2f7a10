"""Special damage: conditions that somebody is in, the steps that they carry, and how long they last."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import ConditionBegan, Ends, Fact, Ruled
from projections.state import Encounter, State
from rulebooks.dusk_bastards.declarations import Effect, SetCondition
from rulebooks.dusk_bastards.guards import check_being, check_no_wound_due, encounter_of
from rulebooks.dusk_bastards.harm.benefits import EFFORT
from rulebooks.dusk_bastards.harm.damage import LASTING, STUNNED, stun
from rulebooks.dusk_bastards.rulings import CONDITIONS
from rulebooks.dusk_bastards.tasks.effects import DAZED
from rulebooks.dusk_bastards.texts import value_refused, whole
from rulebooks.dusk_bastards.world.clock import COMBAT, ROUND, condition_end

LOCATED: Final = "located"
NAMES: Final = (*CONDITIONS, LOCATED)
OWN: Final = (  # the book's, nobody else's
    *("failed", "missed", "rising", "dead", "charging", "defending", "delayed"),
    *("casting", "without a standard action", "taking cover", "intercepted", "stopped"),
)
UNTIL_MOVED: Final = ("prone", "cover", "full_cover")
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
MINUTE: Final = 60


def set_condition(said: SetCondition, state: State) -> Iterator[Fact]:
    """DB-SPEC-1 to 7: the game master says that something holds for somebody, or holds no longer."""
    check_being(said.target, state, "target")
    if said.whose and encounter_of(said.whose, state) is None:
        raise value_refused("whose", "somebody in the encounter that is running", said.whose)
    effect = Effect(**{field: getattr(said, field) for field in Effect.__struct_fields__})
    check_effect(effect)
    check_no_wound_due(state)
    if said.off:
        for id, found in state.conditions_of(said.target):
            if found.name == said.name:
                yield condition_end(id, state, "removed", condition_rule(effect))
        return
    if said.text:
        rules = ("DB-SPEC-6", "DB-PLAY-7")
        yield Ruled(rules=rules, name="condition", text=said.text, because=said.name, about=said.target)
    yield from impose(said.target, effect, state, whose=said.whose)


def check_effect(effect: Effect) -> None:
    """DB-PLAY-9: a name that is not the book's own, one duration at most, whole steps (DB-MOD-6), one turn of stun."""
    if not effect.name or effect.name in OWN:
        raise value_refused("name", f"a condition: {', '.join(NAMES)} or another word", effect.name or "nothing")
    given = {field: getattr(effect, field) for field in ("rounds", "lasts", "until") if getattr(effect, field)}
    if len(given) > 1:
        raise value_refused("duration", "one of rounds, a time and until", ", ".join(given))
    for field in ("rounds", "lasts"):
        if getattr(effect, field) is not None:
            whole(field, getattr(effect, field), 1)
    if effect.name == STUNNED and effect not in (Effect(STUNNED), Effect(STUNNED, rounds=1)):
        raise value_refused("stunned", "said alone: a stun costs one turn (DB-ZERO-3)", "more than that")
    for field in ("armor", "magic", "effort"):
        whole(field, getattr(effect, field), 0)


def impose(who: str, effect: Effect, state: State, *rules: str, whose: str = "") -> Iterator[Fact]:
    """DB-SPEC-7: a condition begins. DB-MOD-4, DB-SPEC-1: the same one again does not add up; the later end counts."""
    if effect.name == STUNNED:
        yield stun(who, state, *rules, "DB-SPEC-2")
        return
    id, (ends, lasting) = f"{effect.name} {who}", duration(effect, who, whose, state)
    earlier = state.conditions.get(id)
    if earlier is not None:
        ends = max(ends, earlier.ends, key=lambda some: last_moment(some, state))
    yield ConditionBegan(
        rules=(condition_rule(effect), *rules, *lasting, *foe_rules(who, state)),
        id=id,
        who=who,
        name=effect.name,
        effects=effect_numbers(effect),
        ends=ends,
    )
    if effect.name in UNSEEN and f"{LOCATED} {who}" in state.conditions:
        yield condition_end(f"{LOCATED} {who}", state, "hidden anew", "DB-VIS-3")
    if effect.name == "paralysed":
        yield from impose(who, Effect("prone"), state, "DB-SPEC-5")


def condition_rule(effect: Effect) -> str:
    """The rule of a condition that the book names; DB-SPEC-7 of one with steps; DB-SPEC-6 of any other."""
    return RULES.get(effect.name) or ("DB-SPEC-7" if effect_numbers(effect) else "DB-SPEC-6")


def foe_rules(who: str, state: State) -> tuple[str, ...]:
    """DB-NPC-1: on the game master's people conditions do the same, unless it is ruled otherwise."""
    being = state.being(who)
    return ("DB-NPC-1",) if being is not None and being.kind == "npc" else ()


def effect_numbers(effect: Effect) -> tuple[tuple[str, int], ...]:
    """DB-SPEC-7: what the condition eases (above 0) or hinders, on all tasks, attacks or the defence; what it gives.

    DB-ARMOR-2, DB-EFFORT-6, DB-SKILL-1: armor of an ability or of magic, free levels of Effort, a skill.
    """
    found = {
        "tasks": effect.tasks,
        "attacks": effect.attacks,
        "defence": effect.defence,
        "armor.ability": effect.armor,
        "armor.magic": effect.magic,
        EFFORT: effect.effort,
        f"skill.{effect.trained}": 1 if effect.trained else 0,
        f"skill.{effect.specialized}": 2 if effect.specialized else 0,
    }
    return tuple((on, number) for on, number in found.items() if number)


# How long it lasts


def duration(effect: Effect, who: str, whose: str, state: State) -> tuple[tuple[Ends, ...], tuple[str, ...]]:
    """When a condition ends, and by which rules. None said: as long as such conditions do."""
    usual = 1 if effect.name == DAZED and not (effect.lasts or effect.until) else None
    if rounds := effect.rounds or usual:
        return after_rounds(rounds, who, whose, state)
    if effect.lasts:
        return after_time(effect.lasts, who, whose, state)
    if effect.until == "encounter":
        return (Ends(at="encounter"),), ("DB-ENC-12",)
    if effect.until is None and effect.name in UNTIL_MOVED:
        return (Ends(at="move", whose=who), Ends(at="encounter")), ("DB-GAP-67",)
    return (), ()


def after_rounds(rounds: int, who: str, whose: str, state: State) -> tuple[tuple[Ends, ...], tuple[str, ...]]:
    """DB-DUR-1: so many rounds later, at the start of the slot in which it was made (DB-DUR-2).

    Rounds without slots end whole; where no round is running, they are the time that they take (DB-TIME-1).
    """
    found = encounter_of(who, state)
    if found is None:
        return (in_seconds(rounds * ROUND[COMBAT], state),), ("DB-TIME-1", "DB-TIME-3")
    if found.phase and (found.turn or whose):
        slot = Ends(at="slot", whose=whose or found.turn, phase=found.phase, due=found.round + rounds)
        return (slot,), ("DB-DUR-1", "DB-DUR-2")
    whole_rounds = Ends(at="round", due=max(found.round, 1) + rounds - 1)
    if found.scale == COMBAT:
        return (whole_rounds,), ("DB-DUR-1",)
    return (whole_rounds, in_seconds(rounds * ROUND[found.scale], state)), ("DB-DUR-1", "DB-TIME-1")


def after_time(seconds: int, who: str, whose: str, state: State) -> tuple[tuple[Ends, ...], tuple[str, ...]]:
    """DB-TIME-2: a minute that begins in an encounter is the rest of it; DB-TIME-3: else the clock of the story.

    What is shorter than a minute in a fight, or is counted in rounds of another scale, is so many rounds.
    """
    found = encounter_of(who, state)
    if found is not None and seconds == MINUTE:
        return (Ends(at="encounter"),), ("DB-TIME-2",)
    if found is not None and (seconds < MINUTE or found.scale != COMBAT):
        size = ROUND[found.scale]
        ends, rules = after_rounds((seconds + size - 1) // size, who, whose, state)
        return ends, (*rules, "DB-TIME-1")
    return (in_seconds(seconds, state),), ("DB-TIME-3",)


def in_seconds(seconds: int, state: State) -> Ends:
    """DB-TIME-3: when the clock has gone on by so much."""
    return Ends(at="seconds", due=state.clock.get("seconds", 0) + seconds)


def last_moment(ends: tuple[Ends, ...], state: State) -> tuple[int, ...]:
    """Which of two ends comes later: slots in their order, the end of the encounter, a time, and no end at all."""
    return min((_moment(end, state.encounter) for end in ends), default=(4,))


def _moment(end: Ends, found: Encounter | None) -> tuple[int, ...]:
    if end.at in ("slot", "turn", "round"):
        return 0, end.due, *_place(end, found)
    return ({"move": 1, "use": 1, "encounter": 2}.get(end.at, 3), end.due)


def _place(end: Ends, found: Encounter | None) -> tuple[int, int]:
    """DB-ENC-6, DB-ENC-8: where in its round a slot comes: movement from the lowest place, action from the highest."""
    if end.at != "slot" or found is None:
        return 2, 0
    names = [slot.slot for slot in found.order]
    place = names.index(end.whose) if end.whose in names else len(names)
    return (0, -place) if end.phase == "movement" else (1, place)
