"""Maneuvers: those that are performed, those that answer an attack, and learning one."""

from typing import Annotated, ClassVar, Literal

from ledger.declarations import Declaration, syntax
from rulebooks.mars.declarations.combat import Blow

CombatSkill = Literal["finesse", "martial", "ranged", "unarmed"]


class Maneuver(Blow, frozen=True, kw_only=True, tag="maneuver"):
    """Perform a maneuver: `asha maneuver heavy-strike gil boost`, `bram maneuver double-shot gil +also=hob`.

    Its name is enough: `asha heavy strike gil`. `improvise` says how one that is not learned is paid for: with 1 more
    stamina, or at 1 more speed. `boost` adds what 1 more stamina adds. `metres` are those of a run or to the target;
    `item` is what the target loses; `resist` says what it resists with where it has a choice; `difficulty` is the total
    of the spell that is evaded, and `after` what follows. The skill is that of the weapon in hand, or the best trained
    one that can use the maneuver.
    """

    verbs: ClassVar[tuple[str, ...]] = ("maneuver",)
    verb_field: ClassVar[str] = "name"

    name: Annotated[str, syntax(word=True)]
    target: Annotated[str, syntax(being=True, word=True)] = ""
    also: Annotated[tuple[str, ...], syntax(being=True, plus="also")] = ()
    improvise: Annotated[Literal["none", "stamina", "speed"], syntax(word=True)] = "none"
    boost: Annotated[bool, syntax(word=True)] = False
    metres: Annotated[int, syntax("m")] = 0
    item: Annotated[str, syntax(named=True)] = ""
    resist: Annotated[str, syntax(named=True)] = ""
    check: Annotated[str, syntax(named=True)] = ""
    difficulty: Annotated[int | None, syntax("v")] = None
    after: Annotated[Literal["stay", "prone", "move"], syntax(word=True)] = "stay"


class AnswerWithManeuver(Maneuver, frozen=True, kw_only=True, tag="answer-maneuver"):
    """Answer an announced attack with a maneuver: `^ asha maneuver back-step`, `^ asha maneuver intercept stamina`.

    Its target is the attacker, or the one attacked if it protects an ally.
    """

    verbs: ClassVar[tuple[str, ...]] = ("maneuver",)
    answers: ClassVar[bool] = True


class AcquireManeuver(Declaration, frozen=True, kw_only=True, tag="acquire-maneuver"):
    """Learn a maneuver: `asha learn heavy-strike martial`."""

    verbs: ClassVar[tuple[str, ...]] = ("learn",)

    name: Annotated[str, syntax(word=True)]
    skill: Annotated[CombatSkill, syntax(word=True)]
