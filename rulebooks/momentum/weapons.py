"""Weapons: the entry on the sheet, its dice, the scores it needs, its tags."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from ledger.facts import Scalar
from ledger.names import fold_case
from projections.state import State
from rulebooks.common.values import check_whole, outside_domain
from rulebooks.momentum.declarations import DoubleAttack, Strike, Weapon
from rulebooks.momentum.texts import option, refusal
from rulebooks.momentum.zones import Reach

HELD: Final = "weapons"
DICE: Final = re.compile(r"([1-9][0-9]?)d(10|12|20)", re.ASCII)
SHIELD: Final = "shield"
TWO_HANDED: Final = "two-handed"
THROWABLE: Final = "throwable"
PRECISE: Final = "precise"
RANGED: Final = "ranged"
SCORE_MOST: Final = 19


class HeldWeapon(msgspec.Struct, frozen=True, kw_only=True):
    """A weapon as somebody holds it: its entry on the sheet."""

    name: str
    damage: str
    rushed: str
    needs: tuple[tuple[str, int], ...]
    tags: frozenset[str]

    def kind(self, *, thrown: bool) -> Reach:
        """MO-TAG-2, MO-TAG-5: by hand, unless it is thrown or made for shooting."""
        return "thrown" if thrown else "ranged" if RANGED in self.tags else "hand-to-hand"

    def dice(self, *, rushed: bool) -> tuple[int, int]:
        """MO-WPN-1: how many dice, and of which type, of the Damage or the Rushed entry."""
        return parse_dice(self.rushed if rushed else self.damage)

    @property
    def is_precise(self) -> bool:
        """MO-TAG-3: it rolls every 1 again."""
        return PRECISE in self.tags


def parse_dice(dice: str) -> tuple[int, int]:
    """MO-WPN-1: how many dice, and of which type; one type per entry (MO-GAP-33)."""
    match = DICE.fullmatch(dice)
    if match is None:
        raise outside_domain("dice", "so many d10, d12 or d20 (2d12)", dice)
    return int(match[1]), int(match[2])


def check_weapon(weapon: Weapon) -> None:
    """MO-WPN-1, MO-REQ-1: the form of an entry."""
    if not weapon.name or any(letter in weapon.name for letter in ",."):
        raise outside_domain("weapons", "named, without comma or point", weapon.name)
    for dice in (weapon.damage, weapon.rushed or weapon.damage):
        parse_dice(dice)
    for score, least in weapon.needs:
        check_whole(f"{weapon.name} {score}", least, 1, SCORE_MOST)


def weapon_entries(weapons: tuple[Weapon, ...]) -> dict[str, Scalar]:
    """Return the sheet entries of weapons: the list of those held, first to last, and the parts of each."""
    sheet: dict[str, Scalar] = {HELD: ", ".join(weapon.name for weapon in weapons)} if weapons else {}
    for weapon in weapons:
        parts = {
            "damage": weapon.damage,
            "rushed": weapon.rushed,
            "needs": ", ".join(f"{score.upper()} {least}" for score, least in weapon.needs),
            "tags": ", ".join(weapon.tags),
        }
        sheet |= {f"weapon.{weapon.name}.{part}": text for part, text in parts.items() if text}
    return sheet


def held_weapons(who: str, state: State) -> list[str]:
    """MO-ATK-1: the weapons that somebody holds, the first first."""
    return [name for name in str(state.sheet(who, HELD) or "").split(", ") if name]


def weapons_on_sheet(who: str, state: State) -> list[str]:
    """MO-ATK-1: the weapons on somebody's sheet, held or not."""
    keys = (entry.split(".") for entry in state.sheet_of(who))
    return [key[1] for key in keys if key[0] == "weapon" and key[2:] == ["damage"]]


def wielded_weapon(said: Strike, state: State) -> HeldWeapon:
    """MO-ATK-1: the weapon that is named, or the first on the sheet. Raises the refusal of one that is not held."""
    held = held_weapons(said.by, state)
    named = [name for name in held if fold_case(name) == fold_case(said.weapon)] if said.weapon else held[:1]
    leaves = said.thrown and option(state, "thrown_leaves_hand") == "yes"
    if not named or (isinstance(said, DoubleAttack) and leaves):
        taken = f"second {named[0]} to throw" if named else said.weapon or "weapon"
        raise refusal("WEAPON", name=said.by, weapon=taken, held=", ".join(held) or "nothing")
    return weapon_on_sheet(said.by, named[0], state)


def weapon_on_sheet(who: str, name: str, state: State) -> HeldWeapon:
    """A weapon's entry on a sheet. MO-TAG-4: tags that no rule here explains are kept as text."""
    part = {field: str(state.sheet(who, f"weapon.{name}.{field}") or "") for field in ("damage", "rushed", "needs")}
    tags = str(state.sheet(who, f"weapon.{name}.tags") or "")
    return HeldWeapon(
        name=name,
        damage=part["damage"],
        rushed=part["rushed"],
        needs=tuple(_need(text) for text in part["needs"].split(", ") if text),
        tags=frozenset(fold_case(tag) for tag in tags.split(", ") if tag),
    )


def _need(text: str) -> tuple[str, int]:
    """Return the score and the least value of `STR 5`."""
    score, _, least = text.rpartition(" ")
    return fold_case(score), int(least)


def meets_scores(who: str, weapon: HeldWeapon, state: State) -> bool:
    """MO-REQ-1: every least score is reached. MO-REQ-2: opponents are not bound by any."""
    if state.side(who) != "pc":
        return True
    scores = ((state.sheet(who, score), least) for score, least in weapon.needs)
    return all(isinstance(score, int) and score >= least for score, least in scores)


def check_hands(who: str, weapon: HeldWeapon, state: State) -> None:
    """MO-TAG-1: the bearer of a shield has no two hands free."""
    if not has_hands(who, weapon, state):
        raise refusal("HANDS", name=who, weapon=weapon.name)


def has_hands(who: str, weapon: HeldWeapon, state: State) -> bool:
    """MO-TAG-1: whether the hands that a weapon needs are free."""
    return not (TWO_HANDED in weapon.tags and state.sheet(who, SHIELD))


def check_rushed(who: str, weapon: HeldWeapon) -> None:
    """MO-WPN-2: without Rushed dice in its entry a weapon has no rushed attack."""
    if not weapon.rushed:
        raise refusal("RUSHED", name=who, weapon=weapon.name)
