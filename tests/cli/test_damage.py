"""Test commands on a ledger whose snapshots or last hash somebody changed."""

from __future__ import annotations

import pytest

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
