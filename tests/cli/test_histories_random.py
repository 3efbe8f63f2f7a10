"""The stored past of values is that of a fold, after any lines, corrections of old entries and changes of sessions."""

from __future__ import annotations

import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cli.play.declare import declare_line
from cli.play.new_campaign import create_campaign
from cli.questions.histories import FoldedPast, StoredPast, load_past
from cli.questions.ledger_file import LEDGER_FILE
from ledger.dice import fixed_seed
from ledger.errors import LedgerError
from ledger.facts import EntryId
from ledger.ledger_state import load_state
from ledger.records import latest_takes
from ledger.service import Ledger
from ledger.sqlite_store import SqliteStore
from ledger.store import Store
from projections.projection import StateProjection
from projections.state import State
from rulebooks import load_game
from tests.bench.decade import read
from tests.bench.play import hasty
from tests.budget import BUDGET
from tests.cli.verifiers import errors_in_copies

AT = "2026-01-09T20:00:00Z"
BOOK = load_game("dusk-bastards")
NEXT_SESSION = "next session"
EXAMPLES = BUDGET.examples(4, 75)
LINES = st.sampled_from(
    [
        "k sneak v5 e1",
        "k climb v3 /6.6",
        "o force v4 e1",
        "k attack dovel s d4",
        "k dodge dovel",
        "! wound dovel",
        "! wound kess",
        "close",
        "k rest one_action order=speed,might,intellect",
        "k destiny reroll",
        '! doom 3 "the river rises" because="a wet year"',
        '! condition orrin prone "a wet stair"',
        "! damage kess 3",
        "! damage dovel 9",
        "undo",
        '! encounter "the yard" participants=kess,orrin,dovel',
        "k initiative",
        "! over",
        '! time 2h "the night"',
    ]
)
AMENDMENT = '~ {} +1"it was darker" because="a note was found" retcon'
HISTORIES = st.lists(LINES | st.just(NEXT_SESSION) | st.integers(0, 9), min_size=8, max_size=30)
PINNED = ["k climb v3 /6.6", "close", NEXT_SESSION, "k climb v3 e1 /6.6", 0]


def play(folder: Path, lines: list[str | int]) -> Ledger[State]:
    """Play these lines, without those that the rules refuse; a number amends one of the tasks so far."""
    ledger = create_campaign(folder, "Years", BOOK, at=AT, ledger_id="1" * 32)
    hasty(ledger.store)
    for group, name in (("cast", "kess"), ("cast", "orrin"), ("foes", "dovel")):
        ledger.declare(BOOK.sheet(read("gutter-saints", group, name), f"{name}.toml"), at=AT)
    ledger.open_session("One", at=AT, seed=fixed_seed("1"))
    for line in lines:
        try:
            if line == NEXT_SESSION:
                ledger.close_session(at=AT)
                ledger.open_session("More", at=AT, seed=fixed_seed(f"{ledger.state.session.number}"))
            else:
                declare_line(ledger, BOOK, line if isinstance(line, str) else amendment(ledger.store, line), at=AT)
        except LedgerError:
            continue
    return ledger


def amendment(store: Store, number: int) -> str:
    """Return the line that amends a task: the first for 0, and round again behind the last."""
    tasks = [
        take.id
        for take in latest_takes(store.takes())
        if take.facts and take.line.startswith(("k climb", "k sneak", "o force"))
    ]
    return AMENDMENT.format(tasks[number % len(tasks)] if tasks else "1.1")


def check_past(store: SqliteStore, entry: EntryId, most: int) -> None:
    """Compare both pasts after an entry."""
    position = load_state(store, StateProjection(), at=entry)
    stored, folded = StoredPast(store, position), FoldedPast(store, position)
    counts = stored.counts()
    assert (counts, [*counts]) == (folded.counts(), [*folded.counts()])
    assert [*stored.absent_names()] == [*folded.absent_names()]
    expected = folded.histories([])
    for wanted in (None, most):
        past = stored.histories([*counts], wanted)
        assert past.changes == expected.changes
        assert past.records.items() <= expected.records.items()
        for changes in past.changes.values():
            for change in changes[-(wanted or len(changes)) :]:
                assert past.fact(change) == expected.fact(change)


@pytest.mark.slow
@given(HISTORIES, st.data())
@example(PINNED, None)
@settings(max_examples=EXAMPLES)
def test_stored_past_of_any_history_is_the_folded_one(lines: list[str | int], data: st.DataObject | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ledger = play(Path(folder) / "years", lines)
        store = ledger.store
        assert isinstance(store, SqliteStore)
        with closing(store):
            assert errors_in_copies(Path(folder) / "years" / LEDGER_FILE) == []
            entries = [record.id for record in latest_takes(store.takes())]
            assert isinstance(load_past(store, load_state(store, StateProjection())), StoredPast)
            earlier = entries[len(entries) // 2] if data is None else data.draw(st.sampled_from(entries))
            for entry in (entries[-1], earlier):
                check_past(store, entry, most=1 if data is None else data.draw(st.integers(1, 5)))


def test_pinned_history_corrects_an_older_session(tmp_path: Path) -> None:
    ledger = play(tmp_path / "years", PINNED)
    with closing(ledger.store):
        takes = Counter(take.id for take in ledger.store.takes())
        assert takes[EntryId(1, 1)] == 2
