"""The ledger of a board game with turns, for tests of corrections."""

from __future__ import annotations

import pytest

from tests.ledger.board import Boards, Flip
from tests.ledger.edits import board, findings_of
from tests.ledger.strategies import folded_state, packed_state

ANA, BO = Flip(by="Ana"), Flip(by="Bo")


@pytest.fixture
def ledger():
    """Ana and Bo have 5 points each; session 1 is open. The first faces of flips: 2 2 1 2 1 1 1 1."""
    made = board()
    yield made
    assert findings_of(made) == []
    assert packed_state(folded_state(made.store, Boards())) == packed_state(made.state)
