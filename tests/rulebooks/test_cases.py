"""The files of worked cases: no case of a catalogue is missing, and the trials of a case differ."""

from __future__ import annotations

import pytest

from rulebooks.testing.cases import load_cases
from tests.rulebooks import CASES

CATALOGUES = {
    "dusk_bastards": ("DB-C-{:03}", 165),
    "mars": ("GR-C-{:02}", 77),
    "momentum": ("MO-C{:02}", 79),
    "monolith": ("ML-C{:02}", 54),
    "open_game": ("OG-C-{:02}", 14),
    "semiautomagic": ("TT-C-{:02}", 47),
}


@pytest.mark.parametrize("game", CATALOGUES)
def test_every_case_is_there_and_its_trials_differ(game: str) -> None:
    (name, number), cases = CATALOGUES[game], load_cases(CASES / f"{game}.toml")["cases"]
    ids = sorted({case["id"] for case in cases})
    assert ids == [name.format(case) for case in range(1, number + 1)]
    trials = [(case["id"], case.get("trial")) for case in cases]
    assert len(set(trials)) == len(trials)
    assert len({(case["id"], case["title"]) for case in cases}) == len(ids)
