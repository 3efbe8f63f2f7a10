"""Sheets of characters, and their changes."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.facts import GM, SheetChanged
from rulebooks.mars.declarations.harm import DealDamage
from rulebooks.mars.declarations.sheets import ChangeSheet
from rulebooks.mars.declarations.turns import Brandish
from rulebooks.mars.tasks.stat_values import value_of
from rulebooks.testing.seat import of_kind
from tests.rulebooks.mars.seat import BOOK, Seat, sheet_of

SHEET: dict[str, Any] = {
    "name": "Rook",
    "player": "Ana",
    "strength": "r10",
    "dexterity": "r12",
    "intelligence": "r8",
    "resolve": "r6+2",
    "ar": 1,
    "skills": {"finesse": "r6", "sailing": "r4 intelligence"},
    "items": {"hook": {"damage": "r6", "type": "piercing", "skill": "finesse"}, "targe": {"block": 2, "durability": 8}},
}


def seat() -> Seat:
    return Seat(present=["Asha"])


def maxima(seat: Seat, who: str) -> dict[str, int | None]:
    return {pool: kept.most for (name, pool), kept in seat.state.pools.items() if name == who}


def test_resources_come_from_the_stats() -> None:
    """GR-OUT-6: each maximum is that of its stat; a shield has its durability."""
    table = seat()
    table.say(BOOK.sheet(SHEET, "rook.toml"))
    assert maxima(table, "Rook") == {"health": 10, "endurance": 8, "stamina": 12, "focus": 8, "targe": 8}
    rolled = {name: str(value_of("Rook", name, table.state).roll) for name in ("initiative", "deflection", "evasion")}
    assert rolled == {"initiative": "r18+2", "deflection": "r6+3", "evasion": "r12+1"}
    assert str(value_of("Rook", "fortitude", table.state).roll) == "r16+2"
    assert str(value_of("Rook", "willpower", table.state).roll) == "r14+2"


def test_sheet_may_write_derived_values() -> None:
    """GR-GAP-5: a sheet may say otherwise."""
    table = seat()
    content = {**SHEET, "derived": {"deflection": "r20"}, "maxima": {"health": 30}, "now": {"health": -3, "targe": 5}}
    table.say(BOOK.sheet(content, "rook.toml"))
    assert str(value_of("Rook", "deflection", table.state).roll) == "r20"
    assert maxima(table, "Rook")["health"] == 30
    assert (table.points("Rook", "health"), table.points("Rook", "targe")) == (-3, 5)


def test_skill_of_the_campaign_names_its_stat() -> None:
    table = seat()
    table.say(BOOK.sheet(SHEET, "rook.toml"))
    assert str(value_of("Rook", "sailing", table.state).roll) == "r12"


def test_edited_sheet_changes_what_differs() -> None:
    """GR-GAP-52: a lower maximum cuts the points, a higher one fills nothing."""
    table = seat()
    said = BOOK.sheet(SHEET, "rook.toml")
    table.say(said)
    same = BOOK.sheet_edits(said, "the same")
    assert isinstance(same, ChangeSheet)
    assert len(table.say(same).facts) == 1
    lower = msgspec.structs.replace(same, strength="r6", dexterity="r14", because="a winter")
    record = table.say(lower)
    changes = [(fact.key, fact.was, fact.now) for fact in of_kind(record, SheetChanged)]
    assert sorted(changes) == [("dexterity", "r12", "r14"), ("strength", "r10", "r6")]
    assert (table.points("Rook", "health"), table.points("Rook", "stamina")) == (6, 12)
    assert (maxima(table, "Rook")["health"], maxima(table, "Rook")["stamina"]) == (6, 14)


def test_edited_sheet_keeps_what_play_has_changed() -> None:
    """Only what differs from the sheet as it was last cast changes."""
    table = seat()
    cast = BOOK.sheet(SHEET, "rook.toml")
    table.say(cast)
    table.say(Brandish(by="Rook", items=("targe",)))
    table.say(DealDamage(by=GM, target="Rook", amount=5))
    table.say(BOOK.sheet_edits(BOOK.sheet({**SHEET, "ar": 2}, "rook.toml"), "a new coat", cast))
    assert (table.state.sheet("Rook", "held"), table.state.sheet("Rook", "ar")) == ("targe", 2)
    assert table.points("Rook", "endurance") == 3


def test_sheet_holds_what_it_says_is_in_hand() -> None:
    table = seat()
    table.say(BOOK.sheet({**SHEET, "held": ["hook"]}, "rook.toml"))
    assert table.state.sheet("Rook", "held") == "hook"
    table.say(BOOK.sheet({**SHEET, "name": "Finch"}, "finch.toml"))
    assert table.state.sheet("Finch", "held") == "hook, targe"


@pytest.mark.parametrize("learned", [{"heavy-strike": "martial", "brace": "martial", "trip": "martial"}])
def test_sheet_with_too_many_maneuvers_is_refused(learned: dict[str, str]) -> None:
    """GR-MAN-1: rank 3 gives two."""
    said = BOOK.sheet({**sheet_of("Asha", {"learned": learned}), "name": "Rook"}, "rook.toml")
    assert seat().code(said) == "NO-SLOT"


def test_sheet_with_a_maneuver_of_another_skill_is_refused() -> None:
    said = BOOK.sheet({**SHEET, "learned": {"heavy-strike": "finesse"}}, "rook.toml")
    assert seat().code(said) == "SKILL"


def test_team_of_the_sheets_is_a_group_before_an_encounter() -> None:
    table = Seat(present=("Asha", "Gil", "Hob"), sheets={"Gil": {"team": "Wardens"}, "Hob": {"team": "Wardens"}})
    assert BOOK.guide.teams(table.state) == {"players": ["Asha"], "wardens": ["Gil", "Hob"]}
