"""The book as the ground sees it: one table of declaration to chapter.

An open roll is closed first by whatever is declared next, but for Destiny and Doom spent on it (DB-DEST-4). The
declaration is then read against the state after the close; if it is refused, the roll stays open as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from ledger.dice import Dice
from ledger.facts import GM, Fact
from ledger.game import Declaration
from projections.state import State
from rulebooks.common.texts import Texts
from rulebooks.dusk_bastards import attempting, destiny, joining, retrying, ruling, spending
from rulebooks.dusk_bastards.book import TEXTS, value_refused
from rulebooks.dusk_bastards.declarations import (
    DECLARATIONS,
    Attempt,
    Close,
    CreateCharacter,
    CreateNpc,
    CreateObject,
    ForbidRetry,
    Retry,
    Ruling,
    SetOption,
    SpendDestiny,
    SpendDoom,
    Task,
)

GAME_MASTER_ONLY: Final = (ForbidRetry, SpendDoom, Ruling)
KEEPS_ROLL_OPEN: Final = (SpendDestiny, SpendDoom, Close)


class DuskBastards:
    """The game."""

    name = "dusk-bastards"
    version = "1"
    declarations = DECLARATIONS

    def decide(self, said: Declaration, state: State, dice: Dice) -> Iterator[Fact]:
        """What follows from the declaration. Raises Refused with a code of the book."""
        if isinstance(said, GAME_MASTER_ONLY) and said.by != GM:
            raise value_refused("by", "the game master (gm)", said.by)
        if isinstance(said, Task):
            attempting.check_form(said, state, dice)
        if not isinstance(said, KEEPS_ROLL_OPEN):
            yield from destiny.closed(state, "auto")
        yield from chapter(said, state, dice)

    def settle(self, state: State) -> Iterator[Fact]:
        """DB-DEST-4: a session does not close over an open roll."""
        return destiny.closed(state, "auto")

    def words(self, declaration: type[Declaration], field: str, state: State, by: str) -> Iterable[str]:
        """The tasks on a sheet and those in common use; the names of options."""
        if declaration is Attempt and field == "task":
            yield from attempting.tasks_of(by, state)
        if declaration is SetOption and field == "name":
            yield from TEXTS.options

    def texts(self) -> Texts:
        """Rules, options and refusals in words."""
        return TEXTS

    def sheet(self, content: Mapping[str, Any], where: str) -> Declaration:
        """The declaration of a sheet file."""
        return joining.sheet(content, where)


def chapter(said: Declaration, state: State, dice: Dice) -> Iterator[Fact]:
    """Each declaration and the chapter that decides it."""
    match said:
        case Attempt():
            return attempting.attempt(said, state, dice)
        case Retry():
            return attempting.retry(said, state, dice)
        case SpendDestiny():
            return spending.spend_destiny(said, state, dice)
        case SpendDoom():
            return spending.spend_doom(said, state, dice)
        case Close():
            return destiny.close(said, state, dice)
        case ForbidRetry():
            return retrying.forbid_retry(said, state)
        case SetOption():
            return ruling.set_option(said, state)
        case Ruling():
            return ruling.ruling(said, state)
        case CreateCharacter():
            return joining.create_character(said, state)
        case CreateNpc():
            return joining.create_npc(said, state)
        case CreateObject():
            return joining.create_object(said, state)
    raise TypeError(f"{type(said).__name__} is no declaration of this book")


BOOK: Final = DuskBastards()
