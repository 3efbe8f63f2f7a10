"""What the check of public records knows of windows and hidden beings, as the takes that count say."""

from __future__ import annotations

from ledger.facts import EntryId
from ledger.redaction.public_check import Changes

FIRST, SECOND, THIRD = EntryId(1, 1), EntryId(1, 2), EntryId(1, 3)


def test_removed_entry_takes_back_all_that_it_said() -> None:
    changes = Changes()
    changes.add("roll", FIRST, 0, True)
    changes.add("roll", SECOND, 0, False)
    changes.add("roll", SECOND, 1, True)
    changes.add("roll", SECOND, 2, False)
    assert changes.beginning("roll", THIRD) is None
    changes.remove(SECOND)
    assert changes.beginning("roll", THIRD) == FIRST
    changes.remove(FIRST)
    assert changes.beginning("roll", THIRD) is None
