"""Upgrade: play the records of a ledger of format 2 into a new ledger, line by line and correction by correction.

`old_records` reads the old file and proves its chain, `replayed_ledger` says the lines again, `old_corrections` makes
the corrections again, `differences` compares what came of each entry. The old file is only read.

Format 2 drew dice in another way, so a face that came from a seed would be another one now. Every face is therefore
said again as if it had been typed in; that they came from seeds is proved by the old file alone.
"""

from ledger.upgrade.differences import differences
from ledger.upgrade.old_records import OldRecord, read_old_records
from ledger.upgrade.replayed_ledger import ReplayedLedger

__all__ = ["OldRecord", "ReplayedLedger", "differences", "read_old_records"]
