"""Groups: beings of a kind of their own, to which members and a leader are tied."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ledger.facts import Linked
from projections.state import State

GROUP: Final = "group"
MEMBER: Final = "member"
LEADER: Final = "leader"


def group_of(who: str, state: State) -> str:
    """The group that somebody is a member of; empty where there is none."""
    return next(iter(state.ties_from(who, MEMBER)), "")


def members(group: str, state: State) -> list[str]:
    """Everybody who belongs to a group, in order of joining."""
    return state.ties_to(group, MEMBER)


def leader(group: str, state: State) -> str:
    """Who leads a group; empty where nobody does."""
    return next(iter(state.ties_to(group, LEADER)), "")


def tied(group: str, tie: str, now: Iterable[str], state: State, *rules: str) -> Iterator[Linked]:
    """Those who are tied to a group so from now on: newcomers are tied, the others are tied no longer."""
    before, after = state.ties_to(group, tie), list(now)
    for who in before:
        if who not in after:
            yield Linked(rules=rules, one=who, tie=tie, other=group, on=False)
    for who in after:
        if who not in before:
            yield Linked(rules=rules, one=who, tie=tie, other=group)
