"""The recap of sessions that are played at random: every pool adds up, every line has its scene."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ledger.corrections.undo import undo
from ledger.declarations import Ruling
from ledger.dice import fixed_seed
from ledger.errors import LedgerError, OutOfBalance
from ledger.facts import GM, EntryId, PointsLost, PointsRegained, PointsSpent, PoolSet, TokensMoved
from ledger.ledger_state import load_state
from ledger.memory_store import MemorySeeds, MemoryStore
from ledger.records import latest_takes
from ledger.service import Ledger
from projections.projection import StateProjection
from projections.recap.cast import cast, status
from projections.recap.entries import Causes, Entry
from projections.recap.episodes import episodes
from projections.recap.flows import Flow, flows
from projections.recap.scenes import scenes
from projections.recap.tallies import dice_tallies, result_tallies
from projections.state import State
from rulebooks.dusk_bastards.declarations.harm import Damage, Rest, WoundRoll
from rulebooks.dusk_bastards.declarations.parts import Armor, Change, Use
from rulebooks.dusk_bastards.declarations.sheets import CreateCharacter, CreateNpc
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Close, SpendDestiny, SpendDoom
from tests.rulebooks.dusk_bastards.seat import AT, BOOK

PLAYERS = ("Ash", "Bryn")
WHO = st.sampled_from(PLAYERS)
BEING = st.sampled_from([*PLAYERS, "thug"])
STAT = st.sampled_from(["might", "speed", "intellect"])
VALUE = st.sampled_from(["ash.might", "bryn.health", "bryn.destiny", "doom", "thug.health"])
USE = st.sampled_from(["reroll", "regain", "change-target"])
ATTEMPT = st.builds(
    Attempt, by=WHO, stat=STAT, difficulty=st.integers(1, 6), effort=st.integers(0, 2), initial_cost=st.integers(0, 3)
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


def health_of_bryn(number: int) -> Ruling:
    return Ruling(by=GM, text="so be it", reason="the tide", changes=(Change("bryn.health", number),))


def new_ledger() -> Ledger[State]:
    """Return a ledger with two characters and a foe, session 1 open."""
    ledger = Ledger(MemoryStore(), BOOK, StateProjection(), MemorySeeds())
    ledger.create("Tests", at=AT, ledger="0" * 32)
    for said in (
        CreateCharacter(by=GM, name="Ash", level=2, might=12, speed=10, intellect=9, effort_limit=2),
        CreateCharacter(by=GM, name="Bryn", level=4, might=9, speed=14, intellect=17, effort_limit=3),
        CreateNpc(by=GM, name="thug", kind="minion", difficulty=4, health=9, armor=(Armor("physical", 1),)),
    ):
        ledger.declare(said, at=AT)
    ledger.open_session("1", at=AT, seed=fixed_seed("1"))
    return ledger


def play(evening: list[Any]) -> Ledger[State]:
    """Return a ledger in which everything of an evening was declared that is not refused."""
    ledger = new_ledger()
    for said in evening:
        with suppress(LedgerError):
            if said == "undo":
                undo(ledger, by=GM, at=AT)
            elif said == "close the session":
                number = ledger.state.session.number + 1
                ledger.close_session(at=AT)
                ledger.open_session(str(number), at=AT, seed=fixed_seed(str(number)))
            else:
                ledger.declare(said, at=AT)
    return ledger


def session(ledger: Ledger[State], number: int) -> tuple[State, State, list[Entry]]:
    """Return the state before a session, the state after it, and its entries."""
    start, end = EntryId(number, -1), EntryId(number + 1, -1)
    entries = [
        Entry(id=record.id, by=record.by, line=record.line, facts=record.facts)
        for record in latest_takes(ledger.store.takes(after=start, upto=end))
        if record.facts
    ]
    before = load_state(ledger.store, StateProjection(), at=start).state
    return before, load_state(ledger.store, StateProjection(), at=end).state, entries


def key(flow: Flow) -> tuple[str, str, str]:
    return flow.who, flow.kind, flow.name


def total(column: Causes) -> int:
    return sum(points for _, points in column)


def changes_of(entries: list[Entry]) -> Counter[tuple[str, str, str]]:
    """Return by how much each pool and token changed, as the model to compare with."""
    sums: Counter[tuple[str, str, str]] = Counter()
    for fact in (fact for entry in entries for fact in entry.facts):
        if isinstance(fact, PointsRegained):
            sums[fact.who, "pool", fact.pool] += fact.points
        elif isinstance(fact, PointsSpent | PointsLost):
            sums[fact.who, "pool", fact.pool] -= fact.points
        elif isinstance(fact, PoolSet):
            sums[fact.who, "pool", fact.pool] += fact.now - fact.was
        elif isinstance(fact, TokensMoved):
            sums[fact.who, "token", fact.token] += fact.change
    return sums


@pytest.mark.slow
@example([health_of_bryn(1), "close the session", health_of_bryn(0), health_of_bryn(1)])
@given(st.lists(PLAYED, min_size=12, max_size=40))
def test_flows_of_every_session_add_up(evening: list[Any]) -> None:
    ledger = play(evening)
    ends: dict[tuple[str, str, str], int] = {}
    for number in range(ledger.state.session.number + 1):
        before, after, entries = session(ledger, number)
        found, changes = flows(before, after, entries), changes_of(entries)
        for flow in found:
            change = total(flow.regained) + total(flow.set) - total(flow.spent) - total(flow.lost)
            assert flow.start + change == flow.end
            assert change == changes[key(flow)]
            assert flow.start == ends.get(key(flow), 0)
            assert all(points for column in (flow.spent, flow.lost, flow.regained, flow.set) for _, points in column)
        ends = {key(flow): flow.end for flow in found}
        assert changes.keys() <= ends.keys()
    state = ledger.state.state
    held = {(who, "pool", name): pool.points for (who, name), pool in state.pools.items()}
    held |= {(who, "token", name): token.count for (who, name), token in state.tokens.items()}
    assert ends == held


def test_set_column_lists_opposite_changes_of_one_cause() -> None:
    ledger = play([health_of_bryn(1), "close the session", health_of_bryn(0), health_of_bryn(1)])
    (flow,) = [flow for flow in flows(*session(ledger, 2)) if key(flow) == ("Bryn", "pool", "health")]
    assert (flow.start, flow.end) == (1, 1)
    assert [points for _, points in flow.set] == [-1, 1]


@pytest.mark.slow
@given(st.lists(PLAYED, min_size=6, max_size=25))
def test_cast_ends_with_the_state_of_the_ledger(evening: list[Any]) -> None:
    ledger = play(evening)
    state = ledger.state.state
    members = cast(*session(ledger, ledger.state.session.number))
    assert {being.name for being in state.beings_in_order() if being.kind == "pc"} <= {member.who for member in members}
    for member in members:
        assert member.end == status(state, member.who)
        assert (member.start is None) == bool(member.joined)


def test_flow_that_does_not_add_up_is_refused() -> None:
    before, after, entries = session(new_ledger(), 0)
    assert flows(before, after, entries)
    with pytest.raises(OutOfBalance, match=r"Ash's \w+ ends at"):
        flows(before, after, entries[:1])


def test_recap_shows_lines_once_and_no_void_entries() -> None:
    ledger = new_ledger()
    ledger.declare(Attempt(by="Ash", stat="might", difficulty=2), at=AT, line="a might v2", faces=(6, 5))
    undo(ledger, by=GM, at=AT)
    ledger.declare(Attempt(by="Bryn", stat="might", difficulty=2), at=AT, line="b might v2", faces=(6, 6))
    _, _, entries = session(ledger, 1)
    (scene,) = scenes(episodes(entries))
    assert (scene.entry, scene.title) == ("", "")
    assert [moment.line for moment in scene.moments] == ["", "b might v2"]
    assert [(tally.source, tally.rolls, tally.dice) for tally in dice_tallies(entries, str)] == [("table", 1, 2)]
    assert {tally.what: tally.results for tally in result_tallies(entries, {"destined effect"})} == {
        "destined effect": (("eclipse", 1),)
    }
