"""Situations that a line did not claim, who can use what, and the vocabulary of a line."""

from __future__ import annotations

import pytest

from ledger.declarations import Declaration, Ruling
from ledger.facts import GM
from rulebooks.common.announcements import announcement
from rulebooks.common.encounters import EndTurn
from rulebooks.common.options import SetOption
from rulebooks.mars.declarations.combat import Attack, Parry
from rulebooks.mars.declarations.harm import ApplyEffect, Repair
from rulebooks.mars.declarations.maneuvers import AcquireManeuver, AnswerWithManeuver, Maneuver
from rulebooks.mars.declarations.parts import Reaction
from rulebooks.mars.declarations.tasks import Check
from rulebooks.mars.declarations.turns import Brandish, InitiativeRuling, Move, Ready, SeekCover, StartEncounter
from tests.rulebooks.mars.seat import BOOK, Seat, strike

FOUR = {"guards": ["Gil", "Hob"], "players": ["Asha", "Bram"]}


def situations(said: Declaration, seat: Seat) -> tuple[set[str], set[str]]:
    """Return what was known, and what was possible and not said."""
    found = list(BOOK.guide.unclaimed(said, seat.state))
    return {each.name for each in found if each.known}, {each.name for each in found if not each.known}


def test_unclaimed_lists_what_bears_on_an_attack() -> None:
    seat = Seat(teams=FOUR, turn="Gil")
    for target, effect in (("Gil", "sickness"), ("Gil", "blind"), ("Asha", "prone"), ("Asha", "blind")):
        seat.say(ApplyEffect(by=GM, target=target, effect=effect))
    seat.say(strike("Gil", "Bram"), 1, 1, 1, 12)
    known, possible = situations(strike("Gil", "Asha"), seat)
    assert known == {"attacks", "blind", "prone", "sickness", "unseen"}
    assert possible == {"flanked", "defence"}
    block = Reaction(who="Asha", kind="block")
    assert situations(announcement(strike("Gil", "Asha", block, flanked=True)), seat)[1] == set()


def test_what_ends_as_the_turn_begins_is_not_known_of_its_attack() -> None:
    """GR-ATK-5, GR-RND-4: the attack that opens a turn is the first of it, and what was due before it is over."""
    seat = Seat(teams={"guards": ["Gil"], "players": ["Asha"]}, turn="Gil")
    seat.say(strike("Gil", "Asha"), 1, 1, 10)
    seat.say(Move(by="Gil", metres=2))
    seat.say(ApplyEffect(by=GM, target="Gil", effect="blind", rounds=1))
    assert situations(strike("Gil", "Asha"), seat)[0] == {"attacks", "blind"}
    seat.next_turn("Asha")
    seat.say(EndTurn(by="Asha"))
    assert situations(strike("Gil", "Asha"), seat)[0] == set()
    assert situations(Move(by="Gil", metres=2), seat)[0] == set()


@pytest.mark.parametrize(
    ("held", "ways"),
    [
        ((), "evaded"),
        (("longsword",), "evaded or parried"),
        (("longsword", "shield"), "evaded, parried or blocked"),
    ],
)
def test_defences_that_were_possible_are_those_in_hand(held: tuple[str, ...], ways: str) -> None:
    seat = Seat(teams=FOUR, turn="Gil", sheets={"Asha": {"held": held}})
    texts = [each.text for each in BOOK.guide.unclaimed(strike("Gil", "Asha"), seat.state) if each.name == "defence"]
    assert texts == [f"Asha could have {ways}, for 1 stamina"]


def test_cover_is_known_to_bear_on_a_shot() -> None:
    seat = Seat(teams={"players": ["Bram"], "guards": ["Gil"]}, turn="Bram")
    seat.say(SeekCover(by="Bram", object="a crate"))
    seat.next_turn("Gil")
    seat.say(SeekCover(by="Gil", object="a cart"))
    assert "cover" in situations(strike("Bram", "Gil"), seat)[0]
    assert "cover" not in situations(strike("Gil", "Bram"), seat)[0]


def test_second_move_is_known_to_cost_stamina() -> None:
    seat = Seat(teams=FOUR, turn="Gil")
    assert situations(Move(by="Gil", metres=2), seat) == (set(), set())
    seat.say(Move(by="Gil", metres=2))
    assert situations(Move(by="Gil", metres=2), seat) == ({"moved"}, set())


def test_helpless_use_nothing_and_stunned_no_reaction() -> None:
    seat = Seat(teams=FOUR)
    seat.say(ApplyEffect(by=GM, target="Asha", effect="stunned"))
    assert [BOOK.guide.can_use("Asha", action, seat.state) for action in ("ap", "reaction")] == [True, False]
    seat.say(ApplyEffect(by=GM, target="Bram", effect="unconscious"))
    assert not BOOK.guide.can_use("Bram", "ap", seat.state)


def test_next_up_are_those_who_roll_or_may_act() -> None:
    seat = Seat(present=("Asha", "Bram", "Gil"))
    assert list(BOOK.guide.next_up(seat.state)) == []
    seat.say(StartEncounter(by=GM, participants=("Asha", "Bram")))
    assert list(BOOK.guide.next_up(seat.state)) == ["Asha", "Bram"]
    fight = Seat(teams=FOUR)
    assert list(BOOK.guide.next_up(fight.state)) == ["Gil", "Hob"]
    fight.say(Move(by="Gil", metres=2))
    assert list(BOOK.guide.next_up(fight.state)) == ["Gil"]
    assert BOOK.guide.left("Gil", fight.state) == {"ap": 2, "free action": 1, "reaction": 1}
    assert BOOK.guide.left("Asha", fight.state) == {"reaction": 1}


def test_speed_is_computed_with_its_halvings() -> None:
    seat = Seat(present=("Asha",))
    seat.say(ApplyEffect(by=GM, target="Asha", effect="prone"))
    seat.say(ApplyEffect(by=GM, target="Asha", effect="encumbered"))
    (speed,) = BOOK.guide.computed("Asha", seat.state)
    assert (speed.start, [step.because for step in speed.steps], speed.total) == (6, ["prone", "encumbered"], 1)


def test_vocabulary_lists_the_words_of_fields() -> None:
    seat = Seat(teams=FOUR)

    def words(declaration: type[Declaration], field: str, by: str = "Asha") -> set[str]:
        return set(BOOK.guide.vocabulary(declaration, field, seat.state, by))

    assert words(Attack, "weapon") == {"longsword", "bare hands"}
    assert words(Attack, "skill") == {"finesse", "martial", "ranged", "unarmed"}
    assert words(Brandish, "items") == words(Parry, "item") == {"longsword", "shield"}
    assert words(Repair, "item") == {"shield"}
    assert {"heavy-strike", "trip"} <= words(Maneuver, "name") & words(AcquireManeuver, "name")
    assert "burning" in words(ApplyEffect, "effect")
    assert {"martial", "perception", "fortitude"} <= words(Check, "name")
    assert words(InitiativeRuling, "teams", GM) == {"guards", "players"}
    assert "trip" in words(Ready, "maneuver")
    assert "back-step" not in words(Ready, "maneuver")
    assert words(AnswerWithManeuver, "name") > {"back-step", "intercept"}
    assert words(Ruling, "changes", GM) == {"option"}
    assert "graze_damage" in words(SetOption, "name", GM)
