"""The passes of a sample may be left out: with the same faces everything ends the same."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ledger.facts import Rolled
from ledger.ledger_state import load_state
from ledger.records import Record, latest_takes
from ledger.sqlite_store import open_store
from projections.projection import StateProjection
from tests.golden import CAMPAIGNS, played
from tests.readme import HELP

SAMPLE, FILE = "gutter-saints", "sessions/2.session"
NEEDED = (16, 33, 58, 64)  # rows of passes of a main action, for which nobody else's line stands
SPOKEN = ';#>"='  # comments, texts and claims


def with_faces(lines: list[str], records: list[Record]) -> list[str]:
    """Return the lines of a session with the faces that were drawn for them."""
    waiting, typed = iter(records), list[str]()
    for line in lines:
        if line.strip() and not line.startswith(";"):
            record = next(record for record in waiting if record.line == line.strip())
            faces = [str(die.face) for fact in record.facts if isinstance(fact, Rolled) for die in fact.dice]
            line += f" /{'.'.join(faces)}" if faces and "/" not in line else ""
        typed.append(line)
    return typed


def played_values(source: Path, lines: list[str], folder: Path) -> tuple[dict[str, object], list[Record]]:
    """Play the sample with these lines in its second session; return the values at the end, and that session."""
    (source / FILE).write_text("\n".join(lines) + "\n", encoding="utf-8")
    played(SAMPLE, folder)
    store = open_store(folder / "ledger.db", write=False, models=StateProjection.read_models)
    values = dict(load_state(store, StateProjection()).values())
    records = [take for take in latest_takes(store.takes()) if take.session == 2 and take.line]
    store.close()
    return values, records


@pytest.mark.slow
def test_evening_without_its_passes_ends_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(CAMPAIGNS, tmp_path / "campaigns")
    monkeypatch.setattr("cli.commands.demo.samples", lambda: tmp_path / "campaigns")
    source = tmp_path / "campaigns" / SAMPLE
    lines = (source / FILE).read_text(encoding="utf-8").splitlines()
    values, records = played_values(source, lines, tmp_path / "as it is")
    typed = with_faces(lines, records)
    kept = [line for row, line in enumerate(typed) if row in NEEDED or not lines[row].endswith(("pass", "close"))]
    assert played_values(source, kept, tmp_path / "without")[0] == values
    before, after = (sum(line[:1] not in ("", *SPOKEN) for line in some) for some in (lines, kept))
    page = (HELP / "play.md").read_text(encoding="utf-8")
    assert f"{after} lines instead of {before}" in " ".join(page.split())
