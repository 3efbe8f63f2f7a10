"""Test that odds are exact: against icepool, which knows dice and nothing of our rules.

Pools and sums, the highest of a pool, dice that explode without end, and rolls against rolls.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from ledger.facts import EntryId
from ledger.odds import count_odds
from rulebooks.dusk_bastards.declarations.tasks import Attempt
from rulebooks.mars.declarations.combat import Attack as MarsAttack
from rulebooks.momentum.declarations import Attack as PoolAttack
from rulebooks.monolith.declarations import Ally
from rulebooks.monolith.declarations import Attack as GangAttack
from rulebooks.semiautomagic.declarations.combat import Attack as TotalAttack
from tests.rulebooks.dusk_bastards.seat import Seat as DuskSeat
from tests.rulebooks.mars.seat import FIGHT
from tests.rulebooks.mars.seat import Seat as MarsSeat
from tests.rulebooks.momentum.seat import Seat as MomentumSeat
from tests.rulebooks.monolith.seat import Seat as MonolithSeat
from tests.rulebooks.semiautomagic.seat import Seat as SemiautomagicSeat

icepool = pytest.importorskip("icepool")


def chances(seat, said, what):
    """Return the chance of each result of a judgement, and the chance of all that was not explored."""
    odds = count_odds(seat.ledger.game, seat.ledger.state, said, EntryId(1, seat.ledger.state.last.number + 1))
    counted = Counter()
    for each in odds.chances:
        if each.what == what:
            counted[each.result] += Fraction(each.ways, each.of)
    return counted, Fraction(odds.unexplored, odds.of)


def expected(die):
    """Return the chance of each outcome of a die of icepool."""
    return {outcome: Fraction(quantity, die.denominator()) for outcome, quantity in die.items() if quantity}


@pytest.mark.quick_rows(3)
@pytest.mark.parametrize("difficulty", range(1, 9))
def test_sum_of_two_dice_reaches_a_number(difficulty):
    """DB-ROLL-1: two d12 against three times the difficulty."""
    said = Attempt(by="Ash", task="climb", stat="might", difficulty=difficulty)
    won = expected(2 @ icepool.d(12) >= 3 * difficulty)[True]
    assert chances(DuskSeat("Ash"), said, "task") == ({"success": won, "failure": 1 - won}, 0)


@pytest.mark.slow
@pytest.mark.parametrize("pool", ["2d6", "3d6", "2d6+1"])
def test_sum_of_a_pool_meets_a_number(pool):
    """TT-OUT-6: damage against Toughness 10 wounds from 3 on, and from 10 on leaves the target dying."""
    dice, _, flat = pool.partition("+")
    count, sides = map(int, dice.split("d"))
    seat = SemiautomagicSeat(sheets={"Rook": {"items": {"flail": {"damage": pool}}}})
    said = TotalAttack(by="Rook", target="Thorn", weapon="flail", defence="none")
    total = count @ icepool.d(sides) + int(flat or 0)
    graded = total.map(lambda shown: "dying" if shown >= 9 else "wound" if shown >= 3 else "nothing")
    assert chances(seat, said, "toughness") == (expected(graded), 0)


@pytest.mark.slow
@pytest.mark.parametrize("armor", [0, 2, 5])
def test_highest_die_of_a_gang_counts(armor):
    """ML-GANG-1: a d8, a d6 and a d10; ML-ATK-1: the highest less the armor."""
    allies = (Ally(who="Oru", weapon="pistol"), Ally(who="Kade", weapon="shotgun"))
    seat = MonolithSeat(sheets={"Stalker": {"armor": armor, "hp": 20}})
    said = GangAttack(by="Vega", target="Stalker", weapons=("rifle",), allies=allies)
    hurt = icepool.highest(icepool.d(8), icepool.d(6), icepool.d(10)) > armor
    results = {True: "hurt", False: "stopped"}
    assert chances(seat, said, "damage") == ({results[key]: chance for key, chance in expected(hurt).items()}, 0)


def hits_of(sides, defense, depth):
    """Return the hits of one die: its maximum is a hit and gives one more die, so many times."""
    die = icepool.d(sides)
    if not depth:
        return die.map(lambda face: int(face >= defense or face == sides))
    more = hits_of(sides, defense, depth - 1)
    return die.map(lambda face: 1 + more if face == sides else int(face >= defense))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("who", "weapon", "count", "sides"), [("Arlo", "short sword", 2, 10), ("Cole", "battleaxe", 3, 12)]
)
@pytest.mark.parametrize("defense", [4, 13])
def test_dice_explode_without_end(who, weapon, count, sides, defense):
    """MO-EXP-2, MO-EXP-3: what needs few dice of a chain has its exact chance, all else within what is unexplored."""
    seat = MomentumSeat(at={who: "Yard", "Guard": "Yard"}, defense={"Guard": defense}, hp={"Guard": 5})
    counted, rest = chances(seat, PoolAttack(by=who, target="Guard", weapon=weapon), "hit")
    exact = expected(count @ hits_of(sides, defense, 8))
    assert counted["miss"] == exact[0]
    assert sum(counted.values()) + rest == 1
    assert rest < Fraction(1, 10)
    for hits in range(1, 6):
        least = counted[f"{hits} hit{'s' * (hits > 1)}"]
        assert least <= exact[hits] <= least + rest
        assert least == exact[hits] or hits > 2 or count > 2


@pytest.mark.slow
@pytest.mark.parametrize("flanked", [False, True])
@pytest.mark.parametrize("deflection", ["r8+3", "r12+1", "r24"])
def test_roll_against_a_roll_is_graded_by_its_margin(flanked, deflection):
    """GR-ATK-2, GR-OUT-4: d12 and d10 against a rolled defence; GR-OUT-5: flanked, the die with more to gain again."""
    seat = MarsSeat(teams=FIGHT, turn="Asha", sheets={"Gil": {"derived": {"deflection": deflection}}})
    twelve, ten = icepool.d(12), icepool.d(10)

    def better(one, other):
        if not flanked:
            return one + other
        return icepool.highest(one, twelve) + other if 12 - one >= 10 - other else one + icepool.highest(other, ten)

    dice, _, flat = deflection[1:].partition("+")
    guard = {"8": icepool.d(8), "12": icepool.d(12), "24": 2 @ icepool.d(10) + icepool.d(4)}[dice] + int(flat or 0)
    margin = icepool.map(better, twelve, ten) - guard
    graded = margin.map(lambda by: "critical" if by >= 7 else "hit" if by >= 0 else "graze" if by > -7 else "fail")
    assert chances(seat, MarsAttack(by="Asha", target="Gil", flanked=flanked), "attack") == (expected(graded), 0)
