"""Test that a forecast of two rounds of a duel agrees with all its ends, each counted with its chance."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from statistics import NormalDist

import pytest

from cli.forecast import tally
from cli.forecast.fight import Fight
from cli.forecast.policies import Plain
from cli.forecast.runs import key_of_run
from ledger.enumeration import EnumeratedDice
from ledger.errors import NeverDrawn
from ledger.ledger_state import unpack_state
from projections.checkpoint import new_checkpoint
from projections.projection import StateProjection
from tests.rulebooks.semiautomagic.seat import Seat

ROUNDS = 2
RUNS, SEEDS = 60, 8
SURE = 0.999


class Undefended(Plain, frozen=True):
    """Strikes, and does not defend itself: fewer dice, so that all ends can be counted soon."""

    def defences(self, who, said, fight):
        return ()


def duel():
    """Return a fight of Rook and Thorn, who do nothing but strike at each other."""
    seat = Seat(sheets={who: {"endurance": 6, "target": 7} for who in ("Rook", "Thorn")}, fight=("Rook", "Thorn"))
    return Fight(seat.ledger.game, seat.ledger.state.copy(), dict.fromkeys(("Rook", "Thorn"), Undefended("weakest")))


def branches(fight):
    """Yield each end of the next step, by every combination of its dice: its chance, and the state after it."""
    waiting = [EnumeratedDice()]
    while waiting:
        dice = fight.dice = waiting.pop()
        checkpoint = new_checkpoint(fight.state)
        try:
            assert fight.step()
            yield dice.chance, fight.ledger_state.pack()
        except NeverDrawn:
            waiting += dice.branches()
        finally:
            fight.return_to(checkpoint)


def exact_falls(fight, last_round):
    """Return the chance of each set of those who are out of the fight when it is over, or the rounds are."""
    begun, falls = {fight.ledger_state.pack(): Fraction(1)}, Counter()
    while begun:
        packed, weight = begun.popitem()
        state = unpack_state(packed, StateProjection(), fight.ledger_state.last)
        here = Fight(fight.game, state, fight.policy_of)
        if len(here.left_sides()) < 2 or here.encounter.round > last_round:
            falls[frozenset(here.members) - here.fighting] += weight
            continue
        for chance, after in branches(here):
            begun[after] = begun.get(after, 0) + weight * chance
    return falls


@pytest.mark.slow
def test_two_rounds_of_a_duel_have_their_odds(monkeypatch):
    monkeypatch.setattr(EnumeratedDice, "begin_declaration", lambda dice: None, raising=False)
    monkeypatch.setattr(tally, "Z", NormalDist().inv_cdf((1 + SURE) / 2))
    fight = duel()
    exact = exact_falls(fight, fight.first_round + ROUNDS - 1)
    assert sum(exact.values()) == 1
    assert len(exact) > 1, exact
    for seed in range(SEEDS):
        ends = [fight.play(key_of_run(f"duel {seed}", run), ROUNDS) for run in range(RUNS)]
        seen = Counter(frozenset(fall.who for fall in end.falls) for end in ends)
        assert set(seen) <= set(exact)
        for who, chance in exact.items():
            found = tally.share(seen[who], RUNS)
            assert found.low <= chance <= found.high, (seed, who, float(chance), found)
