"""Sheets of characters: their domains, joining with one, and editing one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ledger.declarations import Declaration
from ledger.facts import GM, Fact, Joined, PoolSet, Scalar
from projections.state import State
from rulebooks.common.beings import check_free
from rulebooks.common.decisions import decides
from rulebooks.common.pronouns import pronoun_entries
from rulebooks.common.sheets import change_entries, check_because, named_tables, pairs, read_sheet
from rulebooks.mars.combat.weapons import BARE_HANDS, HELD, check_item, item_entries
from rulebooks.mars.declarations.sheets import ChangeSheet, Character, CreateCharacter, CreateNpc
from rulebooks.mars.guards import HEALTH, MAXIMUM_STAT, RESOURCES, STATS, find_actor
from rulebooks.mars.maneuvers.slots import ENTRY, check_learned
from rulebooks.mars.tasks.roll_values import parse_roll_value
from rulebooks.mars.tasks.stat_values import SKILL, SKILLS, rank_of, read_skill, stat_name
from rulebooks.mars.texts import check_whole, value_refusal
from rulebooks.mars.turns.movement import SPEED

MAXIMUM: Final = "maximum."
NUMBERS: Final = ("ar", "dr", SPEED)


def check_sheet(said: Character, state: State) -> None:
    """GR-OUT-6, GR-GAP-1, GR-GAP-5: refuse a sheet outside its domains."""
    for stat in STATS:
        parse_roll_value(getattr(said, stat), state, stat)
    for name in NUMBERS:
        check_whole(name, getattr(said, name), 0)
    for skill, written in said.skills:
        check_skill(skill, written, state)
    for name, written in said.derived:
        parse_roll_value(written, state, name)
    check_items(said, state)
    for resource, most in said.maxima:
        check_whole(f"the maximum of {resource}", most, 0)
    check_learned(
        said.name, {skill: rank_of(read_skill(skill, written)[0]) for skill, written in said.skills}, said.learned
    )
    pools = maxima(said)
    for pool, points in said.now:
        if pool not in pools:
            raise value_refusal("now", f"points of {', '.join(pools)}", pool)
        if points > pools[pool] or (points < 0 and pool != HEALTH):
            raise value_refusal(f"now.{pool}", f"{pools[pool]} or less", points)


def check_skill(skill: str, written: str, state: State) -> None:
    """GR-OUT-7: a skill of the book, or one of the campaign that names its stat."""
    value, _, stat = written.partition(" ")
    parse_roll_value(value, state, skill)
    if (stat or skill not in SKILLS) and stat_name(stat) not in STATS:
        raise value_refusal(skill, f"a roll value and one of {', '.join(STATS)}, as in r8 intelligence", written)


def check_items(said: Character, state: State) -> None:
    """GR-OUT-9: items under names of their own, and only such items in hand."""
    names = [item.name for item in said.items]
    for name in names:
        if name in (*RESOURCES, BARE_HANDS) or names.count(name) > 1:
            raise value_refusal("items", "names of their own, each once", name)
    for item in said.items:
        check_item(item, state)
    for name in said.held or ():
        if name not in names:
            raise value_refusal("held", f"items on the sheet ({', '.join(names) or 'none'})", name)


def maxima(said: Character) -> dict[str, int]:
    """GR-OUT-6: the maxima of the resources, from the stats unless the sheet says otherwise; and of the shields."""
    from_stats = {
        resource: parse_roll_value(getattr(said, stat), field=stat).most for resource, stat in MAXIMUM_STAT.items()
    }
    shields = {item.name: item.durability for item in said.items if item.block or item.durability}
    return {**from_stats, **dict(said.maxima), **shields}


def sheet_of(said: Character) -> dict[str, Scalar]:
    """Return the entries of a sheet; resources and shields are pools."""
    sheet: dict[str, Scalar] = {stat: getattr(said, stat) for stat in STATS}
    sheet |= {name: getattr(said, name) for name in NUMBERS}
    sheet |= {SKILL + skill: written for skill, written in said.skills}
    sheet |= dict(said.derived)
    sheet |= {MAXIMUM + resource: most for resource, most in said.maxima}
    sheet |= {ENTRY + name: skill for name, skill in said.learned}
    sheet |= item_entries(said.items)
    held = [item.name for item in said.items] if said.held is None else said.held
    sheet |= {HELD: ", ".join(held)} if held else {}
    texts = {"team": said.team, "grade": said.grade, "player": getattr(said, "player", "")}
    return sheet | pronoun_entries(said, value_refusal) | {name: text for name, text in texts.items() if text}


@decides(CreateCharacter, CreateNpc)
def join(said: Character, state: State) -> Iterator[Fact]:
    """GR-OUT-6, GR-OUT-9: a character joins; resources and shields are full unless the sheet says otherwise."""
    kind, side, seen = ("npc", GM, "gm") if isinstance(said, CreateNpc) else ("pc", "players", "table")
    check_free(said.name, state, value_refusal)
    check_sheet(said, state)
    sheet = tuple(sheet_of(said).items())
    rules = ("GR-OUT-6", "GR-OUT-8", "GR-OUT-9", *(("GR-MAN-1",) if said.learned else ()))
    yield Joined(rules=rules, who=said.name, kind=kind, side=side, sheet=sheet, seen=seen)
    now = dict(said.now)
    for pool, most in maxima(said).items():
        yield new_resource(said.name, pool, most, now.get(pool, most), state)


def new_resource(who: str, pool: str, most: int, now: int, state: State, because: str = "") -> PoolSet:
    """GR-OUT-6: a pool with its maximum. GR-DMG-3: health alone may go below 0."""
    least = None if pool == HEALTH else 0
    was = state.points(who, pool)
    return PoolSet(rules=("GR-OUT-6",), who=who, pool=pool, was=was, now=now, least=least, most=most, because=because)


@decides(ChangeSheet)
def change_sheet(said: ChangeSheet, state: State) -> Iterator[Fact]:
    """GR-OUT-6: an edited sheet changes what differs; pools are cut to a lower maximum, never filled (GR-GAP-52)."""
    who = find_actor(said.name, state)
    check_because(said.because, value_refusal)
    check_sheet(said, state)
    changed = {fact.key for fact in change_entries(who, sheet_of(said), said.because, state, entries=said.entries)}
    yield from change_entries(who, sheet_of(said), said.because, state, "GR-OUT-6", entries=said.entries)
    for pool, most in maxima(said).items():
        known = state.pools.get((who, pool))
        causes = {MAXIMUM_STAT.get(pool, ""), MAXIMUM + pool}
        if known is None:
            yield new_resource(who, pool, most, most, state, said.because)
        elif known.most != most and (pool not in RESOURCES or causes & changed):
            yield new_resource(who, pool, most, min(known.points, most), state, said.because)


TABLES: Final = {**dict.fromkeys(("skills", "learned", "derived", "maxima", "now"), pairs), "items": named_tables}
SHEETS: Final[Mapping[str, type[Declaration]]] = {"pc": CreateCharacter, "npc": CreateNpc}


def sheet(content: Mapping[str, Any], where: str) -> Declaration:
    """Return the declaration of a sheet file; `[skills]`, `[items.NAME]`, `[learned]` and `[now]` are tables."""
    return read_sheet(content, SHEETS, TABLES, where)
