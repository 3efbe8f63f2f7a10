"""Sheets of characters, opponents and bystanders: their domains, joining with one, and editing one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ledger.declarations import Declaration
from ledger.facts import GM, Fact, Joined, Scalar
from ledger.names import fold_case
from projections.state import State
from rulebooks.common.beings import check_free
from rulebooks.common.decisions import decides
from rulebooks.common.pronouns import PRONOUNS, pronoun_entries
from rulebooks.common.sheets import change_entries, change_maximum, check_because, pairs, read_sheet
from rulebooks.common.values import check_whole, new_pool, outside_domain
from rulebooks.momentum import guards, weapons, wounds
from rulebooks.momentum.declarations import ChangeSheet, Combatant, CreateCombatant

KINDS = {"pc": "pc", "foe": "npc", "bystander": "npc"}
OWN = (
    "defense",
    "armor",
    "rank",
    "player",
    PRONOUNS,
    weapons.SHIELD,
    weapons.HELD,
)  # entries of a sheet that are no scores


def written_scores(who: str, state: State) -> dict[str, int]:
    """MO-CHECK-3: the ability scores on a sheet, by their names."""
    return {name: value for name, value in state.sheet_of(who).items() if isinstance(value, int) and name not in OWN}


def check_combatant(said: Combatant) -> None:
    """Refuse a sheet outside its domains: HP within their maximum, Defense 1 or more, dice of three types."""
    check_whole("hp", said.hp, 1)
    if said.hp_now is not None:
        check_whole("hp_now", said.hp_now, 0, said.hp)
    check_whole("defense", said.defense, 1)
    for score, value in said.scores:
        if not score or fold_case(score) in (*OWN, guards.HP, "place") or "." in score:
            raise outside_domain("scores", "named as an ability (STR)", score)
        check_whole(score, value, 1, weapons.SCORE_MOST)
    for weapon in said.weapons:
        weapons.check_weapon(weapon)
    if len({fold_case(weapon.name) for weapon in said.weapons}) != len(said.weapons):
        raise outside_domain("weapons", "named once each", said.weapons[0].name)


@decides(CreateCombatant)
def create_combatant(said: CreateCombatant, state: State) -> Iterator[Fact]:
    """MO-HP-1, MO-DFN-1: a combatant joins with hit points and a Defense, and Wounded if few points are left."""
    check_free(said.name, state)
    check_combatant(said)
    sheet = tuple(sheet_of(said).items())
    rules = ("MO-DFN-1", "MO-WPN-1", "MO-REQ-1", *(("MO-WPN-3",) if said.weapons else ()))
    seen = "table" if KINDS[said.side] == "pc" else GM
    yield Joined(rules=rules, who=said.name, kind=KINDS[said.side], side=said.side, sheet=sheet, seen=seen)
    now = said.hp if said.hp_now is None else said.hp_now
    yield new_pool(said.name, guards.HP, said.hp, now, "MO-HP-1")
    yield from wounds.update_conditions(said.name, state)


def sheet_of(said: Combatant) -> dict[str, Scalar]:
    """Return the entries of a sheet; hit points are kept apart."""
    sheet: dict[str, Scalar] = {"defense": said.defense}
    sheet |= {fold_case(score): value for score, value in said.scores}
    sheet |= {weapons.SHIELD: "yes"} if said.shield else {}
    sheet |= {"armor": said.armor} if said.armor else {}
    sheet |= {"rank": said.rank} if said.rank is not None else {}
    sheet |= {"player": said.player} if said.player else {}
    sheet |= pronoun_entries(said)
    return sheet | weapons.weapon_entries(said.weapons)


@decides(ChangeSheet)
def change_sheet(said: ChangeSheet, state: State) -> Iterator[Fact]:
    """MO-DFN-1: an edited sheet changes what differs; hit points are cut, never filled."""
    being = state.being(said.name)
    if being is None or (being.name, guards.HP) not in state.pools:
        raise outside_domain("name", "somebody in play", said.name)
    check_because(said.because)
    check_combatant(said)
    who = being.name
    yield from change_entries(who, sheet_of(said), said.because, state, "MO-DFN-1", entries=said.entries)
    yield from change_maximum(who, guards.HP, said.hp, said.because, state, "MO-HP-1")
    yield from wounds.update_conditions(who, state)


def sheet(content: Mapping[str, Any], where: str) -> Declaration:
    """Return the declaration of a sheet file; `[scores]`, `[weapons.NAME]` and the `needs` of a weapon are tables."""
    return read_sheet(content, dict.fromkeys(KINDS, CreateCombatant), TABLES, where, "side")


def _weapons(table: Mapping[str, Any]) -> list[Any]:
    """Return the weapons of a sheet from their tables."""
    return [
        {**entry, "name": name, "needs": _needs(entry.get("needs", ()))} if isinstance(entry, Mapping) else entry
        for name, entry in table.items()
    ]


def _needs(needs: Any) -> Any:
    """Return the least scores of a weapon as pairs."""
    return pairs(needs) if isinstance(needs, Mapping) else needs


TABLES: Final = {"scores": pairs, "weapons": _weapons}
