"""The state at an entry or position, and snapshots."""

from __future__ import annotations

import msgspec
import pytest

from ledger import snapshots
from ledger.corrections.undo import undo
from ledger.facts import EntryId, parse_entry_id
from ledger.ledger_state import initial_state, load_state
from ledger.memory_store import MemoryStore
from ledger.records import latest_takes
from ledger.snapshots import FACTS_BETWEEN_SNAPSHOTS, build_snapshots
from tests.ledger.coin import Coins, Purse
from tests.ledger.strategies import (
    AT,
    create_ledger,
    faces,
    findings_of,
    flip,
    folded_state,
    new_ledger,
    packed_state,
    played,
)


@pytest.mark.slow
def test_each_opening_writes_a_snapshot(store):
    played(store)
    assert [str(kept.entry) for kept in store.snapshots()] == ["1.0", "2.0"]


@pytest.mark.slow
def test_snapshot_after_many_facts_equals_the_fold_from_zero(store):
    ledger = create_ledger(store, points=1000)
    count = FACTS_BETWEEN_SNAPSHOTS // 3 * 2 + 20
    for _ in range(count):
        flip(ledger)
    kept = list(store.snapshots())
    assert len(kept) == 3  # at the opening, and every 500 facts
    ledger_state = load_state(store, Coins())
    assert 0 < ledger_state.facts_since_snapshot < FACTS_BETWEEN_SNAPSHOTS
    assert packed_state(ledger_state) == packed_state(ledger.state) == packed_state(folded_state(store))
    assert ledger_state.state.points == {"Ana": 1000 - count}
    assert [found for found in findings_of(store) if "snapshot" in found] == []


@pytest.mark.slow
@pytest.mark.parametrize("at", ["0.1", "1.0", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "2.0", "2.1", "2.2"])
def test_state_at_an_entry_is_the_fold_up_to_it(store, at):
    played(store)
    expected = initial_state(Coins())
    for record in latest_takes(store.takes(upto=parse_entry_id(at))):
        expected.fold(record)
    ledger_state = load_state(store, Coins(), at=parse_entry_id(at))
    assert packed_state(ledger_state)[:4] == packed_state(expected)[:4]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("at", "left"),
    [
        ("0.0", None),
        ("0.1", 20),
        ("1.0", 20),
        ("1.2", 19),
        ("1.3", 17),  # the third take of it
        ("1.4", 17),
        ("1.5", 16),
        ("2.2", 15),
        ("9.9", 15),  # beyond the end: now
    ],
)
def test_state_at_an_entry_has_the_points_of_then(store, at, left):
    played(store)
    assert load_state(store, Coins(), at=parse_entry_id(at)).state.points.get("Ana") == left


@pytest.mark.slow
@pytest.mark.parametrize(
    ("as_of", "left"),
    [
        (0, None),
        (1, None),
        (2, 20),
        (5, 19),  # 1.2
        (6, 17),  # 1.3, before it was undone
        (7, 17),  # the undo is written, its void take is not
        (8, 19),  # undone
        (9, 17),  # declared again
        (99, 15),
    ],
)
def test_state_as_of_a_position_ignores_later_takes(store, as_of, left):
    played(store)
    ledger_state = load_state(store, Coins(), as_of=as_of)
    assert (ledger_state.state.points.get("Ana"), ledger_state.position) == (left, as_of)


@pytest.mark.slow
def test_state_at_an_entry_as_of_a_position_joins_both(store):
    played(store)
    assert load_state(store, Coins(), at=parse_entry_id("1.3"), as_of=6).state.points == {"Ana": 17}
    assert load_state(store, Coins(), at=parse_entry_id("1.3"), as_of=8).state.points == {"Ana": 19}
    assert load_state(store, Coins(), at=parse_entry_id("1.2"), as_of=99).state.points == {"Ana": 19}


@pytest.mark.slow
def test_rebuilt_snapshots_are_not_used_for_as_of(store):
    ledger = played(store)
    before = [load_state(store, Coins(), as_of=n).state.points for n in range(15)]
    store.replace_snapshots(build_snapshots(store, Coins()), after=store.head())
    assert [str(kept.entry) for kept in store.snapshots()] == ["1.0", "2.0"]
    assert [load_state(store, Coins(), as_of=n).state.points for n in range(15)] == before
    assert packed_state(load_state(store, Coins())) == packed_state(ledger.state)


def test_rebuilt_snapshots_keep_reusable_numbers(ledger, monkeypatch):
    monkeypatch.setattr(snapshots, "FACTS_BETWEEN_SNAPSHOTS", 1)
    first = flip(ledger)
    undo(ledger, by="gm", at=AT)
    ledger.store.replace_snapshots(build_snapshots(ledger.store, Coins()), after=ledger.store.head())
    again = flip(new_ledger(ledger.store, seeds=ledger.seeds))
    assert (again.id, again.take, faces(again)) == (first.id, 3, faces(first))


@pytest.mark.parametrize(
    "body", [b"", b"{}", b"nonsense", b'{"session":{},"state":[1,2]}', b'{"sitting":{"number":"x"},"state":{}}']
)
def test_snapshot_of_another_version_is_passed_over(ledger, body):
    kept = ledger.state.to_snapshot(parse_entry_id("1.0"), 3)
    ledger.store.replace_snapshots([msgspec.structs.replace(kept, body=body)], after=ledger.store.head())
    assert packed_state(load_state(ledger.store, Coins())) == packed_state(ledger.state)


def test_state_has_named_values(ledger):
    ledger.declare(Purse(by="Bo", points=3), at=AT)
    assert ledger.state.values() == {"Ana.points": 20, "Bo.points": 3}


def test_before_the_first_entry_there_is_nothing():
    ledger_state = load_state(MemoryStore(), Coins())
    assert (
        ledger_state.state.points,
        ledger_state.session.ledger,
        ledger_state.position,
        ledger_state.reusable_numbers,
    ) == ({}, "", 0, {})
    assert ledger_state.last < EntryId(0, 0)
