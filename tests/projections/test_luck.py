"""Test the luck of dice: exact shares, counted against every throw there is."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.luck import LuckyDie, luck_of, with_die


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


def test_sums_of_two_dice_have_the_known_ways() -> None:
    assert with_die(with_die([1], 6, 1), 6, 1) == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    assert with_die([1, 1], 2, 3) == [1, 1, 0, 1, 1]


@pytest.mark.parametrize(("face", "worse"), [(1, Fraction(0)), (20, Fraction(19, 20))])
def test_high_faces_are_lucky_unless_low_ones_are(face: int, worse: Fraction) -> None:
    assert luck_of([LuckyDie(20, face)]).worse == worse
    assert luck_of([LuckyDie(20, 21 - face, is_low=True)]).worse == worse


def test_thousand_dice_are_counted_exactly() -> None:
    luck = luck_of([LuckyDie(6, 3), LuckyDie(6, 4)] * 300)
    assert luck.sum == luck.expected == 2100
    assert luck.worse == luck.better
    assert luck.worse.denominator > 10**400
