"""Sheets of creatures with their items, and of the campaign's table of called shots: domains, joining, editing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ledger.declarations import Declaration
from ledger.facts import GM, Fact, Joined, Linked, Scalar, SheetChanged
from ledger.names import fold_case
from projections.state import State
from rulebooks.common.beings import check_free, find_being
from rulebooks.common.decisions import decides
from rulebooks.common.pronouns import pronoun_entries
from rulebooks.common.sheets import change_entries, check_because, named_tables, read_sheet
from rulebooks.common.values import check_whole
from rulebooks.semiautomagic import guards, locations, weapons, wounds
from rulebooks.semiautomagic.declarations import sheets
from rulebooks.semiautomagic.items import CARRIED, HELD, ITEM, PART, TIES, WORN, first_hand, items_of
from rulebooks.semiautomagic.texts import outside_domain, unknown

SCALES: Final = (-5, 8)
BONUS_MOST: Final = 100
SKILLS: Final = ("endurance", "fortitude", "melee", "ranged", "magic", "stealth", "perception", "ride")
OPTIONAL: Final = ("target", "block", "dodge", "parry")
COUNTED: Final = ("armour", "unarmoured", "speed", "flight", "legs", "arms", "hands", "wings")
FLAGS: Final = ("evasion", "lowlight", "sees_in_dark", "warhorse")
LIMB_COUNTS: Final = ("legs", "arms", "hands", "wings")


def check_creature(said: sheets.Creature) -> None:
    """TT-OUT-5, TT-OUT-7: refuse a sheet outside its domains."""
    check_whole("scale", said.scale, *SCALES, outside_domain)
    for name in (*SKILLS, *OPTIONAL):
        if (value := getattr(said, name)) is not None:
            check_whole(name, value, -BONUS_MOST, BONUS_MOST, outside_domain)
    for name in (*COUNTED, "wounds"):
        check_whole(name, getattr(said, name), 0, BONUS_MOST if name in LIMB_COUNTS else 1000, outside_domain)
    names = [fold_case(item.name) for item in said.items]
    if len(set(names)) < len(names):
        raise outside_domain("items", "named once each", ", ".join(names))
    for item in said.items:
        check_item(item)


def check_item(item: sheets.Item) -> None:
    """TT-OUT-13, TT-ITM-5: refuse an item outside its domains. What an attack costs is a number of the campaign."""
    if not item.name or "." in item.name:
        raise outside_domain("items", "things with a name without a dot", item.name)
    if item.damage and weapons.parse_damage(item.damage) is None:
        raise outside_domain(f"{item.name}.damage", "dice and a bonus, as in 1d8+3", item.damage)
    if item.damage and item.seconds is None:
        raise outside_domain(f"{item.name}.seconds", "what an attack costs, 0 to 6", None)
    check_whole(f"{item.name}.seconds", item.seconds or 0, 0, 60, outside_domain)
    check_whole(f"{item.name}.hands", item.hands, 1, BONUS_MOST, outside_domain)
    check_whole(f"{item.name}.defence", item.defence, 0, 1000, outside_domain)
    for name, value in (("target", item.target), ("toughness", item.toughness)):
        if value is not None:
            check_whole(f"{item.name}.{name}", value, -1000, 1000, outside_domain)
    if item.natural and (item.carry or item.shield or item.defence):
        raise outside_domain(f"{item.name}.natural", "said of no shield, no armour and nothing carried", "yes")


def sheet_of(said: sheets.Creature) -> dict[str, Scalar]:
    """Return the entries of a creature's sheet. What is 0 by nature and flags that are off are left out."""
    sheet: dict[str, Scalar] = {"scale": said.scale} | {name: getattr(said, name) for name in SKILLS}
    sheet |= {name: getattr(said, name) for name in COUNTED}
    sheet |= {name: value for name in OPTIONAL if (value := getattr(said, name)) is not None}
    sheet |= {name: 1 for name in FLAGS if getattr(said, name)}
    player = getattr(said, "player", "")
    return sheet | pronoun_entries(said, outside_domain) | ({"player": player} if player else {})


def item_sheet(item: sheets.Item, scale: int) -> dict[str, Scalar]:
    """Return the entries of an item's sheet. TT-ITM-5: it is made for a creature of its owner's scale."""
    sheet: dict[str, Scalar] = {"short": item.name, "hands": item.hands}
    texts = {"damage": item.damage, "make": item.make, "limb": item.limb}
    texts |= {"reach": item.reach} if item.damage else {}
    numbers = {"target": item.target, "toughness": item.toughness, "seconds": item.seconds}
    flags = {"magic": item.magic, "shield": item.shield, "firearm": item.firearm, "natural": item.natural}
    sheet |= {name: value for name, value in texts.items() if value}
    sheet |= {name: value for name, value in numbers.items() if value is not None}
    sheet |= {name: 1 for name, value in flags.items() if value}
    sheet |= {"defence": item.defence} if item.defence else {}
    return sheet | ({"scale": scale} if scale else {})


def whole_sheet(said: sheets.Creature) -> dict[str, Scalar]:
    """Return the entries of a sheet with those of its items, as in `knife.toughness`."""
    items = {f"{item.name}.{key}": value for item in said.items for key, value in item_sheet(item, said.scale).items()}
    return sheet_of(said) | items


def item_entries(item: str, entries: tuple[str, ...]) -> tuple[str, ...]:
    """Return the entries of one item among those of a whole sheet."""
    return tuple(entry.removeprefix(f"{item}.") for entry in entries if entry.startswith(f"{item}."))


def item_name(owner: str, item: sheets.Item) -> str:
    """Return the full name of an item: "Thorn's knife"."""
    return f"{owner}'s {item.name}"


@decides(sheets.CreateCharacter, sheets.CreateNpc)
def join(said: sheets.Creature, state: State) -> Iterator[Fact]:
    """TT-OUT-5: a creature joins with its items and its wounds."""
    kind, side = ("npc", said.side) if isinstance(said, sheets.CreateNpc) else ("pc", "players")
    seen = "gm" if side == GM else "table"
    check_free(said.name, state, outside_domain)
    check_creature(said)
    for item in said.items:
        check_free(item_name(said.name, item), state, outside_domain)
    sheet = tuple(sheet_of(said).items())
    yield Joined(rules=("TT-OUT-5", "TT-OUT-7"), who=said.name, kind=kind, side=side, sheet=sheet, seen=seen)
    for _ in range(said.wounds):
        yield wounds.wound(said.name, "", state, "TT-OUT-6")
    for item in said.items:
        yield from give(item, said, side, seen, state)


def give(item: sheets.Item, owner: sheets.Creature, side: str, seen: str, state: State) -> Iterator[Fact]:
    """TT-ITM-1: an item joins, in the hands of its owner while some are free, worn, or carried."""
    name = item_name(owner.name, item)
    sheet = tuple(item_sheet(item, owner.scale).items())
    yield Joined(rules=("TT-ITM-5",), who=name, kind=ITEM, side=side, sheet=sheet, seen=seen)
    full = {
        hand
        for held in items_of(owner.name, state, HELD)
        for hand in range(state.links[held, HELD, owner.name], 1 + last_hand(held, owner.name, state))
    }
    hand = first_hand([index for index in range(1, owner.hands + 1) if index not in full], item.hands)
    tie = PART if item.natural else item.carry or usual_tie(item)
    if tie == HELD and hand is None:
        tie = CARRIED
    yield Linked(rules=("TT-ITM-1",), one=name, tie=tie, other=owner.name, degree=(hand or 1) if tie == HELD else 1)


def last_hand(item: str, owner: str, state: State) -> int:
    """Return the number of the last hand that an item takes."""
    hands = state.sheet(item, "hands")
    return state.links[item, HELD, owner] + (hands if isinstance(hands, int) else 1) - 1


def usual_tie(item: sheets.Item) -> str:
    """Return where an item is when nothing is said: weapons and shields in hand, armour worn, all else carried."""
    if item.damage or item.shield:
        return HELD
    return WORN if item.defence else CARRIED


@decides(sheets.ChangeCreature)
def change_creature(said: sheets.ChangeCreature, state: State) -> Iterator[Fact]:
    """An edited sheet changes what differs: numbers, items that are new, changed or gone. Wounds stay as they are."""
    being = find_being("name", said.name, state, guards.CREATURES, "a creature in play", unknown)
    check_because(said.because, outside_domain)
    check_creature(said)
    own = None if said.entries is None else tuple(entry for entry in said.entries if "." not in entry)
    yield from change_entries(said.name, sheet_of(said), said.because, state, "TT-OUT-5", entries=own)
    new = {item_name(said.name, item): item for item in said.items}
    for name, item in new.items():
        if state.being(name) is None:
            yield from give(item, said, being.side, being.seen, state)
            continue
        edited = None if said.entries is None else item_entries(item.name, said.entries)
        sheet = item_sheet(item, said.scale)
        yield from change_entries(name, sheet, said.because, state, "TT-ITM-5", entries=edited)
    for name in items_of(said.name, state):
        if name not in new and name.startswith(f"{said.name}'s "):
            for tie in TIES:
                if said.name in state.ties_from(name, tie):
                    yield Linked(rules=("TT-ITM-1",), one=name, tie=tie, other=said.name, on=False)


# The table of called shots


def location_entries(said: sheets.CreateLocations) -> dict[str, Scalar]:
    """TT-GAP-1: the entries of the table: numbers of every row, results of the campaign's own rows."""
    sheet: dict[str, Scalar] = {locations.LOCATIONS: 1}
    for row in said.rows:
        numbers = {"target": row.target, "toughness": row.toughness}
        sheet |= {f"{row.name}.{part}": value for part, value in numbers.items() if value is not None}
        if row.name not in locations.ROWS:
            sheet |= {f"{row.name}.wounding": ", ".join(row.wounding), f"{row.name}.felling": ", ".join(row.felling)}
    return sheet


def check_locations(said: sheets.CreateLocations) -> None:
    """TT-GAP-1: refuse a row twice, results of a row of the book, and results that the program does not know."""
    names = [row.name for row in said.rows]
    if len(set(names)) < len(names):
        raise outside_domain("rows", "named once each", ", ".join(names))
    for row in said.rows:
        check_location(row)


def check_location(row: sheets.Location) -> None:
    """TT-GAP-1: refuse a row outside its domain; the results of a row of the book are those of the book."""
    if not row.name or "." in row.name or " " in row.name:
        raise outside_domain("rows", "names of one word", row.name)
    if row.name in locations.ROWS and (row.wounding or row.felling):
        raise outside_domain(f"{row.name}.wounding", "left out, since the book has the results of this row", "some")
    for word in (*row.wounding, *row.felling):
        if word not in locations.RESULTS:
            raise outside_domain(f"{row.name}.wounding", f"of {', '.join(locations.RESULTS)}", word)
    for name, value in (("target", row.target), ("toughness", row.toughness)):
        if value is not None:
            check_whole(f"{row.name}.{name}", value, -100, 100, outside_domain)


@decides(sheets.CreateLocations)
def create_locations(said: sheets.CreateLocations, state: State) -> Iterator[Fact]:
    """TT-GAP-1: the campaign's numbers for called shots join; there is one table."""
    check_free(said.name, state, outside_domain)
    if locations.table(state):
        raise outside_domain("name", f"{locations.table(state)}, the table that is in play", said.name)
    check_locations(said)
    sheet = tuple(location_entries(said).items())
    yield Joined(rules=("TT-GAP-1",), who=said.name, kind="object", side=GM, sheet=sheet, seen="table")


@decides(sheets.ChangeLocations)
def change_locations(said: sheets.ChangeLocations, state: State) -> Iterator[SheetChanged]:
    """TT-GAP-1: other numbers for called shots."""
    find_being("name", said.name, state, ("object",), "the table of called shots", unknown)
    check_because(said.because, outside_domain)
    check_locations(said)
    yield from change_entries(said.name, location_entries(said), said.because, state, "TT-GAP-1", entries=said.entries)


SHEETS: Final[Mapping[str, type[Declaration]]] = {
    "pc": sheets.CreateCharacter,
    "npc": sheets.CreateNpc,
    locations.LOCATIONS: sheets.CreateLocations,
}


def sheet(content: Mapping[str, Any], where: str) -> Declaration:
    """Return the declaration of a sheet file. `[items.NAME]` and `[rows.NAME]` are tables."""
    content = {"name": locations.TABLE, **content} if content.get("sheet") == locations.LOCATIONS else content
    return read_sheet(content, SHEETS, {"items": named_tables, "rows": named_tables}, where)
