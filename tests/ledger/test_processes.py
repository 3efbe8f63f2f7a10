"""Replay in several processes: the report is that of one process, whatever somebody forged."""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import processes
from ledger import sqlite_store as sqlite
from ledger.errors import BadFaces, Refused
from ledger.processes import Processes, Span, replay_span, spans_of
from ledger.replay import Replay
from ledger.store import Snapshot
from ledger.verify import verify
from tests.ledger.coin import Coin, Coins
from tests.ledger.strategies import AT, SEED, changing, create_ledger, flip
from tests.ledger.test_replay import FORGERIES


class OneProcess(Processes):
    """Processes that are this one: what they are asked for is done at once, one session after the other."""

    def __init__(self, store):
        self.jobs, self.takes_done = 2, 0
        processes._opened[:] = [(store, Coin(), Coins())]

    def submit(self, work, *args):
        done = Future()
        try:
            done.set_result(work(*args))
        except Exception as error:
            done.set_exception(error)
        return done


def open_coins(path):
    """Open a ledger of coins in another process."""
    return sqlite.open_store(path, write=False), Coin(), Coins()


@pytest.fixture(autouse=True)
def one_session_each(monkeypatch):
    monkeypatch.setattr(processes, "TAKES_OF_A_PART", 1)
    monkeypatch.setattr(processes, "PARTS_OF_A_PROCESS", 100)


def both_reports(path):
    """Return what verify says in one process, and with a replay in several."""
    store = sqlite.open_store(path, write=False)
    try:
        alone = verify(store, Coin(), Coins())
        return alone, verify(store, Coin(), Coins(), (), OneProcess(store).start_replay(store, Coins()))
    finally:
        store.close()


@pytest.mark.slow
@pytest.mark.parametrize(("edit", "named"), FORGERIES[::8])
def test_forgery_is_found_as_in_one_process(forger, edit, named):
    assert_found_in_both(forger, edit, named)


@pytest.mark.slow
@pytest.mark.parametrize(("edit", "named"), FORGERIES)
def test_every_forgery_is_found_as_in_one_process(forger, edit, named):
    assert_found_in_both(forger, edit, named)


def assert_found_in_both(forger, edit, named):
    """Forge a ledger with right hashes, and compare what verify says of it."""
    forger.rewrite(edit, chained=True)
    alone, together = both_reports(forger.path)
    assert together == alone
    assert [finding for finding in together[1] if named in str(finding)]


def forge_snapshot(path, old, new):
    """Change a stored state at the opening of the second session, with a right hash of its own."""
    store = sqlite.open_store(path, write=True)
    kept = list(store.snapshots())
    forged = [
        msgspec.structs.replace(each, body=each.body.replace(old, new)) if str(each.entry) == "1.0" else each
        for each in kept
    ]
    assert forged != kept
    store.replace_snapshots(forged, after=store.head())
    store.close()


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), [(b":20", b":99"), (b'"number":1', b'"number":7'), (b"{", b"[")])
def test_forged_snapshot_changes_no_replay(story, tmp_path, old, new):
    path = tmp_path / "ledger.db"
    path.write_bytes(story.read_bytes())
    expected = both_reports(path)[0]
    forge_snapshot(path, old, new)
    alone, together = both_reports(path)
    assert together == alone
    assert together[0] == expected[0]
    assert [finding.where for finding in together[1]] == ["snapshot at 1.0"]


@pytest.mark.slow
def test_snapshot_of_the_wrong_state_is_replayed_again(tmp_path):
    """The state at the opening of session 2 is forged: Ana would have 99 points in all of it."""
    path = tmp_path / "ledger.db"
    store = sqlite.create_store(path)
    ledger = create_ledger(store)
    flip(ledger)
    last = ledger.close_session(at=AT)
    kept = ledger.state.to_snapshot(last.id, last.position)
    forged = Snapshot(position=kept.position, entry=kept.entry, body=kept.body.replace(b":19", b":99"))
    assert forged != kept
    ledger.open_session("two", at=AT, seed=SEED)
    flip(ledger)
    store.replace_snapshots([forged], after=store.head())
    expected = Replay(store, Coin(), Coins()).run()
    assert not expected.differences
    workers = OneProcess(store)
    assert replay_span(Span(2, 2, 2), store.head().position).report.differences
    assert workers.start_replay(store, Coins())() == expected
    store.close()


@given(st.lists(st.integers(1, 50), max_size=12), st.integers(1, 60))
def test_spans_hold_every_session_once(sizes, takes):
    spans = list(spans_of(dict(enumerate(sizes)), takes))
    assert [session for span in spans for session in range(span.first, span.last + 1)] == list(range(len(sizes)))
    assert sum(span.takes for span in spans) == sum(sizes)
    assert all(span.takes >= takes for span in spans[:-1])


@pytest.mark.slow
def test_other_processes_replay_as_this_one(forger):
    forger.rewrite(changing("1.2", fact=(3, {"result": "edge"})), chained=True)
    store = sqlite.open_store(forger.path, write=False)
    expected = Replay(store, Coin(), Coins()).run()
    assert expected.differences
    with Processes(2, partial(open_coins, forger.path)) as workers:
        assert workers.start_replay(store, Coins())() == expected
        assert workers.takes_done == store.head().position
    store.close()


def test_error_of_another_process_keeps_its_parts():
    import pickle

    for error in (Refused("L-OPEN", "no", where="1.2", hint="Go."), BadFaces("no", purpose="task", sides=6)):
        copy = pickle.loads(pickle.dumps(error))
        assert (type(copy), copy.__dict__, str(copy)) == (type(error), error.__dict__, str(error))
