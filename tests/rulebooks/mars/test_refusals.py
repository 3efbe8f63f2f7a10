"""Refusals: every code and every single case of it with its sentence; values outside their domain; the faces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from ledger.declarations import Declaration, Ruling, Setting
from ledger.facts import GM
from rulebooks.common.adjustments import Adjust
from rulebooks.common.encounters import EndTurn
from rulebooks.common.options import SetOption
from rulebooks.mars.declarations import harm, turns
from rulebooks.mars.declarations.combat import Attack
from rulebooks.mars.declarations.maneuvers import AcquireManeuver, Maneuver
from rulebooks.mars.declarations.parts import Modifier, Reaction
from rulebooks.mars.declarations.sheets import ChangeSheet, CreateCharacter, CreateNpc, Item
from rulebooks.mars.declarations.tasks import Check, GroupCheck, UseSkill
from rulebooks.mars.texts import TEXTS
from tests.rulebooks.mars.seat import Seat

TEAMS = {"players": ["Asha", "Bram", "Cora"], "guards": ["Gil", "Hob"]}
TURN = {"teams": TEAMS, "turn": "Asha"}
GUARDS = {"teams": {"guards": ["Gil", "Hob"], "players": ["Asha", "Bram"]}, "turn": "Gil"}
PEACE = {"present": ["Asha", "Bram", "Gil"]}
LEARNED = {"Asha": {"learned": {"heavy-strike": "martial", "brace": "martial"}}}
DYING = {"pools": {"Gil.endurance": 0, "Gil.health": -2}, "conditions": {"Gil": ["unconscious", "prone", "dying"]}}
SHIELDS = {
    "held": ["longsword", "shield", "targe"],
    "items": {
        "longsword": {"damage": "r8", "critical": 6, "type": "slashing", "parry": "r6"},
        "shield": {"block": 4, "durability": 12, "parry": "r4"},
        "targe": {"block": 2, "durability": 8},
    },
}
CHALLENGE = turns.StartEncounter(by=GM, kind="challenge", combat="no-combat", reason="the flood")
STUN = harm.ApplyEffect(by=GM, target="Asha", effect="stunned")
EVADES = Attack(by="Gil", target="Asha", defences=(Reaction("Asha", "evade_reaction"),))


def blocked(**fields: Any) -> Attack:
    """Return an attack of Gil that Asha blocks."""
    return Attack(by="Gil", target="Asha", defences=(Reaction("Asha", "block", **fields),))


# Every code, and every single case of it, by something that breaks it: situation, lines before, line, and its sentence.
Row = tuple[Mapping[str, Any], tuple[Declaration, ...], Declaration, str]
SENTENCES: dict[str, Row] = {
    "UNKNOWN": (TURN, (), Attack(by="Asha", target="Nobody"), "Nobody is nobody in this campaign"),
    "DEAD": ({**PEACE, "conditions": {"Gil": ["dead"]}}, (), turns.Rise(by="Gil"), "Gil is dead"),
    "UNCONSCIOUS": (
        {**PEACE, "conditions": {"Gil": ["unconscious", "prone"]}},
        (),
        turns.Rise(by="Gil"),
        'Gil is unconscious and can do nothing. The game master may wake the character: ! wake Gil "the reason"',
    ),
    "UNCONSCIOUS dying": (
        {**PEACE, **DYING},
        (),
        turns.Rise(by="Gil"),
        "Gil is dying and can do nothing. Dying has to end first, as by healing: ! restore Gil health 1",
    ),
    "UNCONSCIOUS defeated": (
        {**PEACE, "conditions": {"Gil": ["defeated"]}},
        (),
        turns.Rise(by="Gil"),
        "Gil is defeated and can do nothing",
    ),
    "NOT-TURN": (
        TURN,
        (),
        turns.Rise(by="Gil"),
        "It is not the turn of Gil. The turn of Asha is open; it ends with: Asha end",
    ),
    "NOT-TURN begun": (TURN, (), turns.BeginTurn(by="Asha"), "Asha has begun this turn"),
    "NOT-TURN slot": (TURN, (EndTurn(by="Asha"),), turns.BeginTurn(by="Bram"), "This slot is not that of Bram's team"),
    "NOT-TURN acted": (TURN, (EndTurn(by="Asha"),), turns.BeginTurn(by="Asha"), "Asha has acted in this round"),
    "NOT-TURN surprised": (
        {"teams": TEAMS, "conditions": {"Bram": ["surprised"]}},
        (),
        turns.BeginTurn(by="Bram"),
        "Bram is surprised and has no turn in this round",
    ),
    "NOT-TURN open": (
        TURN,
        (),
        turns.BeginTurn(by="Bram"),
        "The turn of another character is still open, and Bram has to wait. The turn of Asha is open",
    ),
    "OWN-TURN": (TURN, (), turns.TriggerReadied(by="Asha"), "Asha cannot react in the own turn"),
    "OWN-TURN nobody": (
        {"teams": {"guards": ["Gil"], "players": ["Asha"]}, "sheets": LEARNED},
        (),
        Maneuver(by="Asha", name="opportunity-strike", target="Gil"),
        "No turn is open, and Asha can react only in the turn of somebody else. The slot is that of Gil",
    ),
    "ENCOUNTER": (TURN, (), harm.ShortRest(by="Asha"), "An encounter is running"),
    "NO-ENCOUNTER": (PEACE, (), turns.EndEncounter(by=GM), "There is no encounter. Begin one: "),
    "NO-ENCOUNTER outside": (
        {"present": ["Asha", "Gil", "Hob"]},
        (turns.StartEncounter(by=GM, participants=("Asha", "Gil"), reason="a duel"),),
        turns.RollInitiative(by="Hob"),
        "Hob takes no part in this encounter. Bring Hob in: ! join Hob",
    ),
    "NO-ENCOUNTER challenge": (
        PEACE,
        (CHALLENGE,),
        turns.BeginTurn(by="Asha"),
        "A complex challenge has no turns",
    ),
    "NO-ENCOUNTER turns": (
        TURN,
        (),
        turns.ChallengeTurn(by=GM, minutes=(turns.Minutes("Asha", 10),)),
        "No complex challenge is running",
    ),
    "NO-ENCOUNTER turn": (TURN, (EndTurn(by="Asha"),), EndTurn(by=GM), "No turn is open"),
    "STUNNED": (GUARDS, (STUN,), EVADES, "Asha is stunned and cannot react"),
    "STUNNED surprised": (
        {
            "teams": {"guards": ["Gil", "Hob"], "players": ["Asha", "Bram"]},
            "turn": "Gil",
            "conditions": {"Asha": ["surprised"]},
            "options": {"surprised_no_reactions": "on"},
        },
        (),
        EVADES,
        "Asha is surprised and cannot react",
    ),
    "TEAMS": (
        PEACE,
        (),
        turns.StartEncounter(
            by=GM, teams=(turns.TeamMember("Asha", "red"), turns.TeamMember("Asha", "blue")), reason="a brawl"
        ),
        "Teams need members, and nobody is in two of them: Asha",
    ),
    "TEAMS in": (TURN, (), turns.JoinEncounter(by=GM, who="Asha"), "Asha is in the encounter already"),
    "ROLLED": (TURN, (), turns.RollInitiative(by="Asha"), "Asha has rolled initiative"),
    "ROLLED late": (
        {"present": ["Asha", "Gil", "Hob"]},
        (
            turns.StartEncounter(by=GM, participants=("Asha",), reason="a duel"),
            turns.RollInitiative(by="Asha"),
            turns.JoinEncounter(by=GM, who="Hob"),
        ),
        turns.RollInitiative(by="Hob"),
        "Hob cannot roll initiative any more: that was before the first turn. Go on without it. The slot is that",
    ),
    "ROLLED nobody": (
        PEACE,
        (turns.StartEncounter(by=GM, participants=("Asha",), reason="a duel"),),
        turns.RollInitiative(by=GM),
        "Nobody of the game master's side takes part",
    ),
    "NO-TIE": (
        TURN,
        (),
        turns.InitiativeRuling(by=GM, teams=("guards", "players"), reason="a whim"),
        "No teams are tied that this order would settle",
    ),
    "NOT-WIELDED": (
        TURN,
        (),
        Attack(by="Asha", target="Gil", weapon="spear"),
        "Asha does not have spear in hand. In hand: ",
    ),
    "NOT-WIELDED harmless": (
        {**TURN, "sheets": {"Asha": SHIELDS}},
        (),
        Attack(by="Asha", target="Gil", weapon="shield"),
        "Asha has shield in hand, but it deals no damage",
    ),
    "NOT-WIELDED carried": (
        TURN,
        (),
        turns.Brandish(by="Asha", items=("spear",)),
        "Asha neither carries spear nor has it within reach",
    ),
    "NOT-WIELDED unsuited": (
        TURN,
        (),
        Maneuver(by="Asha", name="trip", target="Gil", improvise="stamina"),
        "Asha needs a weapon that trips, and longsword is not one. In hand: longsword, bare hands",
    ),
    "NO-PARRY": (
        GUARDS,
        (),
        Attack(by="Gil", target="Bram", defences=(Reaction("Bram", "parry"),)),
        "Bram has nothing in hand that can parry. Defend another way",
    ),
    "NO-PARRY other": (
        GUARDS,
        (),
        Attack(by="Gil", target="Asha", defences=(Reaction("Asha", "parry", item="spear"),)),
        "Asha cannot parry with spear. Things that parry: longsword, shield",
    ),
    "NO-PARRY several": (
        GUARDS,
        (),
        Attack(by="Gil", target="Asha", defences=(Reaction("Asha", "parry"),)),
        "Asha can parry with more than one thing. Name one: longsword, shield",
    ),
    "NO-SHIELD": (
        GUARDS,
        (),
        Attack(by="Gil", target="Bram", defences=(Reaction("Bram", "block"),)),
        "Bram has no shield in hand. Leave out what needs a shield",
    ),
    "NO-SHIELD other": (
        GUARDS,
        (),
        Attack(by="Gil", target="Asha", defences=(Reaction("Asha", "block", item="targe"),)),
        "Asha has no shield targe in hand. Shields in hand: shield",
    ),
    "NO-SHIELD several": (
        {**GUARDS, "sheets": {"Asha": SHIELDS}},
        (),
        blocked(),
        "Asha has more than one shield in hand. Name one: shield, targe",
    ),
    "SHIELD-BROKEN": ({**GUARDS, "pools": {"Asha.shield": 0}}, (), blocked(), "shield of Asha is broken"),
    "NOT-FRONT": (GUARDS, (), blocked(front=False), "Asha can block only what comes from the front"),
    "STEP-NEEDS-REACTION": (
        GUARDS,
        (),
        Attack(by="Gil", target="Asha", defences=(Reaction("Asha", "evade", "step"),)),
        "Asha can step aside only after an evasion that took the reaction",
    ),
    "CANNOT-MOVE": (
        TURN,
        (harm.ApplyEffect(by=GM, target="Asha", effect="overencumbered"),),
        turns.Move(by="Asha", metres=1),
        "Asha cannot move at all. Do something else; what has to end first: overencumbered",
    ),
    "TOO-FAR": (TURN, (), turns.Move(by="Asha", metres=7), "Asha would need 7 m of speed and has 6"),
    "PRONE": ({**TURN, "conditions": {"Asha": ["prone"]}}, (), turns.DropProne(by="Asha"), "Asha is prone already"),
    "PRONE maneuver": (
        {**GUARDS, "conditions": {"Asha": ["prone"]}},
        (),
        Maneuver(by="Asha", name="opportunity-strike", target="Gil", improvise="stamina"),
        "Asha is prone, and opportunity-strike needs footing",
    ),
    "NOT-PRONE": (TURN, (), turns.Rise(by="Asha"), "Asha is not prone"),
    "READY-SPEED": (
        TURN,
        (),
        turns.Ready(by="Asha", action="interact", speed=3, trigger="x"),
        "An action of speed 3 cannot be readied",
    ),
    "READIED": (
        TURN,
        (turns.Ready(by="Asha", action="other", speed=0, trigger="x"),),
        turns.Ready(by="Asha", action="other", speed=0, trigger="x"),
        "Asha has an action readied",
    ),
    "NOT-READIED": (GUARDS, (), turns.TriggerReadied(by="Asha"), "Asha has no action readied"),
    "NO-COVER": (
        TURN,
        (),
        turns.SeekCover(by="Asha"),
        "Asha has nothing to hide behind, and has moved less than twice",
    ),
    "NOT-LONG": (TURN, (), turns.StartLongAction(by="Asha", need=3), "An action of 3 points is no long action"),
    "NO-LONG": (TURN, (), turns.ContinueLongAction(by="Asha"), "Asha has no long action in progress"),
    "NO-LONG running": (
        TURN,
        (turns.StartLongAction(by="Asha", need=5, pay=1),),
        turns.StartLongAction(by="Asha", need=5),
        "Asha has a long action in progress. Go on with it: Asha continue; or give it up: Asha cancel",
    ),
    "UNTRAINED": (
        TURN,
        (),
        UseSkill(by="Asha", name="medicine", difficulty=10),
        "Asha is not trained in medicine",
    ),
    "SKILL": (
        {**TURN, "sheets": LEARNED},
        (),
        Maneuver(by="Asha", name="heavy-strike", target="Gil", skill="ranged"),
        "Asha cannot use heavy-strike with ranged. It goes with: martial, unarmed",
    ),
    "SKILL untrained": (
        {**TURN, "sheets": LEARNED},
        (),
        Maneuver(by="Asha", name="heavy-strike", target="Gil", skill="unarmed", weapon="bare hands"),
        "Asha is not trained in unarmed",
    ),
    "SKILL boost": (
        {**TURN, "sheets": LEARNED},
        (),
        Maneuver(by="Asha", name="heavy-strike", target="Gil", boost=True),
        "Asha can add nothing to heavy-strike with martial. Leave the boost out: it needs martial at r12",
    ),
    "UNKNOWN-MANEUVER": (
        TURN,
        (),
        Maneuver(by="Asha", name="brace"),
        "brace has not been learned. Improvise it",
    ),
    "UNKNOWN-MANEUVER stamina": (
        TURN,
        (),
        Maneuver(by="Asha", name="bullrush", target="Gil"),
        "bullrush has not been learned. Improvise it, with the word stamina at the end of the line",
    ),
    "UNKNOWN-MANEUVER boost": (
        TURN,
        (),
        Maneuver(by="Asha", name="bullrush", target="Gil", improvise="stamina", boost=True),
        "knock-down has not been learned. Leave the boost out",
    ),
    "UNKNOWN-MANEUVER none": (TURN, (), Maneuver(by="Asha", name="moonwalk"), "There is no maneuver moonwalk"),
    "UNKNOWN-MANEUVER known": (
        {"present": ["Asha"], "sheets": {"Asha": {"learned": {"heavy-strike": "martial"}}}},
        (),
        AcquireManeuver(by="Asha", name="heavy-strike", skill="martial"),
        "heavy-strike has been learned already. Choose another one",
    ),
    "NO-SLOT": (
        {"present": ["Asha"], "sheets": LEARNED},
        (),
        AcquireManeuver(by="Asha", name="trip", skill="martial"),
        "Asha has learned as many maneuvers as martial gives: 2",
    ),
    "IMPROVISE": (
        TURN,
        (),
        Maneuver(by="Asha", name="bullrush", target="Gil", metres=6, improvise="speed"),
        "bullrush cannot be improvised for speed",
    ),
    "EFFECT": (
        PEACE,
        (),
        harm.RemoveEffect(by=GM, target="Asha", effect="blind"),
        "Asha has no such effect: blind. There are: ",
    ),
    "EFFECT fire": (PEACE, (), harm.Douse(by="Asha", target="Gil"), "Gil is not burning. Leave it out: "),
    "EFFECT well": (
        {**PEACE, "options": {"medicine_stabilise": "on"}},
        (),
        harm.Stabilise(by="Bram", patient="Gil"),
        "Gil is not dying. Leave it out: ",
    ),
    "EFFECT unknown": (
        PEACE,
        (),
        harm.ApplyEffect(by=GM, target="Asha", effect="levitation"),
        "There is no effect levitation. There are: ",
    ),
    "CONCENTRATION": (
        PEACE,
        (harm.Concentrate(by="Asha", effect="ward"),),
        harm.Concentrate(by="Asha", effect="light"),
        "Asha holds ward already. Say which one stays",
    ),
    "CONCENTRATION due": (
        PEACE,
        (),
        harm.ConcentrationCheck(by="Asha"),
        "No check of concentration is due for Asha",
    ),
    "CONCENTRATION both": (
        PEACE,
        (harm.Concentrate(by="Asha", effect="ward"),),
        harm.Concentrate(by="Asha", effect="light", keep="fog"),
        "Neither is fog",
    ),
    "DYING": ({**PEACE, **DYING}, (), harm.Wake(by=GM, who="Gil", reason="a bell"), "Gil is dying"),
    "NOT-UNCONSCIOUS": (PEACE, (), harm.Wake(by=GM, who="Gil", reason="a bell"), "Gil is not unconscious"),
    "REST-LENGTH": (
        PEACE,
        (),
        harm.ShortRest(by="Asha", minutes=20, activity=3),
        "A short rest does not take 20 minutes with that activity",
    ),
    "REST-LENGTH alone": (
        PEACE,
        (),
        harm.ShortRest(by="Asha", minutes=20),
        "A short rest does not take 20 minutes",
    ),
    "NOT-RESTING": (PEACE, (), harm.Treat(by="Bram", patient="Asha"), "Asha is not in a long rest"),
    "TREATED": (
        PEACE,
        (harm.LongRest(by="Asha", begin=True), harm.Treat(by="Bram", patient="Asha")),
        harm.Treat(by="Bram", patient="Asha"),
        "Asha has been treated in this rest",
    ),
    "VALUE off": (
        PEACE,
        (),
        harm.Stabilise(by="Bram", patient="Gil"),
        'The option medicine_stabilise is off. Turn it on: ! option medicine_stabilise on "the reason"',
    ),
    "VALUE difficulty": (
        PEACE,
        (),
        Check(by="Asha", name="athletics"),
        "A check of athletics needs a difficulty or an opponent. Say v and a number: v5 is easy, v10 moderate, v15",
    ),
    "VALUE": (PEACE, (), turns.Move(by="Asha", metres=0), "metres is outside its range: 0. Expected: "),
    "REASON": (
        {**PEACE, "conditions": {"Gil": ["unconscious", "prone"]}},
        (),
        harm.Wake(by=GM, who="Gil"),
        "Waking needs its reason",
    ),
    "REACTION-USED": (GUARDS, (EVADES,), EVADES, "Asha has used the reaction of this round"),
    "REACTION-USED round": (
        {**GUARDS, "options": {"round_window": "encounter_round"}},
        (EVADES,),
        EVADES,
        "Asha has used the reaction of this round and waits for the next",
    ),
    "MANEUVER-USED challenge": (
        {**PEACE, "sheets": LEARNED},
        (CHALLENGE, Maneuver(by="Asha", name="brace")),
        Maneuver(by="Asha", name="brace"),
        "Asha has used brace in this turn of the challenge",
    ),
    "MANEUVER-USED": (
        {**TURN, "sheets": LEARNED},
        (Maneuver(by="Asha", name="brace"),),
        Maneuver(by="Asha", name="brace"),
        "Asha has used brace in this round",
    ),
    "REST-LIMIT": (
        PEACE,
        (harm.ShortRest(by="Asha"), harm.ShortRest(by="Asha")),
        harm.ShortRest(by="Asha"),
        "Asha has had all rests of this kind today",
    ),
    "REST-LIMIT interrupted": (
        PEACE,
        (harm.LongRest(by="Asha", interrupted=True),),
        harm.LongRest(by="Asha"),
        "Asha has an interrupted long rest. Resume it",
    ),
    "REST-LIMIT nothing": (PEACE, (), harm.ResumeLongRest(by="Asha"), "Asha has no interrupted long rest. Begin one"),
    "REST-LIMIT long": (
        PEACE,
        (harm.LongRest(by="Asha"),),
        harm.ShortRest(by="Asha"),
        "Asha has begun the long rest of this day",
    ),
    "NO-STAMINA": (
        {**GUARDS, "pools": {"Asha.stamina": 0}},
        (),
        blocked(),
        "Asha needs 1 stamina and has 0",
    ),
    "NO-AP": (
        TURN,
        (turns.SpecialAction(by="Asha", speed=3, note="a great leap"),),
        Attack(by="Asha", target="Gil"),
        "Asha needs 1 AP and has 0. End the turn: Asha end",
    ),
    "DICE": (
        PEACE,
        (),
        Check(by="Asha", name="strength", difficulty=10),
        "The faces do not fit: expected d12 (strength Asha): ",
    ),
}
WRONG_FACES = {"DICE": (13,)}


@pytest.mark.quick_rows(25)
@pytest.mark.parametrize("case", SENTENCES)
def test_code_has_its_sentence(case: str) -> None:
    given, before, said, sentence = SENTENCES[case]
    seat = Seat(**given)
    for line in before:
        seat.say(line)
    refusal = seat.refusal(said, *WRONG_FACES.get(case, ()))
    assert str(refusal).startswith(f"GR-E-{case.partition(' ')[0]}: {sentence}"), str(refusal)


def test_reaction_cannot_be_readied() -> None:
    said = turns.Ready(by="Asha", action="maneuver", maneuver="back-step", target="Gil", trigger="x")
    assert str(Seat(**TURN).refusal(said)).startswith("GR-E-READY-SPEED: back-step, a reaction, cannot be readied. ")


def test_every_code_and_single_case_has_a_refusal() -> None:
    codes = [(error.code.removeprefix("GR-E-"), error.cases) for error in TEXTS.content.errors]
    cases = [code for code, _ in codes] + [f"{code} {case}" for code, cases in codes for case in cases]
    assert sorted(SENTENCES) == sorted(cases)


NO_TURN = [
    EndTurn(by="Asha"),
    EndTurn(by=GM),
    turns.BeginTurn(by="Asha"),
    turns.RollInitiative(by="Asha"),
    turns.EndEncounter(by=GM),
]
NO_TURN += [turns.JoinEncounter(by=GM, who="Asha"), turns.InitiativeRuling(by=GM, teams=("guards",), reason="x")]
NO_TURN += [Attack(by="Asha", target="Gil"), turns.ChallengeTurn(by=GM, minutes=(turns.Minutes("Asha", 1),))]


@pytest.mark.parametrize("said", NO_TURN, ids=lambda said: type(said).__name__)
def test_declaration_of_an_encounter_is_refused_without_one(said: Declaration) -> None:
    assert Seat(**PEACE).code(said) == "NO-ENCOUNTER"


@pytest.mark.parametrize(
    "said",
    [
        harm.Wake(by=GM, who="Gil"),
        harm.Restore(by=GM, who="Gil", resource="stamina", amount=1),
        harm.Repair(by=GM, who="Asha", item="shield", durability=4),
        harm.BreakObject(by="Asha", thing="the door", skill="athletics", difficulty=5),
        harm.Concentrate(by="Asha", effect=""),
        Ruling(by=GM, text="so", reason=""),
        Ruling(by=GM, text="", reason="so"),
        SetOption(by=GM, name="deflection", value="passive", reason=""),
        Adjust(by=GM, value="gil.stamina", change=-1, reason=""),
    ],
    ids=lambda said: str(said)[:60],
)
def test_ruling_without_content_or_reason_is_refused(said: Declaration) -> None:
    seat = Seat(**PEACE, pools={"Gil.stamina": 1, "Asha.shield": 2}, conditions={"Gil": ["unconscious", "prone"]})
    assert seat.code(said) == "REASON"


SHEET: dict[str, Any] = {"name": "Rook", "strength": "r8", "dexterity": "r8", "intelligence": "r8", "resolve": "r8"}


@pytest.mark.quick_rows(20)
@pytest.mark.parametrize(
    "said",
    [
        CreateNpc(by=GM, **{**SHEET, "strength": "r7"}),
        CreateNpc(by=GM, **{**SHEET, "strength": "8"}),
        CreateNpc(by=GM, **{**SHEET, "strength": "r-2"}),
        CreateNpc(by=GM, **SHEET, ar=-1),
        CreateNpc(by=GM, **SHEET, dr=-1),
        CreateNpc(by=GM, **SHEET, speed=-1),
        CreateNpc(by=GM, **SHEET, skills=(("juggling", "r4"),)),
        CreateNpc(by=GM, **SHEET, skills=(("martial", "four"),)),
        CreateNpc(by=GM, **SHEET, skills=(("juggling", "r4 luck"),)),
        CreateNpc(by=GM, **SHEET, derived=(("deflection", "x"),)),
        CreateNpc(by=GM, **SHEET, maxima=(("health", -1),)),
        CreateNpc(by=GM, **SHEET, now=(("health", 9),)),
        CreateNpc(by=GM, **SHEET, now=(("stamina", -1),)),
        CreateNpc(by=GM, **SHEET, now=(("luck", 1),)),
        CreateNpc(by=GM, **SHEET, held=("axe",)),
        CreateNpc(by=GM, **SHEET, items=(Item(name="health", damage="r4"),)),
        CreateNpc(by=GM, **SHEET, items=(Item(name="axe", damage="r4"), Item(name="axe", damage="r6"))),
        CreateNpc(by=GM, **SHEET, items=(Item(name="axe", damage="d8"),)),
        CreateNpc(by=GM, **SHEET, items=(Item(name="axe", damage="r4", critical=-1),)),
        CreateNpc(by=GM, **SHEET, items=(Item(name="axe", parry="x"),)),
        CreateNpc(by=GM, **SHEET, items=(Item(name="an axe, a club", damage="r4"),)),
        CreateCharacter(by=GM, **{**SHEET, "name": "asha"}),
        CreateCharacter(by=GM, **{**SHEET, "name": "gm"}),
        ChangeSheet(by=GM, **{**SHEET, "name": "Asha"}, because=""),
        turns.Move(by="Asha", metres=-1),
        turns.Move(by="Asha", metres=3, difficult_metres=4),
        turns.Interact(by="Asha", speed=-1),
        turns.SpecialAction(by="Asha", speed=-1, note="x"),
        turns.SpecialAction(by="Asha", speed=1, stamina=-1, note="x"),
        Check(by="Asha", name="luck", difficulty=10),
        Check(by="Asha", name="strength"),
        Check(by="Asha", name="strength", difficulty=10, pick=(2,), advantage=("a lever",)),
        GroupCheck(by=GM, who=(), name="perception", difficulty=10),
        harm.DealDamage(by=GM, target="Asha", amount=-1),
        harm.DealDamage(by=GM, target="Asha"),
        harm.DealDamage(by=GM, target="Asha", amount=3, roll="r6"),
        harm.DealDamage(by=GM, target="Asha", roll="d6"),
        harm.DealDamage(by=GM, target="Asha", amount=3, halvings=-1),
        harm.DealDamage(by=GM, target="Asha", amount=3, doublings=-1),
        harm.DealDamage(by=GM, target="Asha", amount=3, bonus=-1),
        harm.DealDamage(by=GM, target="Asha", amount=3, defences=(Reaction("Asha", "evade"),)),
        harm.ApplyEffect(by=GM, target="Asha", effect="burning", degree=0),
        harm.ApplyEffect(by=GM, target="Asha", effect="change", stat="strength"),
        harm.ApplyEffect(by=GM, target="Asha", effect="blind", rounds=0),
        harm.Repair(by=GM, who="Asha", item="shield", durability=13, reason="x"),
        harm.Restore(by=GM, who="Asha", resource="health", amount=0, reason="x"),
        harm.Stabilise(by="Bram", patient="Gil"),
        harm.Deprive(by=GM, who="Gil", need="water"),
        SetOption(by=GM, name="luck", value="on", reason="x"),
        SetOption(by=GM, name="deflection", value="frozen", reason="x"),
        SetOption(by=GM, name="block_minimum", value=2, reason="x"),
        Ruling(by="Asha", text="so", reason="so"),
        Adjust(by=GM, value="asha.health", change=1, reason="x"),
        Adjust(by=GM, value="luck", change=1, reason="x"),
        *(
            Ruling(by=GM, text="so", reason="so", changes=(Setting(value, to),))
            for value, to in [
                ("asha.health", 13),
                ("asha.health", "two"),
                ("asha.prone", 2),
                ("luck", 1),
                ("nobody.health", 1),
                ("asha.dr", -1),
                ("asha.strength", "r7"),
                ("asha.grade", "tiny"),
                ("option.luck", "on"),
            ]
        ),
    ],
    ids=lambda said: str(said)[:70],
)
def test_value_outside_its_domain_is_refused(said: Declaration) -> None:
    assert Seat(**PEACE).code(said) in ("VALUE", "L-VALUE")


def test_refused_removal_names_the_stat() -> None:
    refusal = Seat(**PEACE).refusal(harm.RemoveEffect(by=GM, target="Asha", effect="injury", stat="strength"))
    assert "Asha has no such effect: injury strength. There are: " in str(refusal)


def test_effect_of_a_stat_without_one_is_refused() -> None:
    refusal = Seat(**PEACE).refusal(harm.ApplyEffect(by=GM, target="Asha", effect="debilitation"))
    assert "There is no effect debilitation without a stat. " in str(refusal)


@pytest.mark.parametrize(
    "said",
    [
        harm.ApplyEffect(by=GM, target="Asha", effect="debilitation"),
        harm.ApplyEffect(by=GM, target="Asha", effect="levitation"),
        harm.RemoveEffect(by=GM, target="Asha", effect="blind"),
        harm.Douse(by="Asha", target="Gil"),
    ],
    ids=lambda said: str(said)[:60],
)
def test_effect_that_is_not_there_is_refused(said: Declaration) -> None:
    assert Seat(**PEACE).code(said) == "EFFECT"


@pytest.mark.parametrize(
    "said",
    [
        Attack(by="Asha", target="Gil", advantage=("high ground",)),
        Attack(by="Asha", target="Gil", flanked=True, bonuses=(Modifier(2, "rain"),)),
        Attack(by="Asha", target="Gil", defences=(Reaction("Gil", "evade_reaction", "prone"),)),
        Maneuver(by="Asha", name="heavy-strike", target="Gil"),
        Maneuver(by="Asha", name="trip", target="Gil", improvise="stamina"),
        UseSkill(by="Asha", name="athletics", difficulty=10),
    ],
    ids=lambda said: str(said)[:60],
)
def test_no_refusal_depends_on_a_face(said: Declaration) -> None:
    Seat(**TURN, sheets=LEARNED).check_faces_decide_no_refusal(said)


def test_typed_faces_that_a_line_does_not_use_are_refused() -> None:
    seat = Seat(**TURN)
    for said in (turns.Move(by="Asha", metres=3), SetOption(by=GM, name="deflection", value="passive", reason="x")):
        assert seat.refusal_of_dice(said, 5).code == "GR-E-DICE"
    assert seat.refusal_of_dice(Attack(by="Asha", target="Gil"), 1, 1, 8, 4).code == "GR-E-DICE"
    assert seat.refusal_of_dice(Attack(by="Asha", target="Gil"), 1, 1).code == "GR-E-DICE"


def test_long_action_is_paid_with_at_least_one_point() -> None:
    seat = Seat(**TURN)
    assert seat.code(turns.StartLongAction(by="Asha", need=5, pay=0)) == "VALUE"
    assert seat.code(turns.StartLongAction(by="Asha", need=5, pay=4)) == "NO-AP"


def test_long_action_is_given_up_in_the_own_turn_only() -> None:
    seat = Seat(**TURN)
    seat.say(turns.StartLongAction(by="Asha", need=5))
    seat.next_turn("Gil")
    assert seat.code(turns.CancelLongAction(by="Asha")) == "NOT-TURN"
    assert seat.code(turns.ContinueLongAction(by="Asha")) == "NOT-TURN"
