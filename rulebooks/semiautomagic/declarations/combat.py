"""Declarations of attacks, and of damage without one."""

from typing import Annotated, ClassVar, Literal

from ledger.declarations import Declaration, GameMasterDeclaration, syntax

Reach = Literal["", "melee", "ranged"]
Defence = Literal["", "none", "block", "dodge", "parry"]


class Attack(Declaration, frozen=True, kw_only=True, tag="attack"):
    """Attack somebody: `rook attack thorn`, `rook attack thorn axe dodge`, `! thorn attack rook bow ranged`.

    `defence` is the target's; on a line that ends in `...` it answers later (`^ thorn dodge`). `item` is what the
    target wears or carries; `at` is the location of a called shot: `rook attack thorn at=leg`, with both numbers of a
    ruling `at=foot m2 a-2 "as the arm"`. `limb` is the number of the target's leg, arm, hand or
    wing, `with_limb` of one's own that strikes. `fast`: high speed adds to the damage. `range` is the penalty for
    range. `square` is where an unseen creature is thought to be. `total` and `defence_total` are sums rolled elsewhere.
    """

    verbs: ClassVar[tuple[str, ...]] = ("attack",)

    target: Annotated[str, syntax(being=True, word=True)]
    weapon: Annotated[str, syntax(word=True, after="with")] = ""
    reach: Annotated[Reach, syntax(word=True, whole=True)] = ""
    defence: Annotated[Defence, syntax(word=True, whole=True)] = ""
    item: Annotated[str, syntax(named=True)] = ""
    at: Annotated[str, syntax(named=True)] = ""
    limb: Annotated[int, syntax()] = 0
    target_modifier: Annotated[int | None, syntax("m")] = None
    toughness: Annotated[int | None, syntax("a")] = None
    reason: str = ""
    with_limb: Annotated[int, syntax()] = 0
    fast: Annotated[bool, syntax(word=True, whole=True)] = False
    range: Annotated[int, syntax()] = 0
    square: Annotated[tuple[int, ...], syntax()] = ()
    total: Annotated[int | None, syntax()] = None
    defence_total: Annotated[int | None, syntax()] = None


class Defend(Declaration, frozen=True, kw_only=True):
    """A defence against an attack that is announced, with dice or a known total."""

    answers: ClassVar[bool] = True

    total: Annotated[int | None, syntax()] = None


class Block(Defend, frozen=True, kw_only=True, tag="block"):
    """Block an announced attack with the shield: `^ rook block`, `^ rook block total=6`."""

    verbs: ClassVar[tuple[str, ...]] = ("block",)


class Dodge(Defend, frozen=True, kw_only=True, tag="dodge"):
    """Dodge an announced attack: `^ thorn dodge`."""

    verbs: ClassVar[tuple[str, ...]] = ("dodge",)


class Parry(Defend, frozen=True, kw_only=True, tag="parry"):
    """Parry an announced attack with the weapon in hand: `^ rook parry`."""

    verbs: ClassVar[tuple[str, ...]] = ("parry",)


class Area(GameMasterDeclaration, frozen=True, kw_only=True, tag="area"):
    """Catch somebody in an area, who may dodge against a DC: `! area rook 8 dc=6 dodge "a fireball"`.

    `damage` 0: it does no damage, and only a dodge as if with Evasion avoids it. `source` is the creature behind it.
    """

    verbs: ClassVar[tuple[str, ...]] = ("area",)

    target: Annotated[str, syntax(being=True, word=True)]
    damage: Annotated[int, syntax(word=True)] = 0
    dc: Annotated[int, syntax()] = 4
    dodge: Annotated[bool, syntax(word=True, whole=True)] = False
    source: Annotated[str, syntax(being=True)] = ""
    reason: str = ""


class Harm(GameMasterDeclaration, frozen=True, kw_only=True, tag="harm"):
    """Rule that a creature, an item or a cover takes damage: `! harm rook 12 "thrown against the wall"`."""

    verbs: ClassVar[tuple[str, ...]] = ("harm",)

    target: Annotated[str, syntax(being=True, word=True)]
    damage: Annotated[int, syntax(word=True)]
    reason: str = ""
