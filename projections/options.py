"""Options that the table set."""

from __future__ import annotations

from ledger.errors import OutOfBalance
from ledger.facts import EntryId, OptionSet
from projections.state import Folds, State


def set_option(state: State, entry: EntryId, fact: OptionSet) -> None:
    """Set an option. The fact must state the value before, unless the option was never set."""
    if fact.name in state.options and state.options[fact.name] != fact.was:
        raise OutOfBalance(f"option {fact.name} was {state.options[fact.name]}, not {fact.was}", where=f"entry {entry}")
    state.put("options", fact.name, fact.now)


FOLDS: Folds = {OptionSet: set_option}
