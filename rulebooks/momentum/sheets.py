"""Who plays: characters, opponents and bystanders; what their sheets must say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from ledger.declarations import Declaration
from ledger.errors import Unreadable
from ledger.facts import GM, RESERVED, Fact, Joined, PoolSet, Scalar, SheetChanged
from ledger.names import name_key, valid_name
from projections.state import State
from rulebooks.common.sheets import cleaned
from rulebooks.common.values import check_whole, outside_domain
from rulebooks.momentum.declarations import ChangeSheet, Combatant, CreateCombatant
from rulebooks.momentum.turns import advanced
from rulebooks.momentum.weapons import HELD, SCORE_MOST, SHIELD, check_weapon, written
from rulebooks.momentum.wounds import HP, looked_at

KINDS = {"pc": "pc", "foe": "npc", "bystander": "npc"}
OWN = ("defense", "armor", "rank", "player", SHIELD, HELD)  # entries of a sheet that are no scores


def check_combatant(said: Combatant) -> None:
    """The domains of a sheet: HP within their maximum, Defense 1 or more, dice of three types."""
    check_whole("hp", said.hp, 1)
    if said.hp_now is not None:
        check_whole("hp_now", said.hp_now, 0, said.hp)
    check_whole("defense", said.defense, 1)
    for score, value in said.scores:
        if not score or name_key(score) in (*OWN, HP, "place") or "." in score:
            raise outside_domain("scores", "named as an ability (STR)", score)
        check_whole(score, value, 1, SCORE_MOST)
    for weapon in said.weapons:
        check_weapon(weapon)
    if len({name_key(weapon.name) for weapon in said.weapons}) != len(said.weapons):
        raise outside_domain("weapons", "named once each", said.weapons[0].name)


def create_combatant(said: CreateCombatant, state: State) -> Iterator[Fact]:
    """MO-HP-1, MO-DFN-1: somebody joins with hit points and a Defense; who was hurt before may be Wounded already."""
    if state.being(said.name) is not None or name_key(said.name) in RESERVED:
        raise outside_domain("name", "a name that nobody else has", said.name)
    check_combatant(said)
    sheet = tuple(sheet_of(said).items())
    rules = ("MO-DFN-1", "MO-WPN-1", "MO-REQ-1", *(("MO-WPN-3",) if said.weapons else ()))
    yield Joined(rules=rules, who=said.name, kind=KINDS[said.side], side=said.side, sheet=sheet, seen="table")
    now = said.hp if said.hp_now is None else said.hp_now
    yield PoolSet(rules=("MO-HP-1",), who=said.name, pool=HP, was=0, now=now, least=0, most=said.hp)
    yield from looked_at(said.name, state)


def sheet_of(said: Combatant) -> dict[str, Scalar]:
    """What stands on a sheet besides hit points."""
    sheet: dict[str, Scalar] = {"defense": said.defense}
    sheet |= {name_key(score): value for score, value in said.scores}
    sheet |= {SHIELD: "yes"} if said.shield else {}
    sheet |= {"armor": said.armor} if said.armor else {}
    sheet |= {"rank": said.rank} if said.rank is not None else {}
    sheet |= {"player": said.player} if said.player else {}
    return sheet | written(said.weapons)


def change_sheet(said: ChangeSheet, state: State) -> Iterator[Fact]:
    """MO-DFN-1: a sheet that was edited: what differs, each with the reason; hit points are cut, never filled."""
    being = state.being(said.name)
    if being is None or (being.name, HP) not in state.pools:
        raise outside_domain("name", "somebody in play", said.name)
    if not said.because:
        raise outside_domain("because", "the reason, in quotes", "nothing")
    check_combatant(said)
    who, new, old = being.name, sheet_of(said), state.sheet_of(being.name)
    for entry in sorted(new.keys() | old.keys()):
        if new.get(entry) != old.get(entry):
            yield SheetChanged(
                rules=("MO-DFN-1",),
                who=who,
                key=entry,
                was=old.get(entry),
                now=new.get(entry),
                because=said.because,
            )
    pool = state.pools[who, HP]
    if pool.most != said.hp:
        now = min(pool.points, said.hp)
        yield PoolSet(
            rules=("MO-HP-1",),
            who=who,
            pool=HP,
            was=pool.points,
            now=now,
            least=0,
            most=said.hp,
            because=said.because,
        )
    yield from looked_at(who, state)
    yield from advanced(state)


def edited(said: Declaration, because: str) -> Declaration | None:
    """A sheet that was cast before, as a change of it."""
    if not isinstance(said, CreateCombatant):
        return None
    return ChangeSheet(because=because, **{field: getattr(said, field) for field in said.__struct_fields__})


def sheet(content: Mapping[str, Any], where: str) -> Declaration:
    """The declaration of a sheet file: `sheet` is pc, foe or bystander; `[scores]` and `[weapons.NAME]` are tables.

    Raises Unreadable, naming the file and the field.
    """
    clean = cleaned(content, where)
    if "by" in clean or "side" in clean:
        raise Unreadable("a sheet has no such field as 'by' or 'side'", where=where, hint="The README shows a sheet.")
    side = str(clean.pop("sheet", "pc"))
    if side not in KINDS:
        raise Unreadable(f"'{side}' is no kind of sheet", where=where, hint=f"There are: {', '.join(KINDS)}.")
    called = clean.get("name", "")
    if not isinstance(called, str):
        raise Unreadable(f"'{called}' is no name", where=f"{where}, name", hint='Write it in quotes: name = "Kael".')
    clean["name"] = valid_name(called, where=f"{where}, name")
    if isinstance(clean.get("scores"), Mapping):
        clean["scores"] = list(clean["scores"].items())
    if isinstance(clean.get("weapons"), Mapping):
        clean["weapons"] = [_weapon(called, entry) for called, entry in clean["weapons"].items()]
    try:
        return msgspec.convert({**clean, "by": GM, "side": side}, CreateCombatant, strict=True)
    except msgspec.ValidationError as error:
        raise Unreadable(str(error), where=where, hint="The README shows a sheet.") from error


def _weapon(called: str, entry: Any) -> Any:
    """A weapon as a sheet writes it: `needs` may be a table."""
    if not isinstance(entry, Mapping):
        return entry
    needs = entry.get("needs", ())
    return {**entry, "name": called, "needs": list(needs.items()) if isinstance(needs, Mapping) else needs}
