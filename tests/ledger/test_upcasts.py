"""Upcasts: a ledger of an older format is read, verified, replayed and played on, and its bytes stay as they are.

No format that was promised is older than the present one, so the older one here is made up: it has other field names.
"""

from __future__ import annotations

from io import BytesIO

import msgspec
import pytest

from ledger import sqlite_store as sqlite
from ledger import upcasts
from ledger.bundle_reader import BundleReader
from ledger.errors import Damaged
from ledger.memory_store import MemorySeeds
from ledger.records import EMPTY, FORMAT, StoredRecord, decode, record_hash, store_record
from ledger.redaction.public_check import leaf_problem
from ledger.replay import Replay
from ledger.service import Ledger
from tests.ledger.coin import Coin, Coins
from tests.ledger.strategies import Forger, findings_of, fixed_seed, flip
from tests.ledger.test_bundle import written

OLD = FORMAT - 1


def renamed(content, old, new, **more):
    """Return the content of a record in which the points that are spent stand under another name."""
    facts = []
    for fact in content["facts"]:
        if fact["fact"] == "points-spent":
            fact = {new if name == old else name: value for name, value in fact.items()}
        facts.append(fact)
    return {**content, "facts": facts, **more}


def from_old(content):
    return renamed(content, "cost", "points")


def to_old(stored, before):
    body = msgspec.json.encode(renamed(msgspec.json.decode(stored.body), "points", "cost", v=OLD))
    made = StoredRecord(stored.position, body, None, "")
    return msgspec.structs.replace(made, hash=record_hash(before, made.leaf))


@pytest.fixture
def aged(forger, monkeypatch):
    """A file in which two sessions were played by a program of an older format, which this one reads."""
    store, changes, before = sqlite.open_store(forger.path, write=False), [], EMPTY.hash
    for stored in store.read():
        made = to_old(stored, before)
        before = made.hash
        body = made.public.decode().replace("'", "''")
        changes.append(f"UPDATE records SET public = '{body}', hash = '{made.hash}' WHERE position = {made.position}")
    store.close()
    Forger(forger.path).change(*changes, "DELETE FROM snapshots")
    Forger(forger.path).sql(f"PRAGMA user_version = {OLD}")
    monkeypatch.setattr(upcasts, "OLDEST", OLD)
    monkeypatch.setitem(upcasts.UPCASTS, OLD, from_old)
    return forger.path


@pytest.mark.slow
def test_older_format_is_read_verified_and_replayed(aged, story):
    before, now = sqlite.open_store(aged, write=False), sqlite.open_store(story, write=False)
    assert [*before.takes()] == [*now.takes()]
    assert b'"cost":1' in b"".join(stored.public for stored in before.read())
    assert findings_of(before) == Replay(before, Coin(), Coins()).run().differences == []
    kinds = frozenset({type(fact) for take in now.takes() for fact in take.facts})
    assert [*before.extracts(kinds)] == [*now.extracts(kinds)]
    before.close()
    now.close()


@pytest.mark.slow
def test_older_format_is_played_on_and_its_bytes_stay(aged):
    store = sqlite.open_store(aged, write=True)
    old = [*store.read()]
    ledger = Ledger(store, Coin(), Coins(), MemorySeeds())
    ledger.open_session("three", at="", seed=fixed_seed("coins"))
    flip(ledger)
    assert [*store.read()][: len(old)] == old
    assert findings_of(store) == []
    assert Forger(aged).rows("PRAGMA user_version") == [(FORMAT,)]
    store.close()
    with pytest.MonkeyPatch.context() as older:  # what a program of the older format says of it
        older.setattr(upcasts, "OLDEST", FORMAT + 1)
        with pytest.raises(Damaged, match=f"has format {FORMAT}"):
            sqlite.open_store(aged, write=False)


def test_what_an_older_format_hid_is_not_compared_with_today(aged):
    store = sqlite.open_store(aged, write=False)
    old, *_ = store.read()
    seen = msgspec.structs.replace(now := decode(old), by="somebody")
    assert leaf_problem(old, now, seen) == ""
    assert (
        leaf_problem(store_record(now, now, EMPTY.hash), now, seen)
        == "it is not sealed, although something of it is hidden"
    )
    store.close()


@pytest.mark.slow
def test_forged_record_of_an_older_format_is_found(aged):
    Forger(aged).change("""UPDATE records SET public = replace(public, '"cost":1', '"cost":"1"') WHERE position = 5""")
    store = sqlite.open_store(aged, write=False)
    assert "position 5" in " ".join(findings_of(store))
    store.close()


@pytest.mark.slow
def test_bundle_of_an_older_format_is_read_to_the_byte(aged):
    store = sqlite.open_store(aged, write=False)
    records = [*store.read()]
    store.close()
    text = written(records)
    assert f'"format":{OLD},'.encode() in text.splitlines()[0]
    assert [stored for stored, _ in BundleReader(BytesIO(text)).records()] == records
