"""No pass or end of a sample can be left out: a later line is refused then, or the evening ends otherwise."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from cli.play.sample import play_sample
from ledger.dice import SeededDice
from ledger.errors import LedgerError
from ledger.ledger_state import load_state
from ledger.records import Record, latest_takes
from ledger.sqlite_store import open_store
from projections.projection import StateProjection
from tests.golden import CAMPAIGNS, samples, sessions

QUICK = ("gutter-saints", 1)  # each end plays the sample once more
EVENINGS = [
    pytest.param(sample, session, marks=() if (sample, session) == QUICK else pytest.mark.slow)
    for sample in samples()
    for session in range(1, sessions(sample) + 1)
]
END = re.compile(r'(?![>"#;=]).* (pass|end|done|acted \w+)')


def played_values(source: Path, folder: Path) -> tuple[dict[str, object], list[Record]]:
    """Play the sample in `source`; return the values at the end, and its records."""
    play_sample(source, folder)
    store = open_store(folder / "ledger.db", write=False, models=StateProjection.read_models)
    values, records = dict(load_state(store, StateProjection()).values()), list(latest_takes(store.takes()))
    store.close()
    return values, records


def keep_dice(monkeypatch: pytest.MonkeyPatch, left_out: Record, entries: int) -> None:
    """Throw in its session from this entry on the dice of the entry that stands as many entries later."""

    def throw(dice: SeededDice, purpose: str, *sides: int) -> tuple[int, ...]:
        session, rest = dice.entry.split(".", 1)
        own, plus, insert = rest.partition("+")
        later = int(session) == left_out.session and int(own) >= left_out.number
        moved = int(own) + (entries if later else 0)
        return drawn(SeededDice(dice._key, f"{session}.{moved}{plus}{insert}"), purpose, *sides)

    drawn = SeededDice.throw
    monkeypatch.setattr(SeededDice, "throw", throw)


@pytest.mark.parametrize(("sample", "session"), EVENINGS)
def test_no_end_of_a_sample_can_be_left_out(
    sample: str, session: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Path(shutil.copytree(CAMPAIGNS / sample, tmp_path / sample))
    played = source / "sessions" / f"{session}.session"
    text = played.read_text(encoding="utf-8")
    values, records = played_values(source, tmp_path / "as it is")
    spare = []
    for row in [row for row, line in enumerate(text.splitlines()) if END.fullmatch(line)]:
        lines = text.splitlines()
        end = lines.pop(row)
        before = lines[:row].count(end)
        said = [record for record in records if record.session == session and record.line == end]
        first = [record for record in said if not record.insert and is_first(record)][before]
        entries = sum(record.line_start == str(first.id) for record in said) or 1
        played.write_text("\n".join(lines) + "\n", encoding="utf-8")
        with monkeypatch.context() as patch:
            keep_dice(patch, first, entries)
            try:
                if played_values(source, tmp_path / f"without {row}")[0] == values:
                    spare.append(f"{row + 1}: {end}")
            except LedgerError:
                pass  # a later line waits for it
    assert spare == []


@pytest.mark.parametrize("sample", samples())
def test_every_sample_has_ends_to_leave_out(sample: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in (CAMPAIGNS / sample / "sessions").iterdir()]
    assert any(END.fullmatch(line) for text in texts for line in text.splitlines())


def is_first(record: Record) -> bool:
    """Whether a record is the first of its line."""
    return record.line_start in ("", str(record.id))
