"""What the worked cases of our own games expect of a step, and how a case is played in another reading of the book."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

from projections.state import State
from rulebooks.common.texts import Texts

GAP = "-GAP-"  # in the id of what a book leaves open, which need not be one of its rules


class StepValues(NamedTuple):
    """What can be expected of a step, by name: what its entry shows, somebody after it, and the state after it."""

    of_entry: Mapping[str, Callable[[Any], Any]]
    of_being: Mapping[str, Callable[[State, str], Any]]
    of_state: Mapping[str, Callable[[State], Any]]

    def compare(self, expect: Mapping[str, Any], entry: Any, state: State, others: Collection[str] = ()) -> None:
        """Compare what a step shows with all that is expected, but for `others`, which the game compares itself."""
        for name, expected in expect.items():
            if name in self.of_entry:
                shown = self.of_entry[name](entry)
            elif name in self.of_being:
                shown = {who: self.of_being[name](state, who) for who in expected}
            elif name in self.of_state:
                shown = self.of_state[name](state)
            else:
                assert name in others, f"not known: {name}"
                continue
            assert shown == expected, f"{name} is {shown!r}"


def expected_holds(before: Mapping[Any, Any], expect: Mapping[str, Any]) -> dict[Any, Any]:
    """Return values with the conditions that somebody holds after a step which expects some to begin or end."""
    after, began, ended = dict(before), expect.get("began", {}), expect.get("ended", {})
    for who in began.keys() | ended.keys():
        kept = list(before[who, "holds"])
        for name in ended.get(who, []):
            kept.remove(name)
        after[who, "holds"] = sorted([*kept, *began.get(who, [])])
    return after


def computed_rules(texts: Texts, rules: Iterable[str]) -> set[str]:
    """Return those of these rules that are computed. Raises KeyError for one that is not in the book and is no gap."""
    known = (rule for rule in rules if rule in texts.rules or GAP not in rule)
    return {rule for rule in known if texts.rules[rule].kind == "computed"}


def readings(options: Iterable[Any]) -> list[tuple[str, Any]]:
    """Return every reading of the options of a book that is not its own, with the name of its option."""
    return [
        (option.name, reading)
        for option in options
        for reading in option.values or (option.least, option.most)
        if reading != option.default
    ]


def without_option(case: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a case as it is given in the book's own reading of an option."""
    options = {option: reading for option, reading in case["given"]["options"].items() if option != name}
    return {**case, "given": {**case["given"], "options": options}}
