"""What the door asks of a book beside its decisions: texts, short names, sheets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol, TypeVar

from ledger.declarations import Declaration
from ledger.game import Game
from rulebooks.common.texts import Texts

S_contra = TypeVar("S_contra", contravariant=True)


class Book(Game[S_contra], Protocol[S_contra]):
    """A game with its texts."""

    def texts(self) -> Texts:
        """Rules, options and refusals in words."""

    def answers(self, said: Declaration, state: S_contra) -> Iterable[str]:
        """Who may react to this before its dice are thrown: if anybody may, a line that ends in `...` announces it."""

    def levels(self, said: Declaration, state: S_contra) -> Iterable[tuple[str, Declaration]]:
        """The declaration with each amount of what its speaker may put into it, named in the letters of a line."""

    def sheet(self, content: Mapping[str, Any], where: str) -> Declaration:
        """The declaration with which the being of a sheet file joins. Raises Unreadable, naming the place."""

    def sheet_edits(self, said: Declaration, because: str) -> Declaration | None:
        """The declaration that changes the sheet of somebody in play to this one; None: such sheets do not change."""
