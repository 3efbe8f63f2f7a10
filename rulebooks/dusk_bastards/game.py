"""The book as the ground sees it: one table of declaration to chapter.

An open roll is closed first by whatever is declared next, but for Destiny and Doom spent on it (DB-DEST-4). The
declaration is then read against the state after the close; if it is refused, the roll stays open as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from ledger.dice import Dice
from ledger.facts import GM, Fact
from ledger.game import Declaration, Ruling, Situation
from projections.state import State
from rulebooks.common.texts import Texts
from rulebooks.dusk_bastards import (
    attempting,
    closing,
    encounter,
    fighting,
    joining,
    moving,
    resting,
    retrying,
    ruling,
    spending,
    wounds,
)
from rulebooks.dusk_bastards.able import running_for
from rulebooks.dusk_bastards.book import TEXTS, value_refused
from rulebooks.dusk_bastards.cycle import advanced, came_to
from rulebooks.dusk_bastards.declarations import (
    DECLARATIONS,
    Adjust,
    AdvanceTime,
    Attack,
    Attempt,
    ChangeSheet,
    Charge,
    Close,
    CreateCharacter,
    CreateNpc,
    CreateObject,
    Damage,
    Deed,
    Defence,
    Delay,
    EndEncounter,
    ForbidRetry,
    FullDefence,
    HealWound,
    InflictWound,
    Initiative,
    Interrupt,
    JoinEncounter,
    LeaveEncounter,
    Move,
    NewInitiative,
    Pass,
    Rest,
    Retry,
    SetOption,
    SpendDestiny,
    SpendDoom,
    StartEncounter,
    Task,
    WoundRoll,
)
from rulebooks.dusk_bastards.effort import EFFORT_STEPS_MOST, limit

GAME_MASTER_ONLY: Final = (
    ForbidRetry,
    SpendDoom,
    StartEncounter,
    NewInitiative,
    JoinEncounter,
    LeaveEncounter,
    EndEncounter,
    Damage,
    InflictWound,
    HealWound,
    AdvanceTime,
)
KEEPS_ROLL_OPEN: Final = (SpendDestiny, SpendDoom, Close)
ACTS: Final = (Attempt, Retry, Attack, Rest, Deed)


class DuskBastards:
    """The game."""

    name = "dusk-bastards"
    version = "1"
    declarations = DECLARATIONS

    def decide(self, said: Declaration, state: State, dice: Dice) -> Iterator[Fact]:
        """What follows from the declaration. Raises Refused with a code of the book."""
        if isinstance(said, GAME_MASTER_ONLY) and said.by != GM:
            raise value_refused("by", "the game master (gm)", said.by)
        if type(said) in FORMS:
            FORMS[type(said)](said, state)
        if isinstance(said, Task) and not _foe_moves(said, state):
            attempting.check_form(said, state, dice)
        if not isinstance(said, KEEPS_ROLL_OPEN):
            yield from closing.closed(state, "auto")
        if isinstance(said, ACTS) and running_for(said.by, state) is None and not state.windows:
            yield from came_to(said.by, state)
        yield from chapter(said, state, dice)
        yield from advanced(state)

    def rule(self, said: Ruling, state: State) -> Iterator[Fact]:
        """DB-PLAY-7: a ruling of the game master, also while a wound roll is due."""
        if said.by != GM:
            raise value_refused("by", "the game master (gm)", said.by)
        yield from closing.closed(state, "auto")
        yield from ruling.rule(said, state)
        yield from advanced(state)

    def unclaimed(self, said: Declaration, state: State) -> Iterable[Situation]:
        """What was known, and what would have been possible and was not said."""
        return ()

    def answers(self, said: Declaration, state: State) -> Iterable[str]:
        """Nobody: nothing is announced."""
        return ()

    def settle(self, state: State) -> Iterator[Fact]:
        """DB-DEST-4: a session does not close over an open roll."""
        return closing.closed(state, "auto")

    def words(self, declaration: type[Declaration], field: str, state: State, by: str) -> Iterable[str]:
        """The tasks on a sheet and those in common use; the names of options."""
        if declaration is Attempt and field == "task":
            yield from attempting.tasks_of(by, state)
        if declaration is SetOption and field == "name":
            yield from TEXTS.options

    def levels(self, said: Declaration, state: State) -> Iterable[tuple[str, Declaration]]:
        """DB-EFFORT-4: the task with every level of Effort that its limit allows."""
        if isinstance(said, Task):
            levels = range(min(limit(state, said.by), EFFORT_STEPS_MOST) + 1)
            return [(f"e{level}", msgspec.structs.replace(said, effort=level)) for level in levels]
        return [("", said)]

    def texts(self) -> Texts:
        """Rules, options and refusals in words."""
        return TEXTS

    def sheet(self, content: Mapping[str, Any], where: str) -> Declaration:
        """The declaration of a sheet file."""
        return joining.sheet(content, where)

    def edited(self, said: Declaration, because: str) -> Declaration | None:
        """The change of a sheet that this one means for somebody in play, or None where sheets stay as they are."""
        return joining.edited(said, because)


def _foe_moves(said: Task, state: State) -> bool:
    """DB-GAP-66: a foe moves without a roll, so without the form of one."""
    being = state.being(said.by)
    return isinstance(said, Move) and being is not None and being.kind == "npc"


FORMS: Final[dict[type[Declaration], Callable[[Any, State], None]]] = {
    Attack: fighting.check_attack,
    Defence: fighting.check_defence,
}
ROLLED: Final[dict[type[Declaration], Callable[[Any, State, Dice], Iterator[Fact]]]] = {
    Attempt: attempting.attempt,
    Retry: attempting.retry,
    SpendDestiny: spending.spend_destiny,
    SpendDoom: spending.spend_doom,
    Attack: fighting.attack,
    Defence: fighting.defence,
    Initiative: encounter.initiative,
    Move: moving.move,
    WoundRoll: wounds.wound_roll,
    Rest: resting.rest,
}
DECIDED: Final[dict[type[Declaration], Callable[[Any, State], Iterator[Fact]]]] = {
    Close: closing.close,
    ForbidRetry: retrying.forbid_retry,
    SetOption: ruling.set_option,
    Adjust: ruling.adjust,
    CreateCharacter: joining.create_character,
    ChangeSheet: joining.change_sheet,
    CreateNpc: joining.create_npc,
    CreateObject: joining.create_object,
    StartEncounter: encounter.start_encounter,
    NewInitiative: encounter.new_initiative,
    JoinEncounter: encounter.join_encounter,
    LeaveEncounter: encounter.leave_encounter,
    EndEncounter: encounter.end_encounter,
    Charge: moving.charge,
    FullDefence: moving.full_defence,
    Interrupt: moving.interrupt,
    Pass: moving.pass_on,
    Delay: fighting.delay,
    Deed: fighting.deed,
    Damage: fighting.damage,
    InflictWound: wounds.inflict_wound,
    HealWound: resting.heal_wound,
    AdvanceTime: resting.advance_time,
}


def chapter(said: Declaration, state: State, dice: Dice) -> Iterator[Fact]:
    """Each declaration and the chapter that decides it."""
    rolled = ROLLED.get(type(said))
    return rolled(said, state, dice) if rolled else DECIDED[type(said)](said, state)


BOOK: Final = DuskBastards()
