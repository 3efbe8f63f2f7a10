"""The past of values as the table `changes` has it is the one that a fold of all records gives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from cli.questions.histories import FoldedPast, StoredPast, load_past
from ledger.ledger_state import load_state
from ledger.records import latest_takes
from ledger.sqlite_store import SqliteStore, open_store
from projections.projection import StateProjection
from tests.cli.conftest import Folder, copied
from tests.golden import samples
from tests.ledger.strategies import Forger

EVERY = 40  # entries between those at which the past is compared


@pytest.fixture(params=samples())
def store(request: pytest.FixtureRequest, played_samples: dict[str, Path]) -> Iterator[SqliteStore]:
    with closing(open_store(played_samples[request.param] / "ledger.db", write=False)) as store:
        yield store


@pytest.mark.quick_rows(1)
def test_stored_past_is_the_folded_one_at_any_entry(store: SqliteStore) -> None:
    ids = [record.id for record in latest_takes(store.takes())]
    for entry in [*ids[5::EVERY], ids[-1]]:
        position = load_state(store, StateProjection(), at=entry)
        stored, folded = StoredPast(store, position), FoldedPast(store, position)
        counts = stored.counts()
        assert (counts, [*counts]) == (folded.counts(), [*folded.counts()])
        assert [*stored.absent_names()] == [*folded.absent_names()]
        past, expected = stored.histories([*counts]), folded.histories([])
        assert past.changes == expected.changes
        assert past.records.items() <= expected.records.items()


def test_past_as_of_a_position_is_folded(store: SqliteStore) -> None:
    position = load_state(store, StateProjection(), as_of=store.head().position - 1)
    assert isinstance(load_past(store, position), FoldedPast)


def test_change_of_a_missing_record_is_damage(demo: Folder, tmp_path: Path) -> None:
    folder = copied(demo, tmp_path)
    last = "(SELECT max(position) FROM changes WHERE value = 'doom')"
    Forger(folder.path / "ledger.db").sql(f"UPDATE changes SET position = 99999 WHERE position = {last}")
    result = folder.invoke("who", "doom")
    assert "where there is no record" in result.stderr
    assert "campaign rebuild" in result.stderr


@pytest.mark.slow
def test_ledger_without_the_index_of_changes_is_read(demo: Folder, tmp_path: Path) -> None:
    folder = copied(demo, tmp_path)
    Forger(folder.path / "ledger.db").sql("DROP INDEX changes_by_value")
    assert folder.run("who", "doom") == demo.run("who", "doom")
    assert "'changes_by_value' is missing" in folder.invoke("verify").stdout
    folder.run("rebuild")
    assert "all is well" in folder.run("verify")
