"""Encounters, moves and actions."""

from typing import Annotated, ClassVar, Literal

from ledger.declarations import Declaration, GameMasterDeclaration, syntax
from rulebooks.dusk_bastards.declarations.parts import Change, Cost, Effect
from rulebooks.dusk_bastards.declarations.tasks import Task


class StartEncounter(GameMasterDeclaration, frozen=True, kw_only=True, tag="start-encounter"):
    """Begin a scene with turns: `! encounter "the lamp room"`, `! encounter exploration "the cellars"`."""

    verbs: ClassVar[tuple[str, ...]] = ("encounter",)

    kind: str = ""
    scale: Annotated[Literal["combat", "exploration", "downtime"], syntax(word=True)] = "combat"
    participants: Annotated[tuple[str, ...], syntax(being=True, word=True)] = ()


class Initiative(Task, frozen=True, kw_only=True, tag="initiative"):
    """Roll for the order of a combat: `k initiative e1`."""

    verbs: ClassVar[tuple[str, ...]] = ("initiative",)


class NewInitiative(GameMasterDeclaration, frozen=True, kw_only=True, tag="new-initiative"):
    """Let everybody roll initiative again, at the beginning of a round: `! reorder "the lamp goes out"`."""

    verbs: ClassVar[tuple[str, ...]] = ("reorder",)

    reason: str


class JoinEncounter(GameMasterDeclaration, frozen=True, kw_only=True, tag="join-encounter"):
    """Add somebody to a running encounter: `! join brute`."""

    verbs: ClassVar[tuple[str, ...]] = ("join",)

    who: Annotated[str, syntax(being=True, word=True)]
    initiative: int | None = None


class EndEncounter(GameMasterDeclaration, frozen=True, kw_only=True, tag="end-encounter"):
    """End the encounter: `! end "he yields"`; with less health than is due: `! end kess.health=2`."""

    verbs: ClassVar[tuple[str, ...]] = ("end", "over")
    lets_go: ClassVar[bool] = True

    regained: Annotated[tuple[Change, ...], syntax(sets=True)] = ()
    reason: str = ""


class Move(Task, frozen=True, kw_only=True, tag="move"):
    """Move an immediate or a short distance: `k move`, `k move short e1`."""

    verbs: ClassVar[tuple[str, ...]] = ("move",)

    distance: Annotated[Literal["immediate", "short", "long", "extreme"], syntax(word=True)] = "immediate"


class Charge(Declaration, frozen=True, kw_only=True, tag="charge"):
    """Run at somebody: `o charge brute`."""

    verbs: ClassVar[tuple[str, ...]] = ("charge",)

    target: Annotated[str, syntax(being=True, word=True)]
    distance: Annotated[Literal["immediate", "short", "long", "extreme"] | None, syntax(word=True)] = (
        None  # None: known
    )


class FullDefence(Declaration, frozen=True, kw_only=True, tag="full-defence"):
    """Do nothing but defend: `k defend`."""

    verbs: ClassVar[tuple[str, ...]] = ("defend",)


class Interrupt(Declaration, frozen=True, kw_only=True, tag="interrupt"):
    """Move before somebody who is moving: `k interrupt`."""

    verbs: ClassVar[tuple[str, ...]] = ("interrupt",)


class Pass(Declaration, frozen=True, kw_only=True, tag="pass"):
    """Skip an action, or all that is left of one's slot: `k pass`, `k pass bonus`."""

    verbs: ClassVar[tuple[str, ...]] = ("pass",)
    lets_go: ClassVar[bool] = True

    what: Annotated[Literal["move", "standard", "bonus", "rest"], syntax(word=True)] = "rest"


class Delay(Declaration, frozen=True, kw_only=True, tag="delay"):
    """Keep the standard action for later in this round: `k delay`."""

    verbs: ClassVar[tuple[str, ...]] = ("delay",)


class Deed(Declaration, frozen=True, kw_only=True, tag="deed"):
    """Do something else that needs no roll, as the standard action: `k does "search the pack"`.

    The paralysed may do what needs no movement: `k does "think of the way out" physical=no`.
    """

    verbs: ClassVar[tuple[str, ...]] = ("does",)

    text: str = ""
    cost: Annotated[tuple[Cost, ...], syntax(word=True)] = ()
    physical: bool = True


class QuickDeed(Declaration, frozen=True, kw_only=True, tag="quick-deed"):
    """Do something quick, of a second or two, as the bonus action: `k quick "kick the door shut"`."""

    verbs: ClassVar[tuple[str, ...]] = ("quick",)

    text: str = ""
    cost: Annotated[tuple[Cost, ...], syntax(word=True)] = ()
    physical: bool = True


class UseAbility(Declaration, frozen=True, kw_only=True, tag="use-ability"):
    """Use an ability, as the bonus action: `k use "Stone Skin" speed:2 effect="stone skin":rounds=3:armor=2`.

    Its `effect` applies to the `target`, or to its user.
    """

    verbs: ClassVar[tuple[str, ...]] = ("use",)

    text: str
    cost: Annotated[tuple[Cost, ...], syntax(word=True)] = ()
    physical: bool = False
    is_attack: bool = False
    target: Annotated[str, syntax(being=True)] = ""
    effect: Effect | None = None
