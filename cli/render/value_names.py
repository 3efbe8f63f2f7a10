"""Names of values as people say them: `Hound 2 health` for `hound-2.health`, `round` for `encounter.round`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from cli.output import safe
from cli.render.phrases import duration
from ledger.claims import OUTCOME_PREFIX
from ledger.facts import BaseFact, Linked
from ledger.names import name_key
from ledger.projection import Value
from rulebooks.common.texts import Wording

NAMED_IN: Final = ("who", "by", "against")  # fields of facts that name a being
SHARED: Final = ("encounter", "clock")  # owners of values that are no beings
MOST: Final = "most"  # the part of a name that means the maximum
SECONDS: Final = "clock.seconds"


def _beings(fact: BaseFact) -> Iterator[str]:
    """Yield the names of beings in a fact."""
    if isinstance(fact, Linked):
        yield from (fact.one, fact.other)
    for field in NAMED_IN:
        name = getattr(fact, field, "")
        if name and isinstance(name, str):
            yield name


class ValueNames:
    """The names of values in a ledger. How its beings are called the wording says, and these facts and beings."""

    def __init__(self, facts: Iterable[BaseFact], wording: Wording | None = None, beings: Iterable[str] = ()) -> None:
        own = () if wording is None else wording.beings
        self._names = {name_key(name): name for name in (*own, *beings)}
        self._names |= {name_key(name): name for fact in facts for name in _beings(fact)}
        silent = () if wording is None else (name for name, phrases in wording.counts.items() if not phrases)
        self._silent = tuple(silent)

    def owner(self, value: str) -> str:
        """Return the being of a value as it is called; empty for a value of nobody."""
        key, dot, _ = value.partition(".")
        return safe(self._names.get(key, "")) if dot else ""

    def name(self, value: str) -> str:
        """Return the name of a value: `Hound 2 health`, `round`, `option light wound cost`."""
        if value == SECONDS:
            return "time passed"
        first, *parts = value.split(".")
        owner = self._names.get(first, "" if first in SHARED else first)
        last = ["maximum"] if parts[-1:] == [MOST] else []
        rest = [self._names.get(part, part.replace("_", " ")) for part in parts[: len(parts) - len(last)]]
        return " ".join(part for part in (safe(owner), *map(safe, rest), *last) if part)

    def claim(self, value: str) -> str:
        """Return the name of what was claimed: a result by its word, else a value."""
        if value.startswith(OUTCOME_PREFIX):
            return safe(value.removeprefix(OUTCOME_PREFIX))
        return self.name(value)

    def text(self, name: str, value: Value | None, *, none: str = "none") -> str:
        """Return a value of this name: a time in units, `none` for no value or an empty text."""
        if name == SECONDS and isinstance(value, int):
            return duration(value)
        return none if value is None else safe(str(value)) or "none"

    def is_silent(self, value: str) -> bool:
        """Return whether the book has no words for a value: it is for the program only."""
        _, _, own = value.partition(".")
        return any(own == name or own.startswith((f"{name}.", f"{name} ")) for name in self._silent)
