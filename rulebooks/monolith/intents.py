"""Intents: everybody declares their action of a round before anybody acts.

An intent is a condition until its round ends, with the words as its note. A new intent replaces the old one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from ledger.facts import ConditionBegan, Ends
from projections.state import State
from rulebooks.common.conditions import find_condition, new_condition

INTENT: Final = "intent"


def new_intent(who: str, text: str, round: int, *rules: str) -> ConditionBegan:
    """Return the condition that keeps somebody's intent for this round."""
    note = msgspec.json.encode(text).decode()
    ends = (Ends(at="round", due=round),)
    return new_condition(who, INTENT, *rules, ends=ends, data=note)


def intent(who: str, state: State) -> str | None:
    """Return somebody's intent, or None."""
    condition = find_condition(who, INTENT, state)
    return None if condition is None else msgspec.json.decode(condition.data, type=str)


def without_intent(who: Iterable[str], state: State) -> list[str]:
    """Return those without an intent."""
    return [name for name in who if intent(name, state) is None]
