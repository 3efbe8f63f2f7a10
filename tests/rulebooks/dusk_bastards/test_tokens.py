"""Destiny, Doom and the window of an open roll, beyond the worked cases."""

from __future__ import annotations

import pytest

from ledger.declarations import Declaration, Ruling
from ledger.facts import GM, Judged, Ruled, TokensMoved
from rulebooks.common.options import SetOption
from rulebooks.dusk_bastards.declarations.parts import Change
from rulebooks.dusk_bastards.declarations.sheets import CreateCharacter, CreateNpc, CreateObject
from rulebooks.dusk_bastards.declarations.tasks import Attempt, ForbidRetry, Retry, SpendDestiny
from rulebooks.dusk_bastards.tasks.roll import open_roll
from tests.rulebooks.dusk_bastards.seat import (
    DAWN,
    DUSK,
    ECLIPSE,
    Seat,
    again,
    close,
    destiny,
    doom,
    faces,
    of_kind,
    spent,
    task,
    tries,
    uses,
)

# Destiny


def test_destiny_before_the_roll_is_spent_before_costs() -> None:
    """DB-DEST-5, DB-DEST-7."""
    seat = Seat("Bryn", Bryn={"might": 1, "destiny": 3})
    said = tries("Bryn", initial_cost=3, destiny_first=uses("regain:might", "regain:m", "activate:Night Eyes"))
    record = seat.say(said, *DAWN)
    assert seat.pools("Bryn")[0] == 0
    assert seat.destiny("Bryn") == 1
    assert [fact.text for fact in of_kind(record, Ruled)] == ["Night Eyes"]


def test_destiny_before_an_automatic_failure_is_spent() -> None:
    seat = Seat("Ash", Ash={"might": 1, "destiny": 1})
    record = seat.say(tries(initial_cost=3, destiny_first=uses("regain:might")), *DAWN)
    assert (task(record).result, seat.pools("Ash")[0], seat.destiny("Ash")) == ("automatic failure", 2, 0)


def test_regain_beyond_the_maximum_is_refused() -> None:
    """DB-DEST-7."""
    seat = Seat("Ash", Ash={"might": 11, "destiny": 2})
    twice = uses("regain:might", "regain:might")
    assert seat.code(tries(destiny_first=twice), *DAWN) == "POOL-FULL"
    seat.say(tries(), *DUSK)
    assert seat.code(SpendDestiny(by="Ash", uses=twice)) == "POOL-FULL"
    seat.say(destiny("regain:might"))
    assert seat.points("Ash", "might") == 12


@pytest.mark.parametrize("of", ["health", "luck", "", "mights"])
def test_regain_takes_stat_pools_only(of: str) -> None:
    """DB-DEST-7: health is not one."""
    seat = Seat("Ash", Ash={"destiny": 2})
    assert seat.code(tries(destiny_first=uses(f"regain:{of}")), *DAWN) == "VALUE"
    seat.say(tries(), *DUSK)
    assert seat.code(destiny(f"regain:{of}")) == "VALUE"


def test_unspent_overflow_is_cut_to_the_level() -> None:
    """DB-DEST-3: also when another declaration closes the roll."""
    seat = Seat("Ash", Ash={"destiny": 2})
    seat.say(tries(), *DAWN)
    assert seat.destiny("Ash") == 3
    record = seat.say(tries(), *DUSK)
    assert [fact.change for fact in of_kind(record, TokensMoved) if fact.because == "overflow"] == [-1]
    assert seat.destiny("Ash") == 2


def test_several_overflow_points_are_cut_at_once() -> None:
    seat = Seat("Cole", Cole={"destiny": 1})
    seat.say(tries("Cole"), *DAWN)
    seat.say(destiny("reroll", who="Cole"), *DAWN)
    assert seat.destiny("Cole") == 2
    record = seat.say(close())
    assert [fact.change for fact in of_kind(record, TokensMoved)] == [-1]


def test_worse_reroll_stands_without_further_cost() -> None:
    """DB-DEST-6."""
    seat = Seat("Ash", Ash={"destiny": 1})
    first = seat.say(tries(effort=1), 12, 11)
    record = seat.say(destiny("reroll"), 1, 2)
    assert (task(first).result, task(record).result) == ("success", "failure")
    assert spent(record) == {}
    assert task(record).target == task(first).target == 12
    assert seat.ended() == ["failure"]


def test_two_rerolls_in_one_declaration_are_two_rolls() -> None:
    seat = Seat("Bryn", Bryn={"destiny": 2})
    seat.say(tries("Bryn"), *DUSK)
    record = seat.say(destiny("reroll", "reroll", who="Bryn"), 3, 2, 2, 3)
    assert faces(record) == {"reroll Bryn": (3, 2), "reroll Bryn 2": (2, 3)}
    assert (seat.destiny("Bryn"), seat.doom) == (1, 4)


@pytest.mark.parametrize("second", ["reroll", "regain:speed", "activate:Night Eyes"])
def test_uses_are_paid_before_an_eclipse_takes_a_point(second: str) -> None:
    """DB-DEST-5: Destiny spent, then per use (Effects of spend_destiny)."""
    seat = Seat("Ash", Ash={"destiny": 2, "speed": 5})
    seat.say(tries(), *DUSK)
    seat.say(destiny("reroll", second), *ECLIPSE, *(DUSK if second == "reroll" else ()))
    assert seat.destiny("Ash") == 0


def test_gain_of_a_reroll_cannot_be_spent_with_it() -> None:
    """DB-DEST-10: only gained points; the refusal must not tell whether the reroll is a Dawn."""
    seat = Seat("Ash", Ash={"destiny": 2})
    seat.say(tries(), *DUSK)
    assert seat.code(destiny("reroll", "change-target"), *DAWN) == "DESTINY-USE"
    seat.say(destiny("reroll"), *DAWN)
    assert task(seat.say(destiny("change-target"))).target == 12


def test_new_roll_closes_the_open_window() -> None:
    """DB-DEST-4, DB-DEST-5."""
    seat = Seat("Ash", "Bryn", Ash={"destiny": 1})
    seat.say(tries(), *DUSK)
    seat.say(tries("Bryn"), *DUSK)
    assert seat.code(destiny("activate:Night Eyes")) == "DESTINY-WINDOW"
    assert open_roll(seat.state) is not None


# Changing the target number


def test_gained_destiny_lowers_the_target_number_once() -> None:
    """DB-DEST-10, DB-PLAY-6."""
    seat = Seat("Bryn", Bryn={"destiny": 3})
    seat.say(tries("Bryn"), *DAWN)
    assert seat.code(destiny("change-target", "change-target", who="Bryn")) == "DESTINY-USE"
    assert task(seat.say(destiny("change-target", who="Bryn"))).target == 12
    assert seat.code(destiny("change-target", who="Bryn")) == "DESTINY-USE"
    assert seat.destiny("Bryn") == 3


def test_two_dawns_lower_the_target_number_twice() -> None:
    """DB-DEST-10: the held point pays for the reroll."""
    seat = Seat("Cole", Cole={"destiny": 1})
    seat.say(tries("Cole"), *DAWN)
    seat.say(destiny("reroll", who="Cole"), *DAWN)
    record = seat.say(destiny("change-target", "change-target", who="Cole"))
    assert [fact.target for fact in of_kind(record, Judged)] == [12, 9]
    assert (task(record).result, seat.destiny("Cole")) == ("success", 0)


def test_changed_target_number_survives_a_reroll() -> None:
    seat = Seat("Ash", Ash={"destiny": 1})
    seat.say(tries(), *DAWN)
    seat.say(destiny("change-target"))
    assert task(seat.say(destiny("reroll"), *DUSK)).target == 12
    assert task(seat.say(doom(2))).target == 18


@pytest.mark.parametrize(("held", "left", "code"), [(2, 1, None), (1, 0, "DESTINY-NONE")])
def test_eclipse_takes_a_held_point_before_a_gained_one(held: int, left: int, code: str | None) -> None:
    """DB-DEST-12, DB-DEST-3: a held point may go instead and the new one be kept."""
    seat = Seat("Ash", Ash={"destiny": held})
    seat.say(tries(), *DAWN)
    seat.say(destiny("reroll"), *ECLIPSE)
    assert seat.destiny("Ash") == left
    if code:
        assert seat.code(destiny("change-target")) == code
    else:
        assert task(seat.say(destiny("change-target"))).target == 12


@pytest.mark.parametrize(("held", "good", "bad"), [(0, 1, "DOOM-NONE"), (1, 2, "DOOM-NONE"), (5, 2, "DOOM-USE")])
def test_doom_raises_the_target_number_by_gained_points(held: int, good: int, bad: str) -> None:
    """DB-DEST-10: two from the Dusk; the Eclipse of the reroll takes a held one first."""
    seat = Seat("Ash", doom=held, Ash={"destiny": 1})
    seat.say(tries(), *DUSK)
    seat.say(destiny("reroll"), *ECLIPSE)
    assert seat.doom == held + 1
    assert seat.code(doom(good + 1)) == bad
    assert task(seat.say(doom(good))).target == 15 + 3 * good
    assert seat.doom == held + 1 - good


def test_doom_spent_on_something_else_leaves_the_roll_open() -> None:
    """DB-DEST-11, DB-DEST-4: of three, two go; of the two just gained only one is left."""
    seat = Seat("Ash", doom=1)
    seat.say(tries(), *DUSK)
    record = seat.say(doom(2, "other", purpose="the lamp goes out", effect="dark", because="too quiet"))
    (ruled,) = of_kind(record, Ruled)
    assert (ruled.text, ruled.about, ruled.because) == ("the lamp goes out", "dark", "too quiet")
    assert seat.code(doom(2)) == "DOOM-NONE"
    assert task(seat.say(doom(1))).target == 18
    assert seat.doom == 0


def test_target_number_cannot_change_without_open_roll() -> None:
    seat = Seat("Ash", doom=4, Ash={"destiny": 2})
    assert seat.code(doom(1)) == "DOOM-USE"
    seat.say(tries(), *DUSK)
    seat.say(close())
    assert seat.code(doom(1)) == "DOOM-USE"
    assert seat.code(destiny("change-target")) == "DESTINY-WINDOW"


def test_routine_action_opens_no_window() -> None:
    seat = Seat("Ash", doom=4, Ash={"destiny": 2})
    seat.say(tries(difficulty=0))
    assert seat.code(doom(1)) == "DOOM-USE"
    assert seat.code(destiny("reroll"), *DAWN) == "DESTINY-WINDOW"
    assert seat.code(close()) == "NO-ROLL"


@pytest.mark.parametrize("amount", [1, 2, 3, 12])
def test_option_sets_target_change_per_point(amount: int) -> None:
    """DB-DEST-10, option target_change_per_point."""
    seat = Seat("Ash", options={"target_change_per_point": amount})
    seat.say(tries(), *DAWN)
    assert task(seat.say(destiny("change-target"))).target == 15 - amount
    seat.say(tries(), *DUSK)
    assert task(seat.say(doom(2))).target == 15 + 2 * amount


def test_option_forbids_target_change_only() -> None:
    """Option points_change_target off."""
    seat = Seat("Ash", options={"points_change_target": "off"}, Ash={"speed": 3})
    seat.say(tries(), *DAWN)
    assert seat.code(destiny("change-target")) == "DESTINY-USE"
    seat.say(destiny("regain:speed"))
    seat.say(tries(), *DUSK)
    assert seat.code(doom(1)) == "DOOM-USE"
    seat.say(doom(2, "other", purpose="rain"))
    assert (seat.destiny("Ash"), seat.doom) == (0, 0)


def test_option_applies_to_later_declarations_only() -> None:
    """DB-PLAY-7: and setting one closes the open roll first."""
    seat = Seat("Ash")
    seat.say(tries(), *DAWN)
    record = seat.say(SetOption(by="table", name="points_change_target", value="off", reason="too swingy"))
    assert task(record).final
    assert seat.code(destiny("change-target")) == "DESTINY-WINDOW"
    seat.say(SetOption(by="table", name="points_change_target", value="on", reason="back"))
    seat.say(tries(), *DAWN)
    assert task(seat.say(destiny("change-target"))).target == 12
    assert seat.ended() == ["failure", "failure"]


# An open roll and the next declaration


REFUSED_NEXT: list[Declaration] = [
    tries(difficulty=13),
    tries(effort=7),
    tries(effort=1, effort_pool="speed"),
    tries(assets=(0,)),
    tries("Bryn", effort=2, initial_cost=6),
    again("Bryn"),
    again(of="9.9"),
    Retry(by="Ash"),
    ForbidRetry(by=GM, of="9.9", reason="x"),
    SetOption(by="table", name="luck", value="on", reason="x"),
    SetOption(by="table", name="light_wound_cost", value="never", reason="x"),
    Ruling(by=GM, text="", reason="x"),
    Ruling(by=GM, text="x", reason="y", changes=(Change("doom", 2), Change("Ash.might", 99))),
    CreateCharacter(by=GM, name="ASH", might=1, speed=1, intellect=1),
    CreateNpc(by=GM, name="Thug", kind="elite", difficulty=4, health=3),
    CreateObject(by=GM, name="Ash"),
    destiny("change-target"),
    destiny("reroll", who="Bryn"),
    doom(9),
]


@pytest.mark.parametrize("said", REFUSED_NEXT, ids=lambda said: f"{type(said).__name__}")
def test_refused_declaration_leaves_the_roll_open(said: Declaration) -> None:
    """DB-DEST-4, DB-PLAY-9."""
    seat = Seat("Ash", "Bryn", Ash={"destiny": 2})
    seat.say(tries(), *DUSK)
    before = seat.state.windows["open roll"]
    seat.refusal(said, *(DAWN if isinstance(said, Attempt | Retry) else ()))
    assert seat.state.windows == {"open roll": before}
    assert task(seat.say(destiny("reroll"), 11, 12)).result == "success"  # and it can still be spent on
    assert seat.ended() == ["success"]


CLOSES: list[Declaration] = [
    close(),
    tries("Bryn"),
    tries(difficulty=0),
    again(),
    ForbidRetry(by=GM, of="1.1", reason="x"),
    SetOption(by="table", name="light_wound_cost", value="per_use", reason="x"),
    Ruling(by=GM, text="x", reason="y"),
    CreateCharacter(by=GM, name="Eve", might=1, speed=1, intellect=1),
    CreateNpc(by=GM, name="Thug", kind="minion", difficulty=4, health=3),
    CreateObject(by=GM, name="Door"),
]


@pytest.mark.parametrize("said", CLOSES, ids=lambda said: f"{type(said).__name__}")
def test_next_declaration_closes_the_open_roll_first(said: Declaration) -> None:
    """DB-DEST-4: overflow is lost, the result is final."""
    seat = Seat("Ash", "Bryn", Ash={"destiny": 2})
    seat.say(tries(), *DAWN)
    assert seat.destiny("Ash") == 3
    record = seat.say(said, *(DUSK if isinstance(said, Attempt | Retry) else ()))
    closed = [fact for fact in of_kind(record, Judged) if fact.window and fact.final]
    assert [fact.result for fact in closed] == ["failure"]
    assert seat.destiny("Ash") == 2
    seat.ended()


def test_session_close_closes_the_open_roll() -> None:
    seat = Seat("Cole", Cole={"destiny": 1})
    seat.say(tries("Cole"), *DAWN)
    assert seat.ended() == ["failure"]
    assert (seat.destiny("Cole"), seat.state.windows) == (1, {})


# The hidden target number


def test_hidden_target_number_is_seen_by_the_gm_only() -> None:
    """DB-PLAY-4: provisional, rerolled, changed and final; and it is in the ledger all the same."""
    seat = Seat("Ash", Ash={"destiny": 1})
    records = [
        seat.say(tries(hidden=True), *DAWN),
        seat.say(destiny("change-target")),
        seat.say(destiny("reroll"), *DUSK),
        seat.say(doom(1)),
        seat.say(close()),
    ]
    shown = [task(record) for record in records]
    assert {fact.seen for fact in shown} == {"gm"}
    assert [fact.target for fact in shown] == [15, 12, 12, 15, 15]
    assert task(seat.say(tries(), *DUSK)).seen == "table"
    assert task(seat.say(tries(difficulty=0, hidden=True))).seen == "gm"
