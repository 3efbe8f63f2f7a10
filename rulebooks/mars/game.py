"""The game of MARS: the turn that an action begins, the function that decides it, and what follows by itself.

While an attack is announced, only answers, readied actions (GR-RDY-2), `go`, rulings and the like are accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import ClassVar, Final

from ledger.declarations import Declaration
from ledger.dice import Dice
from ledger.facts import Fact
from projections.state import State
from rulebooks.common import announcements
from rulebooks.common.adjustments import Adjust
from rulebooks.common.announcements import Announce, Go
from rulebooks.common.game import Game
from rulebooks.common.options import SetOption
from rulebooks.common.sheets import SheetEdit
from rulebooks.mars import rulings, sheets
from rulebooks.mars.combat import announced, attack, shields
from rulebooks.mars.declarations.combat import Answer, Attack
from rulebooks.mars.declarations.harm import Stabilise
from rulebooks.mars.declarations.maneuvers import AnswerWithManeuver, Maneuver
from rulebooks.mars.declarations.sheets import ChangeSheet, CreateCharacter, CreateNpc
from rulebooks.mars.declarations.tasks import UseSkill
from rulebooks.mars.declarations.turns import (
    Brandish,
    CancelLongAction,
    ContinueLongAction,
    DropProne,
    Interact,
    Move,
    Ready,
    Rise,
    SeekCover,
    SpecialAction,
    StartLongAction,
    TriggerReadied,
)
from rulebooks.mars.guide import MarsGuide
from rulebooks.mars.harm import concentration, days, death, deprivation, effects, fire, medicine, rest, traps
from rulebooks.mars.maneuvers import performance, slots, table
from rulebooks.mars.tasks import skills
from rulebooks.mars.turns import (
    actions,
    challenge_turns,
    cover,
    encounter,
    hands,
    initiative,
    long_actions,
    movement,
    passes,
    ready,
    turns,
)

WHILE_ANNOUNCED: Final = (
    Answer,
    AnswerWithManeuver,
    Go,
    TriggerReadied,
    Announce,
    SetOption,
    Adjust,
    CreateCharacter,
    CreateNpc,
    ChangeSheet,
)
TURN_ACTIONS: Final = (
    Attack,
    UseSkill,
    Brandish,
    DropProne,
    Rise,
    Interact,
    SpecialAction,
    Move,
    SeekCover,
    Ready,
    StartLongAction,
    ContinueLongAction,
    CancelLongAction,
    Stabilise,
)
"""Whoever does one of these, or a maneuver that is no reaction, begins the own turn with it.

That is so if the turn is due and its start needs no dice.
"""


class Mars(Game):
    """MARS."""

    name = "mars"
    version = "1"
    rulebook = rulings.RULEBOOK
    while_announced = WHILE_ANNOUNCED
    edits: ClassVar = dict.fromkeys((CreateCharacter, CreateNpc), SheetEdit(ChangeSheet, sheets.sheet_of))
    guide_kind = MarsGuide
    next_turns = staticmethod(passes.next_turns)
    sheet = staticmethod(sheets.sheet)
    advance = staticmethod(turns.advance)
    modules = (
        attack,
        announced,
        initiative,
        challenge_turns,
        turns,
        ready,
        encounter,
        passes,
        skills,
        traps,
        concentration,
        medicine,
        shields,
        death,
        days,
        performance,
        sheets,
        hands,
        actions,
        movement,
        cover,
        long_actions,
        effects,
        fire,
        rest,
        deprivation,
        slots,
    )

    def begin(self, said: Declaration, state: State, dice: Dice) -> Iterator[Fact]:
        """GR-RND-4: begin the turn of whoever acts."""
        encounter = state.encounter
        if encounter is None or encounter.turn == said.by or not begins_turn(said):
            return iter(())
        return turns.open_turn(said.by, encounter, state, dice)

    def before_close(self, state: State) -> Iterator[Fact]:
        """An attack that was only announced does not happen."""
        return announcements.void(state, *announced.RULES)

    def answers(self, said: Declaration, state: State) -> Iterable[str]:
        """GR-ACT-5: return who may answer an attack before its dice."""
        return announced.possible_reactors(said, state) if isinstance(said, announced.ANNOUNCED) else ()


def begins_turn(said: Declaration) -> bool:
    """Tell whether somebody begins the own turn by saying this, or by announcing it."""
    is_action = is_turn_action(type(said))
    if is_action is not None:
        return is_action
    if isinstance(said, Announce):
        return begins_turn(announcements.announced_declaration(said, *announced.ANNOUNCED))
    return isinstance(said, Maneuver) and not table.is_reaction(said.name)


@cache
def is_turn_action(kind: type[Declaration]) -> bool | None:
    """Tell whether declarations of a kind begin a turn, None if it depends on more: mostly few kinds are asked for."""
    return None if issubclass(kind, (Announce, Maneuver)) else issubclass(kind, TURN_ACTIONS)


GAME: Final = Mars()
