"""Sheets of characters, of the game master's people, and of things."""

from __future__ import annotations

from typing import Literal

from ledger.declarations import Declaration
from rulebooks.dusk_bastards.declarations.parts import Armor, SheetSkill


class Character(Declaration, frozen=True, kw_only=True):
    """What stands on a character's sheet; with `now`, `wounds` and `rests` a running campaign moves in."""

    name: str
    level: int = 1
    might: int
    speed: int
    intellect: int
    effort_limit: int = 1
    skills: tuple[SheetSkill, ...] = ()
    armor: tuple[Armor, ...] = ()
    destiny: int = 0
    aquatic: bool = False
    player: str = ""
    now: tuple[tuple[str, int], ...] = ()
    wounds: tuple[int, ...] = ()
    rests: tuple[Literal["one_action", "ten_minutes", "one_hour", "ten_hours"], ...] = ()


class CreateCharacter(Character, frozen=True, kw_only=True, tag="create-character"):
    """A player's character joins, with a sheet."""


class ChangeSheet(Character, frozen=True, kw_only=True, tag="change-sheet"):
    """A sheet that was edited: a new level, new gear. What differs is appended, with the reason."""

    because: str


class CreateNpc(Declaration, frozen=True, kw_only=True, tag="create-npc"):
    """A minion or an elite joins the game master's side. Give a difficulty or a target number."""

    name: str
    kind: Literal["minion", "elite"]
    difficulty: int | None = None
    target_number: int | None = None
    health: int
    armor: tuple[Armor, ...] = ()
    damage: int = 0
    initiative: int | None = None
    wound_limit: int | None = None
    aquatic: bool = False


class CreateObject(Declaration, frozen=True, kw_only=True, tag="create-object"):
    """A thing that can be broken."""

    name: str
    state: Literal["whole", "damaged", "broken"] = "whole"
