"""The passes of a sample may be said or left out, and its closes left out: with the same faces all ends the same."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.facts import Rolled
from ledger.implied_passes import implying_entry
from ledger.ledger_state import load_state
from ledger.records import Record, latest_takes
from ledger.sqlite_store import open_store
from projections.projection import StateProjection
from tests.golden import CAMPAIGNS, played
from tests.readme import HELP

SAMPLE, FILE = "gutter-saints", "sessions/2.session"
SPOKEN = ';#>"='  # comments, texts and claims
EXPLICIT = '! option passes explicit "we like to hear it"'


def pass_of(who: str) -> str:
    """Return the line with which somebody passes."""
    return f'! "{who}" pass'


def in_full(lines: list[str], records: list[Record]) -> Iterator[str]:
    """Yield the lines of a session with the faces that were drawn for them, and before each the passes it implies."""
    waiting = iter(records)
    for line in lines:
        faces = list[str]()
        if line.strip() and not line.startswith(";"):
            for record in waiting:
                if implying_entry(record):
                    yield pass_of(record.by)
                elif record.line == line.strip():
                    break
            faces = [str(die.face) for fact in record.facts if isinstance(fact, Rolled) for die in fact.dice]
        yield f"{line} /{'.'.join(faces)}" if faces and "/" not in line else line


def played_values(source: Path, lines: list[str], folder: Path) -> tuple[dict[str, object], list[Record]]:
    """Play the sample with these lines in its second session; return the values at the end, and that session."""
    (source / FILE).write_text("\n".join(lines) + "\n", encoding="utf-8")
    played(SAMPLE, folder)
    store = open_store(folder / "ledger.db", write=False, models=StateProjection.read_models)
    values = dict(load_state(store, StateProjection()).values())
    records = [take for take in latest_takes(store.takes()) if take.session == 2]
    store.close()
    return values, [record for record in records if record.line or implying_entry(record)]


@pytest.mark.slow
def test_evening_with_every_pass_said_ends_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(CAMPAIGNS, tmp_path / "campaigns")
    monkeypatch.setattr("cli.commands.demo.samples", lambda: tmp_path / "campaigns")
    source = tmp_path / "campaigns" / SAMPLE
    lines = (source / FILE).read_text(encoding="utf-8").splitlines()
    values, records = played_values(source, lines, tmp_path / "as it is")
    said = list(in_full(lines, records))
    values_then, records_then = played_values(source, [EXPLICIT, *said], tmp_path / "in full")
    assert values_then == values | {"option.passes": "explicit"}
    assert any(map(implying_entry, records))
    assert not any(map(implying_entry, records_then))
    passes = {pass_of(record.by) for record in records}
    with_faces = [line for line in said if line not in passes]
    assert "close" in with_faces
    unclosed = [line for line in with_faces if line != "close"]
    assert played_values(source, unclosed, tmp_path / "without a close")[0] == values
    before, after = (sum(line[:1] not in ("", *SPOKEN) for line in some) for some in (said, lines))
    page = (HELP / "play.md").read_text(encoding="utf-8")
    assert f"{after} lines instead of {before}" in " ".join(page.split())
