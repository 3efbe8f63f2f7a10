"""Score forecasts against fights that were really fought: does `as we play` foretell falls better than `weakest`?

    python -m tests.bench.score FOLDER [--runs 20]

FOLDER is a campaign, best the one of ten years (`python -m tests.bench.decade`). Habits are learnt of the first half of
its fights; each fight of the other half is forecast from where it began. The score is Brier's: the mean square of the
chance that was foretold less what came, for each member of each fight. It is proper: only the true chance makes it
least. 0 is perfect. Beside them stands who foretells for everybody how often anybody fell in the first half.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Mapping, Sequence
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Final

from cli.forecast.fight import OUT
from cli.forecast.fought import FoughtFight, fought_fights
from cli.forecast.habits import AS_WE_PLAY, AsWePlay, learn_habits
from cli.forecast.question import ForecastAsked, ForecastQuestion
from cli.forecast.runs import play_runs
from cli.questions.ledger_file import LEDGER_FILE, find_game
from ledger.sqlite_store import open_store
from rulebooks.common.game import Game
from rulebooks.common.sides import DEAD

ROUNDS: Final = 20
WEAKEST: Final = "weakest"
ALIKE: Final = "as often for everybody"


def brier(chances: Mapping[str, float], fell: Collection[str]) -> list[float]:
    """Return the square of the error of each chance."""
    return [(chance - (who in fell)) ** 2 for who, chance in chances.items()]


def chances(fought: FoughtFight, game: Game, policy: str, habits: AsWePlay, runs: int) -> dict[str, float]:
    """Return how likely each member falls. An estimate of few runs is drawn towards a half, so that none is sure."""
    asked = ForecastAsked(runs=runs, rounds=ROUNDS, policy=policy, key=f"score {fought.at}")
    question = ForecastQuestion(asked, habits, fought.open_state(), game)
    falls = dict.fromkeys(fought.members, 0)
    for end in play_runs(question.plan, 0, runs):
        for fall in end.falls:
            falls[fall.who] += fall.how in (OUT, DEAD)
    return {who: (count + 1) / (runs + 2) for who, count in falls.items()}


def score(folder: Path, runs: int, progress: Callable[[int, int], None]) -> dict[str, list[float]]:
    """Return the errors of each policy over the second half of the fights of a campaign, in the same order."""
    store = open_store(folder / LEDGER_FILE, write=False)
    game = find_game(store)
    fights = list(fought_fights(store, game))
    half = len(fights) // 2
    habits = learn_habits(store, game, fights[half].at)
    store.close()
    base = sum(len(each.fell) for each in fights[:half]) / sum(len(each.members) for each in fights[:half])
    errors: dict[str, list[float]] = {AS_WE_PLAY: [], WEAKEST: [], ALIKE: []}
    for number, fought in enumerate(fights[half:], start=1):
        for policy in (AS_WE_PLAY, WEAKEST):
            errors[policy] += brier(chances(fought, game, policy, habits, runs), fought.fell)
        errors[ALIKE] += brier(dict.fromkeys(fought.members, base), fought.fell)
        progress(number, len(fights) - half)
    return errors


def paired(one: Sequence[float], other: Sequence[float]) -> tuple[float, float]:
    """Return the mean difference of two scores over the same members, and its standard error."""
    apart = [first - second for first, second in zip(one, other, strict=True)]
    return fmean(apart), stdev(apart) / sqrt(len(apart))


def main() -> None:
    """Print the score of each policy, and the difference."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.score", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=20)
    given = parser.parse_args()
    errors = score(given.folder, given.runs, lambda done, of: print(f"{done} of {of} fights", end="\r", flush=True))
    for name, each in errors.items():
        print(f"{name}: {fmean(each):.4f} over {len(each)} members")
    for name in (WEAKEST, ALIKE):
        apart, error = paired(errors[AS_WE_PLAY], errors[name])
        print(f"{AS_WE_PLAY} less {name}: {apart:+.4f} (standard error {error:.4f})")


if __name__ == "__main__":
    main()
