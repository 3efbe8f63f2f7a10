"""Where the characters stand: what they have left, what they suffer, how long they have to rest."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import msgspec

from ledger.facts import GM
from projections.recap.cast import NO_NAMES, Level, WoundStatus, status
from projections.state import State


class PartyMember(msgspec.Struct, frozen=True, kw_only=True):
    """Where somebody stands. `days` are the days of rest that their wounds still need."""

    who: str
    player: str
    pools: tuple[Level, ...]
    tokens: tuple[Level, ...]
    wounds: tuple[WoundStatus, ...]
    conditions: tuple[tuple[str, int], ...]
    days: int


def party(
    state: State,
    days: Callable[[str], int],
    order: Sequence[str] = (),
    silent: Collection[str] = (),
    wound_names: Mapping[str, str] = NO_NAMES,
) -> list[PartyMember]:
    """Return where the players' characters stand, then what the game master holds, if anything.

    Args:
        state: the state to report.
        days: the days of rest that somebody still needs.
        order: the names of pools in the order of the book.
        silent: conditions that are not worth a word.
        wound_names: what the book calls wounds, by kind.
    """
    characters = [being.name for being in state.beings_in_order() if being.kind == "pc"]
    found = [party_member(state, who, days(who), order, silent, wound_names) for who in characters]
    master = party_member(state, GM, 0, order, silent)
    return [*found, *([master] if master.tokens or master.pools else [])]


def party_member(
    state: State,
    who: str,
    days: int,
    order: Sequence[str] = (),
    silent: Collection[str] = (),
    wound_names: Mapping[str, str] = NO_NAMES,
) -> PartyMember:
    """Return where one being stands."""
    now = status(state, who, order, wound_names)
    return PartyMember(
        who=who,
        player=str(state.sheet(who, "player") or ""),
        pools=now.pools,
        tokens=now.tokens,
        wounds=now.wounds,
        conditions=tuple(item for item in now.conditions if item[0] not in silent),
        days=days,
    )
