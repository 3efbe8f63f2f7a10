"""Poison and disease: their effects are said before the roll; a disease is resisted once a day."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.facts import ConditionBegan, Fact, Ruled
from projections.state import Condition, State
from rulebooks.common.conditions import condition_end
from rulebooks.common.decisions import decides
from rulebooks.dusk_bastards.combat.blow import AttackEffects, deal_blow
from rulebooks.dusk_bastards.declarations.combat import Defence
from rulebooks.dusk_bastards.declarations.harm import Ailment, Disease, Poison
from rulebooks.dusk_bastards.guards import check_in_play, check_no_wound_due, check_not_out, is_foe
from rulebooks.dusk_bastards.harm.conditions import check_effect
from rulebooks.dusk_bastards.harm.damage import Hit
from rulebooks.dusk_bastards.tasks.difficulty import DIFFICULTY_MOST
from rulebooks.dusk_bastards.texts import check_whole, value_refusal
from rulebooks.dusk_bastards.world.clock import A_DAY

POISONED: Final = "poisoned"
DISEASED: Final = "diseased"
NAMES: Final = {"poison": POISONED, "disease": DISEASED}
RULES: Final = {POISONED: "DB-SPEC-3", DISEASED: "DB-SPEC-4"}


class AilmentData(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The source and difficulty of an ailment, the effects of a failure, and when it was last resisted."""

    source: str
    difficulty: int
    blow: AttackEffects
    day: int | None = None  # the number of their long rests when it was last resisted
    seconds: int = 0  # and the clock


@decides(Poison, Disease)
def begin_ailment(said: Ailment, state: State) -> Iterator[Fact]:
    """DB-SPEC-3, DB-SPEC-4: the effects of a failed Might defence, as the game master says before the roll.

    DB-NPC-1: foes do not roll; they suffer it at once, unless it is ruled otherwise.
    """
    check_ailment(said, state)
    name = DISEASED if isinstance(said, Disease) else POISONED
    because = (RULES[name],)
    if is_foe(said.target, state):
        yield from deal_blow(ailment_blow(said, (*because, "DB-NPC-1")), state)
        return
    yield Ruled(rules=because, name=name, text=stakes(said), because=said.source or "so it is said", about=said.target)
    blow = ailment_blow(said, because)
    data = AilmentData(source=said.source, difficulty=said.difficulty or 0, blow=blow)
    yield ailment_condition(said.target, name, data)


def check_ailment(said: Ailment, state: State) -> None:
    """Refuse a malformed poison or disease, and one on somebody who is out of the fight."""
    check_in_play(said.target, state, "target")
    if said.difficulty is None:
        raise value_refusal("difficulty", f"1 to {DIFFICULTY_MOST}, in the line or in a ruling", None)
    check_whole("difficulty", said.difficulty, 1, DIFFICULTY_MOST)
    check_whole("damage", said.damage, 0)
    for effect in said.on_fail:
        check_effect(effect)
    check_not_out(said.target, state)
    check_no_wound_due(state)


def stakes(said: Ailment) -> str:
    """DB-SPEC-3: the effects declared before the roll, in words."""
    parts = {
        f"{said.damage} {'lasting ' if said.lasting else ''}damage": said.damage,
        "a wound": said.wound,
        **{effect.name: True for effect in said.on_fail},
        "the next action": said.lose_action,
    }
    brings = ", ".join(part for part, applies in parts.items() if applies)
    return f"{said.target} resists it with Might against {said.difficulty}, or suffers {brings or 'nothing'}"


def ailment_blow(said: Ailment, because: tuple[str, ...]) -> AttackEffects:
    """Return the effects of a failure to resist it."""
    hit = Hit(
        target=said.target,
        amount=said.damage,
        type=said.damage_type,
        ambient=said.ambient,
        lasting=said.lasting,
        how=said.source or ("disease" if isinstance(said, Disease) else "poison"),
        because=because,
    )
    return AttackEffects(hit=hit, wound=said.wound, effects=said.on_fail, lose_action=said.lose_action)


def ailment_condition(who: str, name: str, data: AilmentData) -> ConditionBegan:
    """DB-SPEC-3, DB-SPEC-4: somebody is poisoned or diseased by something, and how hard it is to resist."""
    known = (data.source, f"Might against {data.difficulty}")
    return ConditionBegan(
        rules=(RULES[name],),
        id=f"{name} {who}" + (f": {data.source}" if data.source else ""),
        who=who,
        name=name,
        about=", ".join(part for part in known if part),
        note=msgspec.json.encode(data, order="deterministic").decode(),
    )


def find_ailment(said: Defence, state: State) -> tuple[str, Condition] | None:
    """Return the ailment to resist: the one named, or the last; None if the line has its own difficulty."""
    if said.cause is None or said.difficulty is not None:
        return None
    mine = [pair for pair in state.conditions_of(said.by) if pair[1].name == NAMES[said.cause] and pair[1].note]
    named = [pair for pair in mine if said.task in ("", ailment_data(pair[1]).source)]
    return named[-1] if named else None


def ailment_data(condition: Condition) -> AilmentData:
    """Return the data of a condition that an ailment began."""
    return msgspec.json.decode(condition.note, type=AilmentData)


def check_not_resisted_today(said: Defence, state: State) -> None:
    """DB-SPEC-4: a disease is resisted once a day; a day is over after a long rest (DB-REC-4), or 24 hours later."""
    _, ailment = find_ailment(said, state) or ("", None)
    if ailment is None or ailment.name != DISEASED:
        return
    data = ailment_data(ailment)
    if data.day == state.count(said.by, "day") and state.seconds - data.seconds < A_DAY:
        raise value_refusal("disease", "one that has not been resisted today", data.source or said.cause)


def record_resistance(id: str, ailment: Condition, state: State) -> Iterator[Fact]:
    """DB-SPEC-3: a poison is resisted once; DB-SPEC-4: a disease every day, until the game master ends it."""
    if ailment.name == POISONED:
        yield condition_end(id, state, "used", "DB-SPEC-3")
        return
    day, seconds = state.count(ailment.who, "day"), state.seconds
    data = msgspec.structs.replace(ailment_data(ailment), day=day, seconds=seconds)
    yield ailment_condition(ailment.who, ailment.name, data)
