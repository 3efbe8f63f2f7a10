"""The fold: facts give a state, and a fact that does not add up is found at its entry."""

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


def spending(points: int, now: int) -> PointsSpent:
    return PointsSpent(who="Kess", pool="might", points=points, now=now, because="Effort")


def regaining(points: int, now: int) -> PointsRegained:
    return PointsRegained(who="Kess", pool="might", points=points, now=now, because="rest")


def destiny(change: int, now: int, most: int | None = 1) -> TokensMoved:
    return TokensMoved(who="Kess", token="destiny", change=change, now=now, most=most, because="Dawn")


def doom(change: int, now: int) -> TokensMoved:
    return TokensMoved(who=GM, token="doom", change=change, now=now, most=None, because="Dusk")


def wound(number: int, value: int = 2) -> Wounded:
    return Wounded(who="Kess", wound=f"Kess w{number}", kind="light", value=value, in_force=True)


def fold(*facts: Fact) -> State:
    projection = StateProjection()
    state = projection.empty()
    for fact in facts:
        projection.step(state, ENTRY, fact)
    return state


@pytest.mark.parametrize(
    ("facts", "name", "value"),
    [
        ([KESS], "kess.level", 2),
        ([KESS], "kess.skill.sneak", "trained"),
        ([KESS, MIGHT], "kess.might", 9),
        ([KESS, MIGHT], "kess.might.most", 9),
        ([KESS, MIGHT, spending(3, 6)], "kess.might", 6),
        ([KESS, MIGHT, spending(3, 6), regaining(2, 8)], "kess.might", 8),
        ([KESS, destiny(1, 1)], "kess.destiny", 1),
        ([doom(2, 2), doom(-1, 1)], "doom", 1),  # tokens of the game master have no being in their name
        ([KESS, DAZED], "kess.dazed", 1),
        ([KESS, wound(1), wound(2, 4)], "kess.wounds", 6),
        ([OptionSet(name="ties", was="a", now="b", because="vote")], "option.ties", "b"),
        ([TimePassed(seconds=60, because="x"), TimePassed(seconds=5, because="y")], "clock.seconds", 65),
    ],
)
def test_value_is_the_sum_of_the_facts(facts: Sequence[Fact], name: str, value: int | str) -> None:
    assert StateProjection().values(fold(*facts))[name] == value


@pytest.mark.parametrize(
    ("facts", "fragment"),
    [
        ([KESS, KESS], "in play already"),
        ([KESS, Joined(who="KESS", kind="npc", side="gm", sheet=(), seen="gm")], "in play already"),
        ([spending(1, 0)], "has no pool"),
        ([KESS, MIGHT, spending(3, 7)], "says now 7, the sum is 6"),
        ([KESS, MIGHT, spending(10, -1)], "outside 0 to 9"),
        ([KESS, MIGHT, spending(-1, 10)], "leaves -1"),
        ([KESS, MIGHT, regaining(1, 10)], "outside 0 to 9"),
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
def test_fact_that_does_not_add_up_names_its_entry(facts: Sequence[Fact], fragment: str) -> None:
    with pytest.raises(OutOfBalance, match=r"entry 1\.7") as found:
        fold(*facts)
    assert fragment in str(found.value)


def test_token_cap_is_checked_when_no_window_is_open() -> None:
    held = fold(KESS, ROLL, destiny(2, 2), destiny(-1, 1), WindowClosed(window="roll", outcome="done"))
    assert held.tokens_held("Kess", "destiny") == 1


def test_beings_keep_their_order_of_joining_when_packed() -> None:
    names = ["Zed", "Ana", "Mo"]
    state = fold(*(Joined(who=name, kind="pc", side="players", sheet=(), seen="table") for name in names))
    assert [being.name for being in StateProjection().unpack(StateProjection().pack(state)).beings_in_order()] == names


STEPS = st.lists(
    st.one_of(
        st.integers(0, 4).map(lambda points: ("spend", points)),
        st.integers(0, 4).map(lambda points: ("regain", points)),
        st.integers(-2, 2).map(lambda change: ("doom", change)),
        st.sampled_from([("daze", 1), ("daze", 0)]),
    ),
    max_size=30,
)


def play(steps: Sequence[tuple[str, int]]) -> tuple[State, dict[str, int]]:
    """Return the state after some steps, and a model of it."""
    projection, model = StateProjection(), {"might": 9, "doom": 0, "dazed": 0}
    state = fold(KESS, MIGHT)
    for what, number in steps:
        fact: Fact
        if what == "spend":
            number = min(number, model["might"])
            model["might"] -= number
            fact = spending(number, model["might"])
        elif what == "regain":
            number = min(number, 9 - model["might"])
            model["might"] += number
            fact = regaining(number, model["might"])
        elif what == "doom":
            number = max(number, -model["doom"])
            model["doom"] += number
            fact = doom(number, model["doom"])
        elif number == model["dazed"]:
            continue
        else:
            model["dazed"] = number
            fact = DAZED if number else ConditionEnded(id="dazed Kess", who="Kess", name="dazed", because="due")
        projection.step(state, ENTRY, fact)
    return state, model


@given(STEPS)
def test_fold_agrees_with_the_model(steps: Sequence[tuple[str, int]]) -> None:
    projection = StateProjection()
    state, model = play(steps)
    assert (state.points("Kess", "might"), state.tokens_held(GM, "doom")) == (model["might"], model["doom"])
    assert ("dazed Kess" in state.conditions) == bool(model["dazed"])
    assert projection.pack(projection.unpack(projection.pack(state))) == projection.pack(state)


@given(STEPS, STEPS)
def test_roll_back_restores_the_packed_state(
    before: Sequence[tuple[str, int]], after: Sequence[tuple[str, int]]
) -> None:
    projection = StateProjection()
    state, _ = play(before)
    packed, mark = projection.pack(state), projection.mark(state)
    points = state.points("Kess", "might")
    for step in range(min(points, len(after))):
        projection.step(state, ENTRY, spending(1, points - step - 1))
    projection.step(state, ENTRY, ROLL)
    projection.step(state, ENTRY, wound(9))
    projection.roll_back(state, mark)
    assert projection.pack(state) == packed


@given(STEPS)
def test_equal_states_pack_to_equal_bytes(steps: Sequence[tuple[str, int]]) -> None:
    projection = StateProjection()
    state, model = play(steps)
    other = fold(doom(model["doom"], model["doom"]), KESS, MIGHT, spending(9 - model["might"], model["might"]))
    if model["dazed"]:
        projection.step(other, ENTRY, DAZED)
    if (GM, "doom") not in state.tokens:
        projection.step(state, ENTRY, doom(0, 0))
    assert projection.pack(other) == projection.pack(state)


def test_sheet_is_that_of_the_last_write_and_of_roll_back() -> None:
    state = State()
    state.put("sheets", ("Kess", "might"), 9)
    state.put("sheets", ("Kess", "level"), 2)
    assert state.sheet_of("Kess") == {"level": 2, "might": 9}
    mark = len(state.journal)
    state.put("sheets", ("Kess", "might"), 10)
    assert (state.sheet_of("Kess"), state.sheet_of("Orrin")) == ({"level": 2, "might": 10}, {})
    state.roll_back(mark)
    assert list(state.sheet_of("Kess").items()) == [("level", 2), ("might", 9)]
