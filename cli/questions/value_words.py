"""Names of values as people say them: `Hound 2 health` for `hound-2.health`, `round` for `encounter.round`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ledger.names import name_key
from rulebooks.common.texts import Wording

SHARED: Final = ("encounter", "clock")  # owners of values that are no beings
MOST: Final = "most"  # the part of a name that means the maximum
SECONDS: Final = "clock.seconds"


def bare_name(name: str) -> str:
    """Return the name of a value as one bare word: `kess.rest-ten-minutes`."""
    return name.replace(" ", "-").replace("'", "").replace("\u2019", "")


class ValueWords:
    """The words for values in a ledger with these beings, and those that have none."""

    def __init__(self, beings: Iterable[str], wording: Wording | None = None) -> None:
        self._names = {name_key(name): name for name in beings}
        silent = () if wording is None else (name for name, phrases in wording.counts.items() if not phrases)
        self._silent = tuple(silent)

    def owner(self, value: str) -> str:
        """Return the being of a value as it is called; empty for a value of nobody."""
        key, dot, _ = value.partition(".")
        return self._names.get(key, "") if dot else ""

    def about(self, value: str) -> str:
        """Return the being that the last part of a name means, as it is called: of `kess.distance.thug-1` Thug 1."""
        key = value.rpartition(".")[2]
        return self._names.get(key, key.replace("_", " "))

    def phrase(self, value: str) -> str:
        """Return the name of a value: `Hound 2 health`, `round`, `option light wound cost`."""
        if value == SECONDS:
            return "time passed"
        first, *parts = value.split(".")
        owner = self._names.get(first, "" if first in SHARED else first)
        last = ["maximum"] if parts[-1:] == [MOST] else []
        rest = [self._names.get(part, part.replace("_", " ")) for part in parts[: len(parts) - len(last)]]
        return " ".join(part for part in (owner, *rest, *last) if part)

    def is_silent(self, value: str) -> bool:
        """Return whether the book has no words for a value: it is for the program only."""
        _, _, own = value.partition(".")
        return any(own == name or own.startswith((f"{name}.", f"{name} ")) for name in self._silent)
