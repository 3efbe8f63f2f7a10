"""The same tests for every kind of store, and a state machine that compares them."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import replace

from ledger import sql_reader
from ledger import sqlite_store as sqlite
from ledger.campaign_source import open_campaign
from ledger.errors import Damaged, LedgerError, Overtaken, Unreadable
from ledger.facts import WITHHELD, EntryId, PointsSpent, parse_entry_id
from ledger.memory_store import MemoryStore
from ledger.records import EMPTY, PUBLIC_DECODER, Head, encode, latest_takes, record_hash
from ledger.store import Snapshot, follow
from tests.ledger.strategies import bytes_of, head_at, record
from tests.postgres import lose_connection, new_store
from tests.seals import random_seal


def snapshot(entry, position, body=b"{}"):
    return Snapshot(position=position, entry=parse_entry_id(entry), body=body)


def fill(store, *entries):
    """Append one record for each `entry`, or `entry@take`, one by one."""
    for position, entry in enumerate(entries, start=store.head().position + 1):
        id_, _, take = entry.partition("@")
        store.append([record(position, id_, int(take or 1))], after=store.head())


def told(records):
    return [f"{each.id}@{each.take}" for each in records]


# Reading and appending


def test_an_empty_store_has_nothing_and_says_so(store):
    assert store.head() == EMPTY
    assert bytes_of(store) == list(store.takes()) == list(store.snapshots()) == []
    assert (store.latest_snapshot(), store.find_request("k")) == (None, None)


def test_appended_records_are_read_as_exact_bytes(store):
    made = [record(1), record(2, request="k", by="Zoë", at="yesterday")]
    head = store.append(made, after=EMPTY)
    read = bytes_of(store)
    assert [stored.public for stored in read] == [encode(each) for each in made]
    assert [stored.position for stored in read] == [1, 2]
    assert store.head() == head == (type(head)(2, read[1].hash))


def test_sealed_records_are_read_whole_but_in_public(store):
    made = [record(1, "1.0", request="k"), record(2, "1.1", 1, seen="gm"), record(3, "1.1", 2)]
    shown = [replace(made[0], request=None, facts=(WITHHELD,)), replace(made[1], by="gm", facts=(WITHHELD,)), made[2]]
    store.append(made, after=EMPTY, public=shown)
    stored = bytes_of(store)
    assert [PUBLIC_DECODER.decode(each.public).facts for each in stored] == [each.facts for each in shown]
    assert [each.body for each in stored] == [encode(each) for each in made]
    assert [each.sealed is None for each in stored] == [False, False, True]
    assert (list(store.records()), list(store.takes())) == (made, made)
    assert (store.find_request("k"), store.ends(1)) == (made[0], (made[0], made[2]))
    assert [take.facts for take in store.extracts(frozenset((PointsSpent,)), whole=True)] == [
        each.facts for each in made
    ]


def test_salt_of_a_seal_is_new_each_time():
    first, second = random_seal(b"{}"), random_seal(b"{}")
    assert first != second
    assert re.fullmatch(rb"[0-9a-f]{32}{}", first)


def test_each_record_is_chained_to_the_one_before(store):
    fill(store, "0.0", "0.1", "1.0")
    hashes = [stored.hash for stored in bytes_of(store)]
    before = [EMPTY.hash, *hashes[:-1]]
    assert hashes == [record_hash(last, stored.leaf) for last, stored in zip(before, bytes_of(store), strict=True)]


@pytest.mark.parametrize(("after", "positions"), [(0, [1, 2, 3]), (1, [2, 3]), (3, []), (9, [])])
def test_reading_begins_behind_a_position(store, after, positions):
    fill(store, "0.0", "0.1", "0.2")
    assert [stored.position for stored in store.read(after=after)] == positions


@pytest.mark.parametrize(("after", "is_fork"), [(0, False), (1, False), (3, True), (99, True)])
def test_append_at_another_head_is_overtaken(store, after, is_fork):
    fill(store, "0.0", "0.1")
    before = bytes_of(store)
    with pytest.raises(Overtaken) as caught:
        store.append([record(after + 1, "0.2")], after=head_at(store, after))
    assert (caught.value.expected, caught.value.found, caught.value.is_fork) == (after, 2, is_fork)
    assert bytes_of(store) == before


@pytest.mark.parametrize("position", [0, 1, 2])
def test_head_with_the_hash_of_another_history_is_overtaken(store, position):
    fill(store, "0.0", "0.1")
    other, before = Head(position, "ff" * 32), bytes_of(store)
    writes = (
        lambda: store.append([record(position + 1, "0.2")], after=other),
        lambda: store.replace_snapshots([snapshot("0.0", 1)], after=other),
    )
    for write in writes:
        with pytest.raises(Overtaken, match=f"up to position {position}: it has another history") as caught:
            write()
        assert caught.value.is_fork
    assert (bytes_of(store), list(store.snapshots())) == (before, [])


def test_a_batch_that_decided_on_another_history_is_overtaken(store):
    fill(store, "0.0")
    with store.batch():
        store.append([record(2)], after=store.head())
        with pytest.raises(Overtaken):
            store.append([record(3)], after=Head(2, "ff" * 32))
        store.append([record(3)], after=store.head())
    assert store.head().position == 3


BAD = [
    pytest.param(record(3, facts=(object(),)), id="no fact"),
    pytest.param(record(3, by=7), id="a number for a name"),
    pytest.param(record(4), id="a gap"),
    pytest.param(record(2), id="a position twice"),
    pytest.param(record(3, by="\ud800"), id="a lone surrogate"),
    pytest.param(record(3, facts=record(3).facts * 20_000), id="too long"),
]


@pytest.mark.quick_rows(9)
@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("index", [0, 1])
def test_nothing_is_written_when_one_of_several_records_is_bad(store, bad, index):
    fill(store, "0.0")
    store.replace_snapshots([snapshot("0.0", 1)], after=store.head())
    before, kept = bytes_of(store), list(store.snapshots())
    several = [record(2), record(3)]
    several[index] = msgspec.structs.replace(bad, position=bad.position - 1 + index)
    with pytest.raises(LedgerError):
        store.append(several, after=store.head(), snapshot=snapshot("0.2", 3))
    assert (bytes_of(store), list(store.snapshots())) == (before, kept)
    fill(store, "0.1")
    assert store.head().position == 2


# History: takes in order of entries

HISTORY = ("0.0", "1.0", "1.1", "1.2", "1.1@2", "1.1+1", "2.0", "1.2@2", "1.10", "10.0")
SORTED = ["0.0@1", "1.0@1", "1.1@1", "1.1@2", "1.1+1@1", "1.2@1", "1.2@2", "1.10@1", "2.0@1", "10.0@1"]


def test_takes_come_in_order_of_entries_then_of_writing(store):
    fill(store, *HISTORY)
    assert told(store.takes()) == SORTED


def test_of_each_entry_the_last_take_counts(store):
    fill(store, *HISTORY)
    expected = ["0.0@1", "1.0@1", "1.1@2", "1.1+1@1", "1.2@2", "1.10@1", "2.0@1", "10.0@1"]
    assert told(latest_takes(store.takes())) == expected


@pytest.mark.quick_rows(8)
@pytest.mark.parametrize(
    ("after", "upto", "expected"),
    [
        (None, "1.1", SORTED[:4]),  # every take of 1.1, not the entry inserted after it
        (None, "1.1+1", SORTED[:5]),
        ("1.1", None, SORTED[4:]),
        ("1.1+1", "1.2", SORTED[5:7]),
        ("1.2", "1.1", []),
        ("1.5", "1.99", ["1.10@1"]),  # bounds need not exist
        (None, "0.0", SORTED[:1]),
        ("10.0", None, []),
    ],
)
def test_takes_may_be_asked_for_by_bounds(store, after, upto, expected):
    fill(store, *HISTORY)
    bounds = {"after": after and parse_entry_id(after), "upto": upto and parse_entry_id(upto)}
    assert told(store.takes(**bounds)) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("as_of", "expected"),
    [
        (0, []),
        (4, ["0.0@1", "1.0@1", "1.1@1", "1.2@1"]),  # before the correction
        (5, ["0.0@1", "1.0@1", "1.1@1", "1.1@2", "1.2@1"]),
        (10, SORTED),
        (99, SORTED),
    ],
)
def test_takes_as_of_a_position_leave_later_ones_out(store, as_of, expected):
    fill(store, *HISTORY)
    assert told(store.takes(as_of=as_of)) == expected


@pytest.mark.quick_rows(4)
@pytest.mark.parametrize("extra", [-1, 0, 1, sql_reader.PAGE + 1])
def test_reading_goes_on_past_a_page(store, extra):
    count = sql_reader.PAGE + extra
    order = [*range(0, count, 2), *range(1, count, 2)]  # history is another order than writing
    store.append([record(n, f"1.{number}") for n, number in enumerate(order, start=1)], after=EMPTY)
    assert [stored.position for stored in store.read()] == list(range(1, count + 1))
    assert [take.number for take in store.takes()] == list(range(count))
    assert [take.number for take in store.takes(after=EntryId(1, 3), as_of=count - 1)] == [
        number for number in range(4, count) if number != order[-1]
    ]


@pytest.mark.slow
def test_reading_goes_on_past_a_page_within_one_entry(store):
    count = sql_reader.PAGE + 1
    store.append([record(n, "1.1", n) for n in range(1, count + 1)], after=EMPTY)
    assert [take.take for take in store.takes()] == list(range(1, count + 1))
    assert list(store.takes(after=EntryId(1, 1))) == []


def test_an_open_reader_keeps_no_writer_waiting(store):
    fill(store, "0.0", "0.1")
    reader, takes = store.read(), store.takes()
    next(reader)
    next(takes)
    fill(store, "0.2")
    assert store.head().position == 3
    assert [stored.position for stored in reader][:1] == [2]
    assert told(takes)[:1] == ["0.1@1"]


# Requests


def test_a_record_is_found_by_its_request(store):
    store.append([record(1, request="a"), record(2), record(3, request="b")], after=EMPTY)
    found = store.find_request("b")
    assert found is not None
    assert found == record(3, request="b")
    assert store.find_request("c") is None


# Snapshots


def test_the_latest_snapshot_within_the_bounds_is_given(store):
    fill(store, "0.0", "1.0", "1.1", "1.2", "2.0")
    kept = [snapshot("0.0", 1), snapshot("1.1", 3, b'{"points":1}'), snapshot("2.0", 5)]
    store.replace_snapshots(kept, after=store.head())
    assert list(store.snapshots()) == kept
    assert store.latest_snapshot() == kept[2]
    assert store.latest_snapshot(upto=parse_entry_id("1.2")) == store.latest_snapshot(as_of=4) == kept[1]
    assert store.latest_snapshot(upto=parse_entry_id("1.1")) == store.latest_snapshot(as_of=3) == kept[1]
    assert store.latest_snapshot(upto=parse_entry_id("1.0")) == store.latest_snapshot(as_of=2) == kept[0]
    assert store.latest_snapshot(upto=parse_entry_id("2.0"), as_of=1) == kept[0]
    assert store.latest_snapshot(as_of=0) is None


def test_snapshots_of_an_older_head_are_not_put_in(store):
    fill(store, "0.0", "1.0")
    store.replace_snapshots([snapshot("1.0", 2)], after=store.head())
    fill(store, "1.1")
    with pytest.raises(Overtaken):
        store.replace_snapshots([snapshot("0.0", 2)], after=head_at(store, 2))
    assert list(store.snapshots()) == [snapshot("1.0", 2)]


def test_snapshots_are_sorted_by_entry(store):
    fill(store, "0.0", "1.1", "1.1+1", "10.0")
    kept = [snapshot("0.0", 9), snapshot("1.1", 9), snapshot("1.1+1", 9), snapshot("10.0", 9)]
    store.replace_snapshots(kept[::-1], after=store.head())
    assert list(store.snapshots()) == kept
    assert store.latest_snapshot() == kept[-1]


@pytest.mark.parametrize(
    ("entry", "left"),
    [
        ("2.1", ["1.0", "1.1", "2.0"]),  # a new entry makes none wrong
        ("2.0", ["1.0", "1.1"]),
        ("1.2", ["1.0", "1.1"]),
        ("1.1+1", ["1.0", "1.1"]),  # inserted after the snapshot
        ("1.1", ["1.0"]),
        ("0.5", []),
    ],
)
def test_take_of_an_older_entry_deletes_later_snapshots(store, entry, left):
    fill(store, "1.0", "1.1", "1.2", "2.0")
    store.replace_snapshots([snapshot("1.0", 1), snapshot("1.1", 2), snapshot("2.0", 4)], after=store.head())
    store.append([record(5, entry)], after=store.head())
    assert [str(kept.entry) for kept in store.snapshots()] == left


def test_oldest_of_several_records_decides_which_snapshots_stay(store):
    fill(store, "1.0", "1.1", "1.2")
    store.replace_snapshots([snapshot("1.0", 1), snapshot("1.1", 2), snapshot("1.2", 3)], after=store.head())
    store.append([record(4, "1.3"), record(5, "1.1", 2)], after=store.head())
    assert [str(kept.entry) for kept in store.snapshots()] == ["1.0"]


def test_a_snapshot_is_appended_with_its_record(store):
    fill(store, "1.0", "1.1")
    store.append([record(3, "1.2")], after=store.head(), snapshot=snapshot("1.2", 3))
    store.append([record(4, "1.2", 2)], after=store.head(), snapshot=snapshot("1.2", 4, b"[]"))
    assert list(store.snapshots()) == [snapshot("1.2", 4, b"[]")]


def test_snapshots_are_replaced_without_touching_the_log(store):
    fill(store, "1.0")
    before = bytes_of(store)
    store.replace_snapshots([snapshot("1.0", 1)], after=store.head())
    store.replace_snapshots([], after=store.head())
    assert (list(store.snapshots()), bytes_of(store)) == ([], before)


# Following


def test_follow_yields_appended_records_until_wake_is_false(store):
    fill(store, "0.0", "0.1")
    to_come = iter(["0.2", None, "0.3"])

    def wake():
        entry = next(to_come, "over")
        if entry not in (None, "over"):
            fill(store, entry)
        return entry != "over"

    assert told(follow(store, after=1, wake=wake)) == ["0.1@1", "0.2@1", "0.3@1"]


def test_follow_yields_records_of_another_connection(path):
    reader, writer = sqlite.open_store(path, write=False), sqlite.open_store(path, write=True)
    waits = iter([True, True, False])

    def wake():
        fill(writer, f"0.{writer.head().position}")
        return next(waits)

    assert told(follow(reader, after=0, wake=wake)) == ["0.0@1", "0.1@1"]
    reader.close()
    writer.close()


# The machine

ENTRIES = st.sampled_from(["0.0", "0.1", "1.0", "1.1", "1.1+1", "1.2", "2.0", "2.1", "10.0"])
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
REQUESTS = st.none() | st.sampled_from(["a", "b", "c", "d", "é", "x\x01y"])  # PostgreSQL stores no NUL


def outcome(act):
    """Return the answer, or the kind and text of the error."""
    try:
        return act()
    except (Overtaken, Unreadable, Damaged) as error:
        return type(error), str(error)


def until_known(act):
    """Do something once more if its commit was cut off: then it is not known whether it was done."""
    try:
        act()
    except LedgerError as error:
        if "while it was committed" not in error.what:
            raise
        act()


class StoresAgainstMemory(RuleBasedStateMachine):
    """All stores give the same answers and hold the same bytes, whatever is killed, cut or stopped."""

    server = None  # of PostgreSQL, where there is one

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(prefix="ledger-machine-")
        self.path = Path(self.folder.name) / "ledger.db"
        self.model = MemoryStore()
        self.file = sqlite.create_store(self.path)
        self.club = new_store(self.server) if self.server else None

    def teardown(self):
        for store in self.stores():
            store.close()
        self.folder.cleanup()

    def stores(self):
        return [store for store in (self.file, self.club) if store is not None]

    def both(self, act):
        expected = outcome(lambda: act(self.model))
        for store in self.stores():
            assert outcome(lambda store=store: act(store)) == expected
        return expected

    @initialize(count=st.integers(0, 3))
    def begin(self, count):
        for position in range(1, count + 1):
            self.both(lambda store, n=position: store.append([record(n)], after=store.head()))

    @rule(
        entries=st.lists(ENTRIES, min_size=1, max_size=3),
        by=TEXTS,
        request=REQUESTS,
        kept=st.none() | TEXTS,
        after=st.sampled_from([0, 0, 0, 0, -1, 1]),
        is_fork=st.sampled_from([False] * 8 + [True]),
        gap=st.sampled_from([0] * 8 + [1]),
        bad=st.sampled_from([False] * 8 + [True]),
    )
    def append(self, entries, by, request, kept, after, is_fork, gap, bad):
        head = self.model.head().position
        expected = head_at(self.model, max(head + after, 0))
        if is_fork:
            expected = Head(expected.position, "ff" * 32)
        made = [
            record(n, entry, n, by=by, request=request if n == head + 1 else None)
            for n, entry in enumerate(entries, start=head + 1)
        ]
        made[-1] = msgspec.structs.replace(made[-1], position=made[-1].position + gap, at=7 if bad else "now")
        newest = max(each.id for each in made)
        packed_state = None if kept is None else Snapshot(position=head, entry=newest, body=msgspec.json.encode(kept))
        self.both(lambda store: store.append(made, after=expected, snapshot=packed_state))

    @rule(after=st.none() | ENTRIES, upto=st.none() | ENTRIES, as_of=st.none() | st.integers(0, 12))
    def ask(self, after, upto, as_of):
        after, upto = after and parse_entry_id(after), upto and parse_entry_id(upto)
        self.both(lambda store: list(store.takes(after=after, upto=upto, as_of=as_of)))
        self.both(lambda store: store.latest_snapshot(upto=upto, as_of=as_of))

    @rule(request=REQUESTS.filter(bool))
    def ask_by_request(self, request):
        self.both(lambda store: store.find_request(request))

    @rule(after=st.integers(0, 12))
    def read_on(self, after):
        self.both(lambda store: list(store.read(after=after)))

    @precondition(lambda self: self.model.head().position)
    @rule(entries=st.lists(ENTRIES, unique=True), back=st.integers(0, 3))
    def rebuild(self, entries, back):
        position = max(self.model.head().position - back, 0)
        made, expected = [snapshot(entry, position) for entry in entries], head_at(self.model, position)
        self.both(lambda store: until_known(lambda: store.replace_snapshots(made, after=expected)))

    @rule(write=st.booleans())
    def close_and_open_again(self, write):
        self.file.close()
        if not write:  # somebody only looks in between
            looking = sqlite.open_store(self.path, write=False)
            assert looking.head() == self.model.head()
            looking.close()
        self.file = sqlite.open_store(self.path, write=True)

    @precondition(lambda self: self.club is not None)
    @rule(how=st.sampled_from(["terminated", "cut", "in commit", "after commit"]))
    def lose_the_connection(self, how):
        """The next statement, or the next commit, finds the connection gone."""
        lose_connection(self.club, how)

    @precondition(lambda self: self.club is not None and self.model.head().position)
    @rule()
    def another_writer_stops(self):
        """Somebody who has written, and not committed, goes without a word."""
        other = open_campaign(self.club.source, write=True, models=None)
        held = other.batch()
        held.__enter__()
        other.append([record(other.head().position + 1, "0.9")], after=other.head())
        list(other.read())
        other.close()

    @invariant()
    def all_hold_the_same(self):
        asks = (
            lambda store: store.head(),
            bytes_of,
            lambda store: [*store.entry_ids()],
            lambda store: [*store.snapshots()],
        )
        for ask in asks:
            for store in self.stores():
                assert ask(store) == ask(self.model)
        assert all(store.find_column_mismatch() is None for store in self.stores())
        assert not any(self.path.parent.glob("*-journal"))


TestFileAgainstMemory = StoresAgainstMemory.TestCase


@pytest.fixture
def three_stores(postgres):
    """The machine with a database."""

    class ThreeStores(StoresAgainstMemory):
        server = postgres

    return ThreeStores


@pytest.mark.parametrize("how", ["in commit", "after commit"])
def test_rebuild_is_done_again_where_its_commit_is_cut_off(three_stores, how):
    machine = three_stores()
    machine.begin(2)
    machine.lose_the_connection(how)
    machine.rebuild(["0.1", "1.0"], 0)
    machine.all_hold_the_same()
    machine.teardown()


@pytest.mark.slow
def test_three_stores_are_one(three_stores):
    run_state_machine_as_test(three_stores, settings=settings(max_examples=15, stateful_step_count=30))


@pytest.mark.slow
def test_the_machine_would_notice_one_lost_record():
    machine = StoresAgainstMemory()
    machine.begin(2)
    machine.model.append([record(3)], after=machine.model.head())
    with pytest.raises(AssertionError):
        machine.all_hold_the_same()
    machine.teardown()
