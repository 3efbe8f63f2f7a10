"""What a short move comes to."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.facts import Counted, EntryId, Fact
from projections.state import State
from rulebooks.dusk_bastards.book import option
from rulebooks.dusk_bastards.cycle import action_gone
from rulebooks.dusk_bastards.rolling import Roll
from rulebooks.dusk_bastards.timekeeping import ended

BANDS = ("immediate", "short", "long", "extreme")


def moved(who: str, band: str, state: State, *rules: str) -> Counted:
    """How far somebody has moved this round: 1 for an immediate distance, 2 for a short one."""
    now = BANDS.index(band) + 1
    change = now - state.counted(who, "moved")
    return Counted(rules=rules, who=who, name="moved", change=change, now=now, until="round")


def went(who: str, band: str, state: State, *rules: str) -> Iterator[Fact]:
    """DB-GAP-67: somebody moves or charges: who was prone stands up, and who was in cover leaves it."""
    yield moved(who, band, state, *rules)
    for id, condition in state.conditions_of(who):
        if any(end.at == "move" for end in condition.ends):
            yield ended(id, state, "due", "DB-GAP-67")


def move_settled(roll: Roll, state: State, won: bool, opened: EntryId | None) -> Iterator[Fact]:
    """DB-MOVE-2: success leaves only the standard action, failure only the bonus action; the way is made either way."""
    short = won or option(state, "failed_dash_moves") == "yes"
    yield from went(roll.who, "short" if short else "immediate", state, "DB-MOVE-2")
    yield action_gone(roll.who, "bonus" if won else "standard", state, "lost", "DB-MOVE-2")
