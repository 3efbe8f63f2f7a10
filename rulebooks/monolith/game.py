"""The game of Monolith: a function for each declaration."""

from __future__ import annotations

from typing import ClassVar, Final

from rulebooks.common.game import Game
from rulebooks.common.sheets import SheetEdit
from rulebooks.monolith import actions, attack, checks, declarations, encounter, morale, order, passes, sheets, turns
from rulebooks.monolith.guide import MonolithGuide
from rulebooks.monolith.rulings import RULEBOOK


class Monolith(Game):
    """Monolith."""

    name = "monolith"
    version = "1"
    rulebook = RULEBOOK
    edits: ClassVar = {
        **dict.fromkeys(
            (declarations.CreateCharacter, declarations.CreateNpc),
            SheetEdit(declarations.ChangeCombatant, sheets.sheet_of),
        ),
        declarations.CreateGroup: SheetEdit(declarations.ChangeGroup, sheets.group_entries),
    }
    guide_kind = MonolithGuide
    next_turns = staticmethod(passes.next_turns)
    next_steps = staticmethod(passes.next_steps)
    implied_passes = staticmethod(passes.implied_passes)
    sheet = staticmethod(sheets.sheet)
    advance = staticmethod(turns.advance)
    modules = (checks, attack, morale, sheets, encounter, turns, order, passes, actions)


GAME: Final = Monolith()
