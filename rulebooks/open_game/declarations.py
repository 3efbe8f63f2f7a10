"""Declarations of the open game: their fields, and how a line says them."""

from typing import Annotated, ClassVar, Literal

from ledger.declarations import Declaration, GameMasterDeclaration, syntax
from ledger.facts import Scalar
from rulebooks.common.pronouns import NamedSheet

# Sheets


class Sheet(NamedSheet, frozen=True, kw_only=True):
    """The entries of every sheet; `now` for pools below their maximum and counts that have begun."""

    stats: tuple[tuple[str, int], ...] = ()
    pools: tuple[tuple[str, int], ...] = ()
    tokens: tuple[tuple[str, int], ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    traits: tuple[tuple[str, str], ...] = ()
    conditions: tuple[str, ...] = ()
    now: tuple[tuple[str, int], ...] = ()


class CreateCharacter(Sheet, frozen=True, kw_only=True, tag="create-character"):
    """Join the campaign as a player's character."""

    player: str = ""


class CreateNpc(Sheet, frozen=True, kw_only=True, tag="create-npc"):
    """Join the game master's side."""


class ChangeSheet(Sheet, frozen=True, kw_only=True, tag="change-sheet"):
    """Change a sheet in play: only the entries that differ, with the reason."""

    player: str = ""
    because: str
    entries: tuple[str, ...] | None = None


class WriteRules(NamedSheet, frozen=True, kw_only=True, tag="write-rules"):
    """Write down the rules of the table: dice, results, the order of turns, and moves by the path of their keys."""

    dice: str = ""
    order: str = ""
    results: tuple[tuple[str, str], ...] = ()
    margins: tuple[tuple[str, str], ...] = ()
    zero: tuple[tuple[str, str], ...] = ()
    moves: tuple[tuple[str, Scalar], ...] = ()


class ChangeRules(WriteRules, frozen=True, kw_only=True, tag="change-rules"):
    """Change the rules of the table: only the entries that differ, with the reason."""

    because: str
    entries: tuple[str, ...] | None = None


# What anybody does


class MakeMove(Declaration, frozen=True, kw_only=True, tag="make-move"):
    """Make a move of the table, or roll: `kess rest`, `kess stealth 2d6+3 vs 10`, `kess strike brute`.

    `vs`: a number to reach, or a value of the target; `under`: one not to exceed.
    """

    verbs: ClassVar[tuple[str, ...]] = ("roll",)
    free: ClassVar[str] = "what"

    what: str = "roll"
    target: Annotated[str, syntax(being=True, word=True)] = ""
    dice: Annotated[str, syntax(word=True, dice=True)] = ""
    vs: Annotated[str, syntax(after="vs", numbers=True)] = ""
    under: Annotated[str, syntax(after="under", numbers=True)] = ""
    edge: Annotated[Literal["none", "advantage", "disadvantage"], syntax(word=True)] = "none"
    reason: str = ""


class Gain(Declaration, frozen=True, kw_only=True, tag="gain"):
    """Take on a condition of any name: `kess gain cursed "the idol"`."""

    verbs: ClassVar[tuple[str, ...]] = ("gain",)

    condition: Annotated[str, syntax(word=True)]
    reason: str = ""


class Shed(Declaration, frozen=True, kw_only=True, tag="shed"):
    """Be rid of a condition: `kess shed cursed "the priest"`."""

    verbs: ClassVar[tuple[str, ...]] = ("shed",)

    condition: Annotated[str, syntax(word=True)]
    reason: str = ""


# Turns


class StartEncounter(GameMasterDeclaration, frozen=True, kw_only=True, tag="start-encounter"):
    """Begin turns: `! fight "the bridge"`, `! fight "the bridge" brute kess`.

    With nobody named, all in play are there. The house rules say what is rolled for the order, if anything is.
    """

    verbs: ClassVar[tuple[str, ...]] = ("fight", "encounter")

    kind: str = ""
    participants: Annotated[tuple[str, ...], syntax(being=True, word=True)] = ()


class PassTurn(GameMasterDeclaration, frozen=True, kw_only=True, tag="pass-turn"):
    """End the turn of whoever has it: `! next`."""

    verbs: ClassVar[tuple[str, ...]] = ("next",)
    lets_go: ClassVar[bool] = True
