"""The types of fields in declarations, and the fields of every roll."""

from typing import Annotated, Literal

import msgspec

from ledger.declarations import Declaration, syntax

Stat = Literal["strength", "dexterity", "intelligence", "resolve"]
STATS: tuple[Stat, ...] = ("strength", "dexterity", "intelligence", "resolve")


class Modifier(msgspec.Struct, frozen=True):
    """A circumstance that adds to a roll, or takes off, and why."""

    n: int
    reason: str


class Reaction(msgspec.Struct, frozen=True):
    """A defence on the line of the attack that it meets: `^gil:evade:prone`, `^asha:parry:item=longsword`.

    `evade` is the free reaction, `evade:reaction` the one of the round. A block counts if the attack would hit, and
    not against one from `behind`. `pick` are the dice that rerolls roll again, by number.
    """

    who: Annotated[str, syntax(being=True)]
    kind: Literal["evade", "evade_reaction", "parry", "block"]
    after: Literal["stay", "prone", "step"] = "stay"
    item: str = ""
    front: Annotated[bool, syntax(no="behind")] = True
    pick: tuple[int, ...] = ()


class Rolling(Declaration, frozen=True, kw_only=True):
    """The fields of every roll: `+2"rain helps"`, `-1"smoke"`, `+adv"high ground"`, `+dis"mud"`, `pick=2`, `total=14`.

    `pick` are the dice that advantages roll again, by number; else it is the one that can gain most. `total` is what
    a roll came to that was made elsewhere, with all that counts for it.
    """

    bonuses: Annotated[tuple[Modifier, ...], syntax(plus="")] = ()
    penalties: Annotated[tuple[Modifier, ...], syntax(minus="")] = ()
    advantage: Annotated[tuple[str, ...], syntax(plus="adv")] = ()
    disadvantage: Annotated[tuple[str, ...], syntax(plus="dis")] = ()
    pick: tuple[int, ...] = ()
    total: Annotated[int | None, syntax()] = None
