"""Sheets of combatants, and their changes."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.declarations import Ruling, Setting
from ledger.errors import Unreadable
from ledger.facts import GM, SheetChanged
from rulebooks.momentum.declarations import ChangeSheet
from rulebooks.testing.seat import of_kind
from tests.rulebooks.momentum.seat import BOOK, Seat, cases

ANN: dict[str, Any] = {"name": "Ann", "hp": 6, "defense": 4, "scores": {"STR": 6, "AGI": 8}}


WEAPON = {"damage": "2d10", "rushed": "1d10", "needs": {"STR": 5}, "tags": ["Throwable"]}


def test_sheet_file_becomes_a_combatant() -> None:
    seat = Seat("none", present=("Arlo",))
    sheet = {**ANN, "weapons": {"hand axe": WEAPON}, "armor": "leather (+3)", "rank": 1, "shield": True, "hp_now": 2}
    seat.say(BOOK.sheet(sheet, "ann.toml"))
    assert (seat.hp("Ann"), seat.state.pools["Ann", "hp"].most) == (2, 6)
    assert seat.state.sheet_of("Ann") == {
        "agi": 8,
        "armor": "leather (+3)",
        "defense": 4,
        "rank": 1,
        "shield": "yes",
        "str": 6,
        "weapon.hand axe.damage": "2d10",
        "weapon.hand axe.needs": "STR 5",
        "weapon.hand axe.rushed": "1d10",
        "weapon.hand axe.tags": "Throwable",
        "weapons": "hand axe",
    }
    assert "wounded Ann" in seat.state.conditions


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"sheet": "ghost"}, "ann.toml"),
        ({"by": "gm"}, "ann.toml"),
        ({"side": "pc"}, "ann.toml"),
        ({"name": 7}, "ann.toml, name"),
        ({"defense": "high"}, "ann.toml"),
        ({"luck": 1}, "ann.toml"),
        ({"weapons": {"axe": {"dice": "2d10"}}}, "ann.toml"),
        ({"weapons": {"axe": 7}}, "ann.toml"),
        ({"hp": 10**12}, "ann.toml, hp"),
    ],
)
def test_invalid_sheet_file_is_named(wrong: dict[str, Any], where: str) -> None:
    with pytest.raises(Unreadable) as raised:
        BOOK.sheet({**ANN, **wrong}, "ann.toml")
    assert raised.value.where.startswith(where)


@pytest.mark.parametrize(
    "wrong",
    [
        {"hp": 0},
        {"hp_now": 7},
        {"hp_now": -1},
        {"defense": 0},
        {"scores": {"STR": 0}},
        {"scores": {"STR": 20}},
        {"scores": {"defense": 3}},
        {"name": "arlo"},
        {"name": "gm"},
        {"weapons": {"axe": {"damage": "2d8"}}},
        {"weapons": {"axe": {"damage": "2d10 1d12"}}},
        {"weapons": {"axe": {"damage": "2d10", "rushed": "d10"}}},
        {"weapons": {"axe, big": {"damage": "2d10"}}},
        {"weapons": {"axe": {"damage": "2d10", "needs": {"STR": 20}}}},
        {"weapons": [{"name": "axe", "damage": "2d10"}, {"name": "Axe", "damage": "2d10"}]},
    ],
)
def test_sheet_value_outside_its_domain_is_refused(wrong: dict[str, Any]) -> None:
    """HP within their maximum, Defense 1 or more, d10, d12 and d20."""
    seat = Seat("none", present=("Arlo",))
    assert seat.refusal(BOOK.sheet({**ANN, **wrong}, "ann.toml")).code == "L-VALUE"


def test_edited_sheet_records_what_differs() -> None:
    seat = Seat("none", present=("Cole",))
    sheet = {**cases()["sheets"]["Cole"], "name": "Cole", "hp": 4, "defense": 7, "shield": True}
    change = BOOK.sheet_edits(BOOK.sheet(sheet, "cole.toml"), "a fever")
    assert isinstance(change, ChangeSheet)
    record = seat.say(change)
    assert {(fact.key, fact.now, fact.because) for fact in of_kind(record, SheetChanged)} == {
        ("defense", 7, "a fever"),
        ("shield", "yes", "a fever"),
    }
    assert (seat.hp("Cole"), seat.state.pools["Cole", "hp"].most) == (4, 4)
    assert not of_kind(seat.say(msgspec.structs.replace(change, because="again")), SheetChanged)
    assert seat.refusal(msgspec.structs.replace(change, because="")).code == "L-VALUE"


def test_edited_sheet_keeps_what_the_table_changed() -> None:
    """Only what differs from the sheet as it was last cast changes."""
    seat = Seat("none", present=("Cole",))
    cast = BOOK.sheet({**cases()["sheets"]["Cole"], "name": "Cole"}, "cole.toml")
    seat.say(Ruling(by=GM, text="rusty", reason="the rain", changes=(Setting("cole.defense", 4),)))
    edited = BOOK.sheet({**cases()["sheets"]["Cole"], "name": "Cole", "shield": True}, "cole.toml")
    record = seat.say(BOOK.sheet_edits(edited, "a find", cast))
    assert [fact.key for fact in of_kind(record, SheetChanged)] == ["shield"]
    assert seat.state.sheet("Cole", "defense") == 4
