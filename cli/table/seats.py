"""Who sits at a table: the holder of a link, whose beings they speak for, and what they may say.

A player says what their own beings do, words for the dice, claims and quotes. All else is the game master's. It is
judged by the declarations that a line was read as, so it does not matter in which words or marks it was said.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final, Literal

import msgspec

from cli.notation.line_parser import ParsedLine
from cli.notation.schema import Field, fields_of
from cli.phrases.entries import TIME_UP
from cli.play.running_table import player_of
from cli.questions.roles import GM_VIEW, PLAYERS
from cli.shell.line_reader import LineReader
from ledger.builtin import Claim, Tell
from ledger.declarations import Declaration
from ledger.errors import Refused
from ledger.facts import GM
from ledger.ledger_state import LedgerState
from ledger.names import name_key, word_list
from projections.state import State
from rulebooks.common.adjustments import Adjust
from rulebooks.common.announcements import Go, find_window
from rulebooks.common.options import SetOption

Role = Literal["gm", "player", "watcher"]
SEAT: Final = "L-SEAT"  # the code of a line that is not for the holder of a link
QUOTE: Final = "quote"
OF_THE_TABLE: Final = (Adjust, SetOption)  # settled at the table, whoever says it


class Seat(msgspec.Struct, frozen=True):
    """The holder of a link, and what they may do with it.

    `holder` is empty for those who only watch, but for a player who is not in the session.
    """

    role: Role
    holder: str = ""

    @property
    def view(self) -> str:
        """What they see: everything, or what the players may see."""
        return GM_VIEW if self.role == GM_VIEW else PLAYERS

    @property
    def name(self) -> str:
        """What they are called: `Ana`, `the game master`, `a watcher`."""
        return {"gm": "the game master", "watcher": "a watcher"}.get(self.role, self.holder)


GAME_MASTER: Final = Seat("gm", GM)
WATCHER: Final = Seat("watcher")
TIME_LIMIT: Final = Seat("gm", TIME_UP)  # says what the table's option has agreed on


def beings_of(seat: Seat, state: State) -> list[str]:
    """Return the beings that somebody speaks for: all, or those whose sheet names them as the player."""
    names = [being.name for being in state.beings_in_order()]
    if seat.role != "player":
        return names if seat.role == GM_VIEW else []
    return [name for name in names if name_key(player_of(state, name)) == name_key(seat.holder)]


def players_of(state: State) -> list[str]:
    """Return the players whom the sheets in play name, each once."""
    named = (player_of(state, being.name) for being in state.beings_in_order())
    players = {name_key(name): name for name in named if name}
    return list(players.values())


def session_players(ledger_state: LedgerState[State]) -> Sequence[str]:
    """Return the players of the last session: those who are listed, else those whom the sheets in play name."""
    return ledger_state.session.players or players_of(ledger_state.state)


def own_beings(seat: Seat, reader: LineReader) -> list[str] | None:
    """Return the beings that a line without a name may be about; None: any, as of the game master."""
    return None if seat.role == GM_VIEW else beings_of(seat, reader.state)


def check_seat(seat: Seat, said: Sequence[ParsedLine], state: State) -> None:
    """Raise Refused unless the holder of a link may say all of this."""
    if seat.role == "watcher":
        hint = "Its players are listed when a session is opened" if seat.holder else "Ask the game master for your own"
        absent = f": {seat.holder} is not in this session" if seat.holder else ""
        raise Refused(SEAT, f"this link is for looking{absent}", hint=hint)
    if seat.role != "player":
        return
    own = beings_of(seat, state)
    for each in said:
        if each.secret:
            raise not_theirs("secret lines are the game master's", own)
        _check_declaration(seat, each.declaration, own, state)


def _check_declaration(seat: Seat, said: Declaration, own: Collection[str], state: State) -> None:
    """Raise Refused unless a player may declare this."""
    if type(said).by_anyone:
        if name_key(said.by) != name_key(seat.holder):
            raise not_theirs(f"this would be {said.by}'s to say", own, hint=f"Say it for yourself: {seat.holder}")
        return
    if isinstance(said, Claim):
        return
    if isinstance(said, Tell) and said.kind != QUOTE:
        raise not_theirs("scenes and fiction are the game master's", own)
    if type(said).aside or isinstance(said, OF_THE_TABLE):
        raise not_theirs("this line is the game master's", own)
    if said.by == GM and type(said).alone:
        _check_open(said, own, state)
        return
    if others := [who for who in (said.by, *joining(said)) if who not in own]:
        raise not_theirs(f"you do not speak for {word_list(others)}", own)


def _check_open(said: Declaration, own: Collection[str], state: State) -> None:
    """Raise Refused unless what is closed or thrown is of a player's own beings."""
    window = find_window(state)
    announced = [window] if window is not None else []
    opened = announced if isinstance(said, Go) else list(state.windows.values()) if type(said).lets_go else []
    if others := sorted({window.who for window in opened if window.who not in own}):
        raise not_theirs(f"what is open is {word_list(others)}'s", own)
    if not opened and not (isinstance(said, Go) or type(said).lets_go):
        raise not_theirs("without a name this line is the game master's", own)


def joining(said: Declaration) -> Iterator[str]:
    """Yield those who act in somebody else's line: who answers it, or joins in it."""
    for field in fields_of(type(said)):
        if field.has("answers", "joins"):
            yield from _names(field, getattr(said, field.name))


def _names(field: Field, value: Any) -> Iterator[str]:
    """Yield the beings that the value of a field names."""
    if value is None:
        return
    if field.shape == "list":
        for item in value:
            yield from _names(field.item, item)
    elif field.shape == "struct":
        for part in field.parts:
            yield from _names(part, getattr(value, part.name))
    elif field.has("being") and value:
        yield str(value)


def not_theirs(what: str, own: Collection[str], hint: str = "") -> Refused:
    """Return the refusal of a line that is not for a player, who speaks for these."""
    speaks = f"You speak for {word_list(list(own))}" if own else "No sheet in play names you as its player"
    return Refused(SEAT, what, hint=hint or speaks)
