"""How fights came out, and what turned an evening, from their facts."""

from __future__ import annotations

import msgspec
import pytest

from ledger.facts import ConditionEnded, EncounterBegan, EncounterEnded
from projections.recap.episodes import Episode
from projections.recap.falls import Fall, FallWords
from projections.recap.outcomes import Outcome, decisive_fall, outcome_in, outcomes

PARTY = ("Ash", "Bryn")
WORDS = FallWords(lost=["dead"], fallen=["down"], fled=["fled"])


def ended(ours: str = "", theirs: str = "", **out: str) -> EncounterEnded:
    """Return the end of a fight with these on their feet, and out of it those who are named, each so."""
    sides = tuple((side, tuple(names.split())) for side, names in (("pc", ours), ("foe", theirs)) if names)
    return EncounterEnded(
        encounter="the inn", stand=sides, out=tuple((who.replace("_", " "), how) for who, how in out.items())
    )


def fall(who: str, entry: str, kind: str = "fell", by: str = "", **more: object) -> Fall:
    """Return a fall in the fight at the inn."""
    fields = {"entry": entry, "who": who, "kind": kind, "name": "down", "by": [by] if by else [], "fight": "the inn"}
    return msgspec.convert({**fields, **more}, Fall)


@pytest.mark.parametrize(
    ("end", "result"),
    [
        (ended("Ash", Rat="down"), "won"),
        (ended("Ash", Rat_1="fled", Rat_2="dead"), "won"),
        (ended("Ash", Rat="dead", Gaunt="fled"), "over"),  # one with a name of their own got away
        (ended("Ash", Rat="dead", Gaunt="left"), "over"),
        (ended("Ash Cat", Rat="dead"), "won"),  # with an ally
        (ended("Ash", "Cat", Rat="dead"), "over"),
        (ended("", "", Rat="dead", Ash="down"), "over"),
        (ended("Ash", Bryn="down"), "over"),
        (ended("", "Rat", Ash="down"), "lost"),
        (ended("", "Rat", Ash="left", Bryn="down"), "lost"),
        (ended("", "Rat", Cat="down"), "over"),  # a fight of others
    ],
)
def test_fight_comes_out_as_those_on_their_feet_say(end: EncounterEnded, result: str) -> None:
    outcome = outcome_in([end], PARTY, WORDS)
    assert outcome is not None
    assert outcome.result == result


def test_who_only_gets_up_at_the_end_does_not_stand() -> None:
    up = ConditionEnded(who="Rat", id="down Rat", name="down", because="e")
    outcome = outcome_in([up, ended("Ash", "Rat")], PARTY, WORDS)
    assert outcome is not None
    assert (outcome.result, outcome.stand, outcome.freed) == ("won", (), ("Rat",))


def test_who_got_away_and_who_was_left_behind_is_known() -> None:
    outcome = outcome_in([ended("", "Rat", Ash="left", Bryn="down", Gaunt="fled", Cur_1="fled")], PARTY, WORDS)
    assert outcome is not None
    assert (outcome.fled, outcome.behind, outcome.away) == (("Ash",), ("Bryn",), ("Gaunt", "Cur 1"))
    assert outcome.named_away == ("Gaunt",)
    assert not outcome.all_fled
    fled = outcome_in([ended("", "Rat", Ash="left", Bryn="left")], PARTY, WORDS)
    assert fled is not None
    assert fled.all_fled


def test_fight_without_an_end_still_runs() -> None:
    begun = [EncounterBegan(encounter=name, kind="", scale="", sides=()) for name in ("the inn", "the yard")]
    facts = [[begun[0]], [ended("Ash", Rat="down")], [begun[1]]]
    done = [Episode(entries=[f"1.{at}"], by="gm", line="", said={}, facts=[*each]) for at, each in enumerate(facts)]
    assert [(each.fight, each.entry, each.result) for each in outcomes(done, PARTY, WORDS)] == [
        ("the inn", "1.1", "won"), ("the yard", "", "running")
    ]  # fmt: skip


LOST = Outcome(fight="the inn", entry="1.9", result="lost", stand=("Rat",))
OVER = Outcome(fight="the inn", entry="1.9", result="over")
WON = Outcome(fight="the inn", entry="1.9", result="won")


@pytest.mark.parametrize(
    ("falls", "outcome", "decisive", "went_on"),
    [
        ([fall("Rat", "1.2")], WON, "Rat", False),
        ([fall("Rat", "1.2"), fall("Rat", "1.9", "died")], WON, "Rat", False),
        ([fall("Rat", "1.2"), fall("Cur 2", "1.5", "died")], WON, "Rat", True),  # one with a name before one of several
        ([fall("Rat", "1.2"), fall("Cur 2", "1.5", "left")], WON, "Rat", False),
        ([fall("Rat", "1.2"), fall("Bryn", "1.4", by="Cur 2"), fall("Cur 2", "1.5", "died")], WON, "Rat", True),
        ([fall("Cur 1", "1.2"), fall("Bryn", "1.4")], WON, "Cur 1", True),  # who falls behind the last blow
        ([fall("Rat", "1.2"), fall("Bryn", "1.4", by="Cur")], OVER, "Bryn", False),  # who did it still stands
        ([fall("Cur 1", "1.2"), fall("Ash", "1.3"), fall("Bryn", "1.4")], LOST, "Bryn", False),
        ([fall("Bryn", "1.4", by="Cur 1"), fall("Cur 1", "1.5", "left")], OVER, "Bryn", False),  # no foe fell
        ([fall("Rat", "1.2"), fall("Bryn", "1.9", "left")], OVER, "Rat", False),
        ([fall("Bryn", "1.9", "left")], OVER, "Bryn", False),
        ([fall("Ash", "1.9", "left")], LOST, "Ash", False),
    ],
)
def test_evening_has_one_turning_point(falls: list[Fall], outcome: Outcome, decisive: str, went_on: bool) -> None:
    turned = decisive_fall(falls, [outcome], PARTY)
    assert turned is not None
    assert turned.decisive is not None
    assert (turned.decisive.who, turned.went_on, turned.outcome) == (decisive, went_on, outcome)


def test_who_gave_up_has_not_won_by_whom_they_felled() -> None:
    falls = [fall("Cur 1", "1.2"), fall("Ash", "1.3", by="Rat")]
    for done, decisive in (((), "Ash"), (("Rat",), "Cur 1")):
        turned = decisive_fall(falls, [OVER], PARTY, done)
        assert turned is not None
        assert turned.decisive is not None
        assert turned.decisive.who == decisive


def test_those_who_fell_at_once_are_told_together() -> None:
    turned = decisive_fall([fall("Cur 3", "1.1"), fall("Cur 1", "1.2"), fall("Cur 2", "1.2")], [OVER], PARTY)
    assert turned is not None
    assert turned.beside == ("Cur 1",)


def test_evening_without_falls_has_none() -> None:
    assert decisive_fall([], [WON], PARTY) is None
    fled = decisive_fall([], [LOST], PARTY)
    assert fled is not None
    assert (fled.decisive, fled.beaten) == (None, True)


@pytest.mark.parametrize(
    ("falls", "beaten"),
    [
        ([fall("Bryn", "1.2", by="Rat")], True),
        ([fall("Bryn", "1.2", "died", by="Rat")], True),
        ([fall("Bryn", "1.2")], False),  # a gutter that gives way is no victor
        ([fall("Bryn", "1.2", by="Rat"), fall("Rat", "1.3", "left")], False),
        ([fall("Bryn", "1.2", "left")], True),
        ([fall("Rat", "1.2"), fall("Bryn", "1.3", "left")], False),
    ],
)
def test_beaten_evening_has_a_victor(falls: list[Fall], beaten: bool) -> None:
    turned = decisive_fall(falls, [OVER], PARTY)
    assert turned is not None
    assert turned.beaten is beaten


def test_fight_that_goes_on_has_beaten_nobody() -> None:
    turned = decisive_fall([fall("Bryn", "1.2", by="Rat")], [Outcome(fight="the inn")], PARTY)
    assert turned is not None
    assert not turned.beaten


def test_who_fell_later_or_is_still_down_belongs_to_it() -> None:
    falls = [
        fall("Ash", "1.1", fight="the yard", lasting=False),
        fall("Bryn", "1.2", fight="the yard"),
        fall("Rat", "1.5"),
        fall("Bryn", "1.8", "died", fight=""),
    ]
    turned = decisive_fall(falls, [WON], PARTY)
    assert turned is not None
    assert [(each.who, each.kind) for each in turned.fell] == [("Bryn", "died")]
    later = decisive_fall([*falls[:3], fall("Ash", "1.9", fight="", lasting=False)], [WON], PARTY)
    assert later is not None
    assert [each.who for each in later.fell] == ["Bryn", "Ash"]


@pytest.mark.parametrize(("before", "is_last"), [({"result": "lost"}, True), ({"away": ("Gaunt",)}, True), ({}, False)])
def test_won_fight_is_the_last_behind_one_that_was_not(before: dict[str, object], is_last: bool) -> None:
    first = msgspec.convert({"fight": "the yard", "entry": "1.1", "result": "over", **before}, Outcome)
    turned = decisive_fall([fall("Rat", "1.2")], [first, WON], PARTY)
    assert turned is not None
    assert turned.is_last is is_last
