"""What the table has agreed on: the readings in force, and the time that has passed in the story."""

from __future__ import annotations

from ledger.errors import OutOfBalance
from ledger.facts import EntryId, OptionSet, TimePassed
from projections.balance import within
from projections.state import Evolve, State


def option_set(state: State, entry: EntryId, fact: OptionSet) -> None:
    """A reading is chosen; the one before must be the one that was in force."""
    if fact.name in state.options and state.options[fact.name] != fact.was:
        raise OutOfBalance(f"option {fact.name} was {state.options[fact.name]}, not {fact.was}", where=f"entry {entry}")
    state.put(state.options, fact.name, fact.now)


def passed(state: State, entry: EntryId, fact: TimePassed) -> None:
    """The story's clock goes on, never back."""
    within(entry, fact, fact.seconds, 0, None)
    state.put(state.clock, "seconds", state.clock.get("seconds", 0) + fact.seconds)


EVOLVE: Evolve = {OptionSet: option_set, TimePassed: passed}
