"""Sheets of characters, foes and things: their domains, joining with one, and editing one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from ledger.declarations import Declaration
from ledger.errors import Unreadable
from ledger.facts import GM, Counted, Fact, Joined, TokensMoved, Wounded
from ledger.names import fold_case, normalize
from projections.state import State
from rulebooks.common import sheets
from rulebooks.common.beings import check_free
from rulebooks.common.decisions import decides
from rulebooks.common.pronouns import pronoun_entries
from rulebooks.common.values import new_pool
from rulebooks.dusk_bastards.combat.weapons import check_weapon, weapon_entries
from rulebooks.dusk_bastards.declarations.parts import STATS, SheetSkill, SheetWeapon
from rulebooks.dusk_bastards.declarations.sheets import ChangeSheet, Character, CreateCharacter, CreateNpc, CreateObject
from rulebooks.dusk_bastards.harm.health import HEALTH, second_highest, set_maximum_health
from rulebooks.dusk_bastards.harm.wounds import category
from rulebooks.dusk_bastards.tasks.destiny import DESTINY, DOOM
from rulebooks.dusk_bastards.tasks.difficulty import DIFFICULTY_MOST, target_number
from rulebooks.dusk_bastards.texts import check_whole, value_refusal

PHYSICAL_ARMOR: Final = {"light": 1, "medium": 2, "heavy": 3}
OBJECT_STATES = ("broken", "damaged", "whole")


def check_character(said: Character) -> None:
    """Refuse a character's sheet outside its domains, with wounds and rests from a running campaign."""
    check_whole("level", said.level, 1)
    for stat in STATS:
        check_whole(stat, getattr(said, stat), 1)
    check_whole("effort_limit", said.effort_limit, 0)
    check_whole("destiny", said.destiny, 0, said.level)
    for armor in said.armor:
        check_whole("armor", armor.value, 0)
    check_weapons(said.weapons)
    if not all(skill.task for skill in said.skills):
        raise value_refusal("skills", "named by the task they cover", None)
    for value in said.wounds:
        check_whole("wounds", value, 1, 8)
    most: dict[str, int] = {stat: getattr(said, stat) for stat in STATS}
    most[HEALTH] = second_highest(most.values())
    for pool, points in said.now:
        if pool not in most:
            raise value_refusal("now", ", ".join(most), pool)
        check_whole(f"now.{pool}", points, 0, most[pool])


@decides(CreateCharacter)
def create_character(said: CreateCharacter, state: State) -> Iterator[Fact]:
    """DB-GAP-3, DB-DMG-1, DB-DEST-3: a character joins with three pools, health and Destiny.

    Pools are full unless the sheet says what is left.
    """
    check_free(said.name, state, value_refusal)
    check_character(said)
    left = dict(said.now)
    yield from start_doom(state)
    yield Joined(
        rules=("DB-GAP-3",),
        who=said.name,
        kind="pc",
        side="players",
        sheet=tuple(character_entries(said).items()),
        seen="table",
    )
    for stat in STATS:
        most = getattr(said, stat)
        yield new_pool(said.name, stat, most, left.get(stat, most), "DB-GAP-3")
    most = second_highest(getattr(said, stat) for stat in STATS)
    yield new_pool(said.name, HEALTH, most, left.get(HEALTH, most), "DB-DMG-1")
    yield TokensMoved(
        rules=("DB-DEST-3", "DB-GAP-4"),
        who=said.name,
        token=DESTINY,
        change=said.destiny,
        now=said.destiny,
        most=said.level,
        because="joined",
    )
    yield from carry_over(said, state)


def carry_over(said: Character, state: State) -> Iterator[Fact]:
    """DB-WOUND-4, DB-REC-2: wounds carried from before are in force; rests of this day are used."""
    for number, value in enumerate(said.wounds, start=1):
        yield Wounded(
            rules=("DB-WOUND-4", "DB-HEAL-6"),
            who=said.name,
            wound=f"{said.name} w{number}",
            kind=category(value, "", state),
            value=value,
            in_force=True,
        )
    yield from set_maximum_health(said.name, state)
    for kind in dict.fromkeys(said.rests):
        yield Counted(rules=("DB-REC-2",), who=said.name, name=f"rest.{kind}", change=1, now=1, of=1, until="day")


@decides(ChangeSheet)
def change_sheet(said: ChangeSheet, state: State) -> Iterator[Fact]:
    """DB-GAP-3, DB-DEST-3: an edited sheet changes what differs; pools and Destiny are cut, never filled."""
    being = state.being(said.name)
    if being is None or being.kind != "pc":
        raise value_refusal("name", "a character in play", said.name)
    sheets.check_because(said.because, value_refusal)
    check_character(said)
    who = being.name
    yield from sheets.change_entries(
        who, character_entries(said), said.because, state, "DB-GAP-3", entries=said.entries
    )
    for stat in STATS:
        yield from sheets.change_maximum(who, stat, getattr(said, stat), said.because, state, "DB-GAP-3")
    yield from set_maximum_health(who, state)
    held = state.tokens_held(who, DESTINY)
    if state.tokens[who, DESTINY].most != said.level:
        yield TokensMoved(
            rules=("DB-DEST-3",),
            who=who,
            token=DESTINY,
            change=min(0, said.level - held),
            now=min(held, said.level),
            most=said.level,
            because=said.because,
        )


def start_doom(state: State) -> Iterator[Fact]:
    """DB-GAP-4: Doom starts at 0."""
    if (GM, DOOM) not in state.tokens:
        yield TokensMoved(rules=("DB-GAP-4",), who=GM, token=DOOM, change=0, now=0, most=None, because="joined")


@decides(CreateNpc)
def create_npc(said: CreateNpc, state: State) -> Iterator[Fact]:
    """DB-GAP-60: a difficulty, or a target number that is three times one; elites say how many wounds they take."""
    check_free(said.name, state, value_refusal)
    difficulty = _difficulty(said)
    check_npc(said)
    sheet: dict[str, int | str] = {
        "grade": said.kind,
        "difficulty": difficulty,
        "health": said.health,
        "damage": said.damage,
        "initiative": target_number(difficulty) if said.initiative is None else said.initiative,
    }
    sheet |= {"wound_limit": said.wound_limit} if said.wound_limit is not None else {}
    sheet |= weapon_entries(said.weapons)
    sheet |= _armor(said)
    sheet |= {"aquatic": "yes"} if said.aquatic else {}
    sheet |= pronoun_entries(said, value_refusal)
    yield Joined(
        rules=("DB-GAP-60", "DB-ENC-3"), who=said.name, kind="npc", side=GM, sheet=tuple(sheet.items()), seen="gm"
    )
    yield new_pool(said.name, HEALTH, said.health, said.health, "DB-DMG-4")


def check_weapons(weapons: Sequence[SheetWeapon]) -> None:
    """DB-GAP-30: refuse weapons outside their domains, and two of one name."""
    for weapon in weapons:
        check_weapon(weapon)
    if len({fold_case(weapon.name) for weapon in weapons}) != len(weapons):
        raise value_refusal("weapons", "named once each", weapons[0].name)


def check_npc(said: CreateNpc) -> None:
    """Refuse a foe's sheet outside its domains."""
    check_whole("health", said.health, 1)
    check_whole("damage", said.damage, 0)
    check_weapons(said.weapons)
    for armor in said.armor:
        check_whole("armor", armor.value, 0)
    if said.initiative is not None:
        check_whole("initiative", said.initiative, 0)
    if said.kind == "elite":
        if said.wound_limit is None:
            raise value_refusal("wound_limit", "1 or more for an elite", None)
        check_whole("wound_limit", said.wound_limit, 1)


def _difficulty(said: CreateNpc) -> int:
    """DB-GAP-60: 1 to 12, used for attack and defence alike."""
    if said.target_number is not None:
        if said.target_number % 3 or not 3 <= said.target_number <= target_number(DIFFICULTY_MOST):
            raise value_refusal("target_number", "a multiple of 3 from 3 to 36", said.target_number)
        return said.target_number // 3
    if said.difficulty is None:
        raise value_refusal("difficulty", "a whole number from 1 to 12", None)
    check_whole("difficulty", said.difficulty, 1, DIFFICULTY_MOST)
    return said.difficulty


@decides(CreateObject)
def create_object(said: CreateObject, state: State) -> Iterator[Fact]:
    """DB-DMG-7: whole, damaged, broken; no health."""
    check_free(said.name, state, value_refusal)
    sheet = tuple(pronoun_entries(said, value_refusal).items())
    yield Joined(rules=("DB-DMG-7",), who=said.name, kind="object", side="", sheet=sheet, seen="table")
    yield new_pool(said.name, "state", 2, OBJECT_STATES.index(said.state), "DB-DMG-7")


def character_entries(said: Character) -> dict[str, int | str]:
    """Return the entries of a character's sheet; pools and tokens are kept apart."""
    sheet: dict[str, int | str] = {"level": said.level, "effort_limit": said.effort_limit}
    for skill in said.skills:
        sheet[f"skill.{skill.task}"] = skill.level
        if skill.stat is not None:
            sheet[f"stat.{skill.task}"] = skill.stat
    sheet.update(weapon_entries(said.weapons))
    sheet.update(_armor(said))
    if said.aquatic:
        sheet["aquatic"] = "yes"
    if said.player:
        sheet["player"] = said.player
    return sheet | pronoun_entries(said, value_refusal)


def _armor(said: Character | CreateNpc) -> dict[str, int | str]:
    """DB-ARMOR-2: of each kind the best."""
    best: dict[str, int | str] = {}
    for armor in sorted(said.armor, key=lambda source: source.value):
        best[f"armor.{armor.kind}"] = armor.value
    return best


SHEETS: Mapping[str, type[Declaration]] = {"pc": CreateCharacter, "npc": CreateNpc, "object": CreateObject}


def sheet(content: Mapping[str, Any], where: str) -> Declaration:
    """Return the declaration of a sheet file. A skill may be written `sneak = "trained speed"`, `[armor]` as a table.

    DB-ARMOR-5: the armor of the game master's people may be one number or word, and is physical then. Whoever has
    no kind is a minion, or an elite if a wound_limit is given.
    """
    if content.get("sheet") == "npc":
        content = {"kind": "elite" if "wound_limit" in content else "minion", **content}
        if isinstance(content.get("armor"), int | str):
            content["armor"] = {"physical": content["armor"]}
    tables: sheets.Tables = {
        "skills": lambda table: [_skill(task, how, where) for task, how in table.items()],
        "now": sheets.pairs,
        "armor": lambda table: [_armor_source(kind, value, where) for kind, value in table.items()],
        "weapons": sheets.named_tables,
    }
    return sheets.read_sheet(content, SHEETS, tables, where)


def _armor_source(kind: str, value: object, where: str) -> dict[str, object]:
    """Return a source of armor: `physical = 1`. DB-ARMOR-1: or `physical = "light"`, one of the book's words."""
    if isinstance(value, str):
        if kind != "physical" or value not in PHYSICAL_ARMOR:
            words = f"; as physical armor also {', '.join(PHYSICAL_ARMOR)}"
            hint = f"It takes a whole number{words}."
            raise Unreadable(f'"{value}" does not fit', where=f"{where}, armor, {kind}", hint=hint)
        value = PHYSICAL_ARMOR[value]
    return {"kind": kind, "value": value}


def _skill(task: str, how: object, where: str) -> SheetSkill:
    """Return a skill written as `trained` or, with its stat, as `trained speed`."""
    level, _, stat = str(how).partition(" ")
    try:
        return msgspec.convert(
            {"task": normalize(task, where=f"{where}, skills"), "level": level, "stat": stat or None}, SheetSkill
        )
    except msgspec.ValidationError as error:
        raise Unreadable(
            f"'{task} = {how}' is not a skill", where=f"{where}, skills", hint='Write: sneak = "trained speed".'
        ) from error
