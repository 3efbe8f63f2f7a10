"""Hiding, perceiving, locating, surprise; light by place and by observer."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.declarations import Ruling, Setting
from ledger.facts import GM
from projections.state import State
from rulebooks.common.encounters import EndFight, EndTurn
from rulebooks.semiautomagic.declarations import turns
from rulebooks.semiautomagic.declarations.combat import Attack
from rulebooks.semiautomagic.declarations.scene import Conceal, PutAt, SetCover, SetLight
from rulebooks.semiautomagic.sight import concealment, invisibility
from tests.rulebooks.semiautomagic.seat import Seat, judgements


def in_fog(**given: Any) -> Seat:
    seat = Seat(present=("Rook", "Thorn", "Wren"), **given)
    seat.say(Conceal(by=GM, who="Thorn", reason="fog"))
    return seat


def unseen(observer: str, state: State, who: str = "Thorn") -> bool:
    return bool(invisibility(who, observer, state))


def test_hider_is_seen_by_whom_it_is_perceived() -> None:
    seat = in_fog()
    seat.say(turns.Hide(by="Thorn", total=6))
    seat.say(turns.Perceive(by="Wren", target="Thorn", total=6))
    assert (unseen("Wren", seat.state), unseen("Rook", seat.state)) == (False, True)


def test_hiding_again_hides_from_all() -> None:
    seat = in_fog()
    seat.say(turns.Hide(by="Thorn", total=6))
    seat.say(turns.Perceive(by="Wren", target="Thorn", total=6))
    seat.say(turns.Hide(by="Thorn", total=4))
    assert unseen("Wren", seat.state)


def test_later_look_may_lose_the_hider() -> None:
    seat = in_fog()
    seat.say(turns.Hide(by="Thorn", total=6))
    for total in (6, 5):
        seat.say(turns.Perceive(by="Wren", target="Thorn", total=total))
    assert unseen("Wren", seat.state)


def test_stealth_of_a_large_creature_is_lower() -> None:
    seat = Seat(present=("Rook", "Bear"))
    seat.say(Conceal(by=GM, who="Bear", reason="fog"))
    seat.say(turns.Hide(by="Bear"), 5)
    assert seat.state.conditions["hidden Bear"].degree == 4


def test_hiding_is_no_reason_to_hide() -> None:
    seat = in_fog()
    seat.say(turns.Hide(by="Thorn", total=6))
    seat.say(Conceal(by=GM, who="Thorn", how="off", reason="the wind"))
    assert seat.code(turns.Hide(by="Thorn", total=6)) == "NO-HIDING"


def test_hider_behind_total_cover_is_not_seen() -> None:
    seat = Seat()
    seat.say(SetCover(by=GM, who="Thorn", grade="total", reason="a wall"))
    seat.say(turns.Hide(by="Thorn", total=3))
    record = seat.say(turns.Perceive(by="Rook", target="Thorn", total=9))
    assert judgements(record.facts, "perceive")[0].result == "unseen"
    assert not seat.state.ties_from("Rook", "aware")


def test_attack_from_hiding_lowers_the_dc() -> None:
    seat = in_fog(fight=("Thorn", "Rook", "Wren"))
    seat.say(turns.Hide(by="Thorn", total=8))
    seat.say(Attack(by="Thorn", target="Rook", weapon="bow"), 1, 1)
    assert judgements(seat.say(turns.Perceive(by="Rook", target="Thorn", total=1)).facts, "perceive")[0].target == 2
    seat.next_round()
    assert judgements(seat.say(turns.Perceive(by="Rook", target="Thorn", total=1)).facts, "perceive")[0].target == 8


def test_hiding_again_ends_the_exposure() -> None:
    seat = in_fog()
    seat.say(turns.Hide(by="Thorn", total=8))
    seat.say(Attack(by="Thorn", target="Rook", weapon="bow"), 1, 1)
    seat.say(turns.Hide(by="Thorn", total=7))
    assert (
        judgements(seat.say(turns.Perceive(by="Rook", target="Thorn", total=7)).facts, "perceive")[0].result == "seen"
    )


def test_ruling_ends_hiding() -> None:
    seat = in_fog()
    seat.say(turns.Hide(by="Thorn", total=6))
    seat.say(Ruling(by=GM, text="found", reason="a dog", changes=(Setting("thorn.hidden", 0),)))
    assert not unseen("Rook", seat.state)


def test_ruling_hides_nobody() -> None:
    ruling = Ruling(by=GM, text="hidden", reason="a dog", changes=(Setting("thorn.hidden", 1),))
    assert Seat().code(ruling) == "VALUE"


@pytest.mark.parametrize(("square", "result"), [((5, 5), "located"), ((5, 6), "wrong square"), ((), "located")])
def test_located_square_has_to_be_the_right_one(square: tuple[int, ...], result: str) -> None:
    seat = Seat(at={"Thorn": (5, 5)})
    record = seat.say(turns.Locate(by="Rook", target="Thorn", square=square))
    assert judgements(record.facts, "locate")[0].result == result
    assert bool(seat.state.ties_from("Rook", "located")) == (result == "located")


@pytest.mark.parametrize("to", [(6, 5), ()])
def test_move_leaves_the_located_square(to: tuple[int, ...]) -> None:
    seat = Seat(at={"Thorn": (5, 5)})
    seat.say(turns.Locate(by="Rook", target="Thorn"))
    seat.say(turns.Move(by="Thorn", squares=1, to=to))
    place = seat.state.places["Thorn"]
    assert (seat.state.ties_from("Rook", "located"), place.square) == ((), to or None)


def test_locating_is_lost_by_word() -> None:
    seat = Seat()
    seat.say(turns.Locate(by="Rook", target="Thorn"))
    seat.say(turns.Locate(by="Rook", target="Thorn", lost=True))
    assert not seat.state.ties_from("Rook", "located")


def test_guessed_square_needs_a_known_position() -> None:
    seat = Seat()
    seat.say(Conceal(by=GM, who="Thorn", how="invisible", reason="a spell"))
    assert seat.code(Attack(by="Rook", target="Thorn", weapon="flail", square=(5, 5))) == "VALUE"


def test_square_is_nothing_where_the_target_is_seen() -> None:
    seat = Seat(at={"Thorn": (5, 5)})
    record = seat.say(Attack(by="Rook", target="Thorn", weapon="flail", square=(9, 9)), 6, 1)
    assert judgements(record.facts, "attack")[0].result == "hit"


def test_light_is_that_of_the_place() -> None:
    seat = Seat()
    seat.say(SetLight(by=GM, light="darkness", place="cellar"))
    seat.say(PutAt(by=GM, who="Thorn", place="cellar"))
    assert unseen("Rook", seat.state)
    assert not unseen("Thorn", seat.state, "Rook")


def test_rider_is_in_the_light_of_the_mount() -> None:
    seat = Seat(present=("Rook", "Thorn", "Horse"))
    seat.say(SetLight(by=GM, light="darkness", place="cellar"))
    seat.say(turns.MountUp(by="Rook", mount="Horse"))
    seat.say(PutAt(by=GM, who="Horse", place="cellar"))
    assert unseen("Thorn", seat.state, "Rook")


def test_place_without_a_light_is_as_here() -> None:
    seat = Seat()
    seat.say(SetLight(by=GM, light="hazy"))
    seat.say(PutAt(by=GM, who="Thorn", place="yard"))
    assert concealment("Thorn", "Rook", seat.state)


def test_new_light_replaces_the_old() -> None:
    seat = Seat()
    for light in ("darkness", "hazy", "clear"):
        seat.say(SetLight(by=GM, light=light))
    assert not invisibility("Thorn", "Rook", seat.state) + concealment("Thorn", "Rook", seat.state)


def test_dark_is_said_of_hazy_light_only() -> None:
    assert Seat().code(SetLight(by=GM, light="clear", dark=True)) == "VALUE"


def test_flat_footed_creature_knows_its_foe_in_its_next_turn() -> None:
    seat = Seat(fight=("Thorn", "Rook"))
    seat.say(turns.Surprise(by="Thorn", target="Rook"))
    seat.say(EndTurn(by="Thorn"))
    assert not seat.state.ties_from("Rook", "flat-footed")
    assert seat.code(turns.Surprise(by="Thorn", target="Rook")) == "AWARE"


def test_end_of_the_fight_ends_what_is_known_of_foes() -> None:
    seat = Seat(fight=("Thorn", "Rook"))
    seat.say(turns.Notice(by="Rook", target="Thorn"))
    seat.say(EndFight(by=GM))
    seat.say(turns.StartEncounter(by=GM))
    seat.say(turns.Surprise(by="Thorn", target="Rook"))
    assert seat.state.ties_from("Rook", "flat-footed") == ("Thorn",)


def test_forgotten_foe_may_surprise() -> None:
    seat = Seat()
    seat.say(turns.Notice(by="Rook", target="Thorn"))
    seat.say(turns.Notice(by="Rook", target="Thorn", lost=True))
    seat.say(turns.Surprise(by="Thorn", target="Rook"))
    assert seat.state.ties_from("Rook", "flat-footed") == ("Thorn",)


# Hidden without cover


def in_the_open(**given: Any) -> Seat:
    """Return a seat in which Thorn hides, and the fog is gone."""
    seat = in_fog(**given)
    seat.say(turns.Hide(by="Thorn", total=6))
    seat.say(Conceal(by=GM, who="Thorn", how="off", reason="a breeze"))
    return seat


def test_hider_without_cover_stays_hidden() -> None:
    seat = in_the_open()
    assert unseen("Rook", seat.state)
    assert list(seat.book.guide.remarks("Thorn", seat.state)) == ["hidden, without cover or concealment"]
    assert list(in_fog().book.guide.remarks("Thorn", in_fog().state)) == []


def test_attack_in_the_open_ends_hiding() -> None:
    seat = in_the_open()
    seat.say(Attack(by="Thorn", target="Rook", weapon="bow"), 1, 1)
    assert not seat.state.conditions_of("Thorn")


def test_attack_from_cover_does_not_end_hiding() -> None:
    seat = in_fog()
    seat.say(turns.Hide(by="Thorn", total=6))
    seat.say(Attack(by="Thorn", target="Rook", weapon="bow"), 1, 1)
    assert unseen("Rook", seat.state)


def test_hiding_ends_by_the_hiders_word() -> None:
    seat = in_fog()
    assert seat.refusal(turns.Hide(by="Thorn", off=True)).is_idle
    seat.say(turns.Hide(by="Thorn", total=6))
    seat.say(turns.Hide(by="Thorn", off=True))
    assert not unseen("Rook", seat.state)


def test_hiding_ends_with_its_cover_where_the_table_says_so() -> None:
    seat = in_the_open(options={"hidden_needs_cover": "on"})
    assert not unseen("Rook", seat.state)
