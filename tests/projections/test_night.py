"""The roll of the night, open threads and the party at the end of a session."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.facts import (
    ConditionBegan,
    ConditionEnded,
    Die,
    EncounterBegan,
    EncounterEnded,
    EntryId,
    Fact,
    Joined,
    Judged,
    PointsLost,
    Rolled,
    WindowOpened,
    parse_entry_id,
)
from projections.projection import StateProjection
from projections.recap.cast import StatusWords
from projections.recap.entries import Entry
from projections.recap.episodes import episodes
from projections.recap.night import NightRoll, NightWords, roll_of_the_night, roll_that_lost
from projections.recap.party import party
from projections.recap.threads import DOWN, Thread, fights_left, opponents, threads
from projections.state import Condition, State


def not_prone(condition: Condition) -> str:
    return "" if condition.name == "prone" else condition.name


WORDS = NightWords(
    poor=["graze"], lost=["dead"], grave=["down"], turning=["fled"], low=["save"], gone=["gone"], rare=["best"]
)


def roll(who: str, face: int, *came: Fact, against: str = "Thug", what: str = "task", **more: Any) -> Any:
    """Return the facts of a roll of one d6, and what came of it."""
    dice = (Die(ordinal=0, sides=6, face=face),)
    more = {"result": "hit", "total": face, **more}
    judged = Judged(what=what, who=who, against=against, rolls=("r",), final=True, **more)
    return who, (Rolled(who=who, purpose="r", source="seed", dice=dice), judged, *came)


def both(face: int) -> Any:
    """Return a roll of Bryn for both characters."""
    _, (rolled, judged) = roll("Bryn", face, against="", target=3)
    return "gm", (msgspec.structs.replace(rolled, who="Ash", purpose="other"), rolled, judged)


def falls(who: str, name: str = "down") -> ConditionBegan:
    return ConditionBegan(id=f"{name} {who}", who=who, name=name)


def loses(who: str, points: int = 1) -> PointsLost:
    return PointsLost(who=who, pool="health", points=points, now=1, because="hit")


def ends(encounter: str = "the inn") -> Any:
    return "gm", (EncounterEnded(encounter=encounter, because="over"),)


def test_roll_that_lost_is_the_blow_not_the_death_that_came_of_it() -> None:
    rolls = [roll("Rat", 3, falls("Ash"), against="Ash"), roll("Ash", 1, falls("Ash", "dead"), against="")]
    entries = [
        Entry(id=EntryId(1, number), by=who, line="", facts=facts) for number, (who, facts) in enumerate(rolls, 1)
    ]
    lost = roll_that_lost(episodes(entries), ["Ash"], ["1.1", "1.2"], WORDS)
    assert lost is not None
    assert (lost.entry, lost.who) == ("1.1", "Rat")


def test_roll_that_lost_is_of_who_did_it() -> None:
    _, (rolled, judged, fell) = roll("Rat", 3, falls("Ash"), against="Ash")
    saved = msgspec.structs.replace(judged, who="Ash", against="Rat", rolls=("s",), what="save")
    die = msgspec.structs.replace(rolled, who="Ash", purpose="s")
    entry = Entry(id=EntryId(1, 1), by="Rat", line="", facts=(rolled, judged, die, saved, fell))
    lost = roll_that_lost(episodes([entry]), ["Ash"], ["1.1"], WORDS)
    assert lost is not None
    assert lost.who == "Rat"


def night(*rolls: Any) -> NightRoll | None:
    """Return the roll of the night among these, the first of them entry 1.1."""
    entries = [
        Entry(id=EntryId(1, number), by=who, line="", facts=facts) for number, (who, facts) in enumerate(rolls, 1)
    ]
    return roll_of_the_night(episodes(entries), ["Ash", "Bryn"], [str(each.id) for each in entries], WORDS)


@pytest.mark.parametrize(
    ("rolls", "entry"),
    [
        ([roll("Ash", 3), roll("Bryn", 6)], "1.2"),  # the rarer
        ([roll("Ash", 6), roll("Bryn", 6)], "1.2"),  # of equal ones the last
        ([roll("Ash", 6, margin=0), roll("Bryn", 6, margin=3)], "1.1"),  # the closest that came off
        ([roll("Ash", 2, margin=-1), roll("Bryn", 1, margin=0)], "1.2"),  # one that came off
        ([roll("Thug", 6), roll("Ash", 2)], "1.2"),  # of a player's character
        ([roll("Ash", 6), roll("Bryn", 1, loses("Thug"))], "1.2"),  # what harms before what only comes off
        ([roll("Ash", 2, falls("Thug")), roll("Bryn", 6, loses("Thug"))], "1.1"),  # a fall before a harm
        ([roll("Ash", 2, falls("Thug", "dead")), roll("Bryn", 3, falls("Cook"))], "1.1"),  # a death before a fall
        ([roll("Ash", 1, falls("Thug")), roll("Bryn", 6, falls("Cook", "fled"))], "1.2"),  # but a rare one before both
        ([roll("Ash", 3, falls("Thug")), roll("Bryn", 5, loses("Cook"))], "1.1"),
        ([roll("Ash", 4, falls("Thug")), roll("Bryn", 3, falls("Cook")), ends()], "1.2"),  # the one that ended a fight
        ([roll("Ash", 4, falls("Thug")), roll("Bryn", 3, falls("Ash")), ends()], "1.1"),  # a foe's fall ends it
        (
            [roll("Ash", 4, falls("Thug")), roll("Bryn", 3, falls("Cook")), ("gm", (falls("Rat", "fled"),)), ends()],
            "1.2",  # nobody's roll made the last one flee
        ),
        (
            [
                roll("Thug", 1, falls("Bryn"), against="Bryn"),
                roll("Ash", 3, falls("Thug")),
                roll("Bryn", 4, falls("Cook")),
            ],
            "1.2",  # of the foe who had felled one of them
        ),
        ([roll("Ash", 1, falls("Thug"), result="graze"), roll("Bryn", 2, loses("Thug"))], "1.2"),  # never a graze
        ([roll("Ash", 6, loses("Ash")), roll("Bryn", 1)], "1.2"),  # never one that harmed its roller
        ([roll("Ash", 6, falls("Thug"), falls("Ash"))], None),
        (
            [roll("Ash", 4, loses("Rat 1", 3)), roll("Bryn", 3, loses("Rat 1"), falls("Rat 1"))],
            "1.1",  # one of several had one point left
        ),
        ([roll("Ash", 4, loses("Rat", 3)), roll("Bryn", 3, loses("Rat"), falls("Rat"))], "1.2"),  # one with a name
        ([roll("Ash", 4, falls("Rat 1", "dead")), roll("Bryn", 3, falls("Cook"))], "1.2"),  # before a death of many
        ([roll("Ash", 4, loses("Rat 1")), roll("Bryn", 3, loses("Rat 1"), falls("Rat 1"))], "1.2"),
        ([roll("Ash", 1, what="save"), roll("Bryn", 2, what="save")], "1.1"),  # the low ones are good
        ([roll("Ash", 6, falls("Thug"), margin=4), roll("Bryn", 6, falls("Cook"), margin=1)], "1.2"),
        ([roll("Ash", 6, falls("Cook"), margin=0), roll("Bryn", 6, falls("Thug"), margin=4)], "1.1"),  # a close one
        ([roll("Ash", 3, falls("Cook"), margin=0), roll("Bryn", 6, falls("Thug"), margin=3)], "1.1"),  # as likely
        ([roll("Ash", 3, margin=0), roll("Bryn", 6, margin=3)], "1.2"),  # close, and nothing came of it
        ([roll("Ash", 6, result="best"), roll("Bryn", 6)], "1.1"),  # a result that few rolls have
        ([roll("Ash", 6), roll("Bryn", 5), both(5)], "1.3"),  # what all of them rolled for
        ([roll("Ash", 1, margin=-2)], None),  # one that fell far short turned nothing
        ([roll("Ash", 1, margin=-1)], "1.1"),
        ([roll("Thug", 6)], None),
        ([], None),
    ],
)
def test_roll_of_the_night_is_the_one_that_turned_most(rolls: list[Any], entry: str | None) -> None:
    found = night(*rolls)
    assert (found and found.entry) == entry


@pytest.mark.parametrize(
    ("before", "later", "ended"),
    [
        ((), (falls("Rat", "gone"),), False),  # one of them could go on
        ((falls("Rat", "gone"),), (), True),
        ((falls("Rat", "fled"),), (), True),
        ((falls("Rat"),), (falls("Rat", "dead"),), True),  # who lay there could not
        ((falls("Rat"), ConditionEnded(id="down Rat", who="Rat", name="down", because="rises")), (), False),
    ],
)
def test_roll_ends_a_fight_if_no_foe_can_go_on(before: Any, later: Any, ended: bool) -> None:
    end = EncounterEnded(encounter="the inn", because="over", out=(("Thug", "down"), ("Rat", "left")))
    found = night(("gm", before or (loses("Thug"),)), roll("Ash", 6, falls("Thug")), ("gm", (*later, end)))
    assert found is not None
    assert (found.entry, found.ended) == ("1.2", ended)


@pytest.mark.parametrize(
    ("roll", "one_in"),
    [
        (roll("Ash", 6, margin=0), 6),
        (roll("Ash", 6, margin=3), 2),
        (roll("Ash", 1, what="save", margin=0), 6),
        (roll("Ash", 1, margin=0), 1),
        (roll("Ash", 6), 0),  # nobody says what was needed
    ],
)
def test_roll_of_the_night_says_how_rare_it_was(roll: Any, one_in: int) -> None:
    found = night(roll)
    assert found is not None
    assert found.one_in == one_in


def test_roll_without_dice_is_as_likely_as_any() -> None:
    who, (_, judged) = roll("Ash", 6)
    found = night((who, (judged,)))
    assert found is not None
    assert found.one_in == 0


FACTS: list[Fact] = [
    Joined(who="Ash", kind="pc", side="players", sheet=(("player", "Ana"),), seen="table"),
    *(Joined(who=who, kind="npc", side="foes", sheet=(), seen="table") for who in ("Thug", "Cook", "Rat")),
    EncounterBegan(
        encounter="the inn", kind="", scale="combat", sides=(("players", ("Ash",)), ("foes", ("Thug", "Rat")))
    ),
    ConditionBegan(id="dead Rat", who="Rat", name="dead"),
    ConditionBegan(id="prone Thug", who="Thug", name="prone"),
    ConditionBegan(id="hurt Thug", who="Thug", name="hurt"),
    ConditionBegan(id="prone Ash", who="Ash", name="prone"),
    WindowOpened(window="w", kind="save", who="Ash", awaits=("Ash",), data=""),
    WindowOpened(window="v", kind="rest", who="Ash", awaits=(), data=""),
]  # fmt: skip


def state_of(facts: list[Fact]) -> State:
    projection = StateProjection()
    state = projection.empty()
    for fact in facts:
        projection.step(state, parse_entry_id("1.1"), fact)
    return state


def test_threads_are_what_runs_what_waits_and_who_is_about() -> None:
    named = opponents([Entry(id=EntryId(1, 1), by="gm", line="", facts=tuple(FACTS))])
    assert named == {"Ash", "Thug", "Rat"}
    assert threads(state_of(FACTS), named, ["dead"], not_prone) == [
        Thread(kind="encounter", what="the inn"),
        Thread(kind="window", who="Ash", what="save", names=("Ash",)),
        Thread(kind="at large", who="Thug", names=("hurt",)),
    ]


def test_party_is_of_characters_with_players_and_days() -> None:
    (ash,) = party(state_of(FACTS), lambda who: len(who), words=StatusWords(condition=not_prone))
    assert (ash.who, ash.player, ash.days, ash.conditions) == ("Ash", "Ana", 3, ())


def test_who_comes_to_when_a_fight_is_over_was_down() -> None:
    facts = (
        ConditionEnded(rules=(), id="1", who="Rat", name="stunned", because="the encounter ended"),
        ConditionEnded(rules=(), id="2", who="Cat", name="prone", because="the encounter ended"),
        EncounterEnded(rules=(), encounter="roof", stand=(("foes", ("Rat", "Cat")),), out=(("Dog", "fled"),)),
    )
    left = fights_left([Entry(id=EntryId(1, 9), by="gm", line="", facts=facts)], ["stunned"])
    assert left == {"Rat": ("1.9", "roof", DOWN), "Cat": ("1.9", "roof", ""), "Dog": ("1.9", "roof", "fled")}
