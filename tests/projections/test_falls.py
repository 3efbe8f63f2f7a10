"""Who fell, died or fled in a session, and by whom."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.facts import (
    ConditionBegan,
    ConditionEnded,
    EncounterBegan,
    EncounterEnded,
    EntryId,
    Fact,
    Judged,
    PointsLost,
    PoolSet,
)
from projections.recap.entries import Entry
from projections.recap.episodes import episodes
from projections.recap.falls import FallWords, falls
from projections.state import State

WORDS = FallWords(lost=["dead"], fallen=["dying", "down"], fled=["fled"])


def began(who: str, name: str) -> ConditionBegan:
    return ConditionBegan(id=f"{name} {who}", who=who, name=name)


def ended(who: str, name: str) -> ConditionEnded:
    return ConditionEnded(id=f"{name} {who}", who=who, name=name, because="")


def blow(who: str, against: str, *using: str) -> Judged:
    return Judged(
        what="attack", who=who, against=against, result="hit", final=True, using=tuple((each, "axe") for each in using)
    )


def lost(who: str, because: str = "hit", by: str = "") -> PointsLost:
    return PointsLost(who=who, pool="health", points=1, now=0, because=because, by=by)


BEGINS = EncounterBegan(encounter="the inn", kind="", scale="combat", sides=())


def told(*entries: tuple[Fact, ...]) -> list[Any]:
    """Return the falls of these entries, in short."""
    done = episodes(
        Entry(id=EntryId(1, number), by="gm", line="", facts=facts) for number, facts in enumerate(entries, 1)
    )
    return [
        (fall.entry, fall.who, fall.kind, fall.name, fall.by or fall.because)
        for fall in falls(done, WORDS, State(), State())
    ]


@pytest.mark.parametrize(
    ("entries", "found"),
    [
        ([(blow("Ash", "Rat"), began("Rat", "dead"))], [("1.1", "Rat", "died", "dead", ("Ash",))]),
        ([(blow("Rat", "Ash"), began("Rat", "down"))], [("1.1", "Rat", "fell", "down", ("Ash",))]),  # a defence
        (
            [(blow("Ash", "Rat", "Ash", "Bryn"), began("Rat", "down"))],
            [("1.1", "Rat", "fell", "down", ("Ash", "Bryn"))],
        ),
        ([(blow("", "Ash"), lost("Ash", "a roof"), began("Ash", "down"))], [("1.1", "Ash", "fell", "down", "a roof")]),
        ([(lost("Ash", "a bite", "Rat"), began("Ash", "down"))], [("1.1", "Ash", "fell", "down", ("Rat",))]),
        ([(blow("Ash", "Ash"), began("Ash", "down"))], [("1.1", "Ash", "fell", "down", "")]),
        (  # whoever brought somebody down is the cause of the death that follows
            [(blow("Ash", "Rat"), began("Rat", "dying")), (began("Rat", "dead"),)],
            [("1.1", "Rat", "fell", "dying", ("Ash",)), ("1.2", "Rat", "died", "dead", ("Ash",))],
        ),
        ([(began("Rat", "down"), began("Rat", "dying"))], [("1.1", "Rat", "fell", "dying", "")]),  # the graver word
        ([(began("Rat", "dying"), began("Rat", "dead"))], [("1.1", "Rat", "died", "dead", "")]),
        (  # one who still lies there does not fall again, one who stood up does
            [(began("Rat", "down"),), (ended("Rat", "down"), began("Rat", "down"))],
            [("1.1", "Rat", "fell", "down", "")],
        ),
        (
            [(began("Rat", "down"),), (ended("Rat", "down"),), (began("Rat", "down"),)],
            [("1.1", "Rat", "fell", "down", ""), ("1.3", "Rat", "fell", "down", "")],
        ),
        ([(blow("Ash", "Rat"), began("Rat", "fled"))], [("1.1", "Rat", "left", "fled", "")]),
        ([(began("Rat", "prone"),)], []),
        (
            [(BEGINS,), (began("Rat", "fled"),), (EncounterEnded(encounter="the inn", out=(("Rat", "fled"),)),)],
            [("1.2", "Rat", "left", "fled", "")],
        ),
        (
            [(BEGINS,), (EncounterEnded(encounter="the inn", out=(("Rat", "left"), ("Cat", "dead"))),)],
            [("1.2", "Rat", "left", "left", "")],
        ),
    ],
)
def test_falls_have_who_did_it(entries: list[tuple[Fact, ...]], found: list[Any]) -> None:
    assert told(*entries) == found


@pytest.mark.parametrize(("was", "cause"), [(1, "the ladder goes"), (-1, "")])
def test_lowered_pool_is_the_cause_of_a_fall(was: int, cause: str) -> None:
    lowered = PoolSet(who="Pell", pool="hp", was=was, now=0, least=0, most=5, because="the ladder goes")
    assert told((lowered, began("Pell", "down"))) == [("1.1", "Pell", "fell", "down", cause)]
