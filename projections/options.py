"""What the table has agreed on: the readings in force, the rulings that are law, and the time that has passed."""

from __future__ import annotations

from typing import Final

from ledger.errors import OutOfBalance
from ledger.facts import EntryId, OptionSet, Ruled, SessionOpened, TimePassed
from projections.checks import check_bounds
from projections.state import Evolve, Ruling, State


def option_set(state: State, entry: EntryId, fact: OptionSet) -> None:
    """A reading is chosen; the one before must be the one that was in force."""
    if fact.name in state.options and state.options[fact.name] != fact.was:
        raise OutOfBalance(f"option {fact.name} was {state.options[fact.name]}, not {fact.was}", where=f"entry {entry}")
    state.put(state.options, fact.name, fact.now)


def passed(state: State, entry: EntryId, fact: TimePassed) -> None:
    """The story's clock goes on, never back."""
    check_bounds(entry, fact, fact.seconds, 0, None)
    state.put(state.clock, "seconds", state.clock.get("seconds", 0) + fact.seconds)


def ruled(state: State, entry: EntryId, fact: Ruled) -> None:
    """A ruling becomes law for the session or the campaign; one that it repeals must be law."""
    if fact.repeals:
        if fact.repeals not in state.rulings:
            raise OutOfBalance(f"no ruling of {fact.repeals} is in force", where=f"entry {entry}")
        state.put(state.rulings, fact.repeals, None)
    if fact.scope in LASTING:
        law = Ruling(
            text=fact.text,
            because=fact.because,
            about=fact.about,
            cites=fact.cites,
            scope=fact.scope,
            agreed=fact.agreed,
            sets=fact.sets,
        )
        state.put(state.rulings, str(entry), law)


def opened(state: State, entry: EntryId, fact: SessionOpened) -> None:
    """What was law for a session is not for the next."""
    for name, law in list(state.rulings.items()):
        if law.scope == "session":
            state.put(state.rulings, name, None)


LASTING: Final = ("session", "campaign")
EVOLVE: Evolve = {OptionSet: option_set, TimePassed: passed, Ruled: ruled, SessionOpened: opened}
