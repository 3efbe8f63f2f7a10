"""The game of Dusk Bastards: the steps before and after each declaration, and the function that decides it.

The next declaration closes an open roll first, unless it spends Destiny or Doom on it (DB-DEST-4). It is decided on
the state after the close; if it is refused, the roll stays open.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import ClassVar, Final

import msgspec

from ledger.declarations import Declaration, Ruling
from ledger.dice import Dice
from ledger.errors import Refused
from ledger.facts import Fact
from projections.state import State
from rulebooks.common.game import Game
from rulebooks.common.options import SetOption
from rulebooks.common.sheets import SheetEdit
from rulebooks.dusk_bastards import case_law, form, rulings, sheets
from rulebooks.dusk_bastards.combat import areas, attack, defence, reactions, spells, weapons
from rulebooks.dusk_bastards.declarations import combat
from rulebooks.dusk_bastards.declarations.harm import Rest
from rulebooks.dusk_bastards.declarations.sheets import ChangeSheet, CreateCharacter
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Close, Retry, SpendDestiny, SpendDoom
from rulebooks.dusk_bastards.declarations.turns import Deed, QuickDeed, UseAbility
from rulebooks.dusk_bastards.guide import DuskBastardsGuide
from rulebooks.dusk_bastards.harm import ailments, conditions, damage, hazards, recovery, rest, stun, wounds
from rulebooks.dusk_bastards.tasks import attempt, retries, roll, token_uses, window
from rulebooks.dusk_bastards.turns import actions, cycle, encounter, initiative, movement, passes
from rulebooks.dusk_bastards.world import surroundings

KEEPS_ROLL_OPEN: Final = (SpendDestiny, SpendDoom, Close)
KEEPS_MOVING_AWAY: Final = (*KEEPS_ROLL_OPEN, combat.Intercept)
ACTS: Final = (Attempt, Retry, combat.Attack, combat.AreaAttack, combat.Spell, Rest, Deed, QuickDeed, UseAbility)


class LineKind(msgspec.Struct, frozen=True, kw_only=True):
    """What a kind of line means for what is open, and for whoever says it."""

    keeps_roll_open: bool
    keeps_moving_away: bool
    acts: bool
    sets_option: bool


@cache
def line_kind(kind: type[Declaration]) -> LineKind:
    """Return what a kind of line means. Mostly few kinds are asked for, and each is compared with twenty here."""
    return LineKind(
        keeps_roll_open=issubclass(kind, KEEPS_ROLL_OPEN),
        keeps_moving_away=issubclass(kind, KEEPS_MOVING_AWAY),
        acts=issubclass(kind, ACTS),
        sets_option=issubclass(kind, SetOption),
    )


class DuskBastards(Game):
    """Dusk Bastards."""

    name = "dusk-bastards"
    version = "1"
    rulebook = rulings.RULEBOOK
    guide_kind = DuskBastardsGuide
    edits: ClassVar = {CreateCharacter: SheetEdit(ChangeSheet, sheets.character_entries)}
    next_turns = staticmethod(passes.next_turns)
    next_steps = staticmethod(passes.next_steps)
    implied_passes = staticmethod(passes.implied_passes)
    sheet = staticmethod(sheets.sheet)
    modules = (
        attempt,
        token_uses,
        attack,
        areas,
        defence,
        reactions,
        spells,
        initiative,
        movement,
        wounds,
        rest,
        sheets,
        window,
        retries,
        encounter,
        passes,
        actions,
        damage,
        hazards,
        ailments,
        conditions,
        recovery,
        surroundings,
    )

    def decide(self, said: Declaration, state: State, dice: Dice) -> Iterator[Fact]:
        """Close what is open, decide the declaration as rulings in force complete it, and go on with the encounter."""
        said = weapons.with_weapon(said, state)
        if state.rulings:
            said = case_law.with_law(said, retries.tasks_tried(said, state), state)
        self.check_speaker(said)
        form.check_form(said, state, dice)
        kind = line_kind(type(said))
        closes = not kind.keeps_roll_open and roll.is_roll_open(state)
        if not kind.keeps_roll_open and state.windows:
            yield from window.close_windows(state, said)
        if not kind.keeps_moving_away and movement.counts_of_movers(state):
            yield from movement.end_moving_away(state)
        if kind.acts:
            yield from stun.recover_actors((said.by, *(said.others if isinstance(said, Rest) else ())), state)
        try:
            yield from self.dispatch(said, state, dice)
        except Refused as refused:
            if not (refused.is_idle and closes):
                raise
        if kind.sets_option:
            yield from wounds.read_wounds_again(state)
        if state.encounter is not None:
            yield from cycle.advance(state)

    def decide_ruling(self, said: Ruling, state: State) -> Iterator[Fact]:
        """DB-PLAY-7: decide a ruling of the game master, also while a wound roll is due."""
        self.check_speaker(said)
        if not said.result:
            yield from window.close_windows(state, said)
        yield from rulings.rule(said, state)
        yield from wounds.read_wounds_again(state)  # it may have set an option
        yield from cycle.advance(state)

    def before_close(self, state: State) -> Iterator[Fact]:
        """DB-DEST-4: a session does not close over an open roll."""
        return window.close_windows(state)


GAME: Final = DuskBastards()
