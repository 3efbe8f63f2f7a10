"""Stats, derived stats and skills as roll values, and what changes them for a while."""

from __future__ import annotations

from typing import Final

import msgspec

from ledger.names import fold_case
from projections.derived import derived_of_being
from projections.state import State
from rulebooks.common.conditions import find_condition
from rulebooks.mars.guards import DEXTERITY, INTELLIGENCE, RESOLVE, STATS, STRENGTH
from rulebooks.mars.tasks.roll_values import RollValue, parse_roll_value, read_roll_value
from rulebooks.mars.texts import option, refusal, value_refusal

DEFLECTION: Final = "deflection"
EVASION: Final = "evasion"
FORTITUDE: Final = "fortitude"
WILLPOWER: Final = "willpower"
INITIATIVE: Final = "initiative"
DERIVED: Final = {
    DEFLECTION: (RESOLVE,),
    EVASION: (DEXTERITY,),
    FORTITUDE: (STRENGTH, RESOLVE),
    WILLPOWER: (INTELLIGENCE, RESOLVE),
    INITIATIVE: (DEXTERITY, RESOLVE),
}
ARMOURED: Final = (DEFLECTION, EVASION)
COMBAT_SKILLS: Final = ("finesse", "martial", "ranged", "unarmed")
BASIC_SKILLS: Final = {
    "agility": DEXTERITY,
    "athletics": STRENGTH,
    "charisma": RESOLVE,
    "knowledge": INTELLIGENCE,
    "perception": DEXTERITY,
}
COMPLEX_SKILLS: Final = {
    "contacts": RESOLVE,
    "craft": INTELLIGENCE,
    "medicine": INTELLIGENCE,
    "sleight": DEXTERITY,
    "wild-empathy": RESOLVE,
}
SKILLS: Final = {**BASIC_SKILLS, **COMPLEX_SKILLS, **dict.fromkeys(COMBAT_SKILLS, DEXTERITY)}
SHORT_NAMES: Final = {
    "str": STRENGTH,
    "dex": DEXTERITY,
    "int": INTELLIGENCE,
    "res": RESOLVE,
    "def": DEFLECTION,
    "eva": EVASION,
    "fort": FORTITUDE,
    "will": WILLPOWER,
    "init": INITIATIVE,
}
SKILL: Final = "skill."
ARMOUR_RATING: Final = "ar"
LASTING: Final = "lasting "  # how the name of the condition of a change for good begins


class Value(msgspec.Struct, frozen=True, kw_only=True, cache_hash=True):
    """Something that can be rolled: its name, its roll value, the primary stats that take part in it, and its rules."""

    name: str
    roll: RollValue
    stats: tuple[str, ...]
    rules: tuple[str, ...] = ()


def stat_name(word: str) -> str:
    """Return the full name of a stat or skill: `FORT` is fortitude."""
    name = fold_case(word).replace(" ", "-")
    return SHORT_NAMES.get(name, name)


@derived_of_being
def change_of(who: str, key: str, state: State) -> int:
    """GR-EFF-2: what the conditions that somebody has change about a stat, a derived stat, AR or DR.

    GR-EFF-3: of several conditions of one name the strongest counts. One that is for good is on the sheet already.
    """
    strongest: dict[str, int] = {}
    for _, condition in state.conditions_of(who):
        for changed, amount in condition.effects:
            if changed == key and abs(amount) > abs(strongest.get(condition.name, 0)):
                strongest[condition.name] = amount
    return sum(amount_beyond_lasting(who, name, amount, state) for name, amount in strongest.items())


def amount_beyond_lasting(who: str, name: str, amount: int, state: State) -> int:
    """GR-GAP-65: what a change for a while adds to one for good of the same stat, which the sheet shows."""
    lasting = find_condition(who, f"{LASTING}{name}", state)
    if lasting is None or option(state, "permanent_changes_add") == "yes":
        return amount
    beyond = max(0, abs(amount) - lasting.degree)
    return beyond if amount > 0 else -beyond


def written_stat(who: str, stat: str, state: State) -> RollValue:
    """GR-EFF-2: a primary stat, or a derived one, as it stands on the sheet, without what changes it for a while."""
    return parse_roll_value(str(state.sheet(who, stat)))


@derived_of_being
def stat_of(who: str, stat: str, state: State) -> RollValue:
    """GR-EFF-2: a primary stat as it is rolled now."""
    return written_stat(who, stat, state) + RollValue(0, change_of(who, stat, state))


@derived_of_being
def armour_rating(who: str, state: State) -> int:
    """GR-OUT-6: the armour rating, which is part of deflection and evasion."""
    return int(state.sheet(who, ARMOUR_RATING) or 0) + change_of(who, ARMOUR_RATING, state)


@derived_of_being
def derived_value(who: str, name: str, state: State) -> Value:
    """GR-OUT-6: a derived stat from its formula, or as the sheet writes it (GR-GAP-5)."""
    stats, written = DERIVED[name], state.sheet(who, name)
    changes = change_of(who, name, state)
    if written is None:
        roll = sum((stat_of(who, stat, state) for stat in stats), RollValue())
        changes += armour_rating(who, state) if name in ARMOURED else 0
    else:
        roll = parse_roll_value(str(written))
        keys = (*stats, *((ARMOUR_RATING,) if name in ARMOURED else ()))
        changes += sum(change_of(who, key, state) for key in keys)
    rules = ("GR-OUT-6", "GR-OUT-2") if len(stats) > 1 else ("GR-OUT-6",)
    return Value(name=name, roll=roll + RollValue(0, changes), stats=stats, rules=rules)


def written_skill(who: str, skill: str, state: State) -> tuple[RollValue, str]:
    """GR-OUT-7: the roll value of a skill and its stat; r0 if it is not on the sheet."""
    return read_skill(skill, str(state.sheet(who, SKILL + skill) or "r0"))


def read_skill(skill: str, written: str) -> tuple[RollValue, str]:
    """GR-OUT-7: the roll value and the stat of a skill as a sheet writes it.

    A skill that only this campaign has names its stat behind the value: `r8 intelligence`.
    """
    value, _, stat = written.partition(" ")
    return read_roll_value(value) or RollValue(), stat_name(stat) if stat else SKILLS.get(skill, "")


def is_skill(who: str, name: str, state: State) -> bool:
    """Tell whether this is a skill of the book, or one that somebody has."""
    return name in SKILLS or state.sheet(who, SKILL + name) is not None


def skill_rank(who: str, skill: str, state: State) -> int:
    """GR-OUT-8: r4 is rank 1, and each two sides more are one more rank."""
    return rank_of(written_skill(who, skill, state)[0])


def rank_of(value: RollValue) -> int:
    """GR-OUT-8: the rank of a roll value."""
    return max(0, value.sides // 2 - 1)


def skill_value(who: str, skill: str, state: State) -> Value:
    """GR-OUT-7: a skill merged with its stat. Basic skills and attacks need no training, other skills do."""
    value, stat = written_skill(who, skill, state)
    untrained = not rank_of(value)
    if untrained and skill not in BASIC_SKILLS and skill not in COMBAT_SKILLS:
        raise refusal("UNTRAINED", name=who, skill=skill)
    rules = ("GR-OUT-7",) if untrained else ("GR-OUT-7", "GR-OUT-8", "GR-OUT-2")
    return Value(name=skill, roll=value + stat_of(who, stat, state), stats=(stat,), rules=rules)


@derived_of_being
def value_of(who: str, name: str, state: State) -> Value:
    """Return what somebody rolls for a stat, a derived stat or a skill. Raises the refusal of any other name."""
    name = stat_name(name)
    if name in STATS:
        return Value(name=name, roll=stat_of(who, name, state), stats=(name,))
    if name in DERIVED:
        return derived_value(who, name, state)
    if is_skill(who, name, state):
        return skill_value(who, name, state)
    known = ", ".join((*STATS, *DERIVED, *SKILLS))
    raise value_refusal("the check", f"a stat or a skill ({known})", name)
