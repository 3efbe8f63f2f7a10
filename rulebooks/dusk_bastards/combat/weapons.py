"""Weapons of a sheet: their figures, and what an attack takes from the one that is named."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import msgspec

from ledger.declarations import Declaration, with_fallbacks
from ledger.facts import Scalar
from ledger.names import fold_case
from projections.derived import derived_of_being
from projections.state import State
from rulebooks.dusk_bastards.declarations.combat import AreaAttack, Attack, Defence, Intercept, Strike
from rulebooks.dusk_bastards.declarations.parts import BANDS, SheetWeapon
from rulebooks.dusk_bastards.guards import is_foe
from rulebooks.dusk_bastards.texts import check_whole, value_refusal

PREFIX: Final = "weapon."
DAMAGE: Final = ".damage"  # every weapon on a sheet has this entry
FOE_FIGURES: Final = ("mode", "range", "weapon", "damage")  # that a defence has of the foe's weapon
FIGURES: Final = ("stat", "mode", "range", "max_range", "weapon", "works_underwater", "damage")


def check_weapon(weapon: SheetWeapon) -> None:
    """DB-GAP-30, DB-RANGE-2: refuse a weapon without a name, or with figures outside their domains."""
    if not weapon.name or "." in weapon.name:
        raise value_refusal("weapons", "named, without a point", weapon.name)
    check_whole(f"the damage of {weapon.name}", weapon.damage, 0)
    if weapon.max_range is not None:
        if weapon.range is None:
            raise value_refusal(f"the range of {weapon.name}", "given where max_range is", None)
        if BANDS.index(weapon.max_range) < BANDS.index(weapon.range):
            raise value_refusal(f"the max_range of {weapon.name}", f"{weapon.range} or more", weapon.max_range)


def weapon_entries(weapons: tuple[SheetWeapon, ...]) -> dict[str, Scalar]:
    """DB-GAP-30: return the sheet entries of weapons. DB-RANGE-2: a weapon that has a range is a ranged one."""
    sheet: dict[str, Scalar] = {}
    for weapon in weapons:
        figures = {
            "stat": weapon.stat,
            "range": weapon.range,
            "max_range": weapon.max_range,
            "weapon": weapon.kind,
            "works_underwater": "yes" if weapon.works_underwater else None,
            "damage": weapon.damage,
        }
        sheet |= {f"{PREFIX}{weapon.name}.{part}": figure for part, figure in figures.items() if figure is not None}
    return sheet


@derived_of_being
def weapons_of(who: str, state: State) -> tuple[str, ...]:
    """Return the names of the weapons on somebody's sheet."""
    keys = (key for key in state.sheet_of(who) if key.startswith(PREFIX) and key.endswith(DAMAGE))
    return tuple([key.removeprefix(PREFIX).removesuffix(DAMAGE) for key in keys])


@cache
def is_with_weapon(kind: type[Declaration]) -> bool:
    """Return whether lines of a kind may have a weapon: mostly few kinds are asked for."""
    return issubclass(kind, (Defence, Strike))


def with_weapon(said: Declaration, state: State) -> Declaration:
    """DB-GAP-30: the attack with the figures of its weapon; what the line says wins over the sheet.

    The weapon's name is the task, so that a skill of this name counts (DB-SKILL-1). A defence has those of the foe's.
    """
    if not is_with_weapon(type(said)):
        return said
    if isinstance(said, Defence):
        return with_foe_weapon(said, state)
    assert isinstance(said, Strike)
    name = weapon_meant(said, state)
    figures = weapon_figures(said.by, name, state) if name else {}
    figures = {field: figure for field, figure in figures.items() if is_unsaid(getattr(said, field))}
    return with_fallbacks(msgspec.structs.replace(said, task=name or said.task, **figures))


def with_foe_weapon(said: Defence, state: State) -> Defence:
    """DB-GAP-30: the defence with the figures of the foe's weapon, the one that is named or its only one.

    Refused: a weapon that the foe does not have, and none of several where its sheet has no damage of its own.
    """
    held = weapons_of(said.source, state) if said.source and said.cause is None else ()
    named = [name for name in held if fold_case(name) == fold_case(said.foe_weapon)] if said.foe_weapon else [*held]
    if said.foe_weapon and not named:
        raise value_refusal("the weapon", " or ".join(held) or "on the sheet of a foe", said.foe_weapon)
    if len(named) > 1 and said.damage is None and not state.sheet(said.source, "damage"):
        named = [name for name in named if fits(said, weapon_figures(said.source, name, state), "mode")] or named
    if len(named) != 1:
        if held and said.damage is None and not state.sheet(said.source, "damage"):
            raise value_refusal("the weapon", f"{' or '.join(held)} (with and its name, or d with a damage)", None)
        return said
    figures = weapon_figures(said.source, named[0], state)
    unsaid = {field: figures[field] for field in FOE_FIGURES if field in figures and getattr(said, field) is None}
    return msgspec.structs.replace(said, foe_weapon=named[0], **unsaid)


def is_unsaid(value: object) -> bool:
    """Return whether a line leaves this figure to the weapon: a damage of 0 is said."""
    return value is None or value is False


def weapon_meant(said: Strike, state: State) -> str:
    """Return the weapon that is named, or the only one on the sheet; empty for an attack with none.

    The only one is not meant by a line that says another stat or mode than this weapon has, nor by an interception
    that says its stat, or is a foe's. Of several it is the only one that fits a line without a stat.
    """
    if not isinstance(said, Attack | AreaAttack | Intercept):
        return ""
    held = weapons_of(said.by, state)
    if said.task:
        return next((name for name in held if fold_case(name) == fold_case(said.task)), "")
    if isinstance(said, AreaAttack) or (len(held) > 1 and said.stat is not None):
        return ""
    if isinstance(said, Intercept) and (said.stat is not None or is_foe(said.by, state)):
        return ""
    fitting = [name for name in held if fits(said, weapon_figures(said.by, name, state), "stat", "mode")]
    return fitting[0] if len(fitting) == 1 else ""


def fits(said: Declaration, figures: Mapping[str, Any], *fields: str) -> bool:
    """Return whether a line says nothing else in these fields than the weapon with these figures has."""
    return all(getattr(said, field) in (None, figures.get(field)) for field in fields)


@derived_of_being
def weapon_figures(who: str, name: str, state: State) -> Mapping[str, Any]:
    """Return the figures of a weapon on a sheet, by the fields of an attack that they fill."""
    entries = {field: state.sheet(who, f"{PREFIX}{name}.{field}") for field in FIGURES}
    figures: dict[str, Any] = {field: figure for field, figure in entries.items() if figure is not None}
    if "works_underwater" in figures:
        figures["works_underwater"] = True
    return figures | {"mode": "ranged" if "range" in figures else "melee"}
