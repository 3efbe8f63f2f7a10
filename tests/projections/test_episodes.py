"""Episodes: facts behind a line that closes a roll belong to the roll, if they are about it."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.facts import (
    ActionSpent,
    ConditionBegan,
    Fact,
    Judged,
    PointsLost,
    Rolled,
    TokensMoved,
    WindowChanged,
    WindowClosed,
    WindowOpened,
    Wounded,
    parse_entry_id,
)
from projections.recap.entries import Entry
from projections.recap.episodes import episodes, final_results

OPEN = WindowOpened(window="w", kind="roll", who="Ash", awaits=("Ash",), data="")
CHANGED = WindowChanged(window="w", awaits=("Ash",), data="")
CLOSED = WindowClosed(window="w", outcome="auto")
ROLLED = Rolled(who="Ash", purpose="attack Ash", source="seed", dice=())
HURT = Judged(what="damage", who="Ash", against="Thug", total=5, result="hurt", final=True)
LOST = PointsLost(who="Thug", pool="health", points=5, now=1, because="attack", by="Ash")
PASS = ActionSpent(who="Bryn", action="move", cost=1, left=0, outcome="passed")


def judged(result: str, *, final: bool = False, **more: Any) -> Judged:
    return Judged(what="attack", who="Ash", against="Thug", result=result, window="w", final=final, **more)


def entry(id: str, *facts: Fact) -> Entry:
    return Entry(id=parse_entry_id(id), by="Ash", line=id, facts=facts)


ROLL = entry("1.1", ROLLED, judged("success"), OPEN)


def test_what_a_later_line_closes_is_of_the_roll() -> None:
    first, second = episodes([ROLL, entry("1.2", judged("success", final=True), HURT, LOST, CLOSED, PASS)])
    assert first.entries == ["1.1"]
    assert first.facts[-4:] == [judged("success", final=True), HURT, LOST, CLOSED]
    assert second.facts == [PASS]


def test_what_is_spent_on_a_roll_is_of_the_roll() -> None:
    spent = TokensMoved(who="Ash", token="luck", change=-1, now=0, most=None, because="reroll")
    again = entry("1.2", spent, judged("failure"), CHANGED)
    close = entry("1.3", judged("failure", final=True), CLOSED)
    first, *others = episodes([ROLL, again, close])
    assert first.entries == ["1.1", "1.2"]
    assert [fact.result for fact in final_results(first.facts)] == ["failure"]
    assert [episode.facts for episode in others] == [[]]
    each = episodes([ROLL, again, close], one_for_each=True)
    assert [episode.entries for episode in each] == [["1.1"], ["1.2"], ["1.3"]]
    assert judged("failure", final=True) in each[1].facts


@pytest.mark.parametrize(
    "own",
    [
        Judged(what="damage", who="", against="Thug", total=3, result="hurt", final=True),
        PointsLost(who="Thug", pool="health", points=3, now=3, because="a fall"),
        PointsLost(who="Bryn", pool="health", points=3, now=3, because="attack", by="Cole"),
        ConditionBegan(id="down Bryn", who="Bryn", name="down"),
        ConditionBegan(id="down Thug", who="Thug", name="down"),
        Rolled(who="Ash", purpose="task Ash", source="seed", dice=()),
        PASS,
    ],
    ids=lambda fact: type(fact).__name__,
)
def test_what_the_closing_line_does_itself_is_its_own(own: Fact) -> None:
    _, second = episodes([ROLL, entry("1.2", judged("success", final=True), LOST, CLOSED, own)])
    assert second.facts == [own]


@pytest.mark.parametrize(
    "effect",
    [
        HURT,
        LOST,
        ConditionBegan(id="down Thug", who="Thug", name="down"),
        Wounded(who="Thug", wound="w1", kind="light", value=1, in_force=True),
        ActionSpent(who="Thug", action="move", cost=1, left=0, outcome="lost"),
    ],
    ids=lambda fact: type(fact).__name__,
)
def test_effect_on_those_in_the_roll_is_of_the_roll(effect: Fact) -> None:
    first, second = episodes([ROLL, entry("1.2", judged("success", final=True), effect, CLOSED)])
    assert first.facts[-2:] == [effect, CLOSED]
    assert second.facts == []


def test_roll_of_an_earlier_session_is_closed_where_it_is() -> None:
    facts = (judged("success", final=True), CLOSED, HURT, LOST)
    (only,) = episodes([entry("2.1", *facts)])
    assert only.facts == [*facts]
