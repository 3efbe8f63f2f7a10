"""Simultaneous intents: what everybody means to do in a round is said before anybody does it.

An intent is a condition until its round ends; what was said is its note. One that is said anew replaces it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from ledger.facts import ConditionBegan, Ends
from projections.state import State

INTENT: Final = "intent"


def intended(who: str, text: str, round: int, *rules: str) -> ConditionBegan:
    """Somebody has said what they mean to do in this round."""
    note = msgspec.json.encode(text).decode()
    ends = (Ends(at="round", due=round),)
    return ConditionBegan(rules=rules, id=f"{INTENT} {who}", who=who, name=INTENT, ends=ends, data=note)


def intent(who: str, state: State) -> str | None:
    """What somebody has said they mean to do, or None while they have not."""
    found = state.conditions.get(f"{INTENT} {who}")
    return None if found is None else msgspec.json.decode(found.data, type=str)


def undeclared(who: Iterable[str], state: State) -> list[str]:
    """Those who have yet to say what they mean to do."""
    return [name for name in who if intent(name, state) is None]
