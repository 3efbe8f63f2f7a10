"""Who can act at all, in every game: `show` lists no actions of others."""

from __future__ import annotations

from ledger.declarations import Ruling, Setting
from ledger.facts import GM
from rulebooks.common.options import SetOption
from rulebooks.testing.seat import TableSeat
from tests.rulebooks.dusk_bastards.fight import drop_to_zero, fight
from tests.rulebooks.momentum.seat import Seat as MomentumSeat
from tests.rulebooks.monolith.seat import Seat as MonolithSeat
from tests.rulebooks.semiautomagic.seat import Seat as SemiautomagicSeat


def can_use(seat: TableSeat, who: str, action: str) -> bool:
    return seat.book.guide.can_use(who, action, seat.state)


def rule(value: str, to: int) -> Ruling:
    return Ruling(by=GM, text="so it is", reason="a test", changes=(Setting(value, to),))


def test_stunned_and_dead_of_dusk_bastards_have_no_actions() -> None:
    seat = fight("Ash", "thug", "Bryn")
    assert all(can_use(seat, who, "standard") for who in ("Ash", "thug", "Bryn"))
    drop_to_zero(seat)
    assert not can_use(seat, "Ash", "standard")
    assert not can_use(seat, "Ash", "reaction")
    drop_to_zero(seat, "Bryn", (12, 12))
    assert not can_use(seat, "Bryn", "reaction")


def test_stunned_react_where_the_table_reads_it_so() -> None:
    seat = fight("Ash", "thug", options={"stunned_can_react": "yes"})
    drop_to_zero(seat)
    assert (can_use(seat, "Ash", "standard"), can_use(seat, "Ash", "reaction")) == (False, True)
    seat.say(SetOption(by=GM, name="stunned_can_react", value="no", reason="the table"))
    assert not can_use(seat, "Ash", "reaction")


def test_down_combatant_of_momentum_has_no_actions() -> None:
    seat = MomentumSeat()
    who = seat.state.beings_in_order()[0].name
    assert can_use(seat, who, "action")
    seat.say(rule(f"{who}.hp", 0))
    assert not can_use(seat, who, "action")


def test_casualty_of_monolith_has_no_actions() -> None:
    seat = MonolithSeat()
    assert can_use(seat, "Vega", "action")
    seat.say(rule("vega.unconscious", 1))
    assert not can_use(seat, "Vega", "action")


def test_unconscious_of_semiautomagic_have_no_seconds() -> None:
    seat = SemiautomagicSeat(fight=("Rook", "Thorn"))
    assert can_use(seat, "Rook", "seconds")
    seat.say(rule("rook.unconscious", 1))
    assert not can_use(seat, "Rook", "seconds")
