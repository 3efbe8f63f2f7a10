"""Where the characters stand: what they have left, what they suffer, how long they have to rest."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from ledger.facts import GM
from projections.recap.cast import PLAIN, Level, StatusWords, WoundStatus, status
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


def party(state: State, days: Callable[[str], int], words: StatusWords = PLAIN) -> list[PartyMember]:
    """Return where the players' characters stand, then what the game master holds, if anything.

    `days`: the days of rest that somebody still needs.
    """
    characters = [being.name for being in state.beings_in_order() if being.kind == "pc"]
    members = [party_member(state, who, days(who), words) for who in characters]
    master = party_member(state, GM, 0, words)
    return [*members, *([master] if master.tokens or master.pools else [])]


def party_member(state: State, who: str, days: int, words: StatusWords = PLAIN) -> PartyMember:
    """Return where one being stands."""
    now = status(state, who, words)
    return PartyMember(
        who=who,
        player=str(state.sheet(who, "player") or ""),
        pools=now.pools,
        tokens=now.tokens,
        wounds=now.wounds,
        conditions=now.conditions,
        days=days,
    )
