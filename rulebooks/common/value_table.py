"""Values that the table may set by ruling and change by adjustment: the same walk in every book."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import ClassVar

from ledger.errors import Refused
from ledger.facts import Fact, Scalar
from ledger.names import name_key
from projections.state import Being, State
from rulebooks.common.conditions import condition_end, has_condition, new_condition
from rulebooks.common.values import OutsideDomain, check_whole, new_points, number, outside_domain


class ValueTable:
    """The values of a being: conditions that hold (1) or do not (0), pools, and entries of the sheet.

    A book writes a class of its own with what differs. Without one, only pools are set.

    `rule` is cited by the facts. `refusal` is that of a value outside its domain. `domain` says whose values there are,
    `owned` the pool without which nobody has any.
    """

    field: ClassVar[str] = "value"
    domain: ClassVar[str] = ""
    owned: ClassVar[str] = ""
    conditions: ClassVar[Collection[str]] = ()

    def __init__(self, rule: str = "", refusal: OutsideDomain = outside_domain) -> None:
        self.rule = rule
        self.refusal = refusal

    def set_value(self, name: str, to: Scalar, because: str, state: State) -> Iterator[Fact]:
        """Set one value that is named as in `ana.coins`. Raises Refused outside its domain."""
        being, what = self.find(name, state)
        if what in self.conditions_of(being):
            yield from self.set_condition(being.name, what, number(name, to, self.refusal), because, state)
        elif (being.name, what) in state.pools:
            yield from self.set_points(being.name, what, number(name, to, self.refusal), because, state)
        else:
            yield from self.set_entry(being, what, to, because, state)

    def change_value(self, name: str, change: int, because: str, state: State) -> Iterator[Fact]:
        """Change one value by so much; a condition counts as 1 while it holds. Raises Refused outside its domain."""
        being, what = self.find(name, state)
        now = self.value_now(being, what, state)
        yield from self.set_value(name, number(name, now, self.refusal) + change, because, state)

    def find(self, name: str, state: State) -> tuple[Being, str]:
        """Return the being and the value that this names. Raises the refusal of anybody else's."""
        part, _, what = name.partition(".")
        being = state.being(part)
        if being is None or not what or (self.owned and (being.name, self.owned) not in state.pools):
            raise self.unknown(name, state)
        return being, what

    def unknown(self, name: str, state: State) -> Refused:
        """Return the refusal of a name that is nobody's value, with the first pool in play for an example."""
        example = next((f"{who}.{pool}" for who, pool in sorted(state.pools)), "ana.coins")
        return self.refusal(self.field, self.domain or f"a pool of somebody in play ({example})", name)

    def value_now(self, being: Being, what: str, state: State) -> Scalar | None:
        """Return the value as it is."""
        if what in self.conditions_of(being):
            return int(has_condition(being.name, what, state))
        held = (being.name, what) in state.pools
        return state.points(being.name, what) if held else state.sheet(being.name, what)

    def conditions_of(self, being: Being) -> Collection[str]:
        """Return the conditions that may be set of somebody."""
        return self.conditions

    def set_points(self, who: str, pool: str, to: int, because: str, state: State) -> Iterator[Fact]:
        """Set a pool within its bounds."""
        rules = (self.rule,) if self.rule else ()
        yield new_points(who, pool, to, because, state, *rules, refusal=self.refusal)

    def set_condition(self, who: str, name: str, to: int, because: str, state: State) -> Iterator[Fact]:
        """Begin a condition (1) or end it (0), if that changes anything."""
        check_whole(f"{who}'s {name}", to, 0, 1, self.refusal)
        self.check_condition(who, name, to, state)
        if bool(to) != has_condition(who, name, state):
            yield from self.begin(who, name, state) if to else self.end(who, name, because, state)

    def check_condition(self, who: str, name: str, to: int, state: State) -> None:
        """Raise Refused where a condition cannot begin or end now."""

    def begin(self, who: str, name: str, state: State) -> Iterator[Fact]:
        """Begin a condition that does not hold."""
        yield new_condition(who, name, self.rule)

    def end(self, who: str, name: str, because: str, state: State) -> Iterator[Fact]:
        """End a condition that holds."""
        yield condition_end(f"{name} {who}", state, "ruling", self.rule)

    def set_entry(self, being: Being, entry: str, to: Scalar, because: str, state: State) -> Iterator[Fact]:
        """Set what is neither a condition nor a pool. Raises Refused where a book has nothing more."""
        raise self.unknown(f"{name_key(being.name)}.{entry}", state)
