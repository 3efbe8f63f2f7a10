"""Whom a pronoun may mean: those whose sheet has it, or has none, and of several the last spoken of first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Final

from projections.state import State
from rulebooks.common.pronouns import PRONOUNS, parse_pronouns

IT: Final = "it"


class PronounFit:
    """Says whom a pronoun may mean in a state."""

    def __init__(self, state: State, players: Collection[str], spoken_of: Callable[[], Iterable[str]]) -> None:
        """`spoken_of`: those who were named in the last lines, the last first; asked for where a pronoun is said."""
        self._state, self._players, self._spoken_of = state, players, spoken_of
        self._written: dict[str, frozenset[str]] = {}

    def forms_of(self, name: str) -> frozenset[str]:
        """Return the pronouns on a sheet; none if it has none."""
        if name not in self._written:
            found = parse_pronouns(str(self._state.sheet(name, PRONOUNS) or "").strip() or "-")
            self._written[name] = frozenset(found.forms if found else ())
        return self._written[name]

    def has(self, name: str, pronoun: str) -> bool:
        """Return whether the sheet of somebody has a pronoun."""
        return pronoun in self.forms_of(name)

    def may_mean(self, pronoun: str, name: str) -> bool:
        """Return whether a pronoun may mean somebody; `it` is no player's character whose sheet does not say so."""
        forms = self.forms_of(name)
        return pronoun in forms if forms else pronoun != IT or name not in self._players

    def in_order(self, pronoun: str, names: Iterable[str]) -> list[str]:
        """Return those of some whom a pronoun may mean, those whose sheet has it first."""
        fit = [name for name in dict.fromkeys(names) if self.may_mean(pronoun, name)]
        return sorted(fit, key=lambda name: not self.has(name, pronoun))

    def fitting(self, pronoun: str, names: Iterable[str]) -> list[str]:
        """Return what `in_order` does, of those alike the last spoken of first."""
        names = [*names]
        places = {name: at for at, name in enumerate(self._spoken_of())} if len(names) > 1 else {}
        return self.in_order(pronoun, sorted(names, key=lambda name: places.get(name, len(places))))
