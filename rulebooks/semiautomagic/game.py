"""The game of Semiautomagic: a function for each declaration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from ledger.declarations import Declaration, Ruling
from ledger.dice import Dice
from ledger.facts import Fact
from ledger.game import NextTurn
from projections.state import State
from rulebooks.common.adjustments import Adjust
from rulebooks.common.announcements import Announce, Go, check_nothing_announced
from rulebooks.common.game import Game
from rulebooks.common.options import SetOption
from rulebooks.common.sheets import edited_entries, sheet_edit
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
    wounds,
)
from rulebooks.semiautomagic.declarations.combat import Attack, Defend
from rulebooks.semiautomagic.declarations.sheets import (
    ChangeCreature,
    ChangeLocations,
    CreateLocations,
)
from rulebooks.semiautomagic.guide import SemiautomagicGuide
from rulebooks.semiautomagic.rulings import RULEBOOK
from rulebooks.semiautomagic.turns import advance

WHILE_ANNOUNCED: Final = (Announce, Defend, Go, SetOption, Adjust)


class Semiautomagic(Game):
    """Semiautomagic."""

    name = "semiautomagic"
    version = "1"
    rulebook = RULEBOOK
    guide_kind = SemiautomagicGuide
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

    def decide(self, said: Declaration, state: State, dice: Dice) -> Iterator[Fact]:
        """Decide a declaration, then go on with the turns as far as they go by themselves."""
        self.check_speaker(said)
        if not isinstance(said, WHILE_ANNOUNCED):
            check_nothing_announced(state)
        yield from self.dispatch(said, state, dice)
        yield from wounds.settle_dying(state)
        yield from stealth.end_bare_hiding(state)
        yield from advance(state)

    def decide_ruling(self, said: Ruling, state: State) -> Iterator[Fact]:
        """Decide a ruling of the game master, then go on with the turns."""
        yield from super().decide_ruling(said, state)
        yield from wounds.settle_dying(state)
        yield from stealth.end_bare_hiding(state)
        yield from advance(state)

    def implied_passes(self, said: Declaration, state: State) -> Iterable[Declaration]:
        """TT-OUT-1: return the end of a turn without a second left."""
        return passes.implied_passes(said, state)

    def next_turns(self, state: State) -> Iterable[NextTurn]:
        """TT-OUT-1: return the open turn."""
        return passes.next_turns(state)

    def answers(self, said: Declaration, state: State) -> Iterable[str]:
        """TT-OUT-2: return who may defend before the dice of an attack."""
        return announced.defenders(said, state) if isinstance(said, Attack) else ()

    def before_close(self, state: State) -> Iterator[Fact]:
        """An attack that was only announced does not happen."""
        yield from announced.withdraw(state)

    def sheet(self, content: Mapping[str, Any], where: str) -> Declaration:
        """Return the declaration of a sheet file."""
        return sheets.sheet(content, where)

    def sheet_edits(self, said: Any, because: str, before: Any = None) -> Declaration:
        """Return the change of a sheet in play to this one."""
        table = isinstance(said, CreateLocations)
        kind, entries = (ChangeLocations, sheets.location_entries) if table else (ChangeCreature, sheets.whole_sheet)
        return sheet_edit(said, kind, because, edited_entries(entries(before) if before else None, entries(said)))


GAME: Final = Semiautomagic()
