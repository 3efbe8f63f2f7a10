"""Every value that a person may ask for by name: `kess.might`, `kess.destiny`, `doom`.

A being's part of a name is its case-folded name with hyphens for spaces; tokens of the game master have none. An upper
bound is `kess.might.most`, a condition is its degree (of several with one name the highest), `kess.wounds` is the sum
of the wounds, a tie to another being is its degree (`thug.member.gang`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, Final

from ledger.facts import GM, Scalar
from ledger.names import name_key
from ledger.projection import Value
from projections.state import Condition, Count, Encounter, Part, Place, Pool, State, Token, Wound

Pair = tuple[str, str]
Values = Sequence[tuple[str, Value]]
WOUNDS: Final = "wounds"  # the sum of the wounds of a being
SHARED: Final[dict[Part, Callable[[list[int]], int]]] = {"conditions": max, "wounds": sum}


def _of(who: str, name: str) -> str:
    return f"{name_key(who)}.{name}"


def _sheet(key: Pair, value: Scalar) -> Values:
    return ((_of(*key), value),)


def _pool(key: Pair, pool: Pool) -> Values:
    points = (_of(*key), pool.points)
    return (points,) if pool.most is None else (points, (f"{_of(*key)}.most", pool.most))


def _token(key: Pair, token: Token) -> Values:
    return ((key[1] if key[0] == GM else _of(*key), token.count),)


def _count(key: Pair, count: Count) -> Values:
    return ((_of(*key) if key[0] else key[1], count.now),)


def _place(who: str, place: Place) -> Values:
    return ((_of(who, "place"), place.place),)


def _link(key: tuple[str, str, str], degree: int) -> Values:
    return ((_of(key[0], f"{key[1]}.{name_key(key[2])}"), degree),)


def _condition(key: str, condition: Condition) -> Values:
    return ((_of(condition.who, condition.name), condition.degree),)


def _wound(key: Pair, wound: Wound) -> Values:
    return ((_of(key[0], WOUNDS), wound.value),)


def _option(key: str, value: Scalar) -> Values:
    return ((f"option.{key}", value),)


def _encounter(key: str, encounter: Encounter) -> Values:
    return tuple((f"encounter.{part}", getattr(encounter, part)) for part in ("round", "phase", "turn"))


def _clock(key: str, seconds: int) -> Values:
    return ((f"clock.{key}", seconds),)


NAMED: Final[dict[Part, Callable[[Any, Any], Values]]] = {
    "sheets": _sheet,
    "pools": _pool,
    "tokens": _token,
    "counts": _count,
    "places": _place,
    "links": _link,
    "conditions": _condition,
    "wounds": _wound,
    "options": _option,
    "encounters": _encounter,
    "clock": _clock,
}
"""Names and values of each item of a part of the state. Where two parts give one name, the later part counts."""
LAST_FIRST: Final[tuple[Part, ...]] = tuple(reversed(NAMED))


def values(state: State) -> dict[str, Value]:
    """Return all values, sorted by name."""
    found: dict[str, Value] = {}
    for part, named in NAMED.items():
        pairs = chain.from_iterable(named(key, item) for key, item in state.parts[part].items())
        if part not in SHARED:
            found.update(pairs)
            continue
        shared: dict[str, list[Value]] = {}
        for name, value in pairs:
            shared.setdefault(name, []).append(value)
        found |= {name: _combined(part, items) for name, items in shared.items()}
    return dict(sorted(found.items()))


class ValueIndex:
    """All values by name, kept up to date with every write to the state."""

    def __init__(self) -> None:
        self.upto = 0  # the number of writes of the state's journal that it has taken in
        self._items: dict[str, dict[Part, dict[Any, Value]]] = {}  # name: part: key: value

    def put(self, part: Part, key: Any, before: Any, after: Any) -> list[tuple[str, Value | None]]:
        """Take in one write; return the names whose values it may have changed, with their values before."""
        named = NAMED.get(part)
        if named is None:
            return []
        old = {} if before is None else dict(named(key, before))
        new = {} if after is None else dict(named(key, after))
        changed = []
        for name in {**old, **new}:
            value = new.get(name)
            if value == old.get(name):
                continue
            changed.append((name, self.value(name)))
            if value is None:
                del self._items[name][part][key]
            else:
                self._items.setdefault(name, {}).setdefault(part, {})[key] = value
        return changed

    def value(self, name: str) -> Value | None:
        """Return one value; None when there is none of this name."""
        parts = self._items.get(name)
        if parts is None:
            return None
        for part in parts if len(parts) == 1 else LAST_FIRST:
            if items := parts.get(part):
                return _combined(part, list(items.values())) if len(items) > 1 else next(iter(items.values()))
        return None


def _combined(part: Part, items: Sequence[Value]) -> Value:
    """Return the value of a name that several items of a part share."""
    numbers = [item for item in items if isinstance(item, int)]
    return SHARED[part](numbers) if part in SHARED else items[-1]
