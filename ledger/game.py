"""The protocol of a game: declaration, state and dice in, facts out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, Protocol, TypeVar

import msgspec

from ledger.declarations import Declaration, Ruling
from ledger.dice import Dice
from ledger.errors import Unreadable
from ledger.facts import Fact
from ledger.health import HealthWording
from ledger.records import ENCODER

S_contra = TypeVar("S_contra", contravariant=True)


class NextTurn(msgspec.Struct, frozen=True):
    """A turn that may be had now: the declaration that lets it go, and those whose it is; or a roll that comes first.

    `due`: what has to be said in it before, and may throw dice.
    """

    passing: Declaration
    who: tuple[str, ...]
    due: tuple[Declaration, ...] = ()


class GameProtocol(Protocol[S_contra]):
    """The rules of one game, as pure functions. Implemented in `rulebooks/`."""

    name: str
    version: str
    revision: int  # of the rules, from 1: each mend of a rule that changes what follows from a line is a new one

    @property
    def vital(self) -> str:
        """The name of the value that says how somebody is."""

    @property
    def wording(self) -> HealthWording:
        """The words that the players see in place of hidden numbers."""

    @property
    def declarations(self) -> tuple[type[Declaration], ...]:
        """Return every kind of declaration in this game."""

    def decide(self, said: Declaration, state: S_contra, dice: Dice) -> Iterator[Fact]:
        """Yield the facts that the declaration causes; each is folded before the next. Raises Refused."""

    def skips(self, said: Declaration, state: S_contra) -> Iterable[Declaration]:
        """Return what others let go before a declaration that was refused as too early, the first pass first.

        After that pass is folded, the rest is asked for again in the new state.
        """

    def next_turns(self, state: S_contra) -> Iterable[NextTurn]:
        """Return the open turn, or the turns that may come next. There is none where nobody is waited for."""

    def next_steps(self, state: S_contra) -> Iterable[NextTurn]:
        """Return these turns, and what else the fight waits for: dice that are announced, a round that begins or ends.

        Nobody lets these others go, so no pass is written for them; a correction proposes them.
        """

    def before_close(self, state: S_contra) -> Iterator[Fact]:
        """Yield the facts that end open windows before a session closes (an open roll, say)."""

    def decide_ruling(self, said: Ruling, state: S_contra) -> Iterator[Fact]:
        """Yield the facts of a ruling. Raises Refused for a value that no ruling may set."""

    def adjustment(self, by: str, value: str, change: int, reason: str) -> Declaration | None:
        """Return the declaration that changes a value by so much; None where the game has no adjustments."""


def decoder(game: GameProtocol[Any], builtin: Iterable[type[Declaration]]) -> msgspec.json.Decoder[Declaration]:
    """Return a decoder for every declaration of the game and of the ledger itself, by their tags."""
    kinds: Any = None
    for kind in (*game.declarations, *builtin):
        kinds = kind if kinds is None else kinds | kind
    return msgspec.json.Decoder(kinds)


def encode_declaration(said: Declaration, kinds: Collection[type[Declaration]], game: str) -> tuple[bytes, Declaration]:
    """Return a declaration as stored and decoded again, because constructors do not check types."""
    try:
        raw = ENCODER.encode(said)
        if type(said) not in kinds:
            raise TypeError(f"it is not a declaration of {game}")
        return raw, msgspec.json.decode(raw, type=type(said))
    except (msgspec.MsgspecError, TypeError, UnicodeError) as error:
        where = str(type(said).__struct_config__.tag)
        raise Unreadable(f"the declaration is not valid: {error}", where=where) from error
