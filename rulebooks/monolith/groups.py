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
    """Return the group that somebody is a member of, or an empty text."""
    return next(iter(state.ties_from(who, MEMBER)), "")


def members(group: str, state: State) -> tuple[str, ...]:
    """Return the members of a group, in order of joining."""
    return state.ties_to(group, MEMBER)


def leader(group: str, state: State) -> str:
    """Return the leader of a group, or an empty text."""
    return next(iter(state.ties_to(group, LEADER)), "")


def set_ties(group: str, tie: str, who: Iterable[str], state: State, *rules: str) -> Iterator[Linked]:
    """Tie exactly these beings to a group: newcomers are tied, others are untied."""
    before, after = state.ties_to(group, tie), list(who)
    for name in before:
        if name not in after:
            yield Linked(rules=rules, one=name, tie=tie, other=group, on=False)
    for name in after:
        if name not in before:
            yield Linked(rules=rules, one=name, tie=tie, other=group)
