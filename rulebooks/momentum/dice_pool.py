"""The dice of one attack: thrown, exploding at their maximum, and rolled again by a Precise weapon or by Help.

Each new face is keyed under the face that caused it (`attack Sira extra of 2`, `... help of extra of 2`), so that a
die more or less changes no other. Dice are numbered in the order in which they appear; a die rolled again keeps its
number.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import Final

import msgspec

from ledger.dice import Dice
from ledger.facts import Die, Fact, Rolled
from projections.state import State
from rulebooks.common.dice import refuse_bad_faces
from rulebooks.momentum.texts import left_over, option, refusal


class PoolDie(msgspec.Struct, frozen=True, kw_only=True):
    """A die of the pool: its number, its face, the key of that face, and whether Precise has rolled it again."""

    number: int
    sides: int
    face: int
    key: str
    extra: bool = False
    precise: bool = False

    @property
    def highest(self) -> bool:
        """MO-EXP-1: its maximum."""
        return self.face == self.sides

    def hits(self, defense: int) -> bool:
        """MO-ATK-2: it reaches Defense on its own. MO-EXP-1: or shows its maximum, whatever the Defense."""
        return self.face >= defense or self.highest


class DicePool(msgspec.Struct, frozen=True, kw_only=True):
    """All dice of an attack with their faces, and the purposes they were thrown for."""

    dice: tuple[PoolDie, ...] = ()
    rolls: tuple[str, ...] = ()

    def with_dice(self, dice: Iterable[PoolDie], purpose: str) -> DicePool:
        """Return the pool with these dice added, replacing those with the same number."""
        by_number = {die.number: die for die in (*self.dice, *dice)}
        return DicePool(dice=tuple(by_number.values()), rolls=(*self.rolls, purpose))


AGAIN: Final = {
    "extra": "shows its maximum",
    "precise": "shows 1 for a Precise weapon",
    "help": "is rolled again with Help",
}  # why a die gives a new face, by the key of that face
PoolThrow = Generator[Fact, None, DicePool]


def throw_faces(dice: Dice, purpose: str, expected: str, *sides: int) -> tuple[int, ...]:
    """MO-CONV-2: the faces of the dice that are `expected`. Raises the refusal of one that is impossible or missing."""
    with refuse_bad_faces(lambda wrong: refusal("DICE", expected=f"{expected}: {wrong}")):
        return dice.throw(purpose, *sides)


def check_all_thrown(dice: Dice) -> None:
    """MO-CONV-2: faces that are left over are refused."""
    with refuse_bad_faces(left_over):
        dice.check_all_used()


def throw_pool(who: str, purpose: str, count: int, sides: int, precise: bool, dice: Dice, state: State) -> PoolThrow:
    """MO-CONV-1: all base dice, left to right, then in waves the dice that they add."""
    faces = throw_faces(dice, purpose, f"{count}d{sides} of {who}", *[sides] * count)
    wave = [PoolDie(number=n, sides=sides, face=face, key=str(n)) for n, face in enumerate(faces, 1)]
    rolled = tuple(
        Die(ordinal=n, sides=sides, face=face, kept=not (precise and face == 1)) for n, face in enumerate(faces)
    )
    yield Rolled(rules=("MO-ATK-1", "MO-CONV-1"), who=who, purpose=purpose, source=dice.source, dice=rolled)
    return (yield from throw_waves(who, purpose, DicePool().with_dice(wave, purpose), wave, precise, dice, state))


def throw_waves(
    who: str, purpose: str, pool: DicePool, wave: Sequence[PoolDie], precise: bool, dice: Dice, state: State
) -> PoolThrow:
    """MO-CONV-1: of each wave every 1 of a Precise weapon first, then an extra die for every maximum: the next wave."""
    while wave:
        settled: list[PoolDie] = []
        for die in wave:
            while precise and die.face == 1 and (not die.precise or option(state, "precise_repeat") == "repeat"):
                again = msgspec.structs.replace(die, precise=True)
                die, fact = throw_again(who, purpose, again, "precise", dice, "MO-TAG-3")
                yield fact
                pool = pool.with_dice([die], fact.purpose)
            settled.append(die)
        wave = []
        for parent in settled:
            if parent.highest:
                number = 1 + len(pool.dice)
                die, fact = throw_again(who, purpose, parent, "extra", dice, *explosion_rules(parent))
                die = msgspec.structs.replace(die, number=number, extra=True, precise=False)
                yield fact
                pool = pool.with_dice([die], fact.purpose)
                wave.append(die)
    return pool


def explosion_rules(die: PoolDie) -> tuple[str, ...]:
    """MO-EXP-2: a die that shows its maximum gives one more. MO-EXP-3: so does that one, without limit."""
    return ("MO-EXP-3", "MO-EXP-1") if die.extra else ("MO-EXP-2", "MO-EXP-1")


def throw_again(who: str, purpose: str, die: PoolDie, why: str, dice: Dice, *rules: str) -> tuple[PoolDie, Rolled]:
    """Return a die with a new face, keyed under the old one that caused it, and the fact of the roll."""
    key = f"{why} of {die.key}"
    expected = f"one more d{die.sides} of {who}, since die {die.number} {AGAIN[why]}"
    (face,) = throw_faces(dice, f"{purpose} {key}", expected, die.sides)
    rolled = Die(ordinal=0, sides=die.sides, face=face, label=why, of=die.number - 1)
    fact = Rolled(rules=rules, who=who, purpose=f"{purpose} {key}", source=dice.source, dice=(rolled,))
    return msgspec.structs.replace(die, face=face, key=key), fact


def check_count(chosen: Sequence[int], helpers: int, state: State) -> None:
    """MO-HELP-2: up to two different dice; MO-GAP-18: or two for each helper."""
    most = 2 * helpers if option(state, "help_stacks") == "yes" else 2 * min(helpers, 1)
    if len(set(chosen)) != len(chosen) or len(chosen) > most:
        raise refusal("HELP")


def are_misses(pool: DicePool, chosen: Sequence[int], defense: int, state: State) -> bool:
    """MO-HELP-2: whether Help may roll all of these dice again: none is a hit, and none was rolled again before."""
    again = {die.number for die in pool.dice if can_reroll(die, defense, state)}
    return again.issuperset(chosen) and not (chosen and any(" help of " in purpose for purpose in pool.rolls))


def can_reroll(die: PoolDie, defense: int, state: State) -> bool:
    """MO-HELP-2: whether Help may roll this die again."""
    return not die.hits(defense) and not (die.extra and option(state, "help_extra_dice") == "no")


def reroll_for_help(
    who: str, purpose: str, pool: DicePool, chosen: Sequence[int], precise: bool, dice: Dice, state: State
) -> PoolThrow:
    """MO-HELP-2: one new face for each chosen die, left to right; these are a wave."""
    wave: list[PoolDie] = []
    for die in [die for die in pool.dice if die.number in chosen]:
        new, fact = throw_again(who, purpose, die, "help", dice, "MO-HELP-2")
        yield fact
        pool = pool.with_dice([new], fact.purpose)
        wave.append(new)
    return (yield from throw_waves(who, purpose, pool, wave, precise, dice, state))
