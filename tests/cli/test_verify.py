"""Test `verify` on files that somebody changed with care, with and without a kept head."""

from __future__ import annotations

import msgspec

from tests.cli.conftest import Folder
from tests.ledger.test_sqlite_check import hide_from_index


def head_of(folder: Folder) -> str:
    """Return the head of a ledger, as `verify` prints it."""
    return folder.run("verify").splitlines()[-1].rpartition("head ")[2]


def verify_findings(folder: Folder, *more: str) -> list[str]:
    """Return the findings of `verify`, which must have some."""
    done = folder.invoke("verify", *more)
    assert done.exit_code == 1, done.output
    return done.stdout.splitlines()[:-2]


def test_hidden_amendment_is_found_with_the_kept_head(played):
    played.run("amend", "1.1", "k sneak v2", "--retcon", "--because", "the wrong number")
    kept = head_of(played)
    takes = [msgspec.json.decode(line) for line in played.run("log", "--takes", "--json").splitlines()]
    position = next(take["position"] for take in takes if take["number"] == 1 and take["take"] == 2)
    hide_from_index(played.ledger, position)
    hidden = f"position {position}: its record is hidden from the index; keep the file and restore a backup"
    assert hidden in verify_findings(played, "--head", kept)
