"""Dice as people write them: what is read, what is refused, and odds against an enumeration of our own."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ledger import odds
from ledger.errors import LedgerError
from ledger.facts import EntryId, Judged, Rolled
from ledger.odds import count_odds
from rulebooks.open_game.expressions import DICE_MOST, BadExpression, Part, parse_expression, with_edge
from rulebooks.testing.seat import of_kind
from tests.rulebooks.open_game.seat import BOOK, Seat


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("d20", Part(count=1, sides=20)),
        ("2D6", Part(count=2, sides=6)),
        ("d%", Part(count=1, sides=100)),
        ("4d6kh3", Part(count=4, sides=6, keep=3)),
        ("4d6k3", Part(count=4, sides=6, keep=3)),
        ("4d6kl", Part(count=4, sides=6, keep=-1)),
        ("4d6dl1", Part(count=4, sides=6, keep=3)),
        ("4d6dh1", Part(count=4, sides=6, keep=-3)),
        ("3d6!", Part(count=3, sides=6, explodes=True)),
        ("6d6>=5", Part(count=6, sides=6, least=5)),
        ("6d6!>4", Part(count=6, sides=6, least=5, explodes=True)),
        ("4dF", Part(count=4, sides=3, fudge=True)),
        ("dex", Part(value="dex")),
        ("Iron-Will", Part(value="iron-will")),
        ("12", Part(number=12)),
    ],
)
def test_part_is_read(text: str, part: Part) -> None:
    assert parse_expression(text) == (part,)


def test_parts_are_added_and_taken_off() -> None:
    signs = [(part.sign, part.count, part.value, part.number) for part in parse_expression("2d6 + str - 1d4-2")]
    assert signs == [(1, 2, "", 0), (1, 0, "str", 0), (-1, 1, "", 0), (-1, 0, "", 2)]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "nothing to roll"),
        ("d0", "the sides of a die must be 2 to 1000, not 0"),
        ("d1!", "not 1"),
        ("1000000000d6", "the number of dice must be 1 to 100"),
        ("1" * 40 + "d6", "not 111111111111..."),
        ("0d6", "1 to 100, not 0"),
        ("60d6+60d6", "120 dice are too many"),
        ("d1001", "2 to 1000"),
        ("4d6kh5", "keeps 5 of 4 dice"),
        ("4d6dl4", "keeps 0 of 4 dice"),
        ("4d6kh3kl1", "twice which dice are kept"),
        ("2d6>=7", "a d6 cannot be asked for 7 or more"),
        ("2d6!3", "not a roll that is known"),
        ("4dF!", "neither explode"),
        ("2d6++3", "not understood"),
        ("2d6 3", "not understood"),
        ("2d6*3", "not a roll that is known"),
        ("9999999", "a number must be 0 to 1000000"),
        ("+".join("1" * 13), "13 parts are too many"),
    ],
)
def test_expression_is_refused(text: str, wrong: str) -> None:
    with pytest.raises(BadExpression, match=wrong.replace("+", r"\+")):
        parse_expression(text)


@given(st.text(alphabet="0123456789dDfFkhl!%>=+- x\u0661(", max_size=24))
@example("d\u0661")
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        parts = parse_expression(text)
    except BadExpression:
        return
    assert parts
    assert sum(part.count for part in parts) <= DICE_MOST
    assert all(2 <= part.sides <= 1000 and abs(part.keep) <= part.count for part in parts if part.count)


@pytest.mark.parametrize("text", ["dex", "3", "4d6kh3"])
def test_edge_needs_dice_that_keep_none(text: str) -> None:
    with pytest.raises(BadExpression, match="advantage"):
        with_edge(parse_expression(text), "advantage")


def chances(line: str) -> dict[str, Fraction]:
    """Return the chances of the results of a line."""
    seat = Seat()
    found = count_odds(BOOK, seat.ledger.state, seat.parse(line), EntryId(1, 1))
    return {chance.result: Fraction(chance.ways, chance.of) for chance in found.chances if chance.what != "hp"}


def share(wanted: int, of: int) -> Fraction:
    return Fraction(wanted, of)


def test_odds_of_kept_dice_are_those_of_every_throw() -> None:
    totals = [sum(sorted(faces)[1:]) for faces in product(range(1, 7), repeat=4)]
    expected = share(sum(total >= 12 for total in totals), len(totals))
    found = chances("vera roll 4d6kh3 vs 12")
    assert found["success"] + found.get("triumph", 0) == expected


@pytest.mark.slow
def test_odds_of_many_dice_are_those_of_their_sum() -> None:
    """So many that throws of the same total have to go on as one."""
    ways = Counter({0: 1})
    for _ in range(20):
        ways = Counter({total + face: 0 for total in ways for face in range(1, 7)}) + Counter(
            {total: sum(ways[total - face] for face in range(1, 7)) for total in range(1, 121)}
        )
    expected = share(sum(number for total, number in ways.items() if total < 70), 6**20)
    assert abs(chances("vera roll 20d6 vs 70")["failure"] - expected) < Fraction(1, 10**4)


@pytest.mark.slow
@pytest.mark.parametrize("least", [12, 30])
def test_odds_of_exploding_dice_count_every_chain(least: int) -> None:
    chain = {face: share(1, 6) for face in range(1, 6)}  # the totals of a die with its extra dice
    for extra in range(1, 11):
        chain |= {6 * extra + face: share(1, 6 ** (extra + 1)) for face in range(1, 6)}
    lower = sum(chain[one] * chain[two] for one in chain for two in chain if one + two < least)
    assert abs(chances(f"vera roll 2d6! vs {least}")["failure"] - lower) < share(1, 10**6)  # a few are not explored


@pytest.mark.slow
def test_odds_that_come_to_no_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """No branch is finished when the time is up: that is not the answer that nothing depends on dice."""
    monkeypatch.setattr(odds, "MAX_EXPLORED", 100)
    with pytest.raises(LedgerError, match="more than 100000 combinations"):
        chances("vera roll 12d6 vs 20")


@pytest.mark.slow
def test_odds_of_kept_dice_that_explode_end() -> None:
    """All chains of five such dice together are more than half a milliard."""
    assert 0 < chances("vera roll 5d6!kh3 vs 10")["success"] < 1


def test_each_die_that_explodes_has_a_throw_of_its_own() -> None:
    seat = Seat()
    record = seat.line("vera roll 2d6!", 6, 6, 1, 2)
    rolled = [(fact.purpose, [die.face for die in fact.dice]) for fact in of_kind(record, Rolled)]
    assert rolled == [
        ("roll Vera", [6]),
        ("roll Vera extra of 1", [6]),
        ("roll Vera extra of extra of 1", [1]),
        ("roll Vera part 4", [2]),
    ]
    assert of_kind(record, Judged)[0].total == 15


def test_same_dice_fall_whatever_is_said_between() -> None:
    one, other = Seat(), Seat()
    other.line("otto roll 3d6")
    faces = [[fact.dice for fact in of_kind(seat.line("vera roll 8d6"), Rolled)] for seat in (one, other)]
    assert faces[0] == faces[1]
