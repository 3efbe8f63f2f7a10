"""Damage, effects, rests, and what the game master rules about them."""

from typing import Annotated, ClassVar, Literal

from ledger.declarations import Declaration, GameMasterDeclaration, syntax
from rulebooks.mars.declarations.parts import Reaction, Rolling, Stat

Outcome = Literal["graze", "hit", "critical"]


class DealDamage(GameMasterDeclaration, frozen=True, kw_only=True, tag="deal-damage"):
    """Deal damage: `! damage gil 6 fire "a falling brazier"`, `! damage asha roll=r16+2 graze ^asha:block`.

    `dr`: damage reduction works although the type would pass it. The only defence is a block.
    """

    verbs: ClassVar[tuple[str, ...]] = ("damage",)

    target: Annotated[str, syntax(being=True, word=True)]
    amount: Annotated[int | None, syntax(word=True)] = None
    roll: Annotated[str, syntax(named=True)] = ""
    outcome: Annotated[Outcome, syntax(word=True)] = "hit"
    type: Annotated[str, syntax(word=True)] = "bludgeoning"
    bonus: int = 0
    nonlethal: Annotated[bool, syntax(word=True)] = False
    dr: Annotated[bool, syntax(word=True, whole=True)] = False
    halvings: int = 0
    doublings: int = 0
    defences: Annotated[tuple[Reaction, ...], syntax(answers=True)] = ()
    source: str = ""


class BreakObject(Rolling, frozen=True, kw_only=True, tag="break-object"):
    """Break a thing: `asha break "the door" athletics v5 "thin planks"`; the game master sets the difficulty."""

    verbs: ClassVar[tuple[str, ...]] = ("break",)

    thing: str
    reason: str = ""
    skill: Annotated[str, syntax(word=True)]
    difficulty: Annotated[int | None, syntax("v")] = None


class ApplyEffect(GameMasterDeclaration, frozen=True, kw_only=True, tag="apply-effect"):
    """Begin an effect: `! effect gil burning 2`, `! effect gil sickness 3 v14 days=7`.

    `! effect asha debilitation dexterity`; `! effect asha change strength amount=2 rounds=2` changes a primary stat.
    `v14` is the difficulty of the source, for the checks against sickness and stun. Without a duration an effect lasts
    until it is ended, and a change that is not `temporary` is for good. `by_whom` is the character who causes it.
    """

    verbs: ClassVar[tuple[str, ...]] = ("effect",)

    target: Annotated[str, syntax(being=True, word=True)]
    effect: Annotated[str, syntax(word=True)]
    degree: Annotated[int, syntax(word=True)] = 1
    stat: Annotated[Stat | None, syntax(word=True)] = None
    amount: int = 0
    temporary: Annotated[bool, syntax(word=True)] = False
    difficulty: Annotated[int | None, syntax("v")] = None
    rounds: int | None = None
    days: int | None = None
    by_whom: Annotated[str, syntax(being=True)] = ""
    source: str = ""


class RemoveEffect(GameMasterDeclaration, frozen=True, kw_only=True, tag="remove-effect"):
    """End an effect: `! remove gil blind`, `! remove asha debilitation dexterity`, `! remove bram sickness 3`.

    Of several sicknesses only those of the degree that is said end; without one all do.
    """

    verbs: ClassVar[tuple[str, ...]] = ("remove",)

    target: Annotated[str, syntax(being=True, word=True)]
    effect: Annotated[str, syntax(word=True)]
    stat: Annotated[Stat | None, syntax(word=True)] = None
    degree: Annotated[int | None, syntax(word=True)] = None
    reason: str = ""


class Douse(Declaration, frozen=True, kw_only=True, tag="douse"):
    """Put a burning character out with water: `asha douse gil "the rain barrel"`."""

    verbs: ClassVar[tuple[str, ...]] = ("douse",)
    alone: ClassVar[bool] = True

    target: Annotated[str, syntax(being=True, word=True)]
    reason: str = ""


class Concentrate(Declaration, frozen=True, kw_only=True, tag="concentrate"):
    """Maintain an ability or effect: `bram concentrate "light"`; `keep=ward` says which of two stays."""

    verbs: ClassVar[tuple[str, ...]] = ("concentrate",)

    effect: str
    keep: Annotated[str, syntax(named=True)] = ""


class ConcentrationCheck(Rolling, frozen=True, kw_only=True, tag="concentration-check"):
    """Roll to keep concentration after a stun: `bram keep`; `bram keep decline` lets it go."""

    verbs: ClassVar[tuple[str, ...]] = ("keep",)

    decline: Annotated[bool, syntax(word=True)] = False


class ShortRest(Declaration, frozen=True, kw_only=True, tag="short-rest"):
    """Take a short rest: `asha short 30`, `asha short 100 activity=5`: with a simple activity of that difficulty."""

    verbs: ClassVar[tuple[str, ...]] = ("short", "short-rest")

    minutes: Annotated[int, syntax(word=True)] = 30
    activity: int | None = None


class LongRest(Declaration, frozen=True, kw_only=True, tag="long-rest"):
    """Take a long rest: `asha long`, `asha long interrupted`; or `asha long begin` first, with time to treat."""

    verbs: ClassVar[tuple[str, ...]] = ("long", "long-rest")

    begin: Annotated[bool, syntax(word=True)] = False
    interrupted: Annotated[bool, syntax(word=True)] = False


class ResumeLongRest(Declaration, frozen=True, kw_only=True, tag="resume-long-rest"):
    """Go on with an interrupted long rest: `asha resume`."""

    verbs: ClassVar[tuple[str, ...]] = ("resume",)


class Treat(Rolling, frozen=True, kw_only=True, tag="treat"):
    """Treat somebody in a long rest: `bram treat asha`."""

    verbs: ClassVar[tuple[str, ...]] = ("treat",)

    patient: Annotated[str, syntax(being=True, word=True)]


class Stabilise(Rolling, frozen=True, kw_only=True, tag="stabilise"):
    """Stabilise the dying, where the table plays it so: `bram stabilise gil`; `speed` is what it costs in a turn."""

    verbs: ClassVar[tuple[str, ...]] = ("stabilise",)

    patient: Annotated[str, syntax(being=True, word=True)]
    speed: int = 1


class Repair(GameMasterDeclaration, frozen=True, kw_only=True, tag="repair"):
    """Repair a shield: `! repair asha shield 4 "an evening at the forge"`."""

    verbs: ClassVar[tuple[str, ...]] = ("repair",)

    who: Annotated[str, syntax(being=True, word=True)]
    item: Annotated[str, syntax(word=True)]
    durability: Annotated[int, syntax(word=True)]
    reason: str = ""


class Restore(GameMasterDeclaration, frozen=True, kw_only=True, tag="restore"):
    """Restore points by other means: `! restore gil health 4 "a healing draught"`."""

    verbs: ClassVar[tuple[str, ...]] = ("restore",)

    who: Annotated[str, syntax(being=True, word=True)]
    resource: Annotated[Literal["health", "endurance", "stamina", "focus"], syntax(word=True)]
    amount: Annotated[int, syntax(word=True)]
    reason: str = ""


class Wake(GameMasterDeclaration, frozen=True, kw_only=True, tag="wake"):
    """Wake somebody: `! wake gil "the alarm bell"`."""

    verbs: ClassVar[tuple[str, ...]] = ("wake",)

    who: Annotated[str, syntax(being=True, word=True)]
    reason: str = ""


class EndDay(GameMasterDeclaration, frozen=True, kw_only=True, tag="end-day"):
    """End the day: `! day`; sickness takes its toll, and rests are free again."""

    verbs: ClassVar[tuple[str, ...]] = ("day",)


class Deprive(GameMasterDeclaration, frozen=True, kw_only=True, tag="deprive"):
    """Note a missed need, where the table plays fatigue: `! missed asha meals`; `met`: it was met again."""

    verbs: ClassVar[tuple[str, ...]] = ("missed",)

    who: Annotated[str, syntax(being=True, word=True)]
    need: Annotated[Literal["meals", "water", "sleep"], syntax(word=True)]
    met: Annotated[bool, syntax(word=True)] = False
