"""The parts of a book that shared decisions need: its texts, and small functions where books differ."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from ledger.dice import faces_left_over
from ledger.errors import Refused
from ledger.facts import Fact
from rulebooks.common.option_texts import Option
from rulebooks.common.texts import Texts
from rulebooks.common.value_table import ValueTable


def no_text(field: str, what: str) -> Refused:
    """Return the refusal of an empty text; `what` names the declaration: a reading, a ruling, an adjustment."""
    return Refused("L-VALUE", f"{what} needs its {field}", hint="Write it in quotes.")


def gap_and_rules(option: Option) -> tuple[str, ...]:
    """Return the ids that a chosen reading cites: the gap that it fills, and the rules that it bears on."""
    return (option.gap, *option.rules)


class Rulebook(msgspec.Struct, frozen=True, kw_only=True):
    """A book as the shared decisions see it.

    `rules` are cited by rulings and adjustments. `values` are those that rulings set and adjustments change.
    `left_over(wrong)` is the refusal of typed faces that a line does not use.
    `drops_faces(fact)` tells a fact by which a roll turns out not to be made, so that its faces may be left over.
    """

    texts: Texts
    rules: tuple[str, ...] = ()
    values: ValueTable = msgspec.field(default_factory=ValueTable)
    option_rules: Callable[[Option], tuple[str, ...]] = gap_and_rules
    no_text: Callable[[str, str], Refused] = no_text
    left_over: Callable[[str], Refused] = faces_left_over
    drops_faces: Callable[[Fact], bool] = lambda fact: False

    def outside_domain(self, field: str, domain: str, value: object) -> Refused:
        """Return the refusal of a value outside its domain."""
        return self.values.refusal(field, domain, value)

    def check_text(self, field: str, text: str, what: str) -> None:
        """Raise Refused when a text that must be there is blank."""
        if not text.strip():
            raise self.no_text(field, what)
