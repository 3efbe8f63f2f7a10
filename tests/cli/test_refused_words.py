"""Words that a line understands so that the rule refuses them: weapons that have left the hand, in every game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cli.notation.line_parser import parse_line
from cli.questions.line_completion import complete_line
from cli.questions.line_scope import line_scope
from ledger.errors import Refused
from rulebooks.testing.seat import TableSeat
from tests.cli.conftest import CAST, Folder, one_error
from tests.cli.evenings import prepare
from tests.rulebooks.mars.seat import Seat as MarsSeat
from tests.rulebooks.momentum.seat import Seat as MomentumSeat
from tests.rulebooks.semiautomagic.seat import Seat as SemiautomagicSeat


def say(seat: TableSeat, line: str, *faces: int) -> None:
    seat.say(parse_line(line, line_scope(seat.ledger.state, seat.book)).declaration, *faces)


def shot_out_of_hand() -> TableSeat:
    seat = SemiautomagicSeat(locations=True)
    say(seat, 'rook attack thorn at=hand m0 a-9 "as agreed"', 6, 6)
    return seat


def thrown_away() -> TableSeat:
    seat = MomentumSeat(at={"Arlo": "Yard"}, options={"thrown_leaves_hand": "yes"})
    say(seat, "arlo attack guard dagger thrown", 8)
    return seat


def put_away() -> TableSeat:
    seat = MarsSeat(teams={"players": ("Asha",), "guards": ("Gil",)}, turn="Asha")
    say(seat, "asha brandish shield")
    return seat


CASES = [
    (shot_out_of_hand, "thorn attack rook", "knife", "TT-E-HAND"),
    (shot_out_of_hand, "thorn attack rook with", "knife", "TT-E-HAND"),
    (thrown_away, "arlo attack guard", "dagger", "MO-E-WEAPON"),
    (put_away, "asha attack gil", "longsword", "GR-E-NOT-WIELDED"),
]


@pytest.mark.parametrize(("seat", "line", "weapon", "code"), CASES)
def test_lost_weapon_is_refused_by_its_rule(seat: Callable[[], TableSeat], line: str, weapon: str, code: str) -> None:
    with pytest.raises(Refused, match=code):
        say(seat(), f"{line} {weapon[:5]}")


@pytest.mark.parametrize(("seat", "line", "weapon", "code"), CASES)
def test_lost_weapon_is_not_proposed(seat: Callable[[], TableSeat], line: str, weapon: str, code: str) -> None:
    table = seat()
    assert weapon not in complete_line(f"{line} {weapon[:3]}", line_scope(table.ledger.state, table.book))


def test_task_of_a_skill_is_refused_by_its_rule(folder: Folder) -> None:
    """The game master has a verb of that name, which takes one being less."""
    healer = CAST["kess.toml"].replace('"Kess"', '"Ode"').replace("sneak =", "heal =")
    folder.run("cast", str(folder.file("ode.toml", healer)))
    folder.run("do", '! encounter "the ford"')
    assert one_error(folder.invoke("do", "ode heals orrin v3"), 1).startswith("DB-E-PHASE")


@pytest.mark.slow
def test_text_without_its_quotation_marks_is_proposed_with_them(tmp_path: Path) -> None:
    """Not with the whole line as the reason."""
    prepare("semiautomagic", tmp_path / "kiln")
    folder = Folder(tmp_path / "kiln")
    error = one_error(folder.invoke("do", "! cover kit light wet barrels"), 2)
    assert 'Meant? ! cover kit light "wet barrels".' in error
    folder.run("do", error.partition("Meant? ")[2].strip().removesuffix("."))
