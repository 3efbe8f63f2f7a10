"""Declarations of turns, encounters and time that several games share; each decides them by its own rules."""

from typing import Annotated, ClassVar

from ledger.declarations import Declaration, GameMasterDeclaration, syntax


class EndTurn(Declaration, frozen=True, kw_only=True, tag="end-turn"):
    """End one's turn; what is left of it is lost: `kess end`."""

    verbs: ClassVar[tuple[str, ...]] = ("end", "pass")
    lets_go: ClassVar[bool] = True


class PassOn(GameMasterDeclaration, frozen=True, kw_only=True, tag="pass-on"):
    """Let all who are still to come in this phase pass: `! on`."""

    verbs: ClassVar[tuple[str, ...]] = ("on",)
    lets_go: ClassVar[bool] = True


class BringIn(GameMasterDeclaration, frozen=True, kw_only=True, tag="join-encounter"):
    """Bring somebody into the fight, last where there is an order: `! join brute`."""

    verbs: ClassVar[tuple[str, ...]] = ("join",)

    who: Annotated[str, syntax(being=True, word=True)]


class LeaveEncounter(GameMasterDeclaration, frozen=True, kw_only=True, tag="leave-encounter"):
    """Rule that somebody leaves the encounter: `! leave brute "over the wall"`. Who joins is back."""

    verbs: ClassVar[tuple[str, ...]] = ("leave",)

    who: Annotated[str, syntax(being=True, word=True)]
    reason: str = ""


class EndFight(GameMasterDeclaration, frozen=True, kw_only=True, tag="end-encounter"):
    """End the fight: `! over "they yield"`."""

    verbs: ClassVar[tuple[str, ...]] = ("over",)
    lets_go: ClassVar[bool] = True

    reason: str = ""


class PassTime(GameMasterDeclaration, frozen=True, kw_only=True, tag="pass-time"):
    """Let time pass: `! time 8h "the night"`."""

    verbs: ClassVar[tuple[str, ...]] = ("time",)

    seconds: Annotated[int, syntax(seconds=True)]
    label: str = ""
