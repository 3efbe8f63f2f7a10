"""What `show NAME` says of what somebody has, has lost, rides and knows; and of where they are."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from cli.notation.line_parser import parse_line
from cli.phrases.beings import condition_names, place_text, sheet
from cli.phrases.entries import fact_lines
from cli.phrases.turns import now_line
from cli.questions.line_scope import line_scope
from cli.questions.who import sums_in_force
from cli.render.who import in_force_lines
from ledger.redaction.fact_redaction import folded_facts
from ledger.redaction.line_redaction import Hidden
from projections.projection import StateProjection
from projections.state import State
from projections.values import values
from rulebooks.common.texts import Wording
from rulebooks.testing.seat import TableSeat
from tests.rulebooks.momentum.seat import Seat as MomentumSeat
from tests.rulebooks.semiautomagic.seat import Seat


def say(seat: TableSeat, line: str, *faces: int) -> None:
    seat.say(parse_line(line, line_scope(seat.ledger.state, seat.book)).declaration, *faces)


def shown(seat: TableSeat, who: str) -> list[str]:
    being = seat.state.being(who)
    assert being is not None
    return sheet(seat.state, being, seat.book)


def fighter() -> Seat:
    seat = Seat(present=("Rook", "Thorn", "Horse"))
    for line in ('! harm "thorn\'s bow" 4 "a fall"', "rook surprise thorn", "rook mount horse", "thorn locate rook"):
        say(seat, line)
    say(seat, '! thorn attack rook at=hand limb=2 m-9 a-9 "as agreed"', 6, 4)
    return seat


@pytest.mark.parametrize(
    ("who", "line"),
    [
        ("Rook", "Rook holds the arming sword"),
        ("Rook", "Rook wears the mail"),
        ("Rook", "Rook rides Horse"),
        ("Horse", "Rook rides Horse"),
        ("Rook", "Rook no longer has the throwing axe"),
        ("Thorn", "Thorn holds the bow (1 wound) in the second hand and the knife"),
        ("Thorn", "Thorn is flat-footed against Rook and armed with the harpoon"),
        ("Rook", "Rook is armed with the flail and the harpoon"),
        ("Rook", "Thorn knows the square of Rook"),
    ],
)
def test_being_is_shown_with_its_ties(who: str, line: str) -> None:
    assert line in shown(fighter(), who)


def test_weapon_that_lies_in_a_zone_is_shown_as_lost() -> None:
    seat = MomentumSeat(at={"Arlo": "Yard"}, options={"thrown_leaves_hand": "yes"})
    say(seat, "arlo attack guard dagger thrown", 8)
    assert "Arlo no longer has the dagger (Hall)" in shown(seat, "Arlo")


def test_hidden_without_cover_is_said_of_whose_turn_it_is() -> None:
    seat = Seat()
    for line in ('! conceal thorn "fog"', "thorn hide total=6", '! conceal thorn off "wind"', '! fight "x" thorn rook'):
        say(seat, line)
    assert now_line(seat.state, seat.book) == "now: Thorn (seconds 6, hidden, without cover or concealment)"
    assert now_line(seat.state, seat.book, hidden={"Thorn"}) == "now: Thorn"
    assert "hidden, without cover or concealment" in shown(seat, "Thorn")


@pytest.mark.parametrize(
    ("line", "text"),
    [("rook move 3", ""), ("rook move 3 to=4,4", "at 4,4"), ("! put rook yard square=5,5", "in yard (5,5)")],
)
def test_place_that_nobody_named_goes_without_saying(line: str, text: str) -> None:
    seat = Seat()
    say(seat, line)
    assert place_text(seat.state, "Rook", seat.book.texts().lexicon.wording) == text


def state_as_seen(seat: Seat, hidden: Hidden) -> State:
    """Return the state as the players see it."""
    projection = StateProjection()
    state = projection.empty()
    for record in seat.ledger.store.takes():
        projection.fold(state, record.id, folded_facts(record.facts, hidden))
    return state


@pytest.mark.parametrize(("beings", "square"), [((), (5, 5)), (("Thorn",), None)])
def test_players_are_not_told_the_square_of_the_hidden(beings: Collection[str], square: tuple[int, int] | None) -> None:
    seat = Seat(at={"Thorn": (5, 5)})
    hidden = Hidden(beings=beings, conditions=(), keys=(), vitals={}, vital="wounds", kinds={}, wording=Wording())
    seen = state_as_seen(seat, hidden)
    assert seen.places["Thorn"].square == square


def test_players_are_not_told_the_degree_of_a_hidden_condition() -> None:
    seat = Seat(locations=True)
    say(seat, "! rook attack thorn at=leg limb=1", 6, 6)
    say(seat, "! thorn fortitude", 6)
    hidden = Hidden(beings=("Thorn",), conditions=(), keys=(), vitals={}, vital="wounds", kinds={}, wording=Wording())
    seen = state_as_seen(seat, hidden)
    thorn = seen.being("Thorn")
    assert thorn is not None
    assert "slowed by 2 (leg 1)" in condition_names(seat.state, thorn, seat.book)
    assert "slowed (leg 1)" in condition_names(seen, thorn, seat.book)
    assert values(seen)["thorn.slowed"] == 1


def test_number_of_a_sheet_is_said_with_what_is_in_force() -> None:
    seat = Seat(locations=True)
    assert sums_in_force(["thorn.speed"], seat.state, seat.book) == []
    say(seat, "! rook attack thorn at=leg limb=1", 6, 6)
    totals = sums_in_force(["thorn.speed", "thorn.melee", "rook.speed", "speed"], seat.state, seat.book)
    assert in_force_lines(totals) == ["the number of the sheet; in force now: speed 6, hurt legs -2 = 4"]


def test_located_by_hearing_is_not_said_twice() -> None:
    seat = Seat(at={"Thorn": (5, 5)})
    said = parse_line("rook locate thorn heard", line_scope(seat.ledger.state, seat.book)).declaration
    facts, wording = seat.say(said).facts, seat.book.texts().lexicon.wording
    assert fact_lines(facts, wording, by="Rook")[:2] == ["located", "locate: heard"]
