"""The close of an open roll: overflow is lost, the result is final, and its consequences take effect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.declarations import Declaration, Ruling
from ledger.facts import AUTO, GM, Fact, WindowClosed
from projections.state import State
from rulebooks.common.adjustments import Adjust
from rulebooks.common.decisions import decides
from rulebooks.common.options import SetOption
from rulebooks.dusk_bastards.declarations.harm import HealWound, Rest, Share
from rulebooks.dusk_bastards.declarations.sheets import ChangeSheet, CreateCharacter, CreateNpc, CreateObject
from rulebooks.dusk_bastards.declarations.tasks import Close
from rulebooks.dusk_bastards.guards import check_no_wound_due
from rulebooks.dusk_bastards.harm.recovery import RESTING, close_recovery, close_rest, is_same_rest, open_rest
from rulebooks.dusk_bastards.tasks.destiny import DESTINY, destiny_change, destiny_limit
from rulebooks.dusk_bastards.tasks.judgement import judge
from rulebooks.dusk_bastards.tasks.roll import OPEN_ROLL, apply_consequences, is_roll_open, open_roll
from rulebooks.dusk_bastards.texts import refusal
from rulebooks.dusk_bastards.turns.actions import is_delayed_action
from rulebooks.dusk_bastards.turns.cycle import advance

KEEPS_REST_OPEN: Final = (Ruling, SetOption, Adjust, HealWound, CreateCharacter, CreateNpc, CreateObject, ChangeSheet)


@decides(Close)
def close(said: Close, state: State) -> Iterator[Fact]:
    """DB-DEST-4: closing makes the result final. DB-GAP-77: and a recovery roll can be shared no more."""
    rest = open_rest(state)
    if rest is not None and rest.awaits:
        yield from close_rest(state, "done")
        return
    if not is_roll_open(state):
        check_no_wound_due(state)
        raise refusal("NO-ROLL").as_idle()
    yield from close_roll(state, "done")


def close_windows(state: State, said: Declaration | None = None) -> Iterator[Fact]:
    """DB-DEST-4: the next declaration closes an open roll. DB-GAP-77: and a rest, unless it shares or joins in it.

    A decision of the table closes the recovery rolls alone: those who rest after it still rest at the same time.

    The cycle goes on, unless a delayed action comes first (DB-STD-4).
    """
    if not state.windows or isinstance(said, Share) or (isinstance(said, Rest) and is_same_rest(said, state)):
        return
    if RESTING in state.windows:
        yield from close_recovery(state) if isinstance(said, KEEPS_REST_OPEN) else close_rest(state, AUTO)
    yield from close_roll(state, AUTO)
    if state.encounter is not None and (said is None or not is_delayed_action(said, state)):
        yield from advance(state)


def close_roll(state: State, outcome: str) -> Iterator[Fact]:
    """DB-DEST-4: overflow Destiny is lost, the result is final, and its consequences take effect."""
    roll = open_roll(state)
    if roll is None:
        return
    over = 0 if roll.who == GM else state.tokens_held(roll.who, DESTINY) - destiny_limit(roll.who, state)
    if over > 0:
        yield destiny_change(roll.who, -over, "overflow", state, "DB-DEST-3")
    yield from judge(roll, state, final=True)
    opened = state.windows[OPEN_ROLL].opened
    yield from apply_consequences(roll, state, won=roll.is_success, opened=opened)
    yield WindowClosed(rules=("DB-DEST-4",), window=OPEN_ROLL, outcome=outcome)
