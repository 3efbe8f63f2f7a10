"""Where the characters stand: what they have left, what they suffer, how long they have to rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from ledger.facts import GM
from projections.recap.cast import NO_NAMES, Level, Words, WoundStatus, plain_words, status
from projections.state import State


class PartyMember(msgspec.Struct, frozen=True, kw_only=True):
    """Where somebody stands. `days` are the days of rest that their wounds still need."""

    who: str
    player: str
    pools: tuple[Level, ...]
    tokens: tuple[Level, ...]
    wounds: tuple[WoundStatus, ...]
    conditions: tuple[str, ...]
    days: int


def party(
    state: State,
    days: Callable[[str], int],
    order: Sequence[str] = (),
    words: Words = plain_words,
    wound_names: Mapping[str, str] = NO_NAMES,
) -> list[PartyMember]:
    """Return where the players' characters stand, then what the game master holds, if anything.

    Args:
        state: the state to report.
        days: the days of rest that somebody still needs.
        order: the names of pools in the order of the book.
        words: a condition in words; empty for one that is not worth a word.
        wound_names: what the book calls wounds, by kind.
    """
    characters = [being.name for being in state.beings_in_order() if being.kind == "pc"]
    members = [party_member(state, who, days(who), order, words, wound_names) for who in characters]
    master = party_member(state, GM, 0, order, words)
    return [*members, *([master] if master.tokens or master.pools else [])]


def party_member(
    state: State,
    who: str,
    days: int,
    order: Sequence[str] = (),
    words: Words = plain_words,
    wound_names: Mapping[str, str] = NO_NAMES,
) -> PartyMember:
    """Return where one being stands."""
    now = status(state, who, order, wound_names, words)
    return PartyMember(
        who=who,
        player=str(state.sheet(who, "player") or ""),
        pools=now.pools,
        tokens=now.tokens,
        wounds=now.wounds,
        conditions=now.conditions,
        days=days,
    )
