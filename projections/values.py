"""Every value that a person may ask for by name: `kess.might`, `kess.destiny`, `doom`.

A being's part of a name is its case-folded name with hyphens for spaces; tokens of the game master have none. An upper
bound is `kess.might.most`, a condition is its degree (of several with one name the highest, or their sum if they add
up), `kess.wounds` is the sum of the wounds, a tie to another being is its degree (`thug.member.gang`).

A name has one value. Where two parts of the state would give one name, the first part in `NAMED` gives it, and the
value of the other has its part in the name: `kess.sheet.health` beside the pool, `kess.condition.cover` beside a count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from ledger.facts import GM, Scalar
from ledger.names import name_key
from ledger.projection import Value
from projections.state import Condition, Count, Encounter, Part, Place, Pool, State, Token, Wound

Pair = tuple[str, str]
Values = Sequence[tuple[str, Value]]
WOUNDS: Final = "wounds"  # the sum of the wounds of a being


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
    return ((_of(condition.who, condition.name), condition.degree or 1),)  # 0: the players do not know how much


def _wound(key: Pair, wound: Wound) -> Values:
    return ((_of(key[0], WOUNDS), wound.value),)


def _option(key: str, value: Scalar) -> Values:
    return ((f"option.{key}", value),)


def _encounter(key: str, encounter: Encounter) -> Values:
    return tuple((f"encounter.{part}", getattr(encounter, part)) for part in ("round", "phase", "turn"))


def _clock(key: str, seconds: int) -> Values:
    return ((f"clock.{key}", seconds),)


NAMED: Final[dict[Part, Callable[[Any, Any], Values]]] = {
    "pools": _pool,
    "tokens": _token,
    "sheets": _sheet,
    "counts": _count,
    "places": _place,
    "links": _link,
    "conditions": _condition,
    "wounds": _wound,
    "options": _option,
    "encounters": _encounter,
    "clock": _clock,
}
"""Names and values of each item of a part of the state. Where two parts give one name, the first one has it."""
WORDS: Final[Mapping[Part, str]] = {part: part.removesuffix("s") for part in NAMED}  # what a second part adds to it
Items = dict[Part, dict[Any, tuple[Value, Any]]]  # of one name: part: key: the value, and the item that gives it


def values(state: State) -> dict[str, Value]:
    """Return all values, sorted by name."""
    found: dict[str, Value] = {}
    givers: dict[str, tuple[Part, Any, Any]] = {}  # the first of each name: part, key and item
    shared: dict[str, Items] = {}  # of the few names that several items give
    for part, named in NAMED.items():
        for key, item in state.parts[part].items():
            for name, value in named(key, item):
                if name not in givers:
                    givers[name], found[name] = (part, key, item), value
                    continue
                if name not in shared:
                    first, first_key, first_item = givers[name]
                    shared[name] = {first: {first_key: (found[name], first_item)}}
                shared[name].setdefault(part, {})[key] = (value, item)
    for name, items in shared.items():
        found.update(_named_values(name, items))
    return dict(sorted(found.items()))


class ValueIndex:
    """All values by name, kept up to date with every write to the state."""

    def __init__(self) -> None:
        self.upto = 0  # the number of writes of the state's journal that it has taken in
        self.values: dict[str, Value] = {}
        self._items: dict[str, Items] = {}  # by the name that each part would give

    def fill(self, parts: Mapping[str, Mapping[Any, Any]]) -> None:
        """Take in all items of a state, while the index is empty: faster than to put one after the other."""
        for part, named in NAMED.items():
            for key, item in parts[part].items():
                for name, value in named(key, item):
                    self._items.setdefault(name, {}).setdefault(part, {})[key] = (value, item)
        for name, items in self._items.items():
            self.values.update(_named_values(name, items))

    def put(self, part: Part, key: Any, before: Any, after: Any) -> list[tuple[str, Value | None]]:
        """Take in one write; return the names whose values it may have changed, with their values before."""
        named = NAMED.get(part)
        if named is None:
            return []
        old = {} if before is None else dict(named(key, before))
        new = {} if after is None else dict(named(key, after))
        changed: list[tuple[str, Value | None]] = []
        for name in {**old, **new}:
            items = self._items.setdefault(name, {})
            known = dict(_named_values(name, items))
            if name in new:
                items.setdefault(part, {})[key] = (new[name], after)
            else:
                del items[part][key]
            now = dict(_named_values(name, items))
            for each in {**known, **now}:
                if known.get(each) != now.get(each):
                    changed.append((each, known.get(each)))
                    self._set(each, now.get(each))
        return changed

    def value(self, name: str) -> Value | None:
        """Return one value; None when there is none of this name."""
        return self.values.get(name)

    def _set(self, name: str, value: Value | None) -> None:
        if value is None:
            del self.values[name]
        else:
            self.values[name] = value


def _named_values(name: str, items: Items) -> Iterator[tuple[str, Value]]:
    """Yield the value of each part that would give a name: of the first under that name, of others with their part."""
    parts = [part for part in NAMED if items.get(part)] if len(items) > 1 else [part for part in items if items[part]]
    for number, part in enumerate(parts):
        yield _with_part(name, part) if number else name, _combined(part, list(items[part].values()))


def _with_part(name: str, part: Part) -> str:
    """Return a name with the part of the state that gives it: `kess.condition.cover`."""
    who, dot, what = name.partition(".")
    return f"{who}.{WORDS[part]}.{what}" if dot else f"{WORDS[part]}.{name}"


def _combined(part: Part, items: Sequence[tuple[Value, Any]]) -> Value:
    """Return the value of a name that several items of a part share: the sum of wounds, the degree of conditions."""
    value, _ = items[-1]
    if len(items) == 1 or part not in ("conditions", "wounds"):
        return value
    numbers = [number for number, _ in items if isinstance(number, int)]
    return sum(numbers) if part == "wounds" or any(item.adds for _, item in items) else max(numbers)
