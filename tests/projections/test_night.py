"""The roll of the night, open threads and the party at the end of a session."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.facts import ConditionBegan, EncounterBegan, EntryId, Fact, Joined, Judged, WindowOpened, parse_entry_id
from projections.projection import StateProjection
from projections.recap.cast import StatusWords
from projections.recap.entries import Entry
from projections.recap.episodes import episodes
from projections.recap.night import roll_of_the_night
from projections.recap.party import party
from projections.recap.threads import Thread, opponents, threads
from projections.state import Condition, State


def not_prone(condition: Condition) -> str:
    return "" if condition.name == "prone" else condition.name


def roll(who: str, total: int | None, margin: int | None, target: int | None = 9) -> Judged:
    more: dict[str, Any] = {"margin": margin, "total": total, "target": target}
    return Judged(what="task", who=who, against="Thug", result="success", rolls=("r",), final=True, **more)


def night(*rolls: Judged, weights: dict[str, int] | None = None, harms: dict[str, Any] | None = None) -> str | None:
    """Return the entry of the roll of the night among these, the first of them entry 1.1."""
    entries = [
        Entry(id=EntryId(1, number), by=fact.who, line="", facts=(fact,)) for number, fact in enumerate(rolls, 1)
    ]
    every = {str(entry.id): 5 for entry in entries}
    found = roll_of_the_night(episodes(entries), ["Ash", "Bryn"], {**every, **(weights or {})}, harms or {})
    return found.entry if found else None


@pytest.mark.parametrize(
    ("rolls", "entry"),
    [
        ([roll("Ash", 14, 5), roll("Bryn", 9, 0), roll("Ash", 8, -1)], "1.2"),  # the closest that came off
        ([roll("Thug", 9, 0), roll("Ash", 14, 5)], "1.2"),  # of a player's character
        ([roll("Ash", 3, None), roll("Bryn", 7, None)], "1.2"),  # the highest, where there is no margin
        ([roll("Ash", 4, -5), roll("Bryn", 7, -2)], "1.2"),  # the best failure
        ([roll("Thug", 9, 0)], None),
        ([], None),
    ],
)
def test_roll_of_the_night(rolls: list[Judged], entry: str | None) -> None:
    assert night(*rolls) == entry


def test_graver_roll_comes_before_a_closer_one() -> None:
    assert night(roll("Ash", 9, 0), roll("Bryn", 14, 5), weights={"1.2": 9}) == "1.2"


def test_last_of_equal_rolls_is_taken() -> None:
    assert night(roll("Ash", 9, 0), roll("Bryn", 9, 0)) == "1.2"


def test_roll_that_was_lost_comes_last() -> None:
    lost = {"1.1": (("Ash", "health"),)}
    assert night(roll("Ash", 9, None), roll("Bryn", 5, None), weights={"1.1": 9}, harms=lost) == "1.2"


def test_graver_roll_decides_between_equal_calls() -> None:
    assert night(roll("Ash", 9, 0), roll("Bryn", 9, 0), weights={"1.2": 9}) == "1.2"
    assert night(roll("Ash", None, None), roll("Bryn", None, None), weights={"1.2": 9}) == "1.2"


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


def test_poor_result_is_no_roll_of_the_night() -> None:
    """Whatever came of it: a graze that fells somebody stands behind a critical that only hurts."""
    graze, critical = (
        Judged(what="attack", who="Ash", against="Thug", result=result, total=total, rolls=("r",), final=True)
        for result, total in (("graze", 4), ("critical", 17))
    )
    done = episodes(
        Entry(id=EntryId(1, number), by="Ash", line="", facts=(fact,)) for number, fact in ((1, graze), (2, critical))
    )
    found = roll_of_the_night(done, ["Ash"], {"1.1": 9, "1.2": 5}, poor=["graze"])
    assert found is not None
    assert found.entry == "1.2"


def test_party_is_of_characters_with_players_and_days() -> None:
    (ash,) = party(state_of(FACTS), lambda who: len(who), words=StatusWords(condition=not_prone))
    assert (ash.who, ash.player, ash.days, ash.conditions) == ("Ash", "Ana", 3, ())
