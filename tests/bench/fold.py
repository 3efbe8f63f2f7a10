"""Folding, replay, verify, and dice.

To decide a declaration of the bench ledger (6,000 facts) again takes 615,000 instructions of the processor, and to
verify it 958,000: the difference of three runs and of one, as in `tests.bench.forecast`. Before a verification decoded
each record once, it was 1,233,000. Of a replay some 16 % decode the JSON of records and declarations, 7 % compare
values and 2 % read rows; most of the rest are the rules. Beside its replay a verification hashes (105,000, which a
processor does in an eighth of that if it knows SHA-256), writes each record again and its declaration (55,000), reads
the log (30,000) and two indexes (17,000), looks at what everybody saw (40,000), decides again what corrections touch
(55,000 where one entry in a hundred was undone) and compares the snapshots (15,000).
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ledger.dice import SeededDice, fixed_seed, join_lines
from ledger.ledger_state import initial_state, load_state
from ledger.quick_check import quick_check
from ledger.records import DECODER, Record, latest_takes
from ledger.replay import Replay
from ledger.sqlite_store import SqliteStore
from ledger.verify import verify
from projections.projection import FOLDS, StateProjection
from projections.state import State
from tests.bench.play import GAME, again
from tests.bench.timer import Figure, figure, interleaved, rate

FOLD = "read, decode, fold"
PURE = "fold of decoded records"
ARITHMETIC = "sums alone"
DECODE = "decoding alone"
SELECT = "SELECT and decoding"
DISPATCH = "SELECT, decoding, empty dispatch"
READ = "takes of the store"
QUICK = "verify --quick: chain, fold, faces"
LOAD = "state, from a snapshot"
TAIL = "reading that"
BODIES = (
    "SELECT CAST(coalesce(substr(sealed, 33), public) AS BLOB) FROM records"
    " ORDER BY session, number, inserted, position"
)


def folds(folder: Path, rounds: int) -> list[Figure]:
    """Measure facts per second through store, decoder and projection, and of the fold alone."""
    store = stored(folder)
    bodies = [body for (body,) in store.connection.execute(BODIES)]
    records = list(latest_takes(store.takes()))
    count = sum(len(record.facts) for record in records)
    jobs = {
        FOLD: rate(count, lambda: folded(latest_takes(store.takes()))),
        READ: rate(count, lambda: sum(1 for _ in store.takes())),
        SELECT: rate(count, lambda: [None for (body,) in store.connection.execute(BODIES) if not DECODER.decode(body)]),
        DISPATCH: rate(count, lambda: dispatched(store)),
        DECODE: rate(count, lambda: [None for body in bodies if not DECODER.decode(body)]),
        QUICK: rate(count, lambda: quick_check(store, StateProjection())),
    }
    through = interleaved(rounds, jobs)
    pure = interleaved(
        rounds,
        {PURE: rate(count, lambda: folded(records)), ARITHMETIC: rate(count, lambda: summed(records))},
    )
    jobs = {LOAD: rate(1, lambda: load_state(store, StateProjection())), TAIL: rate(1, lambda: tail(store))}
    current = interleaved(rounds * 3, jobs)
    store.close()
    return [
        figure(FOLD, through, FOLD, DECODE, "facts/s"),
        figure(FOLD, through, FOLD, SELECT, "facts/s"),
        figure(FOLD, through, FOLD, DISPATCH, "facts/s"),
        figure(READ, through, READ, SELECT, "facts/s"),
        figure(QUICK, through, QUICK, FOLD, "facts/s"),
        figure(PURE, pure, PURE, ARITHMETIC, "facts/s"),
        figure(LOAD, current, LOAD, TAIL, "per second"),
    ]


def replays(folder: Path, rounds: int) -> list[Figure]:
    """Measure replay and verify against a fold of the same ledger."""
    store = stored(folder)
    report = Replay(store, GAME, StateProjection()).run()
    assert not report.differences, report.differences[0]
    jobs = {
        "declarations decided again": rate(report.entries, lambda: Replay(store, GAME, StateProjection()).run()),
        "declarations verified": rate(report.entries, lambda: verify(store, GAME, StateProjection())),
        FOLD: rate(report.entries, lambda: folded(latest_takes(store.takes()))),
    }
    measured = interleaved(rounds, jobs)
    store.close()
    return [figure(name, measured, name, FOLD, "entries/s") for name in jobs if name != FOLD]


def dice(rounds: int, faces: int) -> list[Figure]:
    """Measure throws of two dice against one HMAC."""
    key = fixed_seed("bench")
    seeded = SeededDice(key)
    message = join_lines("campaign-ledger die v2", "task Kess", "1", "1", "12")

    def thrown() -> None:
        for _ in range(faces // 2):
            seeded.throw("task Kess", 12, 12)

    def bare() -> None:
        for _ in range(faces):
            hmac.digest(key, message, "sha256")

    measured = interleaved(rounds, {"faces from a seed": rate(faces, thrown), "hmac.digest": rate(faces, bare)})
    return [figure("faces from a seed", measured, "faces from a seed", "hmac.digest", "faces/s")]


def stored(folder: Path) -> SqliteStore:
    """Return the store of a campaign, read-only."""
    store = again(folder, write=False).store
    assert isinstance(store, SqliteStore)
    return store


def dispatched(store: SqliteStore) -> None:
    """Read and decode all records, and call a function that does nothing for each fact that is folded."""
    functions = dict.fromkeys(FOLDS, nothing)
    for (body,) in store.connection.execute(BODIES):
        for fact in DECODER.decode(body).facts:
            function = functions.get(type(fact))
            if function is not None:
                function(fact)


def nothing(fact: object) -> None:
    """Do nothing."""


def tail(store: SqliteStore) -> int:
    """Load the state from the last snapshot and the takes after it."""
    kept = store.latest_snapshot()
    return sum(1 for _ in store.takes(after=kept.entry if kept else None))


def folded(records: Iterable[Record]) -> None:
    """Fold all records from the start."""
    state = initial_state(StateProjection())
    for record in records:
        state.fold(record)


def summed(records: Iterable[Record]) -> None:
    """Look up and call a function for each fact: the minimum of a fold."""
    state = State()
    fold: Any
    for record in records:
        entry = record.id
        for fact in record.facts:
            fold = FOLDS.get(type(fact))
            if fold is not None:
                fold(state, entry, fact)
        state.journal.clear()
