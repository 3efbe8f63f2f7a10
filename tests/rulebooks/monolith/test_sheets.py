"""Sheets of characters, foes and groups, and their changes."""

from __future__ import annotations

from typing import Any

import msgspec

from ledger.facts import SheetChanged
from rulebooks.monolith.declarations import ChangeCombatant, ChangeGroup
from rulebooks.monolith.groups import leader, members
from rulebooks.testing.seat import of_kind
from tests.rulebooks.monolith.seat import BOOK, Seat, hp_and_body

SHEET: dict[str, Any] = {"name": "Rook", "body": 8, "resolve": 6, "hp": 4, "scores": {"Reflex": 11}}


def test_sheet_joins_with_points_left() -> None:
    seat = Seat(fight=False)
    content = {**SHEET, "player": "Ana", "now": {"hp": 1, "body": 5}, "weapons": {"axe": "d8", "bow": "d6 nonlethal"}}
    said = BOOK.sheet(content, "rook.toml")
    seat.say(said)
    assert hp_and_body(seat, "Rook") == (1, 5)
    assert seat.state.sheet_of("Rook") == {
        "armor": 0,
        "player": "Ana",
        "reflex": 11,
        "resolve": 6,
        "weapon.axe": "d8",
        "weapon.bow": "d6 nonlethal",
        "wields": "axe",
    }
    change = BOOK.sheet_edits(said, "the same")
    assert isinstance(change, ChangeCombatant)
    assert len(seat.say(change).facts) == 1
    lower = msgspec.structs.replace(change, body=5, hp=9, weapons=(("bow", "d6"),), because="a winter")
    record = seat.say(lower)
    assert [(fact.key, fact.was, fact.now) for fact in of_kind(record, SheetChanged)] == [
        ("weapon.axe", "d8", None),
        ("weapon.bow", "d6 nonlethal", "d6"),
        ("wields", "axe", "bow"),
    ]
    assert hp_and_body(seat, "Rook") == (1, 5)
    assert [seat.state.pools["Rook", pool].most for pool in ("hp", "body")] == [9, 5]


def test_group_sheet_changes_with_a_reason() -> None:
    seat = Seat(fight=False)
    content = {"sheet": "group", "name": "Pack", "members": ["Stalker"], "leader": "Stalker", "resolve": 5}
    said = BOOK.sheet(content, "pack.toml")
    seat.say(said)
    change = BOOK.sheet_edits(said, "a quarrel")
    assert isinstance(change, ChangeGroup)
    assert len(seat.say(change).facts) == 1
    seat.say(msgspec.structs.replace(change, leader="", resolve=None))
    assert (members("Pack", seat.state), leader("Pack", seat.state)) == (("Stalker",), "")
    assert seat.state.sheet_of("Pack") == {}


def test_edited_sheet_keeps_the_weapon_in_hand() -> None:
    """Only what differs from the sheet as it was last cast changes."""
    seat = Seat(fight=False)
    content = {**SHEET, "weapons": {"axe": "d8", "bow": "d6"}}
    cast = BOOK.sheet(content, "rook.toml")
    seat.say(cast)
    edited = BOOK.sheet({**content, "resolve": 9}, "rook.toml")
    seat.add_facts((SheetChanged(who="Rook", key="wields", was="axe", now="bow", because="drawn"),))
    seat.say(BOOK.sheet_edits(edited, "a year", cast))
    assert (seat.state.sheet("Rook", "wields"), seat.state.sheet("Rook", "resolve")) == ("bow", 9)
    group = BOOK.sheet({"sheet": "group", "name": "Pack", "members": ["Stalker"], "resolve": 5}, "pack.toml")
    seat.say(group)
    change = BOOK.sheet_edits(group, "the same", group)
    assert change.entries == ()
