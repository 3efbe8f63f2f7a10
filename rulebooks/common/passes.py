"""Passes of a whole phase. What a single line implies is in `skips` of the game."""

from typing import ClassVar

from ledger.declarations import GameMasterDeclaration


class PassOn(GameMasterDeclaration, frozen=True, kw_only=True, tag="pass-on"):
    """Let all who are still to come in this phase pass: `! on`."""

    verbs: ClassVar[tuple[str, ...]] = ("on",)
    lets_go: ClassVar[bool] = True
