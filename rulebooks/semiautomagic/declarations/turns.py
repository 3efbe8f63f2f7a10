"""Declarations of turns: the fight, and what a creature does with its seconds besides attacks."""

from typing import Annotated, ClassVar, Literal

from ledger.declarations import Declaration, GameMasterDeclaration, syntax

Stance = Literal["standing", "crouching", "prone"]


class StartEncounter(GameMasterDeclaration, frozen=True, kw_only=True, tag="start-encounter"):
    """Begin a fight, in this order of turns: `! fight "the yard" rook thorn bear`; with nobody named, all in play."""

    verbs: ClassVar[tuple[str, ...]] = ("fight",)

    kind: str = ""
    order: Annotated[tuple[str, ...], syntax(being=True, word=True)] = ()


class SetStance(Declaration, frozen=True, kw_only=True, tag="set-stance"):
    """Stand, crouch or go prone: `rook stance crouching`."""

    verbs: ClassVar[tuple[str, ...]] = ("stance",)

    stance: Annotated[Stance, syntax(word=True)]


class Move(Declaration, frozen=True, kw_only=True, tag="move"):
    """Move so many squares: `rook move 6`, `rook move 30 to=12,5 speed=18`.

    `speed` is in metres per second. `seconds` are those that the table charges. `forced`: thrown, fallen or carried,
    in anybody's turn: `! cat move 15 forced`.
    """

    verbs: ClassVar[tuple[str, ...]] = ("move",)

    squares: Annotated[int, syntax(word=True)]
    to: Annotated[tuple[int, ...], syntax()] = ()
    speed: Annotated[int, syntax()] = 0
    seconds: Annotated[int, syntax()] = 0
    forced: Annotated[bool, syntax(word=True)] = False


class Draw(Declaration, frozen=True, kw_only=True, tag="draw"):
    """Take something in hand: `rook draw sword`."""

    verbs: ClassVar[tuple[str, ...]] = ("draw",)

    item: Annotated[str, syntax(word=True)]


class Stow(Declaration, frozen=True, kw_only=True, tag="stow"):
    """Put away what is in hand, or take off what is worn: `rook stow shield`."""

    verbs: ClassVar[tuple[str, ...]] = ("stow",)

    item: Annotated[str, syntax(word=True)]


class Wear(Declaration, frozen=True, kw_only=True, tag="wear"):
    """Put on again what was taken off, or armour that lies about: `rook wear mail`."""

    verbs: ClassVar[tuple[str, ...]] = ("wear",)

    item: Annotated[str, syntax(word=True)]


class MountUp(Declaration, frozen=True, kw_only=True, tag="mount-up"):
    """Mount: `rook mount horse`. `reason` is the game master's ruling on an unskilled rider or untrained mount."""

    verbs: ClassVar[tuple[str, ...]] = ("mount",)

    mount: Annotated[str, syntax(being=True, word=True)]
    reason: str = ""


class Dismount(Declaration, frozen=True, kw_only=True, tag="dismount"):
    """Dismount: `rook dismount`."""

    verbs: ClassVar[tuple[str, ...]] = ("dismount",)


class ControlMount(Declaration, frozen=True, kw_only=True, tag="control-mount"):
    """Take control of the mount for this round: `rook control`, `rook control stationary`.

    The mount then acts in the rider's turn, in lines of its own: `horse move 24`.
    """

    verbs: ClassVar[tuple[str, ...]] = ("control",)

    stationary: Annotated[bool, syntax(word=True)] = False


class ReleaseMount(Declaration, frozen=True, kw_only=True, tag="release-mount"):
    """Give up control of the mount: `rook release`."""

    verbs: ClassVar[tuple[str, ...]] = ("release",)


class Hide(Declaration, frozen=True, kw_only=True, tag="hide"):
    """Hide, with dice or a stealth total that is known: `thorn hide`, `thorn hide total=6`; `off`: hide no longer."""

    verbs: ClassVar[tuple[str, ...]] = ("hide",)

    total: Annotated[int | None, syntax()] = None
    off: Annotated[bool, syntax(word=True, whole=True)] = False


class Perceive(Declaration, frozen=True, kw_only=True, tag="perceive"):
    """Look for somebody who hides, with dice or a known total: `rook perceive thorn`, `rook perceive thorn total=6`."""

    verbs: ClassVar[tuple[str, ...]] = ("perceive",)

    target: Annotated[str, syntax(being=True, word=True)]
    total: Annotated[int | None, syntax()] = None


class Locate(Declaration, frozen=True, kw_only=True, tag="locate"):
    """Locate the square of somebody invisible: `rook locate thorn heard "a twig" square=5,5`; `lost`: not any more."""

    verbs: ClassVar[tuple[str, ...]] = ("locate",)

    target: Annotated[str, syntax(being=True, word=True)]
    how: Annotated[Literal["guess", "told", "heard"], syntax(word=True, whole=True)] = "heard"
    square: Annotated[tuple[int, ...], syntax()] = ()
    reason: str = ""
    lost: Annotated[bool, syntax(word=True, whole=True)] = False


class Surprise(Declaration, frozen=True, kw_only=True, tag="surprise"):
    """Surprise somebody, who is then flat-footed against this creature alone: `thorn surprise rook`."""

    verbs: ClassVar[tuple[str, ...]] = ("surprise",)

    target: Annotated[str, syntax(being=True, word=True)]


class Notice(Declaration, frozen=True, kw_only=True, tag="notice"):
    """Learn of a creature: `rook notice thorn`; `lost`: forget that it is there."""

    verbs: ClassVar[tuple[str, ...]] = ("notice",)

    target: Annotated[str, syntax(being=True, word=True)]
    lost: Annotated[bool, syntax(word=True, whole=True)] = False


class Fortitude(Declaration, frozen=True, kw_only=True, tag="fortitude"):
    """Make the fortitude check that is due: `thorn fortitude`."""

    verbs: ClassVar[tuple[str, ...]] = ("fortitude",)


class DyingCheck(Declaration, frozen=True, kw_only=True, tag="dying-check"):
    """Make the endurance check of the dying, once each round: `thorn dying`."""

    verbs: ClassVar[tuple[str, ...]] = ("dying",)


class Stabilise(Declaration, frozen=True, kw_only=True, tag="stabilise"):
    """Throw the d10 of the dying, or have medicine help: `thorn stabilise`, `... medicine "a salve"`."""

    verbs: ClassVar[tuple[str, ...]] = ("stabilise",)

    medicine: Annotated[bool, syntax(word=True)] = False
    reason: str = ""
