"""Test that a forecast agrees with the exact odds where these can be counted: a blow, in each game."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest

from cli.forecast.fight_dice import FightDice
from cli.forecast.runs import key_of_run
from cli.forecast.tally import share
from ledger.odds import count_odds
from tests.budget import BUDGET
from tests.cli.forecast.fights import fight_of

RUNS = 150
SIGMAS = 4.5  # a comparison of 140,000 is further off by chance, and the runs are always the same
BLOWS = {  # a moment at which somebody may strike, and whom
    "gutter-saints": ("2.20", "Kess", "Dovel"),
    "broken-archway": ("1.5", "Kael", "Spearman"),
    "choir-of-glass": ("1.14", "Ilex", "Sexton 1"),
    "lantern-ferry": ("1.14", "Nan", "Brannoc"),
    "powder-tithe": ("1.25", "Maren", "Hob"),
}


def first_blow(fight):
    """Return the first blow that somebody may strike now, one of whoever's turn is next."""
    while True:
        for turn in fight.game.next_steps(fight.state):
            for who in fight.fighting & set(turn.who):
                for said in fight.policy_of[who].acts(who, fight):
                    mark = fight.ledger_state.mark()
                    if fight.guide.strike_fields(said) and fight.say(said):
                        fight.ledger_state.roll_back(mark)
                        return said
        assert fight.step()


def struck_moment(path, sample):
    """Return a fight at a moment at which somebody may strike, with the blow and its exact odds."""
    fight = fight_of(path, sample, at=BLOWS[sample][0])
    fight.dice = FightDice(key_of_run("begin", 1))
    said = first_blow(fight)
    return fight, said, count_odds(fight.game, fight.ledger_state, said, fight.entry)


def spreads(odds):
    """Return the chance of each number that a value may have after the blow."""
    return {each.value: {number: ways / odds.of for number, ways in each.spread} for each in odds.expected}


def counts_of_runs(fight, said, names, key, runs):
    """Return how often each of these values had which number after the blow, over runs of a key."""
    counts = {name: Counter() for name in names}
    for run in range(runs):
        fight.dice = FightDice(key_of_run(key, run))
        mark = fight.ledger_state.mark()
        assert fight.say(said)
        for fact in fight.game.before_close(fight.state):
            fight.ledger_state.step(fight.entry, fact)
        after = fight.ledger_state.values()
        for name, count in counts.items():
            count[after.get(name, 0)] += 1
        fight.ledger_state.roll_back(mark)
    return counts


@pytest.mark.parametrize("sample", BUDGET.cases(["powder-tithe"], list(BLOWS)))
def test_blow_has_its_odds(played_samples, sample):
    fight, said, odds = struck_moment(played_samples[sample], sample)
    rest = odds.unexplored / odds.of
    seen = counts_of_runs(fight, said, spreads(odds), "odds", RUNS)
    for name, spread in spreads(odds).items():
        for number, chance in spread.items():
            part = seen[name][number] / RUNS
            reach = SIGMAS * sqrt(max(chance * (1 - chance), 1 / RUNS) / RUNS) + rest
            assert abs(chance - part) <= reach, (name, number, chance, part)
        assert set(seen[name]) <= set(spread) or rest > 0


def comparisons(fight, said, odds, seeds, runs):
    """Yield for each seed whether the interval of each number has its exact chance, with the unexplored rest."""
    rest = odds.unexplored / odds.of
    for seed in range(seeds):
        seen = counts_of_runs(fight, said, spreads(odds), f"seed {seed}", runs)
        for name, spread in spreads(odds).items():
            if len(spread) == 1:
                continue  # it is certain
            number = max(spread, key=lambda each: min(spread[each], 1 - spread[each]))  # the least certain one
            found = share(seen[name][number], runs)
            yield found.low - rest <= spread[number] <= found.high + rest


@pytest.mark.slow
def test_intervals_have_the_exact_chance_as_often_as_they_say(played_samples):
    """Of a hundred intervals of 95 % some 95 are right: neither fewer nor all."""
    right = Counter()
    for sample in BLOWS:
        fight, said, odds = struck_moment(played_samples[sample], sample)
        right.update(comparisons(fight, said, odds, seeds=40, runs=30))
    assert 0.9 < right[True] / right.total() < 0.99
