"""Checks of skills and stats."""

from typing import Annotated, ClassVar, Literal

from ledger.declarations import GameMasterDeclaration, syntax
from rulebooks.mars.declarations.parts import Rolling


class Check(Rolling, frozen=True, kw_only=True, tag="check"):
    """Roll a check that the game master or a rule asks for: `bram check fortitude v10 "the fumes"`.

    `opponent` rolls against it, with the same skill or `opposed=perception`.
    """

    verbs: ClassVar[tuple[str, ...]] = ("check",)

    name: Annotated[str, syntax(word=True)]
    difficulty: Annotated[int | None, syntax("v")] = None
    reason: str = ""
    opponent: Annotated[str, syntax(being=True, named=True)] = ""
    opposed: Annotated[str, syntax(named=True)] = ""
    at: Annotated[str, syntax(being=True, named=True)] = ""


class UseSkill(Check, frozen=True, kw_only=True, tag="use-skill"):
    """Use a skill as an action: `asha use athletics v10 s2 "over the wall"`; its speed is the game master's.

    `at` names a target that has to be seen, for one who is blind.
    """

    verbs: ClassVar[tuple[str, ...]] = ("use",)

    speed: Annotated[int, syntax("s")] = 1


class GroupCheck(GameMasterDeclaration, frozen=True, kw_only=True, tag="group-check"):
    """Roll a check for several at once, where the best or the worst counts: `! everybody asha bram agility v10`."""

    verbs: ClassVar[tuple[str, ...]] = ("everybody",)

    who: Annotated[tuple[str, ...], syntax(being=True, word=True)]
    name: Annotated[str, syntax(word=True)]
    difficulty: Annotated[int | None, syntax("v")] = None
    counts: Annotated[Literal["best", "worst"], syntax(word=True)] = "best"
    reason: str = ""
