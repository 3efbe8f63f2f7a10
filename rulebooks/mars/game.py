"""The game of MARS: the turn that an action begins, the function that decides it, and what follows by itself.

While an attack is announced, only answers, readied actions (GR-RDY-2), `go`, rulings and the like are accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from ledger.declarations import Declaration, Ruling
from ledger.dice import Dice
from ledger.facts import Fact
from ledger.game import NextTurn
from projections.state import State
from rulebooks.common import announcements
from rulebooks.common.adjustments import Adjust
from rulebooks.common.announcements import Announce, Go
from rulebooks.common.game import Game
from rulebooks.common.options import SetOption
from rulebooks.common.sheets import edited_entries, sheet_edit
from rulebooks.mars import sheets
from rulebooks.mars.combat import announced, attack
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
from rulebooks.mars.maneuvers import performance, slots
from rulebooks.mars.maneuvers.table import is_reaction
from rulebooks.mars.rulings import RULEBOOK
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
    Maneuver,
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
"""Whoever does one of these begins the own turn with it, if that is due and its start needs no dice."""


class Mars(Game):
    """MARS."""

    name = "mars"
    version = "1"
    rulebook = RULEBOOK
    guide_kind = MarsGuide
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

    def decide(self, said: Declaration, state: State, dice: Dice) -> Iterator[Fact]:
        """Begin the turn of whoever acts, decide the declaration, and go on with the encounter by itself."""
        self.check_speaker(said)
        if not isinstance(said, WHILE_ANNOUNCED):
            announcements.check_nothing_announced(state)
        if begins_turn(said):
            yield from turns.open_turn(said.by, state, dice)
        yield from self.dispatch(said, state, dice)
        yield from turns.advance(state)

    def decide_ruling(self, said: Ruling, state: State) -> Iterator[Fact]:
        """GR-GAP-54: decide a ruling of the game master, also while an attack is announced."""
        yield from super().decide_ruling(said, state)
        yield from turns.advance(state)

    def before_close(self, state: State) -> Iterator[Fact]:
        """An attack that was only announced does not happen."""
        return announced.void(state)

    def answers(self, said: Declaration, state: State) -> Iterable[str]:
        """GR-ACT-5: return who may answer an attack before its dice."""
        return announced.possible_reactors(said, state) if isinstance(said, announced.ANNOUNCED) else ()

    def next_turns(self, state: State) -> Iterable[NextTurn]:
        """GR-INIT-4: return the open turn, or those of which the team may choose one."""
        return passes.next_turns(state)

    def sheet(self, content: Mapping[str, Any], where: str) -> Declaration:
        """Return the declaration of a sheet file."""
        return sheets.sheet(content, where)

    def sheet_edits(self, said: Any, because: str, before: Any = None) -> Declaration:
        """Return the change of a sheet in play to this one."""
        cast = sheets.sheet_of(before) if before else None
        return sheet_edit(said, ChangeSheet, because, edited_entries(cast, sheets.sheet_of(said)))


def begins_turn(said: Declaration) -> bool:
    """Tell whether somebody begins the own turn by saying this, or by announcing it."""
    if isinstance(said, Announce):
        said = announcements.announced_declaration(said, *announced.ANNOUNCED)
    return isinstance(said, TURN_ACTIONS) and not (isinstance(said, Maneuver) and is_reaction(said.name))


GAME: Final = Mars()
