"""Sheets: characters of the players and of the game master, and what they carry."""

from typing import Literal

import msgspec

from rulebooks.common.pronouns import NamedSheet

Resource = Literal["health", "endurance", "stamina", "focus"]
Derived = Literal["deflection", "evasion", "fortitude", "willpower", "initiative"]


class Item(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An item on a sheet: a weapon with `damage`, a shield with `block` and `durability`, and what can parry.

    `damage` is the weapon's own roll value, to which strength is added; with `=` before it, it is all of it.
    """

    name: str
    damage: str = ""
    critical: int = 0
    type: str = ""
    mode: Literal["melee", "ranged"] = "melee"
    skill: Literal["", "finesse", "martial", "ranged", "unarmed"] = ""
    parry: str = ""
    block: int = 0
    durability: int = 0
    features: tuple[str, ...] = ()


class Character(NamedSheet, frozen=True, kw_only=True):
    """The entries of every sheet. `now`: resources and shields below their maximum; `maxima`: other than the stats'."""

    strength: str
    dexterity: str
    intelligence: str
    resolve: str
    ar: int = 0
    dr: int = 0
    speed: int = 6
    skills: tuple[tuple[str, str], ...] = ()
    items: tuple[Item, ...] = ()
    held: tuple[str, ...] | None = None
    learned: tuple[tuple[str, str], ...] = ()
    derived: tuple[tuple[Derived, str], ...] = ()
    maxima: tuple[tuple[Resource, int], ...] = ()
    now: tuple[tuple[str, int], ...] = ()
    team: str = ""
    grade: Literal["", "simple", "elite"] = ""


class CreateCharacter(Character, frozen=True, kw_only=True, tag="create-character"):
    """Join the campaign as a player's character."""

    player: str = ""


class CreateNpc(Character, frozen=True, kw_only=True, tag="create-npc"):
    """Join the game master's side."""


class ChangeSheet(Character, frozen=True, kw_only=True, tag="change-sheet"):
    """Change a sheet in play: only the entries that differ, with the reason."""

    player: str = ""
    because: str
    entries: tuple[str, ...] | None = None
