"""Sheets of creatures with their items, and the table of called shots; and their changes."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.errors import Unreadable
from ledger.facts import SheetChanged
from rulebooks.semiautomagic.creatures import toughness
from rulebooks.semiautomagic.declarations.combat import Attack
from rulebooks.semiautomagic.declarations.sheets import ChangeCreature, ChangeLocations
from rulebooks.semiautomagic.items import items_of, short_name
from rulebooks.testing.seat import of_kind
from tests.rulebooks.semiautomagic.seat import BOOK, Seat, cases

SHEET: dict[str, Any] = {"name": "Ilse", "player": "Dana", "endurance": 2, "melee": 3, "dodge": 1, "speed": 6}
ITEMS = {
    "hook": {"damage": "1d6+1", "make": "metal", "seconds": 2},
    "coat": {"defence": 2},
    "lamp": {},
    "bite": {"damage": "1d3", "natural": True, "seconds": 1},
}


def has(seat: Seat, who: str, *ties: str) -> list[str]:
    return [short_name(item, seat.state) for item in items_of(who, seat.state, *ties)]


def test_items_are_held_worn_carried_or_part_of_the_body() -> None:
    seat = Seat(present=())
    seat.say(BOOK.sheet({**SHEET, "items": ITEMS, "wounds": 1}, "ilse.toml"))
    found = {tie: has(seat, "Ilse", tie) for tie in ("held", "worn", "carried", "part")}
    assert found == {"held": ["hook"], "worn": ["coat"], "carried": ["lamp"], "part": ["bite"]}
    assert toughness("Ilse", seat.state).total == 6 + 2 + 2 - 1
    assert seat.state.sheet("Ilse", "player") == "Dana"


def test_weapons_beyond_the_hands_are_carried() -> None:
    seat = Seat(present=())
    pole = {"damage": "1d8", "hands": 2, "seconds": 3}
    seat.say(BOOK.sheet({**SHEET, "items": {"hook": ITEMS["hook"], "pole": pole, "axe": ITEMS["hook"]}}, "ilse.toml"))
    assert (has(seat, "Ilse", "held"), has(seat, "Ilse", "carried")) == (["hook", "axe"], ["pole"])


def test_npc_may_be_on_the_side_of_the_players() -> None:
    seat = Seat(present=("Horse", "Bear"))
    assert [getattr(seat.state.being(who), "side", "") for who in ("Horse", "Bear")] == ["players", "gm"]
    assert [getattr(seat.state.being(who), "seen", "") for who in ("Horse", "Bear")] == ["table", "gm"]


@pytest.mark.parametrize(
    "entries",
    [
        {"scale": 9},
        {"melee": 101},
        {"wounds": -1},
        {"items": {"hook": {"damage": "a lot", "seconds": 2}}},
        {"items": {"hook": {"damage": "1d6"}}},
        {"items": {"hook": {**ITEMS["hook"], "hands": 0}}},
        {"items": {"hook": {**ITEMS["hook"], "natural": True, "carry": "held"}}},
        {"items": {"hook": ITEMS["hook"], "HOOK": ITEMS["hook"]}},
        {"name": "Rook"},
    ],
)
def test_sheet_outside_its_domain_is_refused(entries: dict[str, Any]) -> None:
    assert Seat().code(BOOK.sheet({**SHEET, **entries}, "ilse.toml")) == "VALUE"


@pytest.mark.parametrize("entries", [{"luck": 1}, {"items": {"hook": {"sharp": True}}}, {"melee": "good"}])
def test_sheet_with_an_unknown_entry_is_unreadable(entries: dict[str, Any]) -> None:
    with pytest.raises(Unreadable, match=r"ilse\.toml"):
        BOOK.sheet({**SHEET, **entries}, "ilse.toml")


def test_edited_sheet_changes_what_differs() -> None:
    seat = Seat(present=())
    cast = BOOK.sheet({**SHEET, "items": ITEMS}, "ilse.toml")
    seat.say(cast)
    assert len(seat.say(BOOK.sheet_edits(cast, "the same", cast)).facts) == 1
    items = {"hook": {**ITEMS["hook"], "damage": "1d8+1"}, "bite": ITEMS["bite"], "knife": ITEMS["hook"]}
    edited = BOOK.sheet({**SHEET, "endurance": 4, "items": items}, "ilse.toml")
    change = BOOK.sheet_edits(edited, "a winter", cast)
    assert isinstance(change, ChangeCreature)
    record = seat.say(change)
    assert [(fact.who, fact.key, fact.was, fact.now) for fact in of_kind(record, SheetChanged)] == [
        ("Ilse", "endurance", 2, 4),
        ("Ilse's hook", "damage", "1d6+1", "1d8+1"),
    ]
    assert (has(seat, "Ilse", "held"), has(seat, "Ilse", "worn", "carried")) == (["hook", "knife"], [])
    seat.check_closing()


def test_edited_sheet_leaves_what_play_has_changed() -> None:
    """Only what differs from the sheet as it was last cast changes."""
    seat = Seat(present=())
    cast = BOOK.sheet({**SHEET, "items": ITEMS}, "ilse.toml")
    seat.say(cast)
    seat.add_facts((SheetChanged(who="Ilse", key="speed", was=6, now=4, because="a bad knee"),))
    seat.say(BOOK.sheet_edits(BOOK.sheet({**SHEET, "melee": 5, "items": ITEMS}, "ilse.toml"), "practice", cast))
    assert [seat.state.sheet("Ilse", name) for name in ("speed", "melee")] == [4, 5]


# The table of called shots

TABLE: dict[str, Any] = {"sheet": "locations", "rows": cases()["locations"]}


def test_table_gives_rows_their_numbers_and_own_results() -> None:
    """TT-GAP-1."""
    seat = Seat()
    seat.say(BOOK.sheet({**TABLE, "rows": {"ear": {"target": 3, "toughness": -3, "wounding": ["stagger"]}}}, "t.toml"))
    attack = Attack(by="Rook", target="Thorn", weapon="arming sword", at="ear")
    facts = seat.say(attack, 5, 1).facts
    assert [fact.result for fact in facts if getattr(fact, "what", "") == "toughness"] == ["stagger"]
    assert len(seat.state.windows) == 1


@pytest.mark.parametrize(
    "rows",
    [
        {"left ear": {"target": 1}},
        {"leg": {"target": 1, "wounding": ["wound"]}},
        {"ear": {"wounding": ["deafened"]}},
        {"leg": {"target": 101}},
    ],
)
def test_table_outside_its_domain_is_refused(rows: dict[str, Any]) -> None:
    assert Seat().code(BOOK.sheet({"sheet": "locations", "rows": rows}, "t.toml")) == "VALUE"


def test_second_table_is_refused() -> None:
    seat = Seat(locations=True)
    assert seat.code(BOOK.sheet({**TABLE, "name": "Others"}, "t.toml")) == "VALUE"


def test_table_changes_with_a_reason() -> None:
    seat = Seat(locations=True)
    cast = BOOK.sheet(TABLE, "t.toml")
    rows = {**cases()["locations"], "leg": {"target": 2, "toughness": -1}}
    change = BOOK.sheet_edits(BOOK.sheet({**TABLE, "rows": rows}, "t.toml"), "a vote", cast)
    assert isinstance(change, ChangeLocations)
    record = seat.say(change)
    changed = [(fact.key, fact.was, fact.now) for fact in of_kind(record, SheetChanged)]
    assert changed == [("leg.target", 1, 2)]
    assert seat.code(msgspec.structs.replace(change, because="")) == "VALUE"
