"""Weapons, and the dice of an attack: the weapon's, a d4 when impaired, a d12 when enhanced, several at once."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from ledger.facts import Step, Sum
from projections.state import State
from rulebooks.monolith.scores import WEAPON, WIELDS
from rulebooks.monolith.texts import option, refusal

HANDS: Final = "bare hands"
HANDS_SIDES: Final = 4
BLAST: Final = "blast"
NONLETHAL: Final = "nonlethal"
WRITTEN: Final = re.compile(r"d([1-9][0-9]{0,2})((?: blast| nonlethal)*)", re.ASCII)
IMPAIRED: Final = "impaired"
ENHANCED: Final = "enhanced"
SIDES: Final = {IMPAIRED: (4, "ML-MOD-1"), ENHANCED: (12, "ML-MOD-2")}


class Weapon(msgspec.Struct, frozen=True):
    """A weapon: its name, its die and its tags."""

    name: str
    sides: int
    tags: tuple[str, ...] = ()


class AttackerPart(msgspec.Struct, frozen=True, kw_only=True):
    """The part of one attacker: the weapons, and why the attack is enhanced or impaired."""

    who: str
    weapons: tuple[str, ...]
    enhanced: tuple[str, ...] = ()
    impaired: tuple[str, ...] = ()


class Armed(msgspec.Struct, frozen=True):
    """An attacker whom nothing speaks against, with the weapons of the attack."""

    part: AttackerPart
    held: list[Weapon]

    @property
    def has_blast(self) -> bool:
        """ML-TAG-1: whether a weapon of the attack strikes an area."""
        return any(BLAST in weapon.tags for weapon in self.held)


class AttackDie(msgspec.Struct, frozen=True, kw_only=True):
    """One die of an attack: its attacker, weapon, sides and tag, and the rules and sums behind it."""

    who: str
    weapon: str
    sides: int
    why: str
    nonlethal: bool
    rules: tuple[str, ...]
    sums: tuple[Sum, ...] = ()


def parse_weapon(text: str, name: str) -> Weapon | None:
    """Return the weapon of an entry such as `d8 blast`, or None where the entry is no weapon."""
    match = WRITTEN.fullmatch(text)
    if match is None or int(match[1]) < 2:
        return None
    return Weapon(name, int(match[1]), tuple(sorted(set(match[2].split()))))


def weapons_of(who: str, state: State) -> list[str]:
    """Return the names of the weapons on a sheet, and bare hands."""
    named = [entry.removeprefix(WEAPON) for entry in state.sheet_of(who) if entry.startswith(WEAPON)]
    return named if HANDS in named else [*named, HANDS]


def weapon_of(who: str, name: str, state: State) -> Weapon:
    """ML-ATK-3: a weapon on the sheet, or bare hands. Raises the refusal of any other."""
    written = state.sheet(who, WEAPON + name)
    if name == HANDS and written is None:
        return Weapon(HANDS, HANDS_SIDES)
    weapon = parse_weapon(written, name) if isinstance(written, str) else None
    if weapon is None:
        raise refusal("WEAPON", name=who, weapon=name, weapons=", ".join(weapons_of(who, state)))
    return weapon


def usual_weapon(who: str, state: State) -> str:
    """Return the weapon of an attack that names none: the first on the sheet, else bare hands."""
    written = state.sheet(who, WIELDS)
    return written if isinstance(written, str) else HANDS


def weapons_used(strike: AttackerPart, state: State) -> list[Weapon]:
    """Return the weapons of an attack. Raises the refusal of one that is named twice or not on the sheet."""
    named = strike.weapons or (usual_weapon(strike.who, state),)
    if len(set(named)) < len(named):
        twice = next(name for name in named if named.count(name) > 1)
        weapons = ", ".join(weapons_of(strike.who, state))
        raise refusal("WEAPON", name=strike.who, weapon=f"a second {twice}", weapons=weapons)
    return [weapon_of(strike.who, name, state) for name in named]


def attack_position(strike: AttackerPart, state: State) -> str:
    """ML-MOD-1, ML-MOD-2: impaired, enhanced, or neither; both at once as the table reads it (ML-GAP-8)."""
    if strike.enhanced and strike.impaired:
        chosen = option(state, "both_modifiers")
        return "" if chosen == "cancel" else str(chosen)
    return ENHANCED if strike.enhanced else IMPAIRED if strike.impaired else ""


def attack_dice(attacker: Armed, state: State) -> list[AttackDie]:
    """ML-DUAL-1: the die of each weapon. ML-GAP-9: one for a modified attack, unless the table reads it otherwise."""
    strike, held = attacker.part, attacker.held
    modified = attack_position(strike, state)
    if not modified or option(state, "modifier_dual") == "each_die":
        return [attack_die(strike, [weapon], modified, dual=len(held) > 1, state=state) for weapon in held]
    return [attack_die(strike, held, modified, dual=len(held) > 1, state=state)]


def attack_die(strike: AttackerPart, held: list[Weapon], modified: str, *, dual: bool, state: State) -> AttackDie:
    """One die, for one weapon or for all of them. ML-GAP-12: it is nonlethal where all of them are."""
    first, hands = held[0], all(weapon.name == HANDS for weapon in held)
    reasons = ", ".join(strike.enhanced if modified == ENHANCED else strike.impaired)
    sides = first.sides
    rules: tuple[str, ...] = ("ML-ATK-3" if hands else "ML-ATK-1",)
    sums: tuple[Sum, ...] = ()
    if modified:
        sides, rule = SIDES[modified]
        if hands and modified == ENHANCED and option(state, "unarmed_enhanced") == "d4":
            sides = HANDS_SIDES
        rules = (rule, *rules)
        step = Step(op="set", value=sides, rule=rule, because=f"{modified} ({reasons})", now=sides)
        sums = (Sum(name=f"{strike.who}'s die", start=first.sides, steps=(step,), total=sides),)
    elif strike.enhanced:
        rules = (*rules, "ML-MOD-1", "ML-MOD-2")
    return AttackDie(
        who=strike.who,
        weapon=first.name,
        sides=sides,
        why=" and ".join(weapon.name for weapon in held) + (f", {modified}" if modified else ""),
        nonlethal=all(NONLETHAL in weapon.tags for weapon in held),
        rules=(*rules, *(("ML-DUAL-1",) if dual else ())),
        sums=sums,
    )
