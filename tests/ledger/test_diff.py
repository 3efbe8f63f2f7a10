"""Differences of ledgers: none to itself, mirrored when swapped, chains up to where they differ."""

from __future__ import annotations

from contextlib import suppress

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.corrections.undo import undo
from ledger.dice import fixed_seed
from ledger.diff import EntryDiff, FactDiff, ValueDiff, diff_entries, diff_facts, diff_values, heads, last_common_head
from ledger.errors import Damaged, Refused
from ledger.facts import ConditionBegan, Declared, PointsSpent, Told
from ledger.memory_store import MemoryStore
from ledger.records import EMPTY, Record, latest_takes
from ledger.sqlite_store import open_store
from ledger.store import Store
from tests.ledger.coin import Purse
from tests.ledger.strategies import AT, Forger, changing, create_ledger, flip, played, spent

ACTS = st.lists(st.sampled_from(["flip", "again", "tails", "heads", "rich", "undo"]), max_size=8)


def entries(store: Store) -> dict[object, Record]:
    return {record.id: record for record in latest_takes(store.takes()) if record.facts}


def evening(acts: list[str], seed: str = "a coin") -> MemoryStore:
    """Play acts on a new ledger; the same acts and seed give the same ledger."""
    store = MemoryStore()
    ledger = create_ledger(store, points=50, opened=False)
    ledger.open_session("one", at=AT, seed=fixed_seed(seed))
    for act in acts:
        if act == "undo":
            with suppress(Refused):  # there is nothing to take back
                undo(ledger, by="gm", at=AT)
        elif act == "rich":
            ledger.declare(Purse(by="Bo", points=9), at=AT, line="bo purse")
        else:
            flip(ledger, again=act == "again", faces={"tails": (1,), "heads": (2,)}.get(act))
    return store


def mirrored(pair: EntryDiff) -> EntryDiff:
    turned = [msgspec.structs.replace(found, left=found.right, right=found.left) for found in pair.facts]
    return EntryDiff(left=pair.right, right=pair.left, facts=tuple(turned))


def kindless(pairs: list[EntryDiff]) -> list[EntryDiff]:
    """Of facts of two kinds with one number, the kind of the left one is named."""
    return [
        msgspec.structs.replace(pair, facts=tuple(msgspec.structs.replace(found, kind="") for found in pair.facts))
        for pair in pairs
    ]


@given(one=ACTS)
def test_a_ledger_does_not_differ_from_itself(one) -> None:
    store, again = evening(one), evening(one)
    assert list(diff_entries(entries(store), entries(again))) == []
    assert last_common_head(list(heads(store)), list(heads(again))) == store.head()


@given(one=ACTS, other=ACTS)
def test_the_other_way_round_it_is_the_mirror_image(one, other) -> None:
    a, b = entries(evening(one)), entries(evening(other))
    assert kindless(list(diff_entries(b, a))) == kindless([mirrored(pair) for pair in diff_entries(a, b)])


@given(one=ACTS, other=ACTS)
def test_only_named_entries_and_values_differ(one, other) -> None:
    a, b = entries(evening(one)), entries(evening(other, seed="another coin"))
    found = list(diff_entries(a, b))
    apart = {(pair.left or pair.right).id for pair in found}
    assert {id for id in a.keys() & b.keys() if a[id].facts == b[id].facts} == (a.keys() | b.keys()) - apart
    assert all(bool(pair.facts) == (pair.left is not None and pair.right is not None) for pair in found)
    assert [str((pair.left or pair.right).id) for pair in found] == [str(id) for id in sorted(apart)]


@pytest.mark.slow
@given(both=ACTS, one=ACTS, other=ACTS)
def test_chains_agree_up_to_where_the_stories_part(both, one, other) -> None:
    a, b = evening([*both, *one]), evening([*both, *other])
    common = last_common_head(list(heads(a)), list(heads(b)))
    same = [old == new for old, new in zip(a.read(), b.read(), strict=False)]
    assert common.position == (same.index(False) if False in same else len(same))
    assert common.position >= evening(both).head().position
    assert common in (*heads(a), EMPTY)
    assert last_common_head(list(heads(b)), list(heads(a))) == common


def test_chains_of_two_ledgers_agree_on_nothing() -> None:
    assert last_common_head(list(heads(evening([]))), []) == EMPTY


def test_each_fact_in_which_two_takes_part_is_named_with_its_field() -> None:
    one = (Told(kind="deed", by="Ana", text="a"), spent(1, 5), spent(2, 3))
    other = (Told(kind="deed", by="Bo", text="a"), spent(1, 5))
    assert list(diff_facts(one, other)) == [
        FactDiff(fact=1, kind="told", field="by", left='"Ana"', right='"Bo"'),
        FactDiff(fact=3, kind="points-spent", field="fact", left=told(spent(2, 3)), right="nothing"),
    ]
    assert [found.fact for found in diff_facts(one, other, start=2)] == [2, 4]
    assert next(diff_facts(other[:1], one[1:2])).field == "fact"


def test_field_that_is_not_written_differs_as_nothing() -> None:
    """Facts of older records have no such field."""
    began = ConditionBegan(id="slowed Wren", who="Wren", name="slowed")
    (found,) = diff_facts([began], [msgspec.structs.replace(began, adds=True)])
    assert (found.field, found.left, found.right) == ("adds", "nothing", "true")


def told(fact: PointsSpent) -> str:
    return msgspec.json.encode(fact).decode()


@pytest.mark.parametrize(
    ("one", "other", "parting"),
    [
        (b'{"say":"flip","again":false}', b'{"say":"flip","again":true}', ("said.again", "false", "true")),
        (b'{"say":"flip"}', b'{"say":"flip","again":{"a":[1]}}', ("said.again", "nothing", '{"a":[1]}')),
        (b"[1]", b"[2]", ("said", "[1]", "[2]")),
        (b'{"a":1,"b":2}', b'{"b":2,"a":1}', ("said", '{"a":1,"b":2}', '{"b":2,"a":1}')),
    ],
)
def test_declarations_are_compared_field_by_field(one, other, parting) -> None:
    said = [(Declared(by="Ana", said=msgspec.Raw(raw), line="", faces=None),) for raw in (one, other)]
    (found,) = diff_facts(*said)
    assert (found.field, found.left, found.right) == parting


def test_values_that_differ_are_named_and_no_others() -> None:
    assert list(diff_values({"a": 1, "b": 2, "d": 0}, {"b": 3, "c": "x", "d": 0})) == [
        ValueDiff(value="a", left=1, right=None),
        ValueDiff(value="b", left=2, right=3),
        ValueDiff(value="c", left=None, right="x"),
    ]


def test_entries_are_aligned_by_any_key() -> None:
    a, b = evening(["flip"]), evening(["flip", "flip"])
    first, second = ({(r.number, r.insert): r for r in entries(store).values() if r.session} for store in (a, b))
    (found,) = diff_entries(first, second)
    assert (found.left, str(found.right.id)) == (None, "1.2")


def test_the_heads_of_a_chain_end_with_that_of_the_ledger() -> None:
    store = MemoryStore()
    played(store)
    assert [head.position for head in heads(store)] == list(range(1, store.head().position + 1))
    assert list(heads(store))[-1] == store.head()


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE records SET public = replace(public, 'ana flip', 'ana flop') WHERE position = 5",
        "UPDATE records SET hash = '0' || hash WHERE position = 5",
        "DELETE FROM records WHERE position = 5",
    ],
)
def test_a_chain_that_is_broken_is_named_damaged(forger: Forger, statement) -> None:
    forger.change(statement)
    store = open_store(forger.path, write=False)
    with pytest.raises(Damaged, match="position 5: its hash does not match"):
        list(heads(store))
    store.close()


def test_a_rewritten_ledger_differs_where_it_was_rewritten(forger: Forger, story) -> None:
    forger.rewrite(changing("1.5", fact=(0, {"line": "bo flip"})), chained=True)
    one, other = open_store(story, write=False), open_store(forger.path, write=False)
    (found,) = diff_entries(entries(one), entries(other))
    assert (str(found.left.id), found.facts[0].field) == ("1.5", "line")
    assert last_common_head(list(heads(one)), list(heads(other))).position == found.left.position - 1
    one.close()
    other.close()
