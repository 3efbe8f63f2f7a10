"""The game of Semiautomagic: a function for each declaration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, Final

from ledger.declarations import Declaration
from ledger.facts import Fact
from projections.state import State
from rulebooks.common import announcements
from rulebooks.common.adjustments import Adjust
from rulebooks.common.announcements import Announce, Go
from rulebooks.common.game import Game
from rulebooks.common.options import SetOption
from rulebooks.common.sheets import SheetEdit
from rulebooks.semiautomagic import (
    actions,
    announced,
    attack,
    cover,
    damage,
    encounter,
    locations,
    mounts,
    passes,
    sheets,
    sight,
    squares,
    stealth,
    turns,
    wounds,
)
from rulebooks.semiautomagic.declarations.combat import Attack, Defend
from rulebooks.semiautomagic.declarations.sheets import (
    ChangeCreature,
    ChangeLocations,
    CreateCharacter,
    CreateLocations,
    CreateNpc,
)
from rulebooks.semiautomagic.guide import SemiautomagicGuide
from rulebooks.semiautomagic.rulings import RULEBOOK

WHILE_ANNOUNCED: Final = (Announce, Defend, Go, SetOption, Adjust)


class Semiautomagic(Game):
    """Semiautomagic."""

    name = "semiautomagic"
    version = "1"
    rulebook = RULEBOOK
    while_announced = WHILE_ANNOUNCED
    edits: ClassVar = {
        **dict.fromkeys((CreateCharacter, CreateNpc), SheetEdit(ChangeCreature, sheets.whole_sheet)),
        CreateLocations: SheetEdit(ChangeLocations, sheets.location_entries),
    }
    guide_kind = SemiautomagicGuide
    next_turns = staticmethod(passes.next_turns)
    implied_passes = staticmethod(passes.implied_passes)
    sheet = staticmethod(sheets.sheet)
    modules = (
        attack,
        damage,
        stealth,
        announced,
        actions,
        wounds,
        sheets,
        encounter,
        passes,
        mounts,
        cover,
        sight,
        squares,
        locations,
    )

    def advance(self, state: State) -> Iterator[Fact]:
        """TT-OUT-1: settle who is dying and who still hides, then go on with the turns."""
        yield from wounds.settle_dying(state)
        yield from stealth.end_bare_hiding(state)
        yield from turns.advance(state)

    def answers(self, said: Declaration, state: State) -> Iterable[str]:
        """TT-OUT-2: return who may defend before the dice of an attack."""
        return announced.defenders(said, state) if isinstance(said, Attack) else ()

    def before_close(self, state: State) -> Iterator[Fact]:
        """TT-OUT-2: an attack that was only announced does not happen."""
        return announcements.void(state, "TT-OUT-2")


GAME: Final = Semiautomagic()
