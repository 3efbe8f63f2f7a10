"""No pass or end of a sample can be left out: a later line is refused then, or the evening ends otherwise."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from cli.play.sample import play_sample
from ledger.errors import LedgerError
from ledger.ledger_state import load_state
from ledger.sqlite_store import open_store
from projections.projection import StateProjection
from tests.golden import CAMPAIGNS, samples, samples_by_the_book, sessions

QUICK = ("gutter-saints", 1)  # each end plays the sample once more
EVENINGS = [
    pytest.param(sample, session, marks=() if (sample, session) == QUICK else pytest.mark.slow)
    for sample in samples()
    for session in range(1, sessions(sample) + 1)
]
END = re.compile(r'(?![>"#;=]).* (pass|end|done|acted \w+)')


def played_values(source: Path, folder: Path) -> dict[str, object]:
    """Play the sample in `source`; return the values at the end. No line moves the dice of another."""
    play_sample(source, folder)
    store = open_store(folder / "ledger.db", write=False, models=StateProjection.read_models)
    values = load_state(store, StateProjection()).values()
    store.close()
    return dict(values)


@pytest.mark.slow
@pytest.mark.parametrize(("sample", "session"), EVENINGS)
def test_no_end_of_a_sample_can_be_left_out(sample: str, session: int, tmp_path: Path) -> None:
    source = Path(shutil.copytree(CAMPAIGNS / sample, tmp_path / sample))
    played = source / "sessions" / f"{session}.session"
    text = played.read_text(encoding="utf-8")
    values = played_values(source, tmp_path / "as it is")
    spare = []
    for row in [row for row, line in enumerate(text.splitlines()) if END.fullmatch(line)]:
        lines = text.splitlines()
        end = lines.pop(row)
        played.write_text("\n".join(lines) + "\n", encoding="utf-8")
        try:
            if played_values(source, tmp_path / f"without {row}") == values:
                spare.append(f"{row + 1}: {end}")
        except LedgerError:
            pass  # a later line waits for it
    assert spare == []


@pytest.mark.parametrize("sample", samples_by_the_book())
def test_every_sample_has_ends_to_leave_out(sample: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in (CAMPAIGNS / sample / "sessions").iterdir()]
    assert any(END.fullmatch(line) for text in texts for line in text.splitlines())
