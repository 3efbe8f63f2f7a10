"""Test how `as we play` learns when a table breaks its fights off, and that it foretells what then comes."""

from __future__ import annotations

from statistics import fmean

import msgspec
import pytest

from cli.forecast.forecaster import summarize
from cli.forecast.habits import AS_WE_PLAY, AsWePlay, learn_habits
from cli.forecast.question import ForecastAsked, ForecastQuestion
from cli.forecast.runs import open_fight, play_runs
from cli.questions.state_at import state_at
from cli.render.forecast import forecast_parts
from rulebooks import load_game
from tests.bench.decade import play_decade
from tests.bench.score import ALIKE, WEAKEST, brier, paired, score
from tests.cli.forecast.fights import OPENINGS, opened
from tests.cli.forecast.test_forecast_command import plan_of

SOME_ARE = AsWePlay(habits={}, broken_off=((2, 1, 3), (3, 2, 2)))
BROKEN_OFF = {  # foes have surrendered; elsewhere the last one has fallen or fled
    "gutter-saints": ((4, 1, 1),),
    "lantern-ferry": ((2, 1, 2),),
    "powder-tithe": ((5, 1, 1),),
}
ALL_ARE = AsWePlay(habits={}, broken_off=((3, 999_999, 999_999),))


@pytest.mark.parametrize(
    ("first", "chance", "last"),
    [
        (1, 0.0, 2),
        (1, 0.24, 2),
        (1, 0.25, 3),
        (1, 0.74, 3),
        (1, 0.76, None),
        (3, 0.66, 3),
        (3, 0.67, None),
        (4, 0.0, None),
    ],
)
def test_round_in_which_a_fight_is_broken_off(first, chance, last):
    assert SOME_ARE.last_round(first, chance) == last


def test_run_is_broken_off_as_the_table_does(played_samples):
    plan = msgspec.structs.replace(plan_of(played_samples["choir-of-glass"], "choir-of-glass"), habits=ALL_ARE)
    ends = play_runs(plan, 0, 12)
    assert {end.rounds for end in ends if end.broken_off} == {2, 3}
    assert all(end.broken_off != end.is_over for end in ends)
    forecast = summarize(plan, open_fight(plan), ends, name="", policy="")
    assert forecast.unended.times == 0
    wording = load_game("monolith").texts().lexicon.wording
    told = f"broken off, as this table has ended fights: {forecast.broken_off.times} of 12 ("
    assert any(line.startswith(told) for line in forecast_parts(forecast, wording).heading)
    bounded = play_runs(msgspec.structs.replace(plan, rounds_most=1), 0, 5)
    assert not any(end.broken_off for end in bounded)


@pytest.mark.parametrize("sample", OPENINGS)
def test_fights_of_samples_that_were_broken_off(played_samples, sample):
    store, game = opened(played_samples[sample])
    habits = learn_habits(store, game)
    store.close()
    assert habits.broken_off == BROKEN_OFF.get(sample, ())


def test_other_policies_fight_to_the_end(played_samples):
    store, game = opened(played_samples["choir-of-glass"])
    state = state_at(store, OPENINGS["choir-of-glass"], None)
    store.close()
    for policy, habits in ((AS_WE_PLAY, ALL_ARE), (WEAKEST, None)):
        asked = ForecastAsked(runs=2, rounds=9, policy=policy, key="1")
        assert ForecastQuestion(asked, ALL_ARE, state, game).plan.habits == habits


def test_score_is_the_mean_square():
    assert brier({"Ash": 0.5, "Bryn": 1.0, "Cant": 0.0}, {"Ash", "Cant"}) == [0.25, 1.0, 1.0]
    assert paired([1.0, 2.0, 3.0], [1.0, 1.0, 1.0]) == (1.0, pytest.approx(3**-0.5))


@pytest.mark.slow
def test_falls_are_foretold_better_as_we_play(tmp_path):
    """The fights of the ten years are broken off in their third round, so most foes do not fall."""
    decade = play_decade(tmp_path / "years", "dusk-bastards", sessions=4, seed=1)
    decade.ledger.store.close()
    errors = {name: fmean(each) for name, each in score(tmp_path / "years", 4, lambda *_: None).items()}
    assert errors[AS_WE_PLAY] < errors[WEAKEST] - 0.1
    assert errors[AS_WE_PLAY] < errors[ALIKE] + 0.1
