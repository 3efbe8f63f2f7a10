"""Cover: sought behind an object or by keeping in motion, and how it ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import Fact
from projections.state import State
from rulebooks.common.beings import speaker
from rulebooks.common.conditions import condition_end, find_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.mars.declarations.turns import SeekCover
from rulebooks.mars.guards import COVER, check_able, check_own_turn
from rulebooks.mars.texts import option, refusal
from rulebooks.mars.turns.actions import MOVES, pay_action
from rulebooks.mars.turns.durations import until_own_turn

MOVES_FOR_COVER: Final = 2
STEP: Final = 1


def has_kept_moving(who: str, state: State) -> bool:
    """GR-COV-3, GR-GAP-27: whether Move was used at least twice in this turn."""
    return state.count(who, MOVES) >= MOVES_FOR_COVER


@decides(SeekCover)
def seek_cover(said: SeekCover, state: State) -> Iterator[Fact]:
    """GR-COV-1: speed 1, beside something to hide behind. GR-COV-3: speed 0 and no object after two moves."""
    check_able(said.by, state)
    check_own_turn(said.by, state)
    moved = has_kept_moving(said.by, state)
    check_object(said.by, said.object, state)
    yield from pay_action(said.by, 0 if moved else 1, "seek cover", state, "GR-COV-3" if moved else "GR-COV-1")
    yield from take_cover(said.by, said.object, state)


def check_object(who: str, object: str, state: State) -> None:
    """GR-COV-1: refuse cover behind nothing, unless its owner has kept moving."""
    if not object and not has_kept_moving(who, state):
        raise refusal("NO-COVER", name=who, line=speaker(who, state))


def take_cover(who: str, object: str, state: State) -> Iterator[Fact]:
    """GR-COV-2: in cover until the own next turn; `about` is the object, empty for cover by movement."""
    rule = "GR-COV-1" if object else "GR-COV-3"
    yield new_condition(who, COVER, rule, "GR-COV-2", about=object, ends=until_own_turn(who))


def leave_cover(who: str, metres: int, state: State) -> Iterator[Fact]:
    """GR-GAP-62: who goes further than a step leaves the object behind; cover by movement lasts."""
    cover = find_condition(who, COVER, state)
    if cover is None or not cover.about or metres <= STEP or option(state, "object_cover") == "until_turn":
        return
    yield condition_end(f"{COVER} {who}", state, f"leaves {cover.about}", "GR-GAP-62", "GR-COV-2")
