"""Ledgers of older versions: they print what they printed, and are played on without changing a byte before."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.sqlite_store import open_store
from tests.ageing.ledgers import COIN, SHARED, kept_ledgers, printed, run, unpack

KEPT = list(kept_ledgers())
IDS = [f"{kept.parent.name}-{kept.name}" for kept in KEPT]


def stored(folder: Path) -> list[object]:
    store = open_store(folder / "ledger.db", write=False)
    try:
        return [*store.read()]
    finally:
        store.close()


@pytest.mark.quick_rows(3)
@pytest.mark.parametrize("kept", KEPT, ids=IDS)
def test_kept_ledger_prints_what_it_printed(kept: Path, tmp_path: Path) -> None:
    folder = unpack(kept, tmp_path / kept.name)
    before = (folder / "ledger.db").read_bytes()
    assert printed(folder) == (kept / "printed.txt").read_text("utf-8")
    assert (folder / "ledger.db").read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize("kept", [kept for kept in KEPT if kept.name not in (COIN, SHARED)], ids=lambda kept: kept.name)
def test_kept_ledger_is_played_on(kept: Path, tmp_path: Path) -> None:
    folder = unpack(kept, tmp_path / kept.name)
    before = stored(folder)
    run(folder, "open", "--seed", "later")
    run(folder, "do", '> "years later"')
    run(folder, "undo", "2.7")
    run(folder, "close")
    assert stored(folder)[: len(before)] == before
    assert "all is well" in run(folder, "verify")
