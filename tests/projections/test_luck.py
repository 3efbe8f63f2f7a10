"""Test the luck of dice: exact shares, counted against every throw there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.luck import Luck, LuckyDie, luck_of_counts


def luck_of(dice: Iterable[LuckyDie]) -> Luck:
    return luck_of_counts(Counter(dice))


@st.composite
def dice(draw: st.DrawFn) -> LuckyDie:
    sides = draw(st.integers(1, 6))
    return LuckyDie(sides, draw(st.integers(1, sides)), draw(st.integers(1, 3)), draw(st.booleans()))


@given(st.lists(dice(), max_size=4))
def test_luck_equals_the_count_of_all_throws(thrown: list[LuckyDie]) -> None:
    def total(faces: tuple[int, ...]) -> int:
        pairs = zip(thrown, faces, strict=True)
        return sum(die.weight * (die.sides + 1 - face if die.is_low else face) for die, face in pairs)

    sums = [total(faces) for faces in product(*(range(1, die.sides + 1) for die in thrown))]
    luck = luck_of(thrown)
    assert luck.sum == total(tuple(die.face for die in thrown))
    assert luck.expected == Fraction(sum(sums), len(sums))
    assert luck.worse == Fraction(sum(each < luck.sum for each in sums), len(sums))
    assert luck.better == Fraction(sum(each > luck.sum for each in sums), len(sums))
    assert luck.worse + luck.same + luck.better == 1


@pytest.mark.parametrize(("face", "worse"), [(1, Fraction(0)), (20, Fraction(19, 20))])
def test_high_faces_are_lucky_unless_low_ones_are(face: int, worse: Fraction) -> None:
    assert luck_of([LuckyDie(20, face)]).worse == worse
    assert luck_of([LuckyDie(20, 21 - face, is_low=True)]).worse == worse


def test_luck_of_many_dice_is_even_around_the_middle() -> None:
    luck = luck_of([LuckyDie(6, 3), LuckyDie(6, 4)] * 3000)
    assert luck.sum == luck.expected == 21000
    assert float(luck.worse) == pytest.approx(float(luck.better))
    assert not luck.exact


@pytest.mark.slow
@pytest.mark.parametrize("is_low", [False, True])
def test_only_the_lowest_sum_leaves_no_worse_one(is_low: bool) -> None:
    lowest = [LuckyDie(6, 6 if is_low else 1, is_low=is_low)] * 200
    assert luck_of(lowest).worse == 0
    assert 0 < luck_of([*lowest, LuckyDie(6, 2)]).worse < Fraction(1, 10**12)
