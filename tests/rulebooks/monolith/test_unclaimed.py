"""Situations that a line did not claim, the vocabulary of a line, and the weapons that odds compare."""

from __future__ import annotations

from ledger.facts import GM
from rulebooks.common.options import SetOption
from rulebooks.monolith.declarations import Ally, Attack, Blast, DeclareIntent, Move, Save, SetOrder
from tests.rulebooks.monolith.seat import BOOK, Seat, strike


def test_unclaimed_lists_known_or_possible_situations() -> None:
    seat = Seat(leader="Boss", set={"r1.unconscious": 1}, past=("morale.first",))
    seat.say(DeclareIntent(by="Kade", text="finish r1"))
    seat.say(strike("Vega", "R1"), 3)
    situations = {situation.name: situation for situation in BOOK.guide.unclaimed(strike("Oru", "R1"), seat.state)}
    assert {name for name, situation in situations.items() if situation.known} == {"armor", "dealt", "leader", "wields"}
    assert {name for name, situation in situations.items() if not situation.known} == {"helpless", "dual", "gang"}
    said = strike("Oru", "R1", weapons=("pistol", "baton"), enhanced=("helpless",), allies=(Ally(who="Kade"),))
    assert not [situation for situation in BOOK.guide.unclaimed(said, seat.state) if not situation.known]
    blast = Blast(by="Kade", targets=("R1", "R2"))
    assert [each.name for each in BOOK.guide.unclaimed(blast, seat.state)] == ["armor", "dealt", "leader", "armor"]
    assert list(BOOK.guide.unclaimed(Move(by="Vega", feet=5), seat.state)) == []


def test_vocabulary_lists_weapons_scores_reasons() -> None:
    state = Seat().state
    assert BOOK.guide.vocabulary(Attack, "weapons", state, "Oru") == ["baton", "pistol", "second pistol", "bare hands"]
    assert {"shotgun", "cleaver"} <= set(BOOK.guide.vocabulary(Attack, "weapon", state, "Oru"))
    blasts = BOOK.guide.vocabulary(Blast, "weapon", state, "Kade")
    assert set(blasts) == {"shotgun", "grenade", "stun grenade", "bare hands"}
    assert BOOK.guide.vocabulary(Save, "score", state, "Vega") == ["body", "reflex", "resolve"]
    assert BOOK.guide.vocabulary(SetOrder, "score", state, GM) == ["body", "reflex", "resolve"]
    assert "helpless" in BOOK.guide.vocabulary(Attack, "enhanced", state, "Oru")
    assert "cover" in BOOK.guide.vocabulary(Attack, "impaired", state, "Oru")
    assert "gang_scope" in BOOK.guide.vocabulary(SetOption, "name", state, GM)
    assert BOOK.guide.vocabulary(Move, "feet", state, "Oru") == ()


def test_levels_of_an_attack_are_the_sheets_weapons() -> None:
    state = Seat().state
    assert [level for level, _ in BOOK.guide.levels(strike("Kade", "R1"), state)] == ["shotgun", "bare hands"]
    said = strike("Kade", "R1", weapons=("shotgun",))
    assert BOOK.guide.levels(said, state) == [("", said)]
