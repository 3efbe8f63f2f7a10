"""Test that the benchmark of a club measures what its rows say."""

from __future__ import annotations

import pytest

from tests.bench import __main__ as bench
from tests.postgres import missing_postgres

pytestmark = pytest.mark.slow


@pytest.mark.skipif(bool(missing_postgres()), reason=missing_postgres())
def test_club_has_the_growth_and_the_p95_of_appends(tmp_path, monkeypatch):
    from tests.bench import club  # psycopg may not be installed

    for name, size in {"CAMPAIGNS": 120, "ROUNDS": 3, "AT_ONCE": 2}.items():
        monkeypatch.setattr(club, name, size)
    figures, lines = bench.club_figures(tmp_path)
    assert [each.what for each in figures] == ["append, club of 120 campaigns"] * 2
    assert [each.against for each in figures] == ["append, club of 100 campaigns", "append, SQLite"]
    assert all(each.ours > 0 and each.floor > 0 for each in figures)
    assert "120 campaigns of " in lines[1]
    assert [line.partition(": p95")[0] for line in lines[2:5]] == [club.ONE_FILE, figures[0].against, figures[0].what]
    assert [line.partition(": wake")[0] for line in lines[5:]] == [club.ONE_FILE, figures[0].what]


def test_club_that_cannot_be_measured_says_why(tmp_path, monkeypatch):
    monkeypatch.setattr(bench, "missing_postgres", lambda: "psycopg is not installed")
    assert bench.club_figures(tmp_path) == ([], ["club: psycopg is not installed"])
