"""Attacks that are announced, and the defences that answer them."""

from __future__ import annotations

import msgspec
import pytest

from ledger.declarations import Declaration
from rulebooks.common.announcements import Go, announcement
from rulebooks.common.encounters import EndTurn
from rulebooks.semiautomagic.declarations.combat import Attack, Block, Dodge, Parry
from tests.rulebooks.semiautomagic.seat import BOOK, Seat, judgements

LINE = Attack(by="Rook", target="Thorn", weapon="arming sword")


def announced(**given: object) -> Seat:
    seat = Seat(fight=("Rook", "Thorn"), **given)  # type: ignore[arg-type]
    seat.say(announcement(LINE))
    return seat


def test_target_may_answer() -> None:
    assert list(BOOK.answers(LINE, Seat().state)) == ["Thorn"]


def test_nobody_answers_where_the_line_has_a_defence() -> None:
    assert not list(BOOK.answers(Attack(by="Rook", target="Thorn", defence="none"), Seat().state))


def test_defence_is_thrown_with_the_attack() -> None:
    seat = announced()
    seat.say(Dodge(by="Thorn"))
    record = seat.say(Go(by="Rook"), 2, 4)
    assert judgements(record.facts, "defence")[0].result == "negated"


def test_dice_are_those_of_the_line_with_its_defence() -> None:
    seat, whole = announced(), Seat(fight=("Rook", "Thorn"))
    seat.say(Dodge(by="Thorn"))
    faces = [fact.sums for fact in judgements(seat.say(Go(by="Rook")).facts, "attack")]
    assert faces == [fact.sums for fact in judgements(whole.say(Attack(**fields("dodge"))).facts, "attack")]


def fields(defence: str) -> dict[str, str]:
    return {"by": "Rook", "target": "Thorn", "weapon": "arming sword", "defence": defence}


def test_sums_rolled_elsewhere_take_no_dice() -> None:
    seat = Seat(fight=("Rook", "Thorn"))
    seat.say(announcement(msgspec.structs.replace(LINE, total=9)))
    seat.say(Dodge(by="Thorn", total=1))
    facts = seat.say(Go(by="Rook"), 4).facts
    known = [(fact.total, fact.rolls) for what in ("attack", "defence") for fact in judgements(facts, what)]
    assert known == [(9, ()), (1, ())]


def test_last_defence_counts() -> None:
    seat = announced()
    seat.say(Dodge(by="Thorn"))
    seat.say(Parry(by="Thorn"))
    assert judgements(seat.say(Go(by="Rook"), 2, 1, 1).facts, "defence")[0].rolls == ("parry Thorn",)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (Dodge(by="Rook"), "VALUE"),
        (Block(by="Thorn"), "VALUE"),
        (Go(by="Rook", wait=True), "VALUE"),
        (Dodge(by="Thorn", total=101), "VALUE"),
    ],
)
def test_answer_is_refused(line: Declaration, code: str) -> None:
    assert announced().code(line) == code


def test_turn_waits_for_the_announcement() -> None:
    assert announced().refusal(EndTurn(by="Rook")).code == "L-ANNOUNCED"


def test_withdrawn_attack_costs_nothing() -> None:
    seat = announced()
    seat.say(Go(by="Rook", withdraw=True))
    assert seat.state.actions_left("Rook", "seconds") == 6
    assert not seat.state.windows


def test_closing_a_session_ends_an_announcement() -> None:
    seat = announced()
    seat.check_closing()
    assert not seat.state.windows
