"""Shelves to test: folders of campaigns, some of them poisoned."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from cli.main import campaign
from tests.cli.conftest import Folder
from tests.ledger.strategies import Forger


def shelf(*arguments: str, jobs: int | None = 1) -> Result:
    """Run a task of `shelf`, in this process by default. Unexpected exceptions are raised."""
    more = [] if jobs is None else ["--jobs", str(jobs)]
    done = CliRunner().invoke(campaign, ["shelf", *arguments, *more])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def rows(*arguments: str, jobs: int | None = 1) -> dict[str, dict[str, Any]]:
    """Return the rows of a task by campaign."""
    done = shelf(*arguments, "--json", jobs=jobs)
    return {row["campaign"]: row for row in map(json.loads, done.stdout.splitlines())}


def stored(results: Path, columns: str = "campaign, outcome") -> list[tuple[Any, ...]]:
    """Return what stands in a file of results, in order of writing."""
    db = sqlite3.connect(results)
    try:
        return db.execute(f"SELECT {columns} FROM results ORDER BY number").fetchall()
    finally:
        db.close()


def copies(folder: Folder, where: Path, number: int) -> Path:
    """Return a shelf with so many copies of a campaign: 00, 01, ..."""
    for index in range(number):
        shutil.copytree(folder.path, where / f"{index:02}")
    return where


def poison(top: Path, good: Folder) -> set[str]:
    """Put a ledger of every broken kind on a shelf, and return their names."""
    content = good.bytes

    def put(name: str, content: bytes) -> Path:
        (top / name).mkdir(parents=True)
        (top / name / "ledger.db").write_bytes(content)
        return top / name / "ledger.db"

    put("no-database", b"hello\n")
    put("empty", b"")
    put("cut-off", content[: len(content) // 2])
    put("later", content[:60] + b"\x00\x00\x00\x63" + content[64:])
    put("another-program", content[:68] + b"\x00\x00\x00\x01" + content[72:])
    Forger(put("no-game", content)).rewrite(lambda records: records[1:], chained=True)
    (top / "folder" / "ledger.db").mkdir(parents=True)
    (top / "file-loop").mkdir()
    (top / "file-loop" / "ledger.db").symlink_to("ledger.db")
    (top / "loop").symlink_to("loop")
    (top / "dangling").symlink_to("nowhere")
    return {
        "no-database", "empty", "cut-off", "later", "another-program", "no-game", "folder", "file-loop", "loop",
        "dangling",
    }  # fmt: skip
