"""Refusals: their precedence and their sentences."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from ledger.declarations import Declaration, Ruling, Setting
from ledger.facts import GM
from rulebooks.common.adjustments import Adjust
from rulebooks.common.encounters import BringIn, PassTime
from rulebooks.common.options import SetOption
from rulebooks.monolith.declarations import (
    Aid,
    Ally,
    Attack,
    BeginRound,
    Blast,
    ChangeCombatant,
    ChangeGroup,
    Crawl,
    CreateCharacter,
    CreateGroup,
    CreateNpc,
    DeclareIntent,
    EndEncounter,
    EndPart,
    EndRound,
    Flee,
    Morale,
    Move,
    OtherAction,
    Rest,
    Save,
    SetOrder,
    StartEncounter,
    Telegraph,
)
from rulebooks.monolith.texts import TEXTS
from tests.rulebooks.monolith.seat import Seat, rules

# "declared intents, target, then per attacker: able, order, action, weapon, area, dice"; for a move: "intents, able,
# order, length, action". Nobody has acted, and no order is kept, before everybody has declared.
ATTACK = ("DECL", "TARGET", "OUT", "ORDER", "ACTION", "WEAPON", "AREA", "DICE")
MOVE = ("DECL", "OUT", "ORDER", "MOVE", "ACTION")
APART = {frozenset(("DECL", later)) for later in ("ORDER", "ACTION")}


def pairs(order: tuple[str, ...]) -> list[tuple[str, str]]:
    return [pair for pair in itertools.combinations(order, 2) if frozenset(pair) not in APART]


def seat_for(*wrong: str) -> Seat:
    """Return a Round in which Kade may not act, for these reasons."""
    seat = Seat(declared=("Oru", "Kade") if "DECL" in wrong else None)
    if "ACTION" in wrong:
        seat.say(Move(by="Kade", feet=10))
        seat.say(Move(by="Kade", feet=10))
    if "ORDER" in wrong:
        seat.say(SetOrder(by=GM, first=("Vega",), reason="the drop"))
    if "OUT" in wrong:
        seat.say(rules(**{"kade.critical": 1}))
    if "TARGET" in wrong:
        seat.say(rules(**{"r1.dead": 1}))
    return seat


@pytest.mark.parametrize(("earlier", "later"), pairs(ATTACK))
def test_attack_with_two_errors_reports_the_earlier(earlier: str, later: str) -> None:
    wrong = (earlier, later)
    first, second = "rifle" if "WEAPON" in wrong else "shotgun", ("grenade",) if "AREA" in wrong else ()
    said = Attack(by="Kade", target="R1", weapons=(first, *second))
    assert seat_for(*wrong).code(said, 11 if "DICE" in wrong else 5) == earlier


@pytest.mark.parametrize(("earlier", "later"), pairs(ATTACK))
def test_blast_with_two_errors_reports_the_earlier(earlier: str, later: str) -> None:
    wrong = (earlier, later)
    said = Blast(
        by="Kade", weapon="rifle" if "WEAPON" in wrong else "grenade", targets=("R1", "R1" if "AREA" in wrong else "R2")
    )
    assert seat_for(*wrong).code(said, 9 if "DICE" in wrong else 3, 3) == earlier


@pytest.mark.parametrize(("earlier", "later"), pairs(MOVE))
def test_move_with_two_errors_reports_the_earlier(earlier: str, later: str) -> None:
    wrong = (earlier, later)
    assert seat_for(*wrong).code(Move(by="Kade", feet=41 if "MOVE" in wrong else 5)) == earlier


@pytest.mark.parametrize("wrong", ["OUT", "ORDER", "ACTION", "WEAPON"])
def test_gang_attackers_are_checked_in_turn(wrong: str) -> None:
    """The first attacker's last error comes before the second one's first."""
    seat = seat_for(wrong)
    gang = (Ally(who="Kade", weapon="rifle" if wrong == "WEAPON" else ""),)
    assert seat.code(Attack(by="Vega", target="R1", allies=gang), 1, 1) == wrong
    assert seat.code(Attack(by="Vega", target="R1", weapons=("claws",), allies=gang), 1, 1) == "WEAPON"


# Every code, by something that breaks it, and its sentence as the catalogue has it
SENTENCES: dict[str, tuple[dict[str, Any], Declaration, tuple[int, ...], str]] = {
    "DECL": (
        {"declared": ("Vega",)},
        Save(by="Oru", score="reflex", reason="a leap"),
        (5,),
        "Not every player has declared for this Round yet: Oru, Kade. ",
    ),
    "OUT": ({"set": {"oru.unconscious": 1}}, Move(by="Oru", feet=5), (), "Oru is unconscious. "),
    "ACTION": (
        {},
        Attack(by="Vega", target="R1", allies=(Ally(who="Oru"),)),
        (1, 1),
        "The action of this turn is spent: Oru. ",
    ),
    "MOVE": ({}, Move(by="Vega", feet=-1), (), "A move is at most 40 feet: Vega goes -1. "),
    "ORDER": ({}, BeginRound(by=GM), (), "Round 1 is open already. "),
    "TARGET": ({}, Crawl(by="Vega"), (), "Vega cannot crawl: only those under Critical Damage or stable after it do"),
    "WEAPON": (
        {},
        Attack(by="Vega", target="R1", weapons=("shotgun",)),
        (1,),
        "That character does not have this weapon: Vega, shotgun. There is: knife, rifle, bare hands.",
    ),
    "AREA": ({}, Blast(by="Kade"), (), "A blast needs at least one target. "),
    "DICE": (
        {},
        Attack(by="Vega", target="R1"),
        (8,),
        "A face is impossible, missing or left over; expected d8 (attack Vega rifle on R1), d20 (Body Save R1). ",
    ),
    "SCORE": (
        {},
        SetOrder(by=GM, score="luck", reason="a scramble"),
        (),
        "No score of this name is on the sheet of anybody who can act: luck. There is: body, ",
    ),
    "PC": ({}, Morale(by=GM, group="Vega", reason="the dark"), (), "Morale Saves are for enemies: Vega is none. "),
    "RULING": ({}, Flee(by=GM, who="R1"), (), "A GM ruling needs its content and a reason: flight. "),
}


@pytest.mark.parametrize("code", SENTENCES)
def test_code_has_its_sentence(code: str) -> None:
    given, said, faces, sentence = SENTENCES[code]
    seat = Seat(**given)
    if code == "ACTION":
        seat.say(OtherAction(by="Oru", text="the medkit", ruling="it works"))
    refusal = seat.refusal(said, *faces)
    assert str(refusal).startswith(f"ML-E-{code}: {sentence}"), str(refusal)


# Codes that cover several cases: each sentence names the one that applies.
SINGLE_CASES: list[tuple[dict[str, int], Declaration, str]] = [
    ({"oru.dead": 1}, Move(by="Oru", feet=5), "ML-E-OUT: Oru is dead. Let somebody else act"),
    ({"oru.fled": 1}, Move(by="Oru", feet=5), "ML-E-OUT: Oru has fled. "),
    ({"oru.critical": 1}, Move(by="Oru", feet=5), "ML-E-OUT: Oru is under Critical Damage. "),
    ({"oru.stable": 1}, Move(by="Oru", feet=5), "ML-E-OUT: Oru is stable, and can only crawl. "),
    ({"r1.dead": 1}, Attack(by="Vega", target="R1"), "ML-E-TARGET: R1 is dead. "),
    ({"r1.fled": 1}, Attack(by="Vega", target="R1"), "ML-E-TARGET: R1 has fled. "),
    ({}, Attack(by="Vega", target="Vega"), "ML-E-TARGET: Vega cannot be the target of Vega's own attack. "),
    ({}, Aid(by="Vega", patient="Oru"), "ML-E-TARGET: Oru is not under Critical Damage, and needs no aid. "),
]


@pytest.mark.parametrize(("given", "said", "sentence"), SINGLE_CASES)
def test_sentence_names_the_case_that_applies(given: dict[str, int], said: Declaration, sentence: str) -> None:
    assert str(Seat(set=given).refusal(said)).startswith(sentence)


def test_every_code_of_the_rulebook_has_a_refusal() -> None:
    assert {f"ML-E-{code}" for code in SENTENCES} == {error.code for error in TEXTS.content.errors}


NO_ROUND = [EndRound(by=GM), EndPart(by=GM, part="first"), DeclareIntent(by="Vega"), EndEncounter(by=GM)]
NO_ROUND += [BringIn(by=GM, who="Vega")]


@pytest.mark.parametrize("said", [*NO_ROUND, SetOrder(by=GM, opponents=True, reason="x")], ids=lambda said: str(said))
def test_declaration_of_a_round_is_refused_without_one(said: Declaration) -> None:
    assert Seat(fight=False).code(said) == "ORDER"


@pytest.mark.parametrize(
    "said",
    [
        Save(by="Oru", score="reflex"),
        OtherAction(by="Oru", text="the medkit"),
        OtherAction(by="Oru", text="", ruling="it works"),
        SetOrder(by=GM, first=("Vega",)),
        SetOrder(by=GM, reason="nothing"),
        Morale(by=GM, group="Raiders"),
        Telegraph(by=GM, who="R1", text=""),
        Ruling(by=GM, text="so", reason=""),
        Ruling(by=GM, text="", reason="so"),
        SetOption(by=GM, name="gang_scope", value="phase", reason=""),
        Adjust(by="Vega", value="hp", change=-1, reason=""),
    ],
    ids=lambda said: str(said),
)
def test_ruling_without_content_or_reason_is_refused(said: Declaration) -> None:
    assert Seat().code(said) == "RULING"


OF_SHEETS: dict[str, Any] = {"by": GM, "name": "Rook", "body": 8, "resolve": 6, "hp": 2}


@pytest.mark.quick_rows(14)
@pytest.mark.parametrize(
    "said",
    [
        CreateNpc(**{**OF_SHEETS, "body": 0}),
        CreateNpc(**{**OF_SHEETS, "resolve": -1}),
        CreateNpc(**{**OF_SHEETS, "hp": -1}),
        CreateNpc(**OF_SHEETS, armor=-1),
        CreateNpc(**OF_SHEETS, now=(("hp", 3),)),
        CreateNpc(**OF_SHEETS, now=(("body", 0),)),
        CreateNpc(**OF_SHEETS, scores=(("reflex", -1),)),
        CreateNpc(**OF_SHEETS, scores=(("Body", 3),)),
        CreateNpc(**OF_SHEETS, scores=(("weapon.x", 3),)),
        CreateNpc(**OF_SHEETS, weapons=(("axe", "8"),)),
        CreateNpc(**OF_SHEETS, weapons=(("axe", "d1"),)),
        CreateNpc(**OF_SHEETS, weapons=(("axe", "d8 holy"),)),
        CreateCharacter(**{**OF_SHEETS, "name": "vega"}),
        CreateCharacter(**{**OF_SHEETS, "name": "gm"}),
        CreateGroup(by=GM, name="Pack", members=()),
        CreateGroup(by=GM, name="Pack", members=("Stalker", "Stalker")),
        CreateGroup(by=GM, name="Pack", members=("Vega",)),
        CreateGroup(by=GM, name="Pack", members=("R1",)),
        CreateGroup(by=GM, name="Pack", members=("Stalker",), leader="Boss"),
        CreateGroup(by=GM, name="Pack", members=("Stalker",), resolve=-1),
        ChangeCombatant(**{**OF_SHEETS, "name": "Nobody"}, because="x"),
        ChangeCombatant(**{**OF_SHEETS, "name": "Vega"}, because=""),
        ChangeGroup(by=GM, name="Raiders", members=("R1",), because=""),
        ChangeGroup(by=GM, name="Vega", members=("R1",), because="x"),
        Attack(by="Nobody", target="R1"),
        Attack(by="vega", target="R1"),
        Attack(by="Raiders", target="R1"),
        Attack(by="Vega", target="Raiders"),
        Attack(by="Vega", target="R1", allies=(Ally(who="gm"),)),
        Blast(by="Kade", targets=("Nobody",)),
        DeclareIntent(by="R1"),
        Telegraph(by=GM, who="Vega", text="shoots"),
        SetOrder(by=GM, first=("R1",), reason="x"),
        SetOrder(by=GM, first=("Vega",), opponents=True, reason="x"),
        SetOrder(by=GM, score="reflex", opponents=True, reason="x"),
        StartEncounter(by=GM, participants=("Raiders",)),
        BringIn(by=GM, who="Vega"),
        PassTime(by=GM, seconds=-1),
        Rest(by="Raiders"),
        Aid(by="Vega", patient="Raiders"),
        SetOption(by=GM, name="luck", value="on", reason="x"),
        SetOption(by=GM, name="gang_scope", value="turn", reason="x"),
        EndRound(by="Vega"),
        Ruling(by="Vega", text="so", reason="so"),
        Adjust(by="Vega", value="hp", change=9, reason="x"),
        Adjust(by=GM, value="luck", change=1, reason="x"),
        Adjust(by="Vega", value="player", change=1, reason="x"),
        *(
            Ruling(by=GM, text="so", reason="so", changes=(Setting(value, to),))
            for value, to in [
                ("vega.hp", 6),
                ("vega.hp", "two"),
                ("vega.critical", 2),
                ("luck", 1),
                ("nobody.hp", 1),
                ("vega.weapon.axe", "sharp"),
                ("vega.weapon.rifle", 8),
                ("vega.armor", -1),
                ("option.luck", "on"),
            ]
        ),
    ],
    ids=lambda said: str(said)[:70],
)
def test_value_outside_its_domain_is_refused(said: Declaration) -> None:
    assert Seat(sheets={"Vega": {"player": "Ana"}}).refusal(said).code == "L-VALUE"


def test_round_of_nobody_is_refused() -> None:
    refused = Seat(present=(), fight=False).refusal(BeginRound(by=GM))
    assert str(refused).startswith("ML-E-ORDER: Nobody who can act is in play. ")


def test_order_refusal_names_who_acts_first() -> None:
    """ML-ACT-4, ML-TURN-2: the refusal suggests the other's declaration."""
    seat = Seat(declared=("Vega",))
    assert seat.refusal(Move(by="Vega", feet=5)).first == DeclareIntent(by="Oru")
    seat = Seat()
    seat.say(SetOrder(by=GM, first=("Vega",), reason="the drop"))
    assert seat.refusal(Move(by="Kade", feet=5)).first == EndPart(by=GM, part="opponents")


def test_typed_faces_that_a_line_does_not_use_are_refused() -> None:
    seat = Seat()
    for said in (Move(by="Kade", feet=10), SetOption(by=GM, name="save_auto", value="off", reason="x")):
        assert seat.refusal_of_dice(said, 20).code == "ML-E-DICE"
    seat.say(EndRound(by=GM))
    assert seat.refusal_of_dice(BeginRound(by=GM), 20).code == "ML-E-DICE"
