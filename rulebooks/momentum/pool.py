"""The dice of one attack: thrown, rolled again where they show their maximum, and where a weapon or Help lets them.

Each new face is keyed under the showing that caused it (`attack Sira extra of 2`, `... help of extra of 2`), so that a
die more or less moves no other. Dice are numbered in the order in which they appear; a die rolled again keeps its
number.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence

import msgspec

from ledger.dice import Dice
from ledger.errors import BadFaces
from ledger.facts import Die, Fact, Rolled
from projections.state import State
from rulebooks.momentum.texts import option, refused


class Lying(msgspec.Struct, frozen=True, kw_only=True):
    """A die as it lies: its number, its face, what that face is keyed by, and whether Precise has rolled it again."""

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


class Pool(msgspec.Struct, frozen=True, kw_only=True):
    """All dice of an attack as they lie, and the purposes they were thrown for."""

    dice: tuple[Lying, ...] = ()
    rolls: tuple[str, ...] = ()

    def with_(self, dice: Iterable[Lying], purpose: str) -> Pool:
        """With these dice, new ones or in place of those with their number."""
        lying = {die.number: die for die in (*self.dice, *dice)}
        return Pool(dice=tuple(lying.values()), rolls=(*self.rolls, purpose))


Throwing = Generator[Fact, None, Pool]


def faces_of(dice: Dice, purpose: str, *sides: int) -> tuple[int, ...]:
    """MO-CONV-2: the faces of these dice. Raises the refusal of one that is impossible or missing."""
    try:
        return dice.throw(purpose, *sides)
    except BadFaces as error:
        expected = ", ".join(f"d{most}" for most in sides)
        raise refused("DICE", expected=f"{expected} for {purpose}: {error.what}") from error


def check_all_thrown(dice: Dice) -> None:
    """MO-CONV-2: faces that are left over are refused."""
    try:
        dice.all_thrown()
    except BadFaces as error:
        raise refused("DICE", expected=f"no more: {error.what}") from error


def thrown(who: str, purpose: str, count: int, sides: int, precise: bool, dice: Dice, state: State) -> Throwing:
    """MO-CONV-1: all base dice, left to right, then in waves what they bring."""
    faces = faces_of(dice, purpose, *[sides] * count)
    wave = [Lying(number=n, sides=sides, face=face, key=str(n)) for n, face in enumerate(faces, 1)]
    lay = tuple(
        Die(ordinal=n, sides=sides, face=face, kept=not (precise and face == 1)) for n, face in enumerate(faces)
    )
    yield Rolled(rules=("MO-ATK-1", "MO-CONV-1"), who=who, purpose=purpose, source=dice.source, dice=lay)
    return (yield from waves(who, purpose, Pool().with_(wave, purpose), wave, precise, dice, state))


def waves(
    who: str, purpose: str, pool: Pool, wave: Sequence[Lying], precise: bool, dice: Dice, state: State
) -> Throwing:
    """MO-CONV-1: of each wave every 1 of a Precise weapon first, then an extra die for every maximum: the next wave."""
    while wave:
        settled: list[Lying] = []
        for die in wave:
            while precise and die.face == 1 and (not die.precise or option(state, "precise_repeat") == "repeat"):
                again = msgspec.structs.replace(die, precise=True)
                die, fact = anew(who, purpose, again, "precise", dice, "MO-TAG-3")
                yield fact
                pool = pool.with_([die], fact.purpose)
            settled.append(die)
        wave = []
        for parent in settled:
            if parent.highest:
                number = 1 + len(pool.dice)
                die, fact = anew(who, purpose, parent, "extra", dice, *exploding(parent))
                die = msgspec.structs.replace(die, number=number, extra=True, precise=False)
                yield fact
                pool = pool.with_([die], fact.purpose)
                wave.append(die)
    return pool


def exploding(die: Lying) -> tuple[str, ...]:
    """MO-EXP-2: a die that shows its maximum gives one more. MO-EXP-3: so does that one, without limit."""
    return ("MO-EXP-3", "MO-EXP-1") if die.extra else ("MO-EXP-2", "MO-EXP-1")


def anew(who: str, purpose: str, die: Lying, why: str, dice: Dice, *rules: str) -> tuple[Lying, Rolled]:
    """One face that another caused, keyed under it."""
    key = f"{why} of {die.key}"
    (face,) = faces_of(dice, f"{purpose} {key}", die.sides)
    lay = Die(ordinal=0, sides=die.sides, face=face, why=why, of=die.number - 1)
    fact = Rolled(rules=rules, who=who, purpose=f"{purpose} {key}", source=dice.source, dice=(lay,))
    return msgspec.structs.replace(die, face=face, key=key), fact


def check_choice(pool: Pool, chosen: Sequence[int], helpers: int, defense: int, state: State) -> None:
    """MO-HELP-2: up to two different dice that are not hits; MO-GAP-18: or two for each helper."""
    by_number = {die.number: die for die in pool.dice}
    most = 2 * helpers if option(state, "help_stacks") == "yes" else 2 * min(helpers, 1)
    if len(set(chosen)) != len(chosen) or len(chosen) > most:
        raise refused("HELP")
    for number in chosen:
        die = by_number.get(number)
        if die is None or not may_help(die, defense, state):
            raise refused("HELP")


def may_help(die: Lying, defense: int, state: State) -> bool:
    """MO-HELP-2: whether Help may roll this die again."""
    return not die.hits(defense) and not (die.extra and option(state, "help_extra_dice") == "no")


def helped(
    who: str, purpose: str, pool: Pool, chosen: Sequence[int], precise: bool, dice: Dice, state: State
) -> Throwing:
    """MO-HELP-2: one new face for each chosen die, left to right; these are a wave."""
    wave: list[Lying] = []
    for die in [die for die in pool.dice if die.number in chosen]:
        new, fact = anew(who, purpose, die, "help", dice, "MO-HELP-2")
        yield fact
        pool = pool.with_([new], fact.purpose)
        wave.append(new)
    return (yield from waves(who, purpose, pool, wave, precise, dice, state))
