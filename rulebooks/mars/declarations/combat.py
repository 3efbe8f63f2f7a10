"""Attacks, and the defences that answer them."""

from typing import Annotated, ClassVar, Literal

from ledger.declarations import Declaration, syntax
from rulebooks.mars.declarations.parts import Reaction, Rolling


class Blow(Rolling, frozen=True, kw_only=True):
    """The fields of everything that attacks: weapon and skill, what the target sees, and how it defends itself.

    A weapon that is left out is the one in hand; a skill that is left out is that of the weapon. `unseen` is known
    from the conditions of the target, unless it is said. `damage` is what a damage roll made elsewhere came to,
    with strength; a critical, a graze, a block and the armour change it as they change a throw.
    """

    weapon: Annotated[str, syntax(word=True, after="with")] = ""
    skill: Annotated[Literal["", "finesse", "martial", "ranged", "unarmed"], syntax(word=True)] = ""
    unseen: Annotated[bool | None, syntax(word=True)] = None
    flanked: Annotated[bool, syntax(word=True)] = False
    damage: Annotated[int | None, syntax()] = None
    defences: Annotated[tuple[Reaction, ...], syntax(answers=True)] = ()


class Attack(Blow, frozen=True, kw_only=True, tag="attack"):
    """Attack somebody: `asha attack gil`, `! gil attack asha spear flanked ^asha:parry ^asha:block`."""

    verbs: ClassVar[tuple[str, ...]] = ("attack",)

    target: Annotated[str, syntax(being=True, word=True)]


class Answer(Declaration, frozen=True, kw_only=True):
    """A defence against an announced attack."""

    answers: ClassVar[bool] = True

    pick: tuple[int, ...] = ()


class Evade(Answer, frozen=True, kw_only=True, tag="evade"):
    """Evade an announced attack, for 1 stamina: `^ bram evade`, `^ bram evade prone`, `^ bram evade reaction step`."""

    verbs: ClassVar[tuple[str, ...]] = ("evade",)

    reaction: Annotated[bool, syntax(word=True)] = False
    after: Annotated[Literal["stay", "prone", "step"], syntax(word=True)] = "stay"


class Parry(Answer, frozen=True, kw_only=True, tag="parry"):
    """Parry an announced attack, for 1 stamina: `^ asha parry`, `^ asha parry longsword`."""

    verbs: ClassVar[tuple[str, ...]] = ("parry",)

    item: Annotated[str, syntax(word=True)] = ""


class Block(Answer, frozen=True, kw_only=True, tag="block"):
    """Block an announced attack if it hits, for 1 stamina: `^ asha block`; `behind`: it comes from there."""

    verbs: ClassVar[tuple[str, ...]] = ("block",)

    item: Annotated[str, syntax(word=True)] = ""
    behind: Annotated[bool, syntax(word=True)] = False
