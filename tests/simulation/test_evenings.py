"""Play simulated evenings: every run draws seeds anew, and those that have failed once are played again."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from shutil import which

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

pytest.importorskip("starlette", reason='pip install -e ".[serve]"')

from tests.simulation.campaign import begin
from tests.simulation.evening import Evening, play
from tests.simulation.phones import Phones

NODE = which("node")
LONG = settings.get_profile("long").max_examples
EVENINGS = 30 if settings().max_examples == LONG else 1

pytestmark = pytest.mark.skipif(NODE is None, reason="node runs the script of the phones; Debian has it as nodejs")
PlaySeed = Callable[[int], Evening]


@pytest.fixture(scope="module")
def play_seed(tmp_path_factory: pytest.TempPathFactory) -> PlaySeed:
    """Return what plays a seed in a folder of its own."""
    folder = tmp_path_factory.mktemp("evenings")
    start, numbers = begin(folder / "start"), itertools.count()

    def play_one(seed: int) -> Evening:
        with Phones(str(NODE)) as phones:
            return play(seed, start, folder / str(next(numbers)), phones)

    return play_one


@settings(max_examples=EVENINGS, phases=(Phase.explicit, Phase.generate))
@example(seed=2)  # the answer to /state was lost, and the phone showed an old state for ever
@given(seed=st.integers(1, 10**6))
def test_evening_ends_with_one_past_for_all(play_seed: PlaySeed, seed: int) -> None:
    evening = play_seed(seed)
    assert evening.acknowledged


@pytest.mark.slow
def test_seed_is_the_same_evening_again(play_seed: PlaySeed) -> None:
    first, second = play_seed(3), play_seed(3)
    assert (first.now, first.acknowledged, first.shown) == (second.now, second.acknowledged, second.shown)
