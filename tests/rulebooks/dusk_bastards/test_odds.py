"""Odds of the rules, compared with the table of the catalogue and with all 144 rolls."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.errors import Refused
from ledger.facts import GM, EntryId
from ledger.odds import Chance, count_odds
from rulebooks.dusk_bastards.declarations.combat import AreaAttack
from rulebooks.dusk_bastards.declarations.harm import Damage, WoundRoll
from rulebooks.dusk_bastards.declarations.parts import Spot
from rulebooks.dusk_bastards.declarations.tasks import Attempt
from tests.rulebooks.dusk_bastards.seat import BOOK, Seat

SUCCEED = {1: 143, 2: 134, 3: 116, 4: 89, 5: 55, 6: 28, 7: 10, 8: 1, 9: 0, 12: 0}
TAKING_20 = {1: 144, 2: 144, 3: 144, 4: 144, 5: 144, 6: 144, 7: 10, 8: 1, 9: 0}
WOUNDS = {"winded": (2, 9), "light": (10, 12), "moderate": (13, 15), "severe": (16, 18), "critical": (19, 23)}


def chances(seat: Seat, said: Any) -> dict[tuple[str, str], int]:
    """Return the ways of 144 by what is judged and its result; check that the ledger has not changed."""
    ledger_state, before = seat.ledger.state, seat.snapshot()
    outlook = count_odds(BOOK, ledger_state, said, EntryId(1, ledger_state.last.number + 1))
    assert seat.snapshot() == before
    assert {chance.of for chance in outlook.chances} <= {144, 1}
    return {(chance.what, chance.result): ways(chance) for chance in outlook.chances}


def ways(chance: Chance) -> int:
    return chance.ways * 144 // chance.of


def climb(difficulty: int, **more: Any) -> Attempt:
    return Attempt(by="Ash", task="climb", stat="might", difficulty=difficulty, **more)


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("difficulty", SUCCEED)
def test_plain_attempt_has_the_odds_of_the_catalogue(difficulty: int) -> None:
    """DB-DIFF-1, DB-ROLL-1; of 144 rolls 66 are Dawn, 66 Dusk and 12 Eclipse (DB-DEST-1)."""
    counts = chances(Seat("Ash"), climb(difficulty))
    assert counts.get(("task", "success"), 0) == SUCCEED[difficulty]
    assert counts.get(("task", "failure"), 0) == 144 - SUCCEED[difficulty]
    assert [counts["destined effect", name] for name in ("dawn", "dusk", "eclipse")] == [66, 66, 12]


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("difficulty", TAKING_20)
def test_taking_20_has_the_odds_of_the_catalogue(difficulty: int) -> None:
    counts = chances(Seat("Ash"), climb(difficulty, take20=True))
    assert counts.get(("task", "success"), 0) == TAKING_20[difficulty]


@pytest.mark.slow
@pytest.mark.parametrize("effort", [0, 1, 2])
def test_effort_level_changes_odds_and_expected_cost(effort: int) -> None:
    seat = Seat("Ash")
    assert chances(seat, climb(5, effort=effort)).get(("task", "success"), 0) == SUCCEED[5 - effort]
    outlook = count_odds(BOOK, seat.ledger.state, climb(5, effort=effort), EntryId(1, 1))
    spent = {0: 0, 1: 3, 2: 5}[effort]
    might = next((value for value in outlook.expected if value.value == "ash.might"), None)
    back = 12 * ((spent + 1) // 2)  # an Eclipse refunds half, rounded up
    assert (might.before * 144 - might.total * 144 // might.of if might else 0) == spent * 144 - back


def test_odds_cover_the_levels_within_the_limit() -> None:
    seat = Seat("Ash")
    assert [name for name, _ in BOOK.guide.levels(climb(5), seat.state)] == ["e0", "e1", "e2"]
    assert [name for name, _ in BOOK.guide.levels(Damage(by=GM, target="Ash", amount=1), seat.state)] == [""]


@pytest.mark.parametrize("carried", [0, 6])
def test_wound_roll_has_the_odds_of_its_totals(carried: int) -> None:
    """DB-WOUND-1, DB-WOUND-2."""
    seat = Seat("Ash", Ash={"wounds": [{"value": carried, "in_force": True}]} if carried else {})
    seat.say(Damage(by=GM, target="Ash", amount=50))
    counts = chances(seat, WoundRoll(by="Ash"))
    totals = [dawn + dusk + carried for dawn in range(1, 13) for dusk in range(1, 13)]
    for name, (least, most) in WOUNDS.items():
        assert counts.get(("wound taken", name), 0) == sum(least <= total <= most for total in totals)
    assert counts.get(("condition", "dead"), 0) == sum(total >= 24 for total in totals)


def test_refused_declaration_has_no_odds() -> None:
    with pytest.raises(Refused, match="DB-E-DIFFICULTY"):
        chances(Seat("Ash"), climb(13))


def test_routine_task_succeeds_without_a_roll() -> None:
    assert chances(Seat("Ash"), climb(0)) == {("task", "routine"): 144}


@pytest.mark.slow
def test_open_roll_is_no_result_of_the_next_one() -> None:
    """DB-DEST-4: the declaration closes it with its present result."""
    seat = Seat("Ash")
    seat.say(climb(1), 9, 8)
    counts = chances(seat, climb(5))
    assert (counts["task", "success"], counts["task", "failure"]) == (SUCCEED[5], 144 - SUCCEED[5])


@pytest.mark.slow
def test_area_attack_has_odds_against_each_target() -> None:
    """DB-AREA-1."""
    seat = Seat("Ash", "thug", "captain")
    said = AreaAttack(by="Ash", stat="might", damage=4, targets=(Spot("thug"), Spot("captain")))
    shown = count_odds(BOOK, seat.ledger.state, said, EntryId(1, 1)).chances
    hits = {chance.against: ways(chance) for chance in shown if (chance.what, chance.result) == ("attack", "success")}
    hard = {who: seat.state.sheet(who, "difficulty") for who in ("thug", "captain")}
    assert hits == {who: SUCCEED[int(difficulty or 0)] for who, difficulty in hard.items()}
