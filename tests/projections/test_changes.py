"""Test `changes`: it agrees with the history of every value, and every pool of every sample adds up from it alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ledger.facts import GM
from ledger.ledger_state import load_state
from ledger.records import latest_takes
from ledger.sqlite_store import open_store
from projections.projection import StateProjection
from projections.value_history import value_histories
from tests.golden import samples

FLOWS = {"points-spent": "spent", "points-lost": "lost", "points-regained": "regained", "pool-set": "set"}
LOSSES = ("Eclipse", "overflow")  # of tokens, which nobody chose to spend
COUNTED = "SELECT {} FROM changes WHERE counts ORDER BY moment, fact"


@pytest.fixture(params=samples())
def ledger(request: pytest.FixtureRequest, played_samples: dict[str, Path]) -> Path:
    return played_samples[request.param] / "ledger.db"


def query(ledger: Path, sql: str) -> list[Any]:
    with closing(sqlite3.connect(f"file:{ledger}?mode=ro", uri=True)) as db:
        return db.execute(sql).fetchall()


def flow(kind: str, cause: str, change: int) -> str:
    if kind == "tokens-moved":
        return "regained" if change > 0 else "lost" if cause in LOSSES else "spent"
    return FLOWS.get(kind, "set")


def test_changes_agree_with_the_history_of_each_value(ledger: Path) -> None:
    with closing(open_store(ledger, write=False)) as store:
        facts = ((take.id, n, fact) for take in latest_takes(store.takes()) for n, fact in enumerate(take.facts, 1))
        expected = {
            name: [(str(change.entry), change.number, change.before, change.after) for change in changes]
            for name, changes in value_histories(facts).items()
        }
    found: dict[str, list[Any]] = {}
    for name, *change in query(ledger, COUNTED.format("value, entry, fact, before, after")):
        found.setdefault(name, []).append(tuple(change))
    assert found == expected


def pools(ledger: Path) -> Iterator[tuple[str | None, str, int]]:
    """Yield owner, name and content of every pool and token."""
    with closing(open_store(ledger, write=False)) as store:
        state = load_state(store, StateProjection()).state
    yield from ((who, name, pool.points) for (who, name), pool in state.pools.items())
    yield from ((None if who == GM else who, name, token.count) for (who, name), token in state.tokens.items())


def test_every_pool_adds_up_in_every_session(ledger: Path) -> None:
    """Opening - spent - lost + regained + set = closing. A number on a sheet opens a pool of that name."""
    wanted = {(who, name): points for who, name, points in pools(ledger)}
    last: dict[tuple[str | None, str], int] = {}
    sums: dict[tuple[int, str | None, str], dict[str, int]] = {}
    rows = query(ledger, COUNTED.format("session, who, what, kind, cause, before, after, change"))
    for session, who, what, kind, cause, before, after, change in rows:
        if (who, what) in wanted:
            assert (before or 0) == last.get((who, what), 0)
            flows = sums.setdefault((session, who, what), {"opening": before or 0, **dict.fromkeys(FLOWS.values(), 0)})
            name = flow(kind, cause, change)
            flows[name] += change if name == "set" else abs(change)
            flows["closing"] = last[who, what] = after
    assert bool(sums) == bool(wanted)
    for flows in sums.values():
        assert flows["opening"] - flows["spent"] - flows["lost"] + flows["regained"] + flows["set"] == flows["closing"]
    assert {key: last.get(key, 0) for key in wanted} == wanted


def test_eclipse_and_overflow_are_losses(played_samples: dict[str, Path]) -> None:
    causes = query(
        played_samples["gutter-saints"] / "ledger.db",
        "SELECT cause, sum(change) FROM changes WHERE counts AND what = 'destiny' AND change < 0 GROUP BY cause",
    )
    assert dict(causes).keys() >= set(LOSSES)


def test_superseded_changes_stay_and_do_not_count(played_samples: dict[str, Path]) -> None:
    """The sample takes lines back: their changes keep the numbers that they had."""
    ledger = played_samples["gutter-saints"] / "ledger.db"
    rows = query(ledger, "SELECT DISTINCT entry, take FROM changes WHERE NOT counts")
    latest = dict(query(ledger, "SELECT entry, take FROM entries WHERE counts"))
    assert rows
    assert all(take < latest[entry] for entry, take in rows)


def test_views_keep_fights_and_wounds_after_their_end(played_samples: dict[str, Path]) -> None:
    ledger = played_samples["gutter-saints"] / "ledger.db"
    assert query(ledger, "SELECT * FROM encounters") == []
    assert query(ledger, "SELECT fight, encounter, began, ended, rounds FROM fights") == [
        (1, "the lamp room", "2.6", "2.60", 4),
        (2, "the dye works", "3.25", "3.29", 2),
    ]
    assert query(
        ledger, "SELECT name, first_value, value, encounter, came, closed, healed, healed_because FROM wounds"
    ) == [
        ("Tamsin", 4, 0, "the lamp room", "2.40", "2.41+1", "3.30", "a night's rest"),
        ("Dovel", 1, 1, "the lamp room", "2.45", "2.46+1", None, None),
    ]


@pytest.mark.parametrize(
    ("sample", "outcomes"),
    [
        (
            "broken-archway",
            [
                (
                    "standing: pc (Brynn, Kael, Sira); out: Leader (dead), Spearman (dead), Archer (fled)",
                    "every opponent is down or gone",
                )
            ],
        ),
        (
            "choir-of-glass",
            [
                (
                    "standing: players (Doro); out: Cant (critical), Ilex (critical), Sexton 1 (unconscious), "
                    "Sexton 2 (critical), Sexton 3 (fled), Verger (critical)",
                    "the last hook goes into the water",
                ),
                (
                    "standing: players (Cant, Ilex); out: Doro (critical), Understudy (critical)",
                    "it lies under the table",
                ),
            ],
        ),
        (
            "gutter-saints",
            [
                (
                    "standing: players (Kess, Orrin, Tamsin), gm (Dovel); out: Watchman 1 (left), Watchman 2 (dead)",
                    "the sergeant has yielded",
                ),
                ("standing: players (Kess, Orrin, Tamsin)", ""),
            ],
        ),
    ],
)
def test_a_fight_says_who_stands_and_how_others_went_out(
    played_samples: dict[str, Path], sample: str, outcomes: list[tuple[str, str]]
) -> None:
    assert query(played_samples[sample] / "ledger.db", "SELECT outcome, because FROM fights") == outcomes


def test_a_wound_has_the_place_where_it_came(played_samples: dict[str, Path]) -> None:
    ledger = played_samples["powder-tithe"] / "ledger.db"
    assert ("Hob", "causeway", "Maren") in query(ledger, "SELECT name, place, actor FROM wounds")


def test_foreign_keys_of_a_sample_lead_somewhere(ledger: Path) -> None:
    assert query(ledger, "PRAGMA foreign_key_check") == []
