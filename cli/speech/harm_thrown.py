"""The dice of a line that make harm: what they came to, and the faces with which they make as much as is said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from cli.notation.tokens import PAUSE
from cli.speech.english import ENGLISH
from cli.speech.readings import Reader
from cli.speech.thrown_lines import FACE, FACES, throws_of
from ledger.facts import Fact, Judged, Rolled, Sum

DICE_MOST: Final = 3  # of one blow's harm that are tried


class HarmThrown(msgspec.Struct, frozen=True):
    """What dice of a line made of harm: where these are among all its faces, their sides, and what they came to."""

    places: tuple[int, ...]
    sides: tuple[int, ...]
    totals: tuple[int, ...]


def harm_thrown(facts: Sequence[Fact]) -> HarmThrown | None:
    """Return the dice of an entry that made harm; None if none did."""
    judged = [fact for fact in facts if isinstance(fact, Judged)]
    harmful = [(fact, damage_sums(fact)) for fact in judged]
    fact, sums = next(((fact, sums) for fact, sums in reversed(harmful) if sums and fact.rolls), (None, []))
    if fact is None:
        return None
    places, sides, at = list[int](), list[int](), 0
    for thrown in (each for each in facts if isinstance(each, Rolled)):
        if thrown.purpose in fact.rolls:
            places += range(at, at + len(thrown.dice))
            sides += [die.sides for die in thrown.dice]
        at += len(thrown.dice)
    totals = dict.fromkeys((*map(_before_armor, reversed(sums)), *(each.total for each in reversed(sums))))
    return HarmThrown(tuple(places), tuple(sides), tuple(totals))


def damage_sums(fact: Judged) -> list[Sum]:
    """Return the sums of a judgement that are of damage."""
    return [each for each in fact.sums if ENGLISH.dealt & {each.name, fact.what}]


def _before_armor(harm: Sum) -> int:
    """Return what a sum comes to before anything is taken off: that is what the table says first."""
    return next((step.now + step.value for step in harm.steps if step.op == "-"), harm.total)


def with_more(faces: Sequence[int], harm: HarmThrown, more: int) -> Sequence[int]:
    """Return faces that make so much more harm, the last dice changed first; none if they cannot."""
    changed = [*faces]
    for place, sides in zip(reversed(harm.places), reversed(harm.sides), strict=True):
        face = min(sides, max(1, changed[place] + more))
        more -= face - changed[place]
        changed[place] = face
    return changed if not more else ()


def with_harm(line: str, number: int, reader: Reader) -> str:
    """Return a line without faces with those that make so much harm; empty if it throws none, or they cannot."""
    bare = line.removesuffix(PAUSE).rstrip()
    for count in range(1, DICE_MOST + 1 if FACES not in line else 1):
        faces = [1] * count
        thrown = throws_of(f"{bare} {FACE}{'.'.join(map(str, faces))}", reader)
        if len(thrown) != 1 or not (thrown[0].error is None or thrown[0].is_short):
            return ""
        harm = harm_thrown(thrown[0].facts) if thrown[0].error is None else None
        ways = (with_more(faces, harm, number - total) for total in harm.totals) if harm else ()
        if way := next(filter(None, ways), None):
            return f"{bare} {FACE}{'.'.join(map(str, way))}"
    return ""
