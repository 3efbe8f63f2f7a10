"""Rules that meet in one moment: stun in an action, blindness, what lasts longer, and defences that cost nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from ledger.declarations import Declaration
from ledger.facts import GM
from ledger.records import Record
from rulebooks.common.announcements import Go, announcement
from rulebooks.common.encounters import EndTurn
from rulebooks.mars.combat.announced import possible_reactors
from rulebooks.mars.declarations.combat import Attack, Evade
from rulebooks.mars.declarations.harm import ApplyEffect, BreakObject, DealDamage, LongRest, Stabilise, Treat
from rulebooks.mars.declarations.maneuvers import AnswerWithManeuver, Maneuver
from rulebooks.mars.declarations.parts import Reaction
from rulebooks.mars.declarations.turns import BeginTurn, Ready, TriggerReadied
from tests.rulebooks.mars.seat import Seat, judged, result

DUEL = {"players": ["Asha"], "guards": ["Gil"]}
ALLIES = {"players": ["Asha", "Bram"], "guards": ["Gil"]}
GIL_FIRST = {"guards": ["Gil"], "players": ["Asha", "Bram"]}
STUNNING = {"Asha": {"learned": {"concussive-strike": "martial"}}, "Gil": {"learned": {"heavy-strike": "martial"}}}
ONES = (12, 10, *[1] * 5)  # Asha's maneuver on Gil is critical and not resisted


def effect(seat: Seat, who: str, name: str, **more: Any) -> None:
    seat.say(ApplyEffect(by=GM, target=who, effect=name, **more))


def stunned_in_action(said: Declaration) -> Seat:
    """Return a duel in which Asha's readied strike stuns Gil between the announcement of an attack and its dice."""
    seat = Seat(teams=DUEL, turn="Asha", sheets=STUNNING)
    seat.say(Ready(by="Asha", action="maneuver", maneuver="concussive-strike", target="Gil", trigger="he strikes"))
    seat.next_turn("Gil")
    seat.say(announcement(said))
    seat.say(TriggerReadied(by="Asha"), *ONES)
    return seat


@pytest.mark.parametrize(
    ("said", "stamina"),
    [(Attack(by="Gil", target="Asha"), 10), (Maneuver(by="Gil", name="heavy-strike", target="Asha"), 9)],
    ids=["attack", "maneuver"],
)
def test_stun_breaks_off_an_announced_attack(said: Declaration, stamina: int) -> None:
    """GR-STU-5: it is not performed; the time and the effort are gone, as with every action that is broken off."""
    seat = stunned_in_action(said)
    assert judged(seat.say(Go(by="Gil")), "attack") == []
    assert (seat.ap("Gil"), seat.points("Gil", "stamina"), seat.points("Asha", "endurance")) == (2, stamina, 10)


def test_stun_from_before_does_not_break_off_an_attack() -> None:
    """GR-STU-1: who was stunned in the own turn pays in the next, and acts on."""
    seat = Seat(teams={"guards": ["Gil"], "players": ["Asha"]}, turn="Gil")
    effect(seat, "Gil", "stunned")
    seat.say(announcement(Attack(by="Gil", target="Asha")))
    assert result(seat.say(Go(by="Gil"), 1, 1, 9), "attack") == [2, 11, "fail"]


@pytest.mark.parametrize(
    ("said", "faces", "total"),
    [
        (BreakObject(by="Bram", thing="door", skill="athletics", difficulty=5, reason="oak"), (9, 2), 2),
        (Treat(by="Bram", patient="Asha"), (9, 8, 1), 9),
        (Stabilise(by="Bram", patient="Gil"), (9, 8, 1), 9),
    ],
    ids=["break", "treat", "stabilise"],
)
def test_blind_act_on_a_target_with_disadvantage(said: Declaration, faces: tuple[int, ...], total: int) -> None:
    """GR-BLI-1: things and patients are targets too."""
    seat = Seat(present=("Asha", "Bram", "Gil"), options={"medicine_stabilise": "on"})
    effect(seat, "Bram", "blind")
    effect(seat, "Gil", "dying")
    seat.say(LongRest(by="Asha", begin=True))
    assert [fact.total for fact in judged(seat.say(said, *faces), "break", "treat", "stabilise")] == [total]


def test_blind_frighten_with_disadvantage() -> None:
    """GR-BLI-1: also in the roll before a strike."""
    seat = Seat(teams=DUEL, turn="Asha", sheets={"Asha": {"learned": {"intimidating-strike": "martial"}}})
    effect(seat, "Asha", "blind")
    said = Maneuver(by="Asha", name="intimidating-strike", target="Gil")
    assert result(seat.say(said, 9, 2, 10, 6, 1, 1, 1, 8), "resist")[0] == 2


def test_blind_poison_with_disadvantage() -> None:
    """GR-BLI-1: also in the roll after a strike."""
    skills = {"finesse": "r8", "medicine": "r4"}
    cora = {"skills": skills, "learned": {"poisonous-strike": "finesse"}}
    seat = Seat(teams={"players": ["Cora"], "guards": ["Gil"]}, turn="Cora", sheets={"Cora": cora})
    effect(seat, "Cora", "blind")
    said = Maneuver(by="Cora", name="poisonous-strike", target="Gil")
    faces = (10, 10, 4, 10, 1, 1, 10, 10, 4, 3, 1, 1)
    assert result(seat.say(said, *faces), "resist")[0] == 17


@pytest.mark.parametrize(("kind", "stamina"), [("evade", 12), ("evade_reaction", None), ("parry", 13), ("block", 13)])
def test_interception_gives_no_free_evasion(kind: Any, stamina: int | None) -> None:
    """GR-OUT-17: blocking and parrying are free; an evasion costs what it costs."""
    sheets = {"Asha": {"learned": {"intercept": "martial"}}}
    seat = Seat(teams=GIL_FIRST, turn="Gil", sheets=sheets)
    seat.say(Maneuver(by="Asha", name="intercept", target="Bram"))
    item = "longsword" if kind == "parry" else ""
    said = Attack(by="Gil", target="Bram", defences=(Reaction("Asha", kind, item=item),))
    if stamina is None:
        assert seat.code(said) == "REACTION-USED"
        return
    faces = {"evade": (1, 1, 10, 4), "parry": (1, 1, 10, 6), "block": (10, 4, 1, 1, 1)}[kind]
    seat.say(said, *faces)
    assert seat.points("Asha", "stamina") == stamina


def test_interceptor_without_stamina_cannot_evade() -> None:
    sheets = {"Asha": {"learned": {"intercept": "martial"}}}
    seat = Seat(teams=GIL_FIRST, turn="Gil", sheets=sheets, pools={"Asha.stamina": 1})
    seat.say(Maneuver(by="Asha", name="intercept", target="Bram"))
    assert seat.code(Attack(by="Gil", target="Bram", defences=(Reaction("Asha", "evade"),))) == "NO-STAMINA"


def test_interceptor_without_stamina_is_asked_for_a_block() -> None:
    """GR-OUT-17: the block after an interception is free."""
    sheets = {"Asha": {"learned": {"intercept": "martial"}}}
    seat = Seat(teams=GIL_FIRST, turn="Gil", sheets=sheets, pools={"Asha.stamina": 1})
    seat.say(announcement(Attack(by="Gil", target="Bram")))
    seat.say(AnswerWithManeuver(by="Asha", name="intercept"))
    (window,) = seat.state.windows.values()
    assert window.awaits == ("Asha",)


def grapplers() -> Mapping[str, Any]:
    return {
        "Asha": {"skills": {"unarmed": "r8", "martial": "r8"}, "learned": {"grapple": "unarmed"}},
        "Bram": {"learned": {"pinning-shot": "ranged"}},
    }


def test_shorter_hold_does_not_end_a_longer_one() -> None:
    """GR-EFF-3: the arrow that pins for a round does not free who is grappled."""
    seat = Seat(teams=ALLIES, turn="Asha", sheets=grapplers())
    seat.say(Maneuver(by="Asha", name="grapple", target="Gil", check="unarmed", resist="unarmed"), 12, 10, 1)
    seat.next_turn("Gil")
    seat.next_turn("Bram")
    seat.say(Maneuver(by="Bram", name="pinning-shot", target="Gil"), 10, 6, 1, 1, 1, 1, 1)
    for who in ("Asha", "Gil", "Bram"):
        seat.next_turn(who)
    assert "held fast" in seat.holds("Gil")


def test_half_an_effect_does_not_shorten_a_whole_one() -> None:
    """GR-EFF-3, GR-MAN-5: crippled for 2 rounds, then for 1 by a graze of the resistance."""
    learned = {"learned": {"crippling-strike": "martial"}}
    seat = Seat(
        teams={"players": ["Asha", "Dov"], "guards": ["Gil"]},
        turn="Asha",
        sheets=dict.fromkeys(["Asha", "Dov"], learned),
    )
    seat.say(Maneuver(by="Asha", name="crippling-strike", target="Gil"), *ONES)
    whole = seat.state.conditions["crippled Gil"].ends
    seat.next_turn("Gil")
    seat.next_turn("Dov")
    record = seat.say(Maneuver(by="Dov", name="crippling-strike", target="Gil"), 5, 1, 1, 1, 1, 5, 4)
    assert result(record, "resist") == [6, 9, "graze"]
    assert seat.state.conditions["crippled Gil"].ends == whole


@pytest.mark.parametrize("rounds", [None, 1])
def test_unconsciousness_lasts_as_its_source_says(rounds: int | None) -> None:
    """GR-EFF-1: for a round, or until somebody is woken."""
    seat = Seat(teams=DUEL, turn="Asha")
    effect(seat, "Gil", "unconscious", rounds=rounds)
    seat.say(EndTurn(by="Asha"))
    seat.say(BeginTurn(by="Gil"))
    seat.say(BeginTurn(by="Asha"))
    assert seat.holds("Gil") == (["prone"] if rounds else ["prone", "unconscious"])


def test_prone_for_a_round_lasts_when_knocked_out() -> None:
    """GR-UNC-2, GR-EFF-3: who is knocked out while prone for a round lies there longer."""
    seat = Seat(teams=DUEL, turn="Asha")
    effect(seat, "Gil", "prone", rounds=1)
    seat.say(DealDamage(by=GM, target="Gil", amount=18, type="psychic"))
    seat.say(EndTurn(by="Asha"))
    seat.say(BeginTurn(by="Gil"))
    seat.say(BeginTurn(by="Asha"))
    assert seat.holds("Gil") == ["prone", "unconscious"]


@pytest.mark.parametrize(
    "said",
    [Ready(by="Asha", action="move", trigger="x"), Ready(by="Asha", action="use-skill", trigger="x")],
    ids=["move", "use-skill"],
)
def test_readied_action_is_complete(said: Ready) -> None:
    """GR-RDY-1: no points are spent on what can never be performed."""
    seat = Seat(teams=DUEL, turn="Asha")
    assert seat.code(said) == "VALUE"


HARD_PARRIER = {"Asha": {"learned": {"hard-parry": "martial"}}}


@pytest.mark.parametrize("kind", ["evade", "evade_reaction", "parry"])
def test_hard_parry_takes_the_place_of_other_defences(kind: Any) -> None:
    """GR-GAP-15: one defence in place of deflection, and nothing is paid for another that does not count."""
    seat = Seat(teams=GIL_FIRST, turn="Gil", sheets=HARD_PARRIER)
    seat.say(Maneuver(by="Asha", name="hard-parry", target="Gil"))
    item = "longsword" if kind == "parry" else ""
    assert seat.code(Attack(by="Gil", target="Asha", defences=(Reaction("Asha", kind, item=item),))) == "VALUE"


def test_hard_parry_goes_with_a_block() -> None:
    seat = Seat(teams=GIL_FIRST, turn="Gil", sheets=HARD_PARRIER)
    seat.say(Maneuver(by="Asha", name="hard-parry", target="Gil"))
    record = seat.say(Attack(by="Gil", target="Asha", defences=(Reaction("Asha", "block"),)), 10, 4, 1, 1, 1, 1)
    assert result(record, "attack") == [14, 5, "critical"]
    assert seat.points("Asha", "shield") == 11


def test_hard_parry_does_not_answer_after_an_evasion() -> None:
    """GR-GAP-15: nor can both answer the same announcement."""
    seat = Seat(teams=GIL_FIRST, turn="Gil", sheets=HARD_PARRIER)
    seat.say(announcement(Attack(by="Gil", target="Asha")))
    seat.say(Evade(by="Asha"))
    assert seat.code(AnswerWithManeuver(by="Asha", name="hard-parry")) == "VALUE"


def test_every_target_of_an_announced_shot_may_defend() -> None:
    """GR-GAP-57: one defence and a block each."""
    sheets = {"Bram": {"learned": {"double-shot": "ranged"}}}
    seat = Seat(teams={"players": ["Bram"], "guards": ["Gil", "Hob"]}, turn="Bram", sheets=sheets)
    said = Maneuver(by="Bram", name="double-shot", target="Gil", also=("Hob",))
    assert possible_reactors(said, seat.state) == ("Gil", "Hob")
    seat.say(announcement(said))
    seat.say(Evade(by="Hob"))
    assert result_totals(seat.say(Go(by="Bram"), 1, 1, 8, 10)) == [(0, 11), (0, 13)]


def result_totals(record: Record) -> list[tuple[int | None, int | None]]:
    return [(fact.total, fact.target) for fact in judged(record, "attack")]


@pytest.mark.parametrize("name", ["advancing-strike", "back-step-strike"])
def test_held_cannot_strike_with_a_step(name: str) -> None:
    """GR-GAP-24: who is held does not take the step that such a maneuver begins or ends with."""
    seat = Seat(teams=DUEL, turn="Asha")
    effect(seat, "Asha", "held")
    assert seat.code(Maneuver(by="Asha", name=name, target="Gil", improvise="stamina")) == "CANNOT-MOVE"
