"""Situations that were known or possible, and not in the line."""

from __future__ import annotations

from ledger.declarations import Declaration
from ledger.facts import GM
from rulebooks.common.options import SetOption
from rulebooks.dusk_bastards.declarations.combat import Defence
from rulebooks.dusk_bastards.declarations.parts import Denied
from rulebooks.dusk_bastards.declarations.turns import Move
from rulebooks.dusk_bastards.declarations.world import SetLight
from tests.rulebooks.dusk_bastards.fight import attack, condition
from tests.rulebooks.dusk_bastards.seat import BOOK, Seat

WHO = ("Ash", "Bryn", "thug", "captain")


def names(seat: Seat, said: Declaration, known: bool) -> list[str]:
    return [situation.name for situation in BOOK.guide.unclaimed(said, seat.state) if situation.known == known]


def test_unclaimed_situations_list_known_and_possible_ones() -> None:
    skill = {"task": "swords", "level": "trained", "stat": "might"}
    seat = Seat(*WHO, Ash={"destiny": 1, "sheet": {"skills": [skill]}})
    for who, name in (("captain", "prone"), ("captain", "cover"), ("Ash", "dazed")):
        seat.say(condition(who, name))
    said = attack(target="captain", situations=("cover", "located"), assets=())
    assert names(seat, said, known=True) == ["prone", "dazed"]
    assert names(seat, said, known=False) == ["effort", "skill", "destiny", "help"]
    denies = attack(
        target="captain",
        situations=("cover", "located"),
        denied=(Denied("prone", "up"),),
        trained=("swords",),
        effort=2,
        helpers=("Bryn",),
    )
    assert names(seat, denies, known=True) == ["dazed"]
    assert names(seat, denies, known=False) == ["destiny"]
    (effort,) = (situation for situation in BOOK.guide.unclaimed(said, seat.state) if situation.name == "effort")
    assert effort.text == "Effort up to 2, for 5 might"


def test_a_defence_might_have_been_eased_by_taking_cover() -> None:
    """DB-REACT-1."""
    seat = Seat(*WHO, encounter={"order": ("captain", "Ash"), "phase": "action"})
    assert "take_cover" in names(seat, Defence(by="Ash", source="captain"), known=False)
    assert "take_cover" not in names(seat, Defence(by="Ash", difficulty=4), known=False)


def test_move_without_a_roll_has_no_unclaimed_situations() -> None:
    """DB-MOVE-1, DB-MOVE-2: an immediate distance is free, a short one is rolled for."""
    seat = Seat(*WHO, encounter={"order": ("Ash", "captain"), "phase": "movement"})
    assert names(seat, Move(by="Ash"), known=False) == []
    assert "help" in names(seat, Move(by="Ash", distance="short"), known=False)


def test_a_declaration_without_a_roll_has_no_unclaimed_situations() -> None:
    seat = Seat(*WHO)
    assert not [*BOOK.guide.unclaimed(SetLight(by=GM, light="dim"), seat.state)]
    assert not [*BOOK.guide.unclaimed(SetOption(by=GM, name="moving_base", value=0, reason="x"), seat.state)]
