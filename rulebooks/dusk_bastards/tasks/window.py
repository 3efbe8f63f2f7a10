"""The close of an open roll: overflow is lost, the result is final, and its consequences take effect."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.facts import GM, Fact, WindowClosed
from projections.state import State
from rulebooks.dusk_bastards.declarations.tasks import Close
from rulebooks.dusk_bastards.guards import check_no_wound_due
from rulebooks.dusk_bastards.tasks.consequences import apply_consequences
from rulebooks.dusk_bastards.tasks.destiny import DESTINY, destiny_change, destiny_limit
from rulebooks.dusk_bastards.tasks.judgement import judge
from rulebooks.dusk_bastards.tasks.roll import OPEN_ROLL, open_roll
from rulebooks.dusk_bastards.texts import refusal
from rulebooks.dusk_bastards.turns.cycle import advance


def close(said: Close, state: State) -> Iterator[Fact]:
    """DB-DEST-4: closing makes the result final."""
    if open_roll(state) is None:
        check_no_wound_due(state)
        raise refusal("NO-ROLL")
    yield from close_roll(state, "done")


def close_roll(state: State, outcome: str, *, goes_on: bool = True) -> Iterator[Fact]:
    """DB-DEST-4: overflow Destiny is lost, the result is final, and its consequences take effect.

    The cycle goes on, unless a delayed action comes first (DB-STD-4).
    """
    roll = open_roll(state)
    if roll is None:
        return
    over = 0 if roll.who == GM else state.tokens_held(roll.who, DESTINY) - destiny_limit(roll.who, state)
    if over > 0:
        yield destiny_change(roll.who, -over, "overflow", state, "DB-DEST-3")
    yield from judge(roll, final=True)
    opened = state.windows[OPEN_ROLL].opened
    yield WindowClosed(rules=("DB-DEST-4",), window=OPEN_ROLL, outcome=outcome)
    yield from apply_consequences(roll, state, won=roll.is_success, opened=opened)
    if goes_on:
        yield from advance(state)
