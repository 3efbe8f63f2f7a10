"""The numbers of a session as series: pools and tokens of the characters, and the tokens of the game master."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cli.web.pages.content import Series
from ledger.facts import GM
from ledger.names import escape, name_key
from projections.state import State

Levels = Mapping[tuple[str, str], tuple[int, int | None]]  # owner and name: the number and its maximum


def levels_of(state: State) -> Levels:
    """Return the pools and tokens of the players' characters, and the tokens of the game master."""
    characters = {being.name for being in state.beings_in_order() if being.kind == "pc"}
    levels: dict[tuple[str, str], tuple[int, int | None]] = {
        key: (pool.points, pool.most) for key, pool in state.pools.items() if key[0] in characters
    }
    held = {key: (token.count, token.most) for key, token in state.tokens.items() if key[0] in {*characters, GM}}
    return levels | held


def series_of(levels: Sequence[Levels]) -> Iterator[Series]:
    """Yield every number that changed over the session: the game master's first, then by owner."""
    keys = {key for each in levels for key in each}
    for owner, name in sorted(keys, key=lambda key: (key[0] != GM, key)):
        numbers = tuple(each.get((owner, name), (None, None))[0] for each in levels)
        if len(set(numbers)) > 1:
            most = max((each[owner, name][1] or 0 for each in levels if (owner, name) in each), default=0)
            shown = "" if owner == GM else owner
            value = f"{name_key(owner)}.{name}" if shown else name
            yield Series(owner=escape(shown), name=escape(name), value=value, numbers=numbers, most=most or None)
