"""The tally: given facts, then sums; a fact that does not add up is found at its entry."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import OutOfBalance
from ledger.facts import (
    GM,
    ConditionBegan,
    ConditionEnded,
    EntryId,
    Fact,
    Joined,
    OptionSet,
    PointsRegained,
    PointsSpent,
    PoolSet,
    TimePassed,
    TokensMoved,
    WindowChanged,
    WindowClosed,
    WindowOpened,
    Wounded,
)
from projections.projection import StateProjection
from projections.state import State

ENTRY = EntryId(1, 7)
KESS = Joined(who="Kess", kind="pc", side="players", sheet=(("level", 2), ("skill.sneak", "trained")), seen="table")
MIGHT = PoolSet(who="Kess", pool="might", was=0, now=9, least=0, most=9)
ROLL = WindowOpened(window="roll", kind="roll", who="Kess", awaits=("Kess",), data="{}")
DAZED = ConditionBegan(id="dazed Kess", who="Kess", name="dazed")


def spent(points: int, now: int) -> PointsSpent:
    return PointsSpent(who="Kess", pool="might", points=points, now=now, because="Effort")


def regained(points: int, now: int) -> PointsRegained:
    return PointsRegained(who="Kess", pool="might", points=points, now=now, because="rest")


def destiny(change: int, now: int, most: int | None = 1) -> TokensMoved:
    return TokensMoved(who="Kess", token="destiny", change=change, now=now, most=most, because="Dawn")


def doom(change: int, now: int) -> TokensMoved:
    return TokensMoved(who=GM, token="doom", change=change, now=now, most=None, because="Dusk")


def wound(number: int, value: int = 2) -> Wounded:
    return Wounded(who="Kess", wound=f"Kess w{number}", kind="light", value=value, in_force=True)


def folded(*facts: Fact) -> State:
    tally = StateProjection()
    state = tally.empty()
    for fact in facts:
        tally.step(state, ENTRY, fact)
    return state


@pytest.mark.parametrize(
    ("facts", "name", "value"),
    [
        ([KESS], "kess.level", 2),
        ([KESS], "kess.skill.sneak", "trained"),
        ([KESS, MIGHT], "kess.might", 9),
        ([KESS, MIGHT], "kess.might.most", 9),
        ([KESS, MIGHT, spent(3, 6)], "kess.might", 6),
        ([KESS, MIGHT, spent(3, 6), regained(2, 8)], "kess.might", 8),
        ([KESS, destiny(1, 1)], "kess.destiny", 1),
        ([doom(2, 2), doom(-1, 1)], "doom", 1),  # the game master's own stand without a name
        ([KESS, DAZED], "kess.dazed", 1),
        ([KESS, wound(1), wound(2, 4)], "kess.wounds", 6),
        ([OptionSet(name="ties", was="a", now="b", because="vote")], "option.ties", "b"),
        ([TimePassed(seconds=60, because="x"), TimePassed(seconds=5, because="y")], "clock.seconds", 65),
    ],
)
def test_a_value_is_what_the_facts_add_up_to(facts: Sequence[Fact], name: str, value: int | str) -> None:
    assert StateProjection().values(folded(*facts))[name] == value


@pytest.mark.parametrize(
    ("facts", "fragment"),
    [
        ([KESS, KESS], "in play already"),
        ([KESS, Joined(who="KESS", kind="npc", side="gm", sheet=(), seen="gm")], "in play already"),
        ([spent(1, 0)], "has no pool"),
        ([KESS, MIGHT, spent(3, 7)], "says now 7, the sum is 6"),
        ([KESS, MIGHT, spent(10, -1)], "outside 0 to 9"),
        ([KESS, MIGHT, spent(-1, 10)], "leaves -1"),
        ([KESS, MIGHT, regained(1, 10)], "outside 0 to 9"),
        ([KESS, PoolSet(who="Kess", pool="might", was=0, now=10, least=0, most=9)], "outside 0 to 9"),
        ([KESS, MIGHT, PoolSet(who="Kess", pool="might", was=8, now=9, least=0, most=9)], "says was 8, the sum is 9"),
        ([KESS, destiny(-1, -1)], "leaves -1"),
        ([KESS, destiny(1, 2)], "says now 2, the sum is 1"),
        ([KESS, ROLL, destiny(2, 2), WindowClosed(window="roll", outcome="done")], "holds 2 destiny, 1 are the most"),
        ([ROLL, ROLL], "is open already"),
        ([WindowClosed(window="roll", outcome="done")], "is not open"),
        ([WindowChanged(window="roll", awaits=(), data="{}")], "is not open"),
        ([ConditionEnded(id="dazed Kess", who="Kess", name="dazed", because="due")], "does not hold"),
        ([KESS, wound(1, 0)], "leaves 0"),
        ([TimePassed(seconds=-1, because="back")], "leaves -1"),
        (
            [
                OptionSet(name="ties", was="a", now="b", because=""),
                OptionSet(name="ties", was="a", now="a", because=""),
            ],
            "option ties was b, not a",
        ),
    ],
)
def test_a_fact_that_does_not_add_up_is_found_at_its_entry(facts: Sequence[Fact], fragment: str) -> None:
    with pytest.raises(OutOfBalance, match=r"entry 1\.7") as found:
        folded(*facts)
    assert fragment in str(found.value)


def test_a_cap_may_be_exceeded_only_while_something_is_open() -> None:
    held = folded(KESS, ROLL, destiny(2, 2), destiny(-1, 1), WindowClosed(window="roll", outcome="done"))
    assert held.tokens_held("Kess", "destiny") == 1


def test_who_came_first_stands_first_whatever_the_names() -> None:
    names = ["Zed", "Ana", "Mo"]
    state = folded(*(Joined(who=name, kind="pc", side="players", sheet=(), seen="table") for name in names))
    assert [being.name for being in StateProjection().unpack(StateProjection().pack(state)).in_order()] == names


STEPS = st.lists(
    st.one_of(
        st.integers(0, 4).map(lambda points: ("spend", points)),
        st.integers(0, 4).map(lambda points: ("regain", points)),
        st.integers(-2, 2).map(lambda change: ("doom", change)),
        st.sampled_from([("daze", 1), ("daze", 0)]),
    ),
    max_size=30,
)


def played(steps: Sequence[tuple[str, int]]) -> tuple[State, dict[str, int]]:
    """The facts of some steps, folded, and the same on paper."""
    tally, paper = StateProjection(), {"might": 9, "doom": 0, "dazed": 0}
    state = folded(KESS, MIGHT)
    for what, number in steps:
        fact: Fact
        if what == "spend":
            number = min(number, paper["might"])
            paper["might"] -= number
            fact = spent(number, paper["might"])
        elif what == "regain":
            number = min(number, 9 - paper["might"])
            paper["might"] += number
            fact = regained(number, paper["might"])
        elif what == "doom":
            number = max(number, -paper["doom"])
            paper["doom"] += number
            fact = doom(number, paper["doom"])
        elif number == paper["dazed"]:
            continue
        else:
            paper["dazed"] = number
            fact = DAZED if number else ConditionEnded(id="dazed Kess", who="Kess", name="dazed", because="due")
        tally.step(state, ENTRY, fact)
    return state, paper


@given(STEPS)
def test_the_fold_agrees_with_the_paper_and_survives_being_packed(steps: Sequence[tuple[str, int]]) -> None:
    tally = StateProjection()
    state, paper = played(steps)
    assert (state.points("Kess", "might"), state.tokens_held(GM, "doom")) == (paper["might"], paper["doom"])
    assert ("dazed Kess" in state.conditions) == bool(paper["dazed"])
    assert tally.pack(tally.unpack(tally.pack(state))) == tally.pack(state)


@given(STEPS, STEPS)
def test_rolling_back_leaves_no_trace(before: Sequence[tuple[str, int]], after: Sequence[tuple[str, int]]) -> None:
    tally = StateProjection()
    state, _ = played(before)
    packed, mark = tally.pack(state), tally.mark(state)
    points = state.points("Kess", "might")
    for step in range(min(points, len(after))):
        tally.step(state, ENTRY, spent(1, points - step - 1))
    tally.step(state, ENTRY, ROLL)
    tally.step(state, ENTRY, wound(9))
    tally.roll_back(state, mark)
    assert tally.pack(state) == packed


@given(STEPS)
def test_equal_states_are_equal_bytes_however_they_came_about(steps: Sequence[tuple[str, int]]) -> None:
    tally = StateProjection()
    state, paper = played(steps)
    other = folded(doom(paper["doom"], paper["doom"]), KESS, MIGHT, spent(9 - paper["might"], paper["might"]))
    if paper["dazed"]:
        tally.step(other, ENTRY, DAZED)
    if (GM, "doom") not in state.tokens:
        tally.step(state, ENTRY, doom(0, 0))
    assert tally.pack(other) == tally.pack(state)
