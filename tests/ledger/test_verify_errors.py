"""Test that an error in the rules or the fold of a stored record is a finding with its entry."""

from __future__ import annotations

import pytest

from ledger.replay import Replay
from ledger.verify import verify
from tests.ledger.coin import Coin, Coins
from tests.ledger.strategies import played


class UnknownFact(Coins):
    """A fold that looks up a word of a fact that no game has."""

    def step(self, state, entry, fact):
        if str(entry) == "1.2":
            raise KeyError("no such word")
        super().step(state, entry, fact)


@pytest.mark.slow
@pytest.mark.parametrize(
    "error", [KeyError("x"), IndexError("x"), TypeError("x"), AttributeError("x"), ValueError("x")]
)
def test_error_of_the_rules_is_a_finding_with_its_entry(store, error):
    class Broken(Coin):
        def flip(self, who, purpose, state, dice):
            raise error("x")

    played(store)
    _, findings = verify(store, Broken(), Coins())
    assert {finding.where for finding in findings} == {
        "entry 1.2",
        "entry 1.3",
        "entry 1.3@1",
        "entry 1.5",
        "entry 2.1",
    }


def test_error_of_the_fold_is_a_finding_with_its_entry(store):
    played(store)
    _, findings = verify(store, Coin(), UnknownFact())
    assert findings[0].where == "entry 1.2"
    assert "KeyError: 'no such word'" in findings[0].what
    assert Replay(store, Coin(), UnknownFact()).run().differences
