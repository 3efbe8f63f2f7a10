"""Poison and disease: what was said before the roll, who resists it, and once a day for as long as an illness lasts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.facts import ConditionBegan, Fact, Ruled
from projections.state import Condition, State
from rulebooks.dusk_bastards.combat.results import Blow, deal_blow
from rulebooks.dusk_bastards.declarations import Ailment, Defence, Disease
from rulebooks.dusk_bastards.guards import check_in_play, check_no_wound_due, check_not_out
from rulebooks.dusk_bastards.harm.conditions import check_effect
from rulebooks.dusk_bastards.harm.damage import Hit
from rulebooks.dusk_bastards.tasks.difficulty import DIFFICULTY_MOST
from rulebooks.dusk_bastards.texts import value_refused, whole
from rulebooks.dusk_bastards.world.clock import A_DAY, condition_end

POISONED: Final = "poisoned"
DISEASED: Final = "diseased"
NAMES: Final = {"poison": POISONED, "disease": DISEASED}
RULES: Final = {POISONED: "DB-SPEC-3", DISEASED: "DB-SPEC-4"}


class AilmentData(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is resisted, what a failure brings, and on which day it was last resisted."""

    difficulty: int
    blow: Blow
    day: str = ""


def begin_ailment(said: Ailment, state: State) -> Iterator[Fact]:
    """DB-SPEC-3, DB-SPEC-4: what a failed Might defence brings, as the game master says before the roll.

    DB-NPC-1: foes do not roll; it comes to them at once, unless it is ruled otherwise.
    """
    check_ailment(said, state)
    name = DISEASED if isinstance(said, Disease) else POISONED
    being, because = state.being(said.target), (RULES[name],)
    if being is not None and being.kind == "npc":
        yield from deal_blow(ailment_blow(said, (*because, "DB-NPC-1")), state)
        return
    yield Ruled(rules=because, name=name, text=stakes(said), because=said.source or "so it is said", about=said.target)
    brought = AilmentData(difficulty=said.difficulty or 0, blow=ailment_blow(said, because))
    yield ailment_condition(said.target, name, said.source, brought)


def check_ailment(said: Ailment, state: State) -> None:
    """The form of a poison or a disease, and somebody to suffer it."""
    check_in_play(said.target, state, "target")
    if said.difficulty is None:
        raise value_refused("difficulty", f"1 to {DIFFICULTY_MOST}, said or ruled before", "nothing")
    whole("difficulty", said.difficulty, 1, DIFFICULTY_MOST)
    whole("damage", said.damage, 0)
    for effect in said.on_fail:
        check_effect(effect)
    check_not_out(said.target, state)
    check_no_wound_due(state)


def stakes(said: Ailment) -> str:
    """DB-SPEC-3: what was said before the roll, in words."""
    found = {
        f"{said.damage} {'lasting ' if said.lasting else ''}damage": said.damage,
        "a wound": said.wound,
        **{effect.name: True for effect in said.on_fail},
        "the next action": said.lose_action,
    }
    brings = ", ".join(what for what, there in found.items() if there)
    return f"{said.target} resists it with Might against {said.difficulty}, or suffers {brings or 'nothing'}"


def ailment_blow(said: Ailment, because: tuple[str, ...]) -> Blow:
    """What it does to whoever does not resist it."""
    hit = Hit(
        target=said.target,
        amount=said.damage,
        type=said.damage_type,
        ambient=said.ambient,
        lasting=said.lasting,
        how=said.source or ("disease" if isinstance(said, Disease) else "poison"),
        because=because,
    )
    return Blow(hit=hit, wound=said.wound, effects=said.on_fail, lose_action=said.lose_action)


def ailment_condition(who: str, name: str, source: str, brought: AilmentData) -> ConditionBegan:
    """Somebody is poisoned or diseased by something."""
    return ConditionBegan(
        rules=(RULES[name],),
        id=f"{name} {who}" + (f": {source}" if source else ""),
        who=who,
        name=name,
        about=source,
        data=msgspec.json.encode(brought, order="deterministic").decode(),
    )


def find_ailment(said: Defence, state: State) -> tuple[str, Condition] | None:
    """What is resisted: the ailment that is named, or the last; None when the roll brings its own numbers."""
    if said.cause is None or said.difficulty is not None:
        return None
    mine = [pair for pair in state.conditions_of(said.by) if pair[1].name == NAMES[said.cause] and pair[1].data]
    named = [pair for pair in mine if said.task in ("", pair[1].about)]
    return named[-1] if named else None


def ailment_data(condition: Condition) -> AilmentData:
    """What is known of an ailment."""
    return msgspec.json.decode(condition.data, type=AilmentData)


def check_not_resisted_today(said: Defence, state: State) -> None:
    """DB-SPEC-4: a disease is resisted once a day."""
    found = find_ailment(said, state)
    if found is not None and found[1].name == DISEASED and ailment_data(found[1]).day == today(said.by, state):
        raise value_refused("disease", "one that has not been resisted today", found[1].about or said.cause)


def today(who: str, state: State) -> str:
    """The day of the story, and somebody's own, which a long rest ends."""
    return f"{state.clock.get('seconds', 0) // A_DAY}.{state.count(who, 'day')}"


def record_resistance(found: tuple[str, Condition], state: State) -> Iterator[Fact]:
    """DB-SPEC-3: a poison is resisted once; DB-SPEC-4: a disease every day, until the game master ends it."""
    id, condition = found
    if condition.name == POISONED:
        yield condition_end(id, state, "used", "DB-SPEC-3")
        return
    brought = msgspec.structs.replace(ailment_data(condition), day=today(condition.who, state))
    yield ailment_condition(condition.who, condition.name, condition.about, brought)
