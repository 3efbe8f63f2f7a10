"""Rulings and adjustments: every value of a sheet by its name, and conditions of any name."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from ledger.facts import Fact, Scalar, SheetChanged
from projections.state import Being, State
from rulebooks.common.conditions import has_condition
from rulebooks.common.rulebook import Rulebook
from rulebooks.common.value_table import ValueTable
from rulebooks.common.values import check_whole, outside_domain
from rulebooks.open_game.house_rules import KIND
from rulebooks.open_game.moves import condition_name
from rulebooks.open_game.texts import TEXTS, left_over
from rulebooks.open_game.values import change_number, find_number, turn_condition


class Values(ValueTable):
    """OG-VALUE-2, OG-VALUE-3: numbers of the sheet, traits, and conditions."""

    domain = "a value of somebody in play (NAME.hp)"

    def conditions_of(self, being: Being) -> Collection[str]:
        """Return none: conditions have any names, and are looked for last."""
        return ()

    def find(self, name: str, state: State) -> tuple[Being, str]:
        """Return the being and the value. The house rules are changed by their sheet alone."""
        being, what = super().find(name, state)
        if being.kind == KIND:
            raise outside_domain("value", "a value of somebody in play; the house rules change by campaign cast", name)
        return being, what

    def value_now(self, being: Being, what: str, state: State) -> Scalar | None:
        """Return a number or a trait as it is; a condition counts as 1 while it holds."""
        number = find_number(being.name, what, state)
        if number is not None:
            return number
        trait = state.sheet(being.name, what)
        return int(has_condition(being.name, what, state)) if trait is None else trait

    def set_entry(self, being: Being, entry: str, to: Scalar, because: str, state: State) -> Iterator[Fact]:
        """Set tokens, a stat or a trait; else begin a condition of this name (1) or end it (0)."""
        who, now, trait = being.name, find_number(being.name, entry, state), state.sheet(being.name, entry)
        if now is None and trait is not None:
            if isinstance(to, int):
                raise outside_domain(f"{who}'s {entry}", "a text", to)
            if to != trait:
                yield SheetChanged(rules=(self.rule,), who=who, key=entry, was=trait, now=to, because=because)
            return
        if not isinstance(to, int):
            raise outside_domain(f"{who}'s {entry}", "a number, or 1 or 0 for a condition", to)
        if now is None:
            check_whole(f"{who}'s {entry}", to, 0, 1)
            yield from turn_condition(who, condition_name(entry, who, state), bool(to), because, state)
            return
        if (who, entry) in state.tokens:
            check_whole(f"{who}'s {entry}", to, 0, state.tokens[who, entry].most)
        yield from change_number(who, entry, to - now, because, state)


RULEBOOK: Final = Rulebook(texts=TEXTS, rules=("OG-VALUE-2",), values=Values("OG-VALUE-2"), left_over=left_over)
