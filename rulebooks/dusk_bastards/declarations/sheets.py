"""Sheets of characters, of the game master's people, and of things."""

from typing import Literal

from rulebooks.common.pronouns import NamedSheet
from rulebooks.dusk_bastards.declarations.parts import Armor, SheetSkill, SheetWeapon


class Character(NamedSheet, frozen=True, kw_only=True):
    """The values of a character's sheet; `now`, `wounds` and `rests` are for a campaign that is under way."""

    level: int = 1
    might: int
    speed: int
    intellect: int
    effort_limit: int = 1
    skills: tuple[SheetSkill, ...] = ()
    armor: tuple[Armor, ...] = ()
    weapons: tuple[SheetWeapon, ...] = ()
    destiny: int = 0
    aquatic: bool = False
    player: str = ""
    now: tuple[tuple[str, int], ...] = ()
    wounds: tuple[int, ...] = ()
    rests: tuple[Literal["one_action", "ten_minutes", "one_hour", "ten_hours"], ...] = ()


class CreateCharacter(Character, frozen=True, kw_only=True, tag="create-character"):
    """Add a player's character, with a sheet."""


class ChangeSheet(Character, frozen=True, kw_only=True, tag="change-sheet"):
    """Change a sheet: a new level, new gear. Only what differs is appended, with the reason."""

    because: str
    entries: tuple[str, ...] | None = None


class CreateNpc(NamedSheet, frozen=True, kw_only=True, tag="create-npc"):
    """Add a minion or an elite to the game master's side. Give a difficulty or a target number."""

    kind: Literal["minion", "elite"]
    difficulty: int | None = None
    target_number: int | None = None
    health: int
    armor: tuple[Armor, ...] = ()
    damage: int = 0
    weapons: tuple[SheetWeapon, ...] = ()
    initiative: int | None = None
    wound_limit: int | None = None
    aquatic: bool = False


class CreateObject(NamedSheet, frozen=True, kw_only=True, tag="create-object"):
    """Add a thing that can be broken."""

    state: Literal["whole", "damaged", "broken"] = "whole"
