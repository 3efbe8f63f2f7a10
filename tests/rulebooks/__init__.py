"""Tests of the games."""

from __future__ import annotations

from pathlib import Path
from typing import Final

CASES: Final = Path(__file__).parent / "cases"
SILENT: Final = frozenset([  # what our games do not say in the log, see rulebooks/testing/log_sentences.py
    "failed", "initiative", "intent",  # bookkeeping of a book, with which nobody at the table deals
    "crouching prone", "prone crouching",  # the new stance is told
    "momentum",  # its beginning says that it is of round 1
    "clear", "hazy", "darkness",  # another light is told
    "treated removed", "critical removed",  # they are stable
    "fled the encounter ended",  # they are absent
    # a result tells it
    "announced thrown", "concentration kept", "concentration lost", "fate ruled", "fortitude failed",
    "fortitude passed", "momentum made", "open auto", "open done", "order done", "rest auto", "rest done",
    "rest joined", "wound done",
])  # fmt: skip
