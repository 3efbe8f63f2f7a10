"""Typed faces: those of a roll that is not made, and those that no die needs."""

from __future__ import annotations

import pytest

from ledger.declarations import Declaration
from ledger.facts import GM
from rulebooks.common.adjustments import Adjust
from rulebooks.dusk_bastards.declarations.harm import Damage
from rulebooks.dusk_bastards.declarations.tasks import Close
from rulebooks.dusk_bastards.declarations.turns import Deed, Move, Pass
from tests.rulebooks.dusk_bastards.fight import fight
from tests.rulebooks.dusk_bastards.seat import DUSK, Seat, eased, faces, tries


@pytest.mark.parametrize(
    "said",
    [
        Deed(by="Ash", text="whistle"),
        Damage(by=GM, target="Ash", amount=1),
        Close(by=GM),
        Adjust(by="Ash", value="might", change=-1, reason="x"),
        Move(by="Ash", distance="immediate"),
        Move(by="thug", distance="short"),
    ],
)
def test_faces_of_a_line_without_dice_are_refused(said: Declaration) -> None:
    """DB-ROLL-5: as those beyond the dice of a roll are."""
    seat = fight("Ash", "thug") if isinstance(said, Move) else Seat("Ash", "thug")
    if isinstance(said, Move) and said.by == "Ash":
        seat.say(Pass(by="thug"))
    if isinstance(said, Close):
        seat.say(tries(), *DUSK)
    assert seat.code(said, 7, 6) == "DIE"
    seat.say(said)


@pytest.mark.parametrize("said", [tries(difficulty=0), tries(initial_cost=13), tries(difficulty=1, ease=eased(2))])
def test_faces_of_a_roll_that_is_not_made_are_dropped(said: Declaration) -> None:
    """DB-ROLL-5: routine or an automatic failure: they are neither recorded nor refused."""
    assert faces(Seat("Ash").say(said, 7, 6)) == {}
