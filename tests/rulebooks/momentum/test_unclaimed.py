"""Situations that a line did not claim."""

from __future__ import annotations

from rulebooks.momentum.declarations import Move
from tests.rulebooks.momentum.seat import BOOK, Seat, attacks


def test_unclaimed_lists_known_or_possible_situations() -> None:
    """MO-REACT-1, MO-DBL-2, MO-WND-2."""
    seat = Seat("foes", at={"Dara": "Yard"}, hp={"Brute": 3}, options={"foes_wounded": "yes"})
    situations = {
        situation.name: (situation.known, situation.rules)
        for situation in BOOK.guide.unclaimed(attacks("Brute", "Arlo"), seat.state)
    }
    assert situations == {
        "Wounded": (True, ("MO-WND-2",)),
        "defend Arlo": (False, ("MO-DEFEND-1",)),
        "interpose Bex": (False, ("MO-INTER-1",)),
        "interpose Cole": (False, ("MO-INTER-1",)),
    }
    said = attacks("Brute", "Arlo", ("Cole", "interpose"))
    assert {situation.name for situation in BOOK.guide.unclaimed(said, seat.state)} == situations.keys() - {
        "interpose Cole"
    }
    assert set(BOOK.answers(said, seat.state)) == {"Arlo", "Bex"}  # Cole, who interposed, is the target now
    own = Seat()
    own.say(attacks("Cole", "Brute"), 1, 1, 1)
    named = {situation.name for situation in BOOK.guide.unclaimed(attacks("Cole", "Brute"), own.state)}
    assert named == {"rushed", "help Arlo", "help Bex", "help Dara"}
    assert not list(BOOK.answers(Move(by="Cole", zone="Yard"), own.state))
