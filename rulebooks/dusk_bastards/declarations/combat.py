"""Attacks, defences, reactions and spells."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from ledger.declarations import Declaration, syntax
from rulebooks.dusk_bastards.declarations.parts import Band, Cost, Effect, Spot
from rulebooks.dusk_bastards.declarations.tasks import Directed


class Strike(Directed, frozen=True, kw_only=True):
    """The fields of every attack: weapon, modifiers, and effects of a hit.

    What is None is a figure of the weapon, or else one of the fallbacks.
    """

    fallbacks: ClassVar[Mapping[str, object]] = {"mode": "melee", "range": "short", "max_range": "extreme", "damage": 0}

    mode: Annotated[Literal["melee", "ranged"] | None, syntax(word=True, whole=True)] = None
    range: Band | None = None
    max_range: Band | None = None
    weapon: Annotated[Literal["stabbing", "slashing", "bashing"] | None, syntax(word=True, whole=True)] = None
    works_underwater: Annotated[bool, syntax(word=True, whole=True)] = False
    damage: Annotated[int | None, syntax("d")] = None
    damage_type: Literal["normal", "speed", "intellect"] = "normal"
    ambient: bool = False
    deals_wound: bool = False
    on_hit: tuple[Effect, ...] = ()


class Attack(Strike, frozen=True, kw_only=True, tag="attack"):
    """Attack a foe or a thing: `k attack brute s d4 e1`, `k attack brute with pistol`, `o attack door m v4`."""

    verbs: ClassVar[tuple[str, ...]] = ("attack",)

    task: Annotated[str, syntax(after="with")] = ""
    target: Annotated[str, syntax(being=True, word=True)]


class AreaAttack(Strike, frozen=True, kw_only=True, tag="area-attack"):
    """Attack everybody in an area with one roll: `k blast brute thug:cover i d4 e1`."""

    verbs: ClassVar[tuple[str, ...]] = ("blast",)
    fallbacks: ClassVar[Mapping[str, object]] = {**Strike.fallbacks, "mode": "ranged"}

    task: Annotated[str, syntax(after="with")] = ""
    targets: Annotated[tuple[Spot, ...], syntax(being=True, word=True)]


class Defence(Directed, frozen=True, kw_only=True, tag="defence"):
    """Defend against a foe's attack, or against anything with a difficulty: `k dodge brute`, `k dodge v5 d3`.

    `k dodge brute with bow` names one of the weapons on the foe's sheet.
    """

    verbs: ClassVar[tuple[str, ...]] = ("dodge", "resist")

    source: Annotated[str, syntax(being=True, word=True)] = ""
    mode: Annotated[Literal["melee", "ranged"] | None, syntax(word=True, whole=True)] = None
    range: Band | None = None
    weapon: Annotated[Literal["stabbing", "slashing", "bashing"] | None, syntax(word=True, whole=True)] = None
    damage: Annotated[int | None, syntax("d")] = None
    damage_type: Literal["normal", "speed", "intellect"] = "normal"
    ambient: bool = False
    wound: bool = False
    cause: Annotated[Literal["poison", "disease"] | None, syntax(word=True)] = None
    lasting: Annotated[bool, syntax(word=True)] = False
    lose_action: Annotated[bool, syntax(word=True)] = False
    on_fail: tuple[Effect, ...] = ()
    npc_slot: Literal["standard", "reaction", "none"] = "standard"
    area: Annotated[bool, syntax(word=True)] = False
    foe_weapon: Annotated[str, syntax(after="with")] = ""


class TakeCover(Declaration, frozen=True, kw_only=True, tag="take-cover"):
    """Take cover, at any time: `k take cover`, which is prone without some near; `k take cover yes`, or `full`."""

    verbs: ClassVar[tuple[str, ...]] = ("cover", "take")

    what: Annotated[Literal["cover"], syntax(word=True)] = "cover"
    cover_near: Annotated[Literal["no", "yes", "full"], syntax(word=True)] = "no"


class Intercept(Strike, frozen=True, kw_only=True, tag="intercept"):
    """Stop somebody who moves away, or protect an ally: `k intercept brute m`, `o intercept brute protect=kess m e1`.

    `with pistol`: it is made with that weapon. A foe does not roll: `! brute intercept kess` is the defence of Kess,
    with everything that eases it.
    """

    verbs: ClassVar[tuple[str, ...]] = ("intercept",)

    task: Annotated[str, syntax(after="with")] = ""
    target: Annotated[str, syntax(being=True, word=True)]
    protect: Annotated[str, syntax(being=True)] = ""


class Spell(Strike, frozen=True, kw_only=True):
    """A spell that is cast: with a target it is an attack, with a difficulty a task, else it simply happens.

    Its name is the text of the task.
    """

    target: Annotated[str, syntax(being=True, word=True)] = ""


class CastSpell(Spell, frozen=True, kw_only=True, tag="cast-spell"):
    """Cast a spell at once: `k cast "fog" intellect:3`, `k cast "spark" bonus`, `o cast "ward" reaction speed:1`."""

    verbs: ClassVar[tuple[str, ...]] = ("cast",)

    time: Annotated[Literal["standard", "bonus", "reaction"], syntax(word=True)] = "standard"
    cost: Annotated[tuple[Cost, ...], syntax(word=True)] = ()


class StartLongSpell(Declaration, frozen=True, kw_only=True, tag="start-long-spell"):
    """Begin a long spell, as the move action: `k begin "ward" intellect:4`."""

    verbs: ClassVar[tuple[str, ...]] = ("begin",)

    spell: str
    cost: Annotated[tuple[Cost, ...], syntax(word=True)] = ()
    physical: bool = False


class FinishLongSpell(Spell, frozen=True, kw_only=True, tag="finish-long-spell"):
    """Finish the long spell of this round, as the standard action: `k finish "ward" i v5`."""

    verbs: ClassVar[tuple[str, ...]] = ("finish",)
