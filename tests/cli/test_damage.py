"""Test commands on a ledger whose snapshots or last hash somebody changed."""

from __future__ import annotations

import pytest

from ledger.facts import EntryId
from ledger.ledger_state import load_state
from ledger.sqlite_store import open_store
from ledger.store import Snapshot
from projections.projection import StateProjection
from tests.cli.conftest import Folder, copied, one_error
from tests.ledger.strategies import Forger


def poison_snapshots(folder: Folder) -> None:
    """Give Kess other points in every snapshot."""
    statement = "UPDATE snapshots SET body = replace(body, '14', '13')"
    Forger(folder.ledger).sql(statement)


def test_poisoned_snapshot_is_not_believed(folder):
    expected = folder.run("show")
    poison_snapshots(folder)
    done = folder.invoke("show")
    assert (done.exit_code, done.stdout) == (0, expected)
    assert "The snapshot at 1.0 is not used: its hash does not match its body" in done.stderr
    assert "campaign rebuild" in done.stderr


def test_line_said_over_a_poisoned_snapshot_has_right_numbers(folder):
    poison_snapshots(folder)
    assert "speed 14>11" in folder.invoke("do", "k sneak v5 e1").stdout
    folder.run("rebuild")
    assert "all is well" in folder.run("verify")


def test_snapshot_made_at_another_head_is_not_believed(folder, new_folder, tmp_path):
    """A whole snapshot of another ledger has a right hash, but not the head of this one."""
    (tmp_path / "other").mkdir()
    other = copied(new_folder, tmp_path / "other")
    other.run("open", "Another", "--seed", "another")
    (body,) = Forger(other.ledger).rows("SELECT body FROM snapshots WHERE session = 1")[0]
    Forger(folder.ledger).sql(f"UPDATE snapshots SET body = '{body}' WHERE session = 1")
    assert "The snapshot at 1.0 is not used: it was made at another head" in folder.invoke("show").stderr
    assert "snapshot at 1.0: it was made at another head" in folder.invoke("verify").stdout


def poison_with_hash(folder: Folder, entry: EntryId | None = None) -> None:
    """Put a snapshot with other points at the last entry, or another, with the hash that belongs to it."""
    store = open_store(folder.ledger, write=True)
    state = load_state(store, StateProjection())
    body = state.to_snapshot(state.last, state.position).body.replace(b"14", b"13").replace(b'"count":1', b'"count":0')
    made = Snapshot(position=state.position, entry=entry or state.last, body=body)
    store.replace_snapshots([made], after=state.head)
    store.close()


def test_snapshot_with_a_hash_made_anew_is_found_once(folder):
    """Whoever may write the file can make the hash too: `help trust` says so, `verify` finds it, `rebuild` mends it."""
    expected = folder.run("show")
    poison_with_hash(folder)
    assert folder.run("show") != expected
    for quick in ([], ["--quick"]):
        done = folder.invoke("verify", *quick)
        assert (done.exit_code, done.stdout.count("snapshot at 1.0: it differs from the records")) == (1, 1)
        assert "1 finding\n" in done.stdout
    folder.run("rebuild")
    assert folder.run("show") == expected


def test_snapshot_of_no_entry_is_found_once(folder):
    poison_with_hash(folder, EntryId(1, 500))
    for quick in ([], ["--quick"]):
        assert folder.invoke("verify", *quick).stdout.count("snapshot at 1.500: there is no such entry") == 1


def test_line_said_over_a_forged_state_is_damage(folder):
    for line in ("k sneak v5 /12.3", "close"):
        folder.run("do", line)
    poison_with_hash(folder)
    folder.run("do", "k sneak v5 /12.3")
    error = one_error(folder.invoke("recap"), 3)
    assert "entry 1.3: tokens-moved says now 1, the sum is 2. Look at it with: campaign verify." in error


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("text", ["nonsense", "", "f" * 64, "0" * 63 + "é"])
def test_nothing_is_appended_behind_a_wrong_hash(folder, text):
    folder.run("do", "k sneak v5")
    last = "(SELECT max(position) FROM records)"
    Forger(folder.ledger).change(f"UPDATE records SET hash = '{text}' WHERE position = {last}")
    before = Forger(folder.ledger).rows("SELECT count(*), max(hash) FROM records")
    for command in (["do", "k sneak v6"], ["do", "k sneak v6", "--json"], ["undo"], ["close"]):
        error = one_error(folder.invoke(*command), 3)
        assert "its hash does not match its bytes and the record before" in error
    assert Forger(folder.ledger).rows("SELECT count(*), max(hash) FROM records") == before
