"""Play simulated evenings: every run draws seeds anew, and those that have failed once are played again."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from shutil import which

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

pytest.importorskip("starlette", reason='pip install -e ".[serve]"')

from cli.table.seats import GAME_MASTER
from tests.budget import BUDGET
from tests.cli.conftest import Folder
from tests.simulation import server
from tests.simulation.campaign import begin
from tests.simulation.clock import Clock
from tests.simulation.evening import Evening, play
from tests.simulation.phones import Phones

NODE = which("node")
EVENINGS = BUDGET.examples(2, 100)
FINE_STEPS = 4  # of SQLite's machine
INTERRUPTED_LEAST = 100
MANY = 60  # evenings, in which everything happens that can
HAPPENINGS = {
    *(f"{what} by {door}" for what in ("a line", "a correction", "an undo") for door in ("keyboard", "page")),
    *(f"a line is answered with {status}" for status in (200, 422, 503)),
    *(f"a part of the dice is {status}" for status in ("taken", "wrong", "too late")),
    *(f"killed in a line: {when}" for when in ("kill", "kill before", "kill after", "while it waits")),
    *("a request is lost", "a request is replayed", "a link is an old one", "overtaken"),
    *("a chain", "a die with a link", "a die of the seed alone"),
}

pytestmark = pytest.mark.skipif(NODE is None, reason="node runs the scripts of the phones; Debian has it as nodejs")
PlaySeed = Callable[[int], Evening]


@pytest.fixture(scope="module")
def play_seed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlaySeed]:
    """Yield what plays a seed in a folder of its own."""
    folder = tmp_path_factory.mktemp("evenings")
    starts = begin(folder)
    with Phones(str(NODE)) as phones:

        def play_one(seed: int) -> Evening:
            try:
                return play(seed, starts, folder / "evening", phones)
            finally:
                shutil.rmtree(folder / "evening")

        yield play_one


@pytest.mark.slow
@settings(max_examples=EVENINGS, phases=(Phase.explicit, Phase.generate))
@example(seed=2)  # the answer to /state was lost, and the phone showed an old state for ever
@example(seed=49)  # a part of the dice was lost on its way, and the page said that the throw was made without it
@given(seed=st.integers(1, 10**6))
def test_evening_ends_with_one_past_for_all(play_seed: PlaySeed, seed: int) -> None:
    evening = play_seed(seed)
    assert evening.network.taken


@pytest.mark.slow
def test_seed_is_the_same_evening_again(play_seed: PlaySeed) -> None:
    first, second = play_seed(3), play_seed(3)
    assert first.happened
    assert (first.clock.now, first.network.taken, first.shown) == (second.clock.now, second.network.taken, second.shown)


@pytest.mark.slow
def test_everything_happens_in_many_evenings(play_seed: PlaySeed) -> None:
    happened = Counter[str]()
    for seed in range(1, MANY + 1):
        happened += play_seed(seed).happened
    assert happened.keys() >= HAPPENINGS


class Steps:
    """In place of chance: a fault comes after so many steps, and nobody writes before an append."""

    def __init__(self, steps: int) -> None:
        self.steps = steps

    def randrange(self, *_: int) -> int:
        return self.steps

    def random(self) -> float:
        return 1.0


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["kill", "error"])
def test_line_counts_once_wherever_it_is_interrupted(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each line is interrupted a little later than the one before, until one is taken before its fault."""
    monkeypatch.setattr(server, "STEPS", FINE_STEPS)
    folder = begin(tmp_path)[False]
    interrupted, was_interrupted = 0, True
    table = server.Server(folder, Random(0), Clock(), has_taps=False)
    while was_interrupted:
        table.chance = Steps(interrupted + 1)
        said = [(GAME_MASTER, {"line": f"# Scene {interrupted}", "key": f"key-{interrupted:06}", "seen": None})]
        try:
            was_interrupted = table.say(said, fault)[0][0] == 503
        except server.Killed:
            was_interrupted = True
            table.kill()
        interrupted += was_interrupted
        assert [status for status, _ in table.say(said, "")] == [200]
    requests = [record.request for record in table.view.ledger.store.records() if record.request]
    table.kill()
    assert interrupted > INTERRUPTED_LEAST
    assert requests == [f"page:gm:key-{number:06}" for number in range(interrupted + 1)]
    assert Folder(folder).invoke("verify", "--quick").exit_code == 0
