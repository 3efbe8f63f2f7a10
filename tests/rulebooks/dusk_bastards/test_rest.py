"""Rest: the time that it takes, the shares of a recovery roll, and rests in rounds."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.declarations import Ruling
from ledger.errors import Refused
from ledger.facts import GM, Judged, Rested, TimePassed, WindowOpened
from ledger.records import Record
from rulebooks.common.adjustments import Adjust
from rulebooks.dusk_bastards.declarations.harm import Damage, Rest, SetCondition, Share
from rulebooks.dusk_bastards.declarations.parts import Cost
from rulebooks.dusk_bastards.declarations.turns import Deed, EndEncounter, Initiative, Pass, StartEncounter
from rulebooks.dusk_bastards.declarations.world import AdvanceTime
from rulebooks.testing.seat import of_kind
from tests.rulebooks.dusk_bastards.fight import conditions, drop_to_zero, explore, fight, moment
from tests.rulebooks.dusk_bastards.seat import Seat, close, points, task, tries


def tired() -> Seat:
    """Ash is of level 2, and there is room for 8 might, 5 speed and no intellect."""
    return Seat("Ash", Ash={"might": 4, "speed": 5})


def party() -> Seat:
    """Ash, Bryn and Cole, all of them with room for points."""
    return Seat("Ash", "Bryn", "Cole", Ash={"might": 4, "speed": 5}, Bryn={"speed": 1, "might": 1}, Cole={"speed": 1})


def rests(who: str, kind: Any, *others: str, **more: Any) -> Rest:
    return Rest(by=who, kind=kind, others=others, **more)


def passed(record: Record) -> int:
    """Return the seconds that passed in an entry."""
    return sum(fact.seconds for fact in of_kind(record, TimePassed))


@pytest.mark.parametrize("split", [points(might=8, speed=1), points(speed=6), points(intellect=1)])
def test_impossible_shares_are_refused_before_the_die(split: tuple[Cost, ...]) -> None:
    """DB-PLAY-9, DB-REC-1: more than 8 points there are not, nor more room than there is."""
    assert tired().code(Rest(by="Ash", kind="one_hour", split=split)) == "SPLIT"


@pytest.mark.parametrize("kind", ["one_action", "ten_minutes", "one_hour", "ten_hours"])
def test_uncovered_shares_are_cut_after_the_die(kind: Any) -> None:
    """DB-PLAY-9, DB-REC-1: the shares named last are cut to the points of the die."""
    seat = tired()
    record = seat.say(Rest(by="Ash", kind=kind, split=points(speed=5, might=3)))
    total = task(record).total
    assert total is not None
    assert seat.pools("Ash") == (4 + max(0, total - 5), 5 + min(5, total), 9)
    seat.check_replay()


def test_shares_above_a_typed_face_are_refused() -> None:
    """DB-REC-1: the sum above the roll is refused, as in the catalogue."""
    seat = tired()
    with pytest.raises(Refused) as raised:
        seat.say(Rest(by="Ash", kind="one_hour", split=points(speed=5, might=3)), 5)
    assert str(raised.value) == (
        "DB-E-SPLIT: There are 7 points to share, and the shares add up to 8. Share 7 points at most."
    )
    seat.say(Rest(by="Ash", kind="one_hour", split=points(speed=5, might=3)), 6)


def test_refusal_of_a_share_names_the_pool_that_it_overfills() -> None:
    """DB-REC-1."""
    seat = tired()
    with pytest.raises(Refused) as raised:
        seat.say(Rest(by="Ash", kind="one_hour", split=points(speed=6)), 6)
    assert "The speed pool has room for 5 more, and its share is 6" in str(raised.value)


# DB-GAP-77: shares


@pytest.mark.parametrize(
    ("how", "pools"),
    [
        ({}, (10, 5, 9)),
        ({"order": ("speed",)}, (5, 10, 9)),
        ({"split": points(speed=2)}, (8, 7, 9)),
        ({"split": points(speed=2), "order": ("speed",)}, (5, 10, 9)),
        ({"split": points(might=1)}, (5, 10, 9)),
        ({"split": points(might=2)}, (6, 9, 9)),
        ({"split": points(might=0)}, (5, 10, 9)),
        ({"split": points(speed=2), "lose": True}, (4, 7, 9)),
        ({"order": ("speed",), "lose": True}, (4, 10, 9)),
    ],
)
def test_points_with_room_are_not_lost(how: dict[str, Any], pools: tuple[int, int, int]) -> None:
    """DB-GAP-77: what is not named goes where there is room, in the order of the sheet, unless it is given up."""
    before = tired()
    before.say(Rest(by="Ash", kind="one_hour", **how), 4)
    assert before.pools("Ash") == pools
    after = tired()
    after.say(Rest(by="Ash", kind="one_hour"), 4)
    after.say(Share(by="Ash", **how))
    assert after.pools("Ash") == pools
    after.check_replay()


def test_share_of_a_rest_with_an_order_says_why_it_stands() -> None:
    """DB-GAP-77: what was said on the line of the rest stands."""
    seat = Seat("Ash", Ash={"might": 1, "speed": 1})
    seat.say(Rest(by="Ash", kind="ten_minutes", order=("speed",)), 4)
    refusal = seat.refusal(Share(by="Ash", split=points(might=3)))
    assert refusal.code == "DB-E-NO-ROLL"
    assert "its own line said how" in str(refusal)


def test_share_may_be_said_again_while_the_roll_is_open() -> None:
    """DB-GAP-77: the last shares stand; the next declaration closes the roll."""
    seat = tired()
    seat.say(Rest(by="Ash", kind="one_hour"), 4)
    seat.say(Share(by="Ash", split=points(speed=5)))
    seat.say(Share(by="Ash", split=points(speed=1, might=5)))
    assert seat.pools("Ash") == (9, 6, 9)
    seat.say(Deed(by="Ash", text="look out"))
    assert seat.code(Share(by="Ash", split=points(speed=1))) == "NO-ROLL"


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (Share(by="Ash", split=points(speed=6)), "SPLIT"),
        (Share(by="Ash", split=points(might=5, speed=2)), "SPLIT"),
        (Share(by="Ash", split=points(intellect=1)), "SPLIT"),
        (Share(by="Ash", split=points(might=-1)), "VALUE"),
        (Share(by="Bryn", split=points(speed=1)), "NO-ROLL"),
        (Share(by="thug", split=points(speed=1)), "VALUE"),
    ],
)
def test_share_beyond_the_roll_is_refused(said: Share, code: str) -> None:
    seat = Seat("Ash", "Bryn", "thug", Ash={"might": 4, "speed": 5})
    seat.say(Rest(by="Ash", kind="one_hour"), 4)
    assert seat.code(said) == code


@pytest.mark.parametrize(("how", "face"), [({"order": ("speed",)}, 1), ({"split": points(speed=2)}, 1)])
def test_shares_said_before_stand(how: dict[str, Any], face: int) -> None:
    seat = tired()
    seat.say(Rest(by="Ash", kind="one_hour", **how), face)
    assert seat.code(Share(by="Ash", split=points(might=1))) == "NO-ROLL"


def test_close_ends_the_recovery_roll() -> None:
    seat = tired()
    seat.say(Rest(by="Ash", kind="one_hour"), 4)
    seat.say(close())
    assert seat.code(Share(by="Ash", split=points(might=1))) == "NO-ROLL"
    assert seat.code(close()) == "NO-ROLL"


def test_everybody_who_may_share_is_named() -> None:
    seat = party()
    for who in ("Ash", "Bryn"):
        (opened,) = of_kind(seat.say(Rest(by=who, kind="one_hour"), 1), WindowOpened)
    assert opened.awaits == ("Ash", "Bryn")


def test_session_closes_over_a_recovery_roll() -> None:
    seat = tired()
    seat.say(Rest(by="Ash", kind="one_hour"), 4)
    assert seat.ended() == []


def test_one_action_rest_in_combat_may_be_shared() -> None:
    """DB-REC-2: it takes the standard action, and the fight goes on after the share."""
    seat = fight("Ash", "Bryn", phase="action", Ash={"might": 4, "speed": 5})
    seat.say(Rest(by="Ash", kind="one_action"), 4)
    seat.say(Share(by="Ash", split=points(speed=5)))
    assert (seat.pools("Ash"), moment(seat)) == ((5, 10, 9), (1, "action", "Ash"))


# DB-GAP-76: time


@pytest.mark.parametrize(
    ("kind", "seconds"), [("one_action", 0), ("ten_minutes", 600), ("one_hour", 3600), ("ten_hours", 36000)]
)
def test_rest_takes_its_time(kind: Any, seconds: int) -> None:
    seat = tired()
    assert passed(seat.say(rests("Ash", kind), 3)) == seconds
    assert seat.state.seconds == seconds


def test_rests_behind_one_another_are_one_rest() -> None:
    """DB-GAP-76: ten hours once for three; also with shares between, and for those named on one line."""
    seat = party()
    seat.say(rests("Ash", "ten_hours"), 1)
    seat.say(rests("Bryn", "ten_hours"), 2)
    seat.say(Share(by="Ash", split=points(speed=3)))
    seat.say(rests("Cole", "ten_hours"), 3)
    seat.say(Share(by="Bryn", order=("speed",)))
    assert seat.state.seconds == 36000
    seat.say(rests("Cole", "ten_hours", "Ash", "Bryn"), 1, 2, 3)
    assert seat.state.seconds == 72000
    seat.check_replay()


@pytest.mark.parametrize(
    ("between", "again"),
    [
        (Deed(by="Cole", text="watch"), rests("Bryn", "ten_minutes")),
        (AdvanceTime(by=GM, seconds=60), rests("Bryn", "ten_minutes")),
        (rests("Cole", "one_hour"), rests("Bryn", "ten_minutes")),
        (None, rests("Bryn", "one_hour")),
    ],
)
def test_another_rest_takes_its_own_time(between: Any, again: Rest) -> None:
    seat = party()
    seat.say(rests("Ash", "ten_minutes"), 1)
    if between is not None:
        seat.say(between)
    assert passed(seat.say(again, 1)) == (600 if again.kind == "ten_minutes" else 3600)


def test_decision_of_the_table_leaves_a_rest_one_rest() -> None:
    """DB-GAP-76, DB-GAP-77: but the points before it stay as they were shared."""
    seat = party()
    seat.say(rests("Ash", "ten_hours"), 1)
    seat.say(Ruling(by=GM, text="the fire is warm", reason="they have wood"))
    assert seat.code(Share(by="Ash", split=points(speed=1))) == "NO-ROLL"
    seat.say(Adjust(by="Bryn", value="might", change=1, reason="soup"))
    seat.say(rests("Bryn", "ten_hours"), 1)
    assert seat.state.seconds == 36000


def test_same_rest_of_the_next_day_takes_its_own_time() -> None:
    seat = party()
    for who in ("Ash", "Bryn", "Ash"):
        seat.say(rests(who, "ten_hours"), 1)
    assert seat.state.seconds == 72000


def test_effects_end_before_the_recovery_roll() -> None:
    """DB-GAP-76: what ends during the rest has ended when the die is thrown; the stunned recover (DB-ZERO-4)."""
    seat = party()
    seat.say(SetCondition(by=GM, target="Bryn", name="numb", lasts=600))
    drop_to_zero(seat, "Cole")
    record = seat.say(rests("Ash", "ten_minutes"), 1)
    kinds = [type(fact).__name__ for fact in record.facts]
    assert kinds.index("TimePassed") < kinds.index("ConditionEnded") < kinds.index("Rolled")
    assert (conditions(seat, "Bryn"), conditions(seat, "Cole"), seat.points("Cole", "health")) == ([], [], 1)


def test_wound_of_the_rest_waits_for_nobody() -> None:
    """DB-HEAL-7: each of several ends their own day."""
    seat = Seat("Ash", "Bryn", Ash={"wounds": [{"value": 2, "in_force": True}]}, Bryn={"speed": 1})
    record = seat.say(rests("Bryn", "ten_hours", "Ash"), 1, 2)
    assert [fact.who for fact in of_kind(record, Rested)] == ["Bryn", "Ash"]
    assert [wound.value for _, wound in seat.state.wounds_of("Ash")] == [1]
    assert (seat.state.count("Ash", "day"), seat.state.count("Bryn", "day")) == (1, 1)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (rests("Ash", "ten_minutes", "Ash"), "VALUE"),
        (rests("Ash", "ten_minutes", "Bryn", "Bryn"), "VALUE"),
        (rests("Ash", "ten_minutes", "thug"), "VALUE"),
        (rests("Ash", "ten_minutes", "Cole"), "REST-USED"),
        (rests("Ash", "ten_minutes", "Bryn", split=points(might=1)), "VALUE"),
    ],
)
def test_line_that_names_several_is_refused_whole(said: Rest, code: str) -> None:
    seat = Seat("Ash", "Bryn", "Cole", "thug")
    seat.say(rests("Cole", "ten_minutes"), 1)
    seat.say(Deed(by="Ash", text="whistle"))
    assert seat.code(said) == code


def test_rest_needs_a_face_for_everybody() -> None:
    assert party().code(rests("Ash", "ten_minutes", "Bryn"), 1) == "DIE"


# Rests in rounds


def test_rest_in_exploration_is_the_action_of_the_round() -> None:
    """DB-ACTN-5, DB-ACT-1: somebody who has acted does not rest in the same round, nor act after it."""
    seat = explore("Ash", "Bryn", "Cole")
    seat.say(Deed(by="Ash", text="search"))
    assert seat.code(rests("Ash", "ten_minutes")) == "SLOT"
    seat.say(rests("Bryn", "ten_minutes"), 1)
    assert seat.code(Deed(by="Bryn", text="search")) == "SLOT"
    assert seat.code(rests("Ash", "ten_minutes")) == "SLOT"
    seat.say(rests("Cole", "ten_minutes"), 1)
    assert seat.state.seconds == 600


def test_used_rest_after_acting_is_refused_as_no_action() -> None:
    """DB-PLAY-9: of several refusals SLOT comes before REST-USED."""
    seat = explore("Ash", "Bryn")
    seat.say(rests("Ash", "ten_minutes"), 1)
    assert seat.code(rests("Ash", "ten_minutes")) == "SLOT"
    seat.say(Deed(by="Bryn", text="watch"))
    assert seat.code(rests("Ash", "ten_minutes")) == "REST-USED"


def test_second_rest_of_a_round_that_is_over_is_another() -> None:
    """DB-GAP-76: Ash has acted in the round of Bryn's rest, and rests in the next one."""
    seat = explore("Ash", "Bryn")
    seat.say(Deed(by="Ash", text="search"))
    seat.say(rests("Bryn", "ten_minutes"), 1)
    seat.say(rests("Ash", "ten_minutes"), 1)
    assert (moment(seat)[0], seat.state.seconds) == (2, 1200)


@pytest.mark.parametrize(
    ("first", "second", "seconds"),
    [
        (rests("Ash", "ten_minutes"), Deed(by="Bryn", text="watch"), 600),
        (rests("Ash", "one_hour"), rests("Bryn", "ten_minutes"), 3600),
        (tries("Ash", difficulty=3, duration=600), rests("Bryn", "ten_minutes"), 600),
        (tries("Ash", difficulty=3, duration=60), tries("Bryn", difficulty=3, duration=600), 600),
        (tries("Ash", difficulty=3, duration=600, take20=True), Deed(by="Bryn", text="watch"), 12000),
    ],
)
def test_round_lasts_as_long_as_its_longest_action(first: Any, second: Any, seconds: int) -> None:
    """DB-TIME-1: everybody acts at the same time, and a round of exploration takes ten minutes at least."""
    seat = explore("Ash", "Bryn")
    seat.say(first)
    seat.say(second)
    if "open roll" in seat.state.windows:
        seat.say(close())
    assert (moment(seat)[0], seat.state.seconds) == (2, seconds)


def test_effect_of_thirty_minutes_ends_in_an_hour_of_rest() -> None:
    seat = explore("Ash", "Bryn")
    seat.say(SetCondition(by=GM, target="Bryn", name="numb", lasts=1800))
    seat.say(rests("Ash", "one_hour"), 1)
    assert conditions(seat, "Bryn") == []


def test_points_that_are_given_up_are_told() -> None:
    """DB-REC-1: points that are not assigned are lost, also where a pool has room."""
    seat = Seat("Ash", Ash={"might": 1})
    (judged,) = of_kind(seat.say(rests("Ash", "one_hour", split=points(might=2), lose=True), 6), Judged)
    assert [(sum_.name, sum_.total) for sum_ in judged.sums[1:]] == [("points given up", judged.total - 2)]


def test_recovery_with_room_for_everything_has_no_choice() -> None:
    """DB-REC-1: what fits nowhere is lost, and nothing is left to share."""
    seat = Seat("Ash", Ash={"might": 11})
    record = seat.say(rests("Ash", "one_hour"), 6)
    (judged,) = of_kind(record, Judged)
    assert [sum_.total for sum_ in judged.sums if sum_.name == "points beyond full pools"] == [7]
    assert seat.code(Share(by="Ash", split=points(might=1))) == "NO-ROLL"


def test_damage_closes_the_recovery_roll() -> None:
    seat = tired()
    seat.say(rests("Ash", "one_hour"), 4)
    seat.say(Damage(by=GM, target="Ash", amount=1))
    assert seat.code(Share(by="Ash", split=points(might=1))) == "NO-ROLL"


def test_fight_may_begin_after_a_rest() -> None:
    seat = party()
    seat.say(rests("Ash", "ten_minutes"), 4)
    seat.say(StartEncounter(by=GM, participants=("Ash", "Bryn")))
    assert seat.state.windows == {}


# Times that outlast an encounter


def test_duration_in_minutes_outlasts_the_exploration() -> None:
    """DB-TIME-3: a torch of thirty minutes burns on when the scene is over, and by the clock alone in the next one."""
    seat = explore("Ash", "Bryn")
    seat.say(SetCondition(by=GM, target="Ash", name="lit", lasts=1800))
    for who in ("Ash", "Bryn"):
        seat.say(Deed(by=who, text="walk"))
    seat.say(EndEncounter(by=GM))
    assert conditions(seat) == ["lit"]
    seat.say(StartEncounter(by=GM, scale="exploration", participants=("Ash",)))
    seat.say(Deed(by="Ash", text="walk"))
    assert conditions(seat) == ["lit"]
    seat.say(Deed(by="Ash", text="walk"))
    assert (conditions(seat), seat.state.seconds) == ([], 1800)
    seat.check_replay()


def test_short_duration_from_before_a_fight_outlasts_a_shorter_one() -> None:
    """DB-GAP-79: 50 seconds are left, the fight takes 12."""
    seat = Seat("Ash", "thug")
    seat.say(SetCondition(by=GM, target="Ash", name="lit", lasts=50))
    seat.say(StartEncounter(by=GM))
    seat.say(Initiative(by="Ash"), 9, 8)
    seat.say(close())
    for who in ("thug", "Ash", "Ash", "thug"):
        seat.say(Pass(by=who))
    seat.say(EndEncounter(by=GM))
    assert (conditions(seat), seat.state.seconds) == (["lit"], 12)
    seat.say(AdvanceTime(by=GM, seconds=38))
    assert conditions(seat) == []
