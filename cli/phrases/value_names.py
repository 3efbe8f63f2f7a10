"""Names and texts of values as they are printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from cli.phrases.durations import duration
from cli.questions.value_words import SECONDS, ValueWords
from ledger.claims import OUTCOME_PREFIX
from ledger.facts import BaseFact, Linked
from ledger.names import escape
from ledger.projection import Value
from rulebooks.common.texts import Wording

NAMED_IN: Final = ("who", "by", "against")  # fields of facts that name a being


def _beings(fact: BaseFact) -> Iterator[str]:
    """Yield the names of beings in a fact."""
    if isinstance(fact, Linked):
        yield from (fact.one, fact.other)
    for field in NAMED_IN:
        name = getattr(fact, field, "")
        if name and isinstance(name, str):
            yield name


class ValueNames(ValueWords):
    """The names of values in a ledger. How its beings are called the wording says, and these facts and beings."""

    def __init__(self, facts: Iterable[BaseFact], wording: Wording | None = None, beings: Iterable[str] = ()) -> None:
        own = () if wording is None else wording.beings
        named = (name for fact in facts for name in _beings(fact))
        super().__init__((*own, *beings, *named), wording)

    def name(self, value: str) -> str:
        """Return the name of a value, harmless at a terminal."""
        return escape(self.phrase(value))

    def claim(self, value: str) -> str:
        """Return the name of what was claimed: a result by its word, else a value."""
        if value.startswith(OUTCOME_PREFIX):
            return escape(value.removeprefix(OUTCOME_PREFIX))
        return self.name(value)

    def text(self, name: str, value: Value | None, *, none: str = "none") -> str:
        """Return a value of this name: a time in units, `none` for no value or an empty text."""
        if name == SECONDS and isinstance(value, int):
            return duration(value)
        return none if value is None else escape(str(value)) or "none"
