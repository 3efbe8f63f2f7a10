"""Numbers over time as series: pools and tokens of the characters, and the tokens of the game master."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cli.web.pages.content import Series
from ledger.facts import GM
from ledger.names import escape, name_key
from projections.state import State
from rulebooks.common.texts import Lexicon

Levels = Mapping[tuple[str, str], tuple[int, int | None]]  # owner and name: the number and its maximum


def levels_of(state: State, vital: str) -> Levels:
    """Return the pools and tokens of the players' characters, and the tokens of the game master.

    `vital`: the value that tells how somebody is. Where nobody has a pool of this name, it is the number of wounds.
    """
    characters = [being.name for being in state.beings_in_order() if being.kind == "pc"]
    levels: dict[tuple[str, str], tuple[int, int | None]] = {
        key: (pool.points, pool.most) for key, pool in state.pools.items() if key[0] in characters
    }
    if not any(name == vital for _, name in levels):
        levels |= {(who, vital): (sum(1 for _ in state.wounds_of(who)), None) for who in characters}
    held = {key: (token.count, token.most) for key, token in state.tokens.items() if key[0] in {*characters, GM}}
    return levels | held


def series_of(levels: Sequence[Levels], lexicon: Lexicon) -> Iterator[Series]:
    """Yield every number that changed, by its name: first what tells how somebody is, last the game master's.

    Of the first there is the number of each character, as soon as one of them changed.
    """
    vital = lexicon.vital_value
    order = [vital, *(name for name in lexicon.pool_order if name != vital)]
    keys = list(dict.fromkeys(key for each in levels for key in each))
    owners = list(dict.fromkeys(owner for owner, _ in keys))
    numbers = {key: tuple(each.get(key, (None, None))[0] for each in levels) for key in keys}
    changed = {key for key in keys if len(set(numbers[key])) > 1}
    if any(name == vital for _, name in changed):
        changed |= {key for key in keys if key[1] == vital}

    def rank(key: tuple[str, str]) -> tuple[bool, int, str, int]:
        """Return the place of a series among the others."""
        owner, name = key
        return owner == GM, order.index(name) if name in order else len(order), name, owners.index(owner)

    for owner, name in sorted(changed, key=rank):
        most = max((each[owner, name][1] or 0 for each in levels if (owner, name) in each), default=0)
        is_wounds = name == vital and not most
        shown = "" if owner == GM else owner
        yield Series(
            owner=escape(shown),
            name=escape(name),
            value=f"{name_key(owner)}.{name}" if shown else name,
            numbers=numbers[owner, name],
            most=most or None,
            harm=0 if name != vital else 1 if is_wounds else -1,
        )
