"""Test that a forecast agrees with the exact odds where these can be counted: a blow, in each game."""

from __future__ import annotations

from math import sqrt

import pytest

from cli.forecast.fight_dice import FightDice
from cli.forecast.runs import key_of_run
from ledger.odds import count_odds
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


@pytest.mark.parametrize("sample", BLOWS)
def test_blow_has_its_odds(played_samples, sample):
    fight = fight_of(played_samples[sample], sample, at=BLOWS[sample][0])
    fight.dice = FightDice(key_of_run("begin", 1))
    said = first_blow(fight)
    exact = count_odds(fight.game, fight.ledger_state, said, fight.entry)
    values = {each.value: {**dict(each.spread)} for each in exact.expected}
    seen = {name: dict.fromkeys(spread, 0) for name, spread in values.items()}
    for run in range(RUNS):
        fight.dice = FightDice(key_of_run("odds", run))
        mark = fight.ledger_state.mark()
        assert fight.say(said)
        for fact in fight.game.before_close(fight.state):
            fight.ledger_state.step(fight.entry, fact)
        after = fight.ledger_state.values()
        for name, counts in seen.items():
            counts[after.get(name, 0)] = counts.get(after.get(name, 0), 0) + 1
        fight.ledger_state.roll_back(mark)
    rest = exact.unexplored / exact.of
    for name, spread in values.items():
        for number, ways in spread.items():
            chance, share = ways / exact.of, seen[name][number] / RUNS
            reach = SIGMAS * sqrt(max(chance * (1 - chance), 1 / RUNS) / RUNS) + rest
            assert abs(chance - share) <= reach, (name, number, chance, share)
        assert set(seen[name]) <= set(spread) or rest > 0
