"""Tests of the games."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

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


def chosen_readings(content: Mapping[str, Any]) -> set[tuple[str, Any]]:
    """Return the readings that worked cases choose before they begin or in a step: an option and its value."""
    chosen = {reading for case in content["cases"] for reading in case["given"].get("options", {}).items()}
    steps = [step for case in content["cases"] for step in case["steps"] if step["say"] == "set-option"]
    return chosen | {(step["name"], step["value"]) for step in steps}
