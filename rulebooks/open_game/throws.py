"""Throws: an expression becomes faces, the facts of them, and a sum with a step for each part."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import partial
from typing import Final

import msgspec

from ledger.facts import Die, Judged, Rolled, Sum
from projections.state import State
from rulebooks.common.dice import EntryDice, Thrower
from rulebooks.common.sums import SumSteps
from rulebooks.open_game.expressions import EXTRA_MOST, Expression, Part
from rulebooks.open_game.values import number_of

COMBINATIONS_MOST: Final = 10_000  # of dice that are thrown together, so that odds can count them
RULE: Final = "OG-DICE-1"
ROLLED: Final = "rolled"  # the result of a roll that has none of its own


class Total(msgspec.Struct, frozen=True, kw_only=True):
    """What an expression came to: its sum with all steps, and the purposes of its throws."""

    sum: Sum
    rolls: tuple[str, ...]

    @property
    def number(self) -> int:
        """The total."""
        return self.sum.total


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """The dice of one throw by purpose, extra dice behind those that gave them, and what they count."""

    throws: tuple[tuple[str, tuple[Die, ...]], ...]
    value: int


def throw_expression(
    name: str, who: str, expression: Expression, dice: EntryDice, state: State
) -> Generator[Rolled, None, Total]:
    """OG-DICE-1: yield the throws of an expression and return its total. Raises the refusal of an unknown value."""
    numbers = {part.value: number_of(who, part.value, state) for part in expression if part.value}
    shown_total, rolls = 0, list[str]()
    for part in expression:
        for chunk in chunks_of(part) if part.count else ():
            shown = throw_chunk(chunk, f"{name} {who}" + (f" part {len(rolls) + 1}" if rolls else ""), dice)
            for purpose, thrown in shown.throws:
                yield Rolled(rules=(RULE,), who=who, purpose=purpose, source=dice.dice.source, dice=thrown)
                rolls.append(purpose)
            shown_total += part.sign * shown.value
            dice.dice.settle(shown_total)
    steps = SumSteps("total", shown_total)
    for part in expression:
        if not part.count:
            steps.add(part.sign * numbers.get(part.value, part.number), RULE, part.value or "modifier")
    return Total(sum=steps.sum(), rolls=tuple(rolls))


def judgement(rule: str, what: str, who: str, total: Total, state: State) -> Judged:
    """Return the judgement of a total with all its steps, which has no result of its own."""
    being = state.being(who)
    return Judged(
        rules=(rule,),
        what=what,
        who=who,
        sums=(total.sum,),
        total=total.number,
        result=ROLLED,
        rolls=total.rolls,
        final=True,
        seen=being.seen if being else "table",
    )


def throw_chunk(part: Part, purpose: str, dice: EntryDice) -> Shown:
    """Throw dice. Only what they count matters to what is decided next."""
    further = EXTRA_MOST * (part.sides - 1) if part.explodes else 0  # ways of one die past its first face
    if (part.sides + further) ** part.count > COMBINATIONS_MOST:
        return throw_part(part, purpose, dice)
    return dice.group(partial(throw_part, part, purpose), lambda shown: shown.value, like=part)


def chunks_of(part: Part) -> Iterator[Part]:
    """Yield the dice in throws of few enough combinations for odds; those of which some are kept in one."""
    size = part.count
    if not part.keep:
        size = 1
        while not part.explodes and part.sides ** (size + 1) <= COMBINATIONS_MOST and size < part.count:
            size += 1
    for start in range(0, part.count, size):
        yield msgspec.structs.replace(part, count=min(size, part.count - start))


def throw_part(part: Part, purpose: str, dice: Thrower) -> Shown:
    """OG-DICE-2: throw the dice of a part; each at its highest face gives one more where they explode."""
    faces = dice.throw(purpose, *[part.sides] * part.count)
    chains = [[face] for face in faces]
    extras: list[tuple[str, tuple[Die, ...]]] = []
    for ordinal, chain in enumerate(chains):
        while part.explodes and chain[-1] == part.sides and len(chain) <= EXTRA_MOST:
            label = f"{purpose} {'extra of ' * len(chain)}{ordinal + 1}"
            (face,) = dice.throw(label, part.sides)
            chain.append(face)
            extras.append((label, (Die(ordinal=0, sides=part.sides, face=face, label="extra", of=ordinal),)))
    counts = [count_of(part, chain) for chain in chains]
    kept = kept_dice(part, counts)
    own = tuple(
        Die(ordinal=ordinal, sides=part.sides, face=face, kept=ordinal in kept, label="fudge" if part.fudge else "")
        for ordinal, face in enumerate(faces)
    )
    return Shown(throws=((purpose, own), *extras), value=sum(counts[ordinal] for ordinal in kept))


def count_of(part: Part, chain: list[int]) -> int:
    """OG-DICE-3: return what a die and its extra dice count: their faces, one less 2 for fudge, or their successes."""
    if part.least:
        return sum(face >= part.least for face in chain)
    return sum(face - 2 if part.fudge else face for face in chain)


def kept_dice(part: Part, counts: list[int]) -> set[int]:
    """OG-DICE-4: return the dice that count: all, or so many of the highest or the lowest."""
    order = sorted(range(len(counts)), key=lambda ordinal: counts[ordinal], reverse=part.keep > 0)
    return set(order[: abs(part.keep)] if part.keep else order)
