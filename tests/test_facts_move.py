"""Every kind of fact that is coded moves the fold, or is told."""

from __future__ import annotations

import pytest

from ledger.facts import KINDS, TOLD, Founded, Happening, SessionClosed, SessionOpened, WordsAdded, tag
from projections.tally import EVOLVE

GROUND_FOLDS = {Founded, SessionOpened, WordsAdded, SessionClosed}


@pytest.mark.parametrize("kind", KINDS, ids=tag)
def test_a_kind_moves_a_fold_or_is_told_and_never_neither(kind: type[Happening]) -> None:
    assert (kind in EVOLVE) + (kind in TOLD) + (kind in GROUND_FOLDS) == 1
