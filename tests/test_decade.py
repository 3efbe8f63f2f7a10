"""Test the generated campaign of ten years: every game plays on, always the same, and the rich one has everything."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.decade import SCRIPTS, play_decade


@pytest.mark.slow
@pytest.mark.parametrize("game", SCRIPTS)
def test_every_game_plays_fights_in_each_session(game: str, tmp_path: Path) -> None:
    decade = play_decade(tmp_path / "ten", game, 1, seed=1)
    assert decade.done["fights"] == 2
    assert decade.ledger.state.state.encounter is None
    assert not decade.ledger.state.session.open
    decade.ledger.store.close()


@pytest.mark.slow
def test_first_year_has_corrections_options_and_levels(tmp_path: Path) -> None:
    decade = play_decade(tmp_path / "ten", "dusk-bastards", 12, seed=1)
    wanted = {"lines", "fights", "undone", "amended", "amended later", "options", "levels"}
    assert decade.done.keys() >= wanted
    decade.ledger.store.close()


@pytest.mark.slow
@pytest.mark.parametrize("game", SCRIPTS)
def test_same_seed_plays_the_same_campaign(game: str, tmp_path: Path) -> None:
    heads = set()
    for name, seed in (("one", 1), ("two", 1), ("other", 2)):
        decade = play_decade(tmp_path / name, game, 2, seed)
        heads.add(decade.ledger.store.head().hash)
        decade.ledger.store.close()
    assert len(heads) == 2
