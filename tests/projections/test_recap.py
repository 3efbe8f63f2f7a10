"""The recap's arithmetic: what is played at random adds up, pool by pool and session by session."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.corrections.amend import undo
from ledger.declarations import Ruling
from ledger.dice import fixed_seed
from ledger.errors import LedgerError, OutOfBalance
from ledger.facts import (
    GM,
    EntryId,
    Fact,
    PointsLost,
    PointsRegained,
    PointsSpent,
    PoolSet,
    TokensMoved,
)
from ledger.position import load_state
from ledger.records import counting
from ledger.seeds import MemorySeeds
from ledger.service import Ledger
from ledger.store import MemoryStore
from projections.projection import StateProjection
from projections.recap import Flow, Said, cast, flows, look, outcomes, scenes, thrown
from projections.state import State
from rulebooks.dusk_bastards.declarations import (
    Armor,
    Attempt,
    Change,
    Close,
    CreateCharacter,
    CreateNpc,
    Damage,
    Rest,
    SpendDestiny,
    SpendDoom,
    Use,
    WoundRoll,
)
from tests.rulebooks.dusk_bastards.seat import AT, BOOK

PLAYERS = ("Ash", "Bryn")
WHO = st.sampled_from(PLAYERS)
BEING = st.sampled_from([*PLAYERS, "thug"])
STAT = st.sampled_from(["might", "speed", "intellect"])
VALUE = st.sampled_from(["ash.might", "bryn.health", "bryn.destiny", "doom", "thug.health"])
USE = st.sampled_from(["reroll", "regain", "change-target"])
ATTEMPT = st.builds(
    Attempt,
    by=WHO,
    stat=STAT,
    difficulty=st.integers(1, 6),
    effort=st.integers(0, 2),
    initial_cost=st.integers(0, 3),
)
DESTINY = st.builds(SpendDestiny, by=WHO, uses=st.tuples(st.builds(Use, USE, STAT)))
PLAYED: st.SearchStrategy[Any] = st.one_of(
    *[ATTEMPT] * 5,
    *[DESTINY] * 3,
    st.builds(SpendDoom, by=st.just(GM), points=st.integers(1, 2), purpose=st.just("rain")),
    st.builds(Damage, by=st.just(GM), target=BEING, amount=st.integers(1, 9)),
    st.builds(WoundRoll, by=WHO),
    st.builds(Rest, by=WHO, kind=st.sampled_from(["one_action", "ten_minutes", "one_hour", "ten_hours"])),
    st.builds(
        Ruling,
        by=st.just(GM),
        text=st.just("so be it"),
        reason=st.just("the tide"),
        changes=st.tuples(st.builds(Change, VALUE, st.integers(0, 4))),
    ),
    st.builds(
        CreateCharacter,
        by=st.just(GM),
        name=st.sampled_from(["Cole", "Dov"]),
        might=st.integers(1, 9),
        speed=st.integers(1, 9),
        intellect=st.integers(1, 9),
    ),
    st.just(Close(by=GM)),
    st.sampled_from(["undo", "close the session"]),
)


def begun() -> Ledger[State]:
    """A table with two characters and a foe, session 1 open."""
    table = Ledger(MemoryStore(), BOOK, StateProjection(), MemorySeeds())
    table.create("Tests", at=AT, ledger="0" * 32)
    table.declare(CreateCharacter(by=GM, name="Ash", level=2, might=12, speed=10, intellect=9, effort_limit=2), at=AT)
    table.declare(CreateCharacter(by=GM, name="Bryn", level=4, might=9, speed=14, intellect=17, effort_limit=3), at=AT)
    table.declare(
        CreateNpc(by=GM, name="thug", kind="minion", difficulty=4, health=9, armor=(Armor("physical", 1),)), at=AT
    )
    table.open_session("1", at=AT, seed=fixed_seed("1"))
    return table


def play(table: Ledger[State], said: Any) -> None:
    """Say it; what is refused has not happened."""
    with suppress(LedgerError):
        if said == "undo":
            undo(table, by=GM, at=AT)
        elif said == "close the session":
            number = table.state.session.number + 1
            table.close_session(at=AT)
            table.open_session(str(number), at=AT, seed=fixed_seed(str(number)))
        else:
            table.declare(said, at=AT)


def session(table: Ledger[State], number: int) -> tuple[State, State, list[Said]]:
    """The state before, the state after, and what counts of a session."""
    start, end = EntryId(number, -1), EntryId(number + 1, -1)
    said = [
        Said(id=record.id, by=record.by, line=record.line, facts=record.facts)
        for record in counting(table.store.takes(after=start, upto=end))
        if record.facts
    ]
    return (
        load_state(table.store, StateProjection(), at=start).state,
        load_state(table.store, StateProjection(), at=end).state,
        said,
    )


def key(flow: Flow) -> tuple[str, str, str]:
    return flow.who, flow.kind, flow.name


def total(column: tuple[tuple[str, int], ...]) -> int:
    return sum(points for _, points in column)


def came_and_went(facts: list[Fact]) -> dict[tuple[str, str, str], int]:
    """By how much each pool and token changed, in the plainest way."""
    sums: dict[tuple[str, str, str], int] = {}

    def add(who: str, kind: str, name: str, change: int) -> None:
        sums[who, kind, name] = sums.get((who, kind, name), 0) + change

    for fact in facts:
        if isinstance(fact, PointsRegained):
            add(fact.who, "pool", fact.pool, fact.points)
        elif isinstance(fact, PointsSpent | PointsLost):
            add(fact.who, "pool", fact.pool, -fact.points)
        elif isinstance(fact, PoolSet):
            add(fact.who, "pool", fact.pool, fact.now - fact.was)
        elif isinstance(fact, TokensMoved):
            add(fact.who, "token", fact.token, fact.change)
    return sums


@given(st.lists(PLAYED, min_size=12, max_size=40))
def test_the_resource_ledger_of_every_session_adds_up(evening: list[Any]) -> None:
    table = begun()
    for said in evening:
        play(table, said)
    ended: dict[tuple[str, str, str], int] = {}
    for number in range(table.state.session.number + 1):
        before, after, said = session(table, number)
        found = flows(before, after, said)
        plain = came_and_went([fact for entry in said for fact in entry.facts])
        for flow in found:
            change = total(flow.regained) + total(flow.set) - total(flow.spent) - total(flow.lost)
            assert flow.start + change == flow.end
            assert change == plain.get(key(flow), 0)
            assert flow.start == ended.get(key(flow), 0)
            assert all(points for column in (flow.spent, flow.lost, flow.regained, flow.set) for _, points in column)
        ended = {key(flow): flow.end for flow in found}
        assert plain.keys() <= ended.keys()
    state = table.state.state
    held = {(who, "pool", name): pool.points for (who, name), pool in state.pools.items()}
    held |= {(who, "token", name): token.count for (who, name), token in state.tokens.items()}
    assert ended == held


@given(st.lists(PLAYED, min_size=6, max_size=25))
def test_the_cast_ends_as_the_table_stands(evening: list[Any]) -> None:
    table = begun()
    for said in evening:
        play(table, said)
    before, after, said = session(table, table.state.session.number)
    members = cast(before, after, said)
    assert {being.name for being in table.state.state.in_order() if being.kind == "pc"} <= {
        member.who for member in members
    }
    for member in members:
        assert member.end == look(table.state.state, member.who)
        assert (member.start is None) == bool(member.joined)


def test_what_does_not_add_up_is_found() -> None:
    table = begun()
    before, after, said = session(table, 0)
    assert flows(before, after, said)
    with pytest.raises(OutOfBalance, match=r"Ash's \w+ ends at"):
        flows(before, after, said[:1])


def test_every_line_stands_in_one_scene_and_void_entries_in_none() -> None:
    table = begun()
    table.declare(Attempt(by="Ash", stat="might", difficulty=2), at=AT, line="a might v2", faces=(6, 5))
    undo(table, by=GM, at=AT)
    table.declare(Attempt(by="Bryn", stat="might", difficulty=2), at=AT, line="b might v2", faces=(6, 6))
    _, _, said = session(table, 1)
    (scene,) = scenes(said)
    assert (scene.entry, scene.title) == ("", "")
    assert [moment.line for moment in scene.moments] == ["", "b might v2"]
    assert [(found.source, found.rolls, found.dice) for found in thrown(said)] == [("table", 1, 2)]
    assert {found.what: found.results for found in outcomes(said)} == {"destined effect": (("eclipse", 1),)}
