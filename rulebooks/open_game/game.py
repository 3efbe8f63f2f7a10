"""The open game: a function for each declaration."""

from __future__ import annotations

from typing import ClassVar, Final

from rulebooks.common.game import Game
from rulebooks.common.sheets import SheetEdit
from rulebooks.open_game import declarations, encounter, moves, sheets, turns
from rulebooks.open_game.guide import OpenGuide
from rulebooks.open_game.rulings import RULEBOOK


class OpenGame(Game):
    """The open game."""

    name = "open-game"
    version = "1"
    rulebook = RULEBOOK
    edits: ClassVar = {
        **dict.fromkeys(
            (declarations.CreateCharacter, declarations.CreateNpc),
            SheetEdit(declarations.ChangeSheet, sheets.sheet_entries),
        ),
        declarations.WriteRules: SheetEdit(declarations.ChangeRules, sheets.rule_entries),
    }
    guide_kind = OpenGuide
    next_turns = staticmethod(turns.next_turns)
    sheet = staticmethod(sheets.sheet)
    advance = staticmethod(turns.advance)
    modules = (moves, sheets, encounter, turns)


GAME: Final = OpenGame()
