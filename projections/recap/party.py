"""Where the characters stand: what they have left, what they suffer, how long they have to rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from ledger.facts import GM
from projections.recap.cast import PLAIN, Level, StatusWords, WoundStatus, status
from projections.state import State


class PartyMember(msgspec.Struct, frozen=True, kw_only=True):
    """Where somebody stands. `days` are the days of rest that their wounds still need.

    `down` is the gravest condition in which they have fallen; empty for who stands.
    """

    who: str
    player: str
    pools: tuple[Level, ...]
    tokens: tuple[Level, ...]
    wounds: tuple[WoundStatus, ...]
    conditions: tuple[str, ...]
    days: int
    down: str = ""


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
        down=now.down,
    )


def low_values(party: Iterable[PartyMember]) -> set[tuple[str, str]]:
    """Return what the characters lack, with whose it is; a name that is empty stands for all of who is wounded."""
    members = [each for each in party if each.who != GM]
    pools = ((each.who, level) for each in members for level in each.pools)
    low = {(who, level.name) for who, level in pools if level.most is not None and level.now < level.most}
    return low | {(each.who, "") for each in members if each.wounds}
