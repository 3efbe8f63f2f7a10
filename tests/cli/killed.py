"""Files as a killed writer leaves them."""

from __future__ import annotations

import sqlite3
from pathlib import Path


def killed_writer(ledger: Path) -> None:
    """Leave the files of a writer that was killed after its journal was synced."""
    db = sqlite3.connect(ledger, isolation_level=None)
    db.execute("PRAGMA cache_size = 1")
    db.execute("BEGIN IMMEDIATE")
    for number in range(20):
        db.execute(f"CREATE TABLE t{number} (a)")
    left = {path: path.read_bytes() for path in ledger.parent.glob("ledger.db*")}
    db.close()
    for path, content in left.items():
        path.write_bytes(content)
