"""Refusals: their precedence and their sentences."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from ledger.declarations import Declaration, Ruling, Setting
from ledger.facts import GM
from rulebooks.common.adjustments import Adjust
from rulebooks.common.encounters import EndTurn
from rulebooks.common.options import SetOption
from rulebooks.semiautomagic.declarations import combat, scene, turns
from rulebooks.semiautomagic.texts import TEXTS
from tests.rulebooks.semiautomagic.seat import Seat

# "unknown or unable creature, turn, possibility, seconds, dice"; the possibilities in the order in which an attack
# looks at them: the target, the place that is aimed at, the cover, the weapon, the defence.
ORDER = "UNKNOWN DYING NOT-TURN DEAD VALUE NOT-LOCATED LOCATION NO-NUMBERS JAMMED FLAT-FOOTED NO-SECONDS DICE"
ATTACK = ORDER.split()
APART = {
    frozenset(("DYING", "NOT-TURN")): "a turn is over as soon as whose it is is dying",
    frozenset(("NOT-TURN", "DEAD")): "the dead have no turn",
    frozenset(("NOT-TURN", "NO-SECONDS")): "seconds are those of the turn",
    frozenset(("DYING", "NO-SECONDS")): "seconds are those of the turn",
    frozenset(("UNKNOWN", "DEAD")): "nobody is both",
    frozenset(("UNKNOWN", "NOT-LOCATED")): "nobody is both",
    frozenset(("UNKNOWN", "FLAT-FOOTED")): "nobody is both",
    frozenset(("DEAD", "FLAT-FOOTED")): "the dead make no defence",
}
PAIRS = [pair for pair in itertools.combinations(ATTACK, 2) if frozenset(pair) not in APART]
TOTAL: dict[str, Any] = {"by": GM, "who": "Thorn", "grade": "total", "reason": "a wall"}


def seat_for(*wrong: str) -> Seat:
    """Return a fight in which Rook cannot shoot the pistol at Thorn, for these reasons."""
    weapon = {"pistol": {"damage": "1d6", "reach": "ranged", "firearm": True, "seconds": 3, "toughness": 10}}
    items = {**weapon, "throwing axe": {"carry": "carried"}}
    seat = Seat(sheets={"Rook": {"items": items}}, fight=("Rook", "Thorn"))
    if "JAMMED" in wrong:
        seat.say(combat.Harm(by=GM, target="Rook's pistol", damage=4, reason="dropped"))
        seat.say(combat.Attack(by="Rook", target="Thorn", weapon="pistol"), 1)
    if "NO-SECONDS" in wrong:
        for stance in ("prone", "crouching", "prone", "crouching", "standing"):
            if seat.state.actions_left("Rook", "seconds") > 2:
                seat.say(turns.SetStance(by="Rook", stance=stance))
    if "NO-NUMBERS" in wrong:
        seat.say(scene.SetCover(**TOTAL))
    if "NO-NUMBERS" in wrong and "NOT-LOCATED" not in wrong:
        seat.say(turns.Locate(by="Rook", target="Thorn"))
    if "NOT-LOCATED" in wrong:
        seat.say(scene.Conceal(by=GM, who="Thorn", how="invisible", reason="a spell"))
    if "FLAT-FOOTED" in wrong:
        seat.say(SetOption(by=GM, name="flat_footed", value="no_defence", reason="a vote"))
        seat.say(turns.Surprise(by="Rook", target="Thorn"))
    if "NOT-TURN" in wrong:
        seat.say(EndTurn(by="Rook"))
    if "DEAD" in wrong:
        for _ in range(2):
            seat.say(combat.Harm(by=GM, target="Thorn", damage=9, reason="a stone"))
    if "DYING" in wrong:
        seat.say(combat.Harm(by=GM, target="Rook", damage=11, reason="a stone"))
    return seat


def attack(*wrong: str) -> combat.Attack:
    """Return the shot, with what is wrong in the line itself."""
    return combat.Attack(
        by="Rook",
        target="Grimm" if "UNKNOWN" in wrong else "Thorn",
        weapon="pistol",
        range=5 if "VALUE" in wrong else 0,
        at="tail" if "LOCATION" in wrong else "",
        defence="dodge" if "FLAT-FOOTED" in wrong else "",
    )


@pytest.mark.quick_rows(14)
@pytest.mark.parametrize(("earlier", "later"), PAIRS)
def test_attack_with_two_errors_reports_the_earlier(earlier: str, later: str) -> None:
    wrong = (earlier, later)
    faces = (7,) if "DICE" in wrong else (3, 1)
    assert seat_for(*wrong).code(attack(*wrong), *faces) == earlier


@pytest.mark.parametrize("code", ATTACK)
def test_attack_with_one_error_reports_it(code: str) -> None:
    assert seat_for(code).code(attack(code), *((7,) if code == "DICE" else (3, 1))) == code


def test_turn_is_checked_before_the_weapon_in_hand() -> None:
    seat = Seat(present=("Rook", "Hawk"), fight=("Rook", "Hawk"))
    line = combat.Attack(by="Hawk", target="Rook")
    assert seat.code(line) == "NOT-TURN"
    seat.say(EndTurn(by="Rook"))
    assert seat.code(line) == "HAND"


def said(*lines: Declaration) -> tuple[Declaration, ...]:
    return lines


ROOK: dict[str, Any] = {"by": "Rook", "target": "Thorn"}
NUMBERS: dict[str, Any] = {"target_modifier": 1, "toughness": -1, "reason": "as agreed"}
HARM = combat.Harm(by=GM, target="Thorn", damage=9, reason="a stone")
RIDING = {"present": ("Rook", "Thorn", "Horse"), "fight": ("Rook", "Thorn")}
MOUNT = turns.MountUp(by="Rook", mount="Horse")
KNIFE = combat.Harm(by=GM, target="Thorn's knife", damage=10, reason="a stone")
# Every code, by what is given and said before, and the sentence that a line then gets.
SENTENCES: list[tuple[str, dict[str, Any], tuple[Declaration, ...], Declaration, str]] = [
    ("UNKNOWN", {}, said(), combat.Attack(by="Rook", target="Grimm"), "There is no such target: Grimm. "),
    ("UNKNOWN", {}, said(), combat.Attack(**ROOK, weapon="axle"), "There is no such item: axle. "),
    ("DEAD", {}, said(HARM, HARM), combat.Attack(**ROOK), "Thorn is dead. "),
    ("DYING", {}, said(HARM), turns.SetStance(by="Thorn", stance="prone"), "Thorn is dying and cannot act. "),
    (
        "DYING",
        {},
        said(HARM, turns.Stabilise(by="Thorn", medicine=True, reason="a salve")),
        turns.SetStance(by="Thorn", stance="prone"),
        "Thorn is unconscious and cannot act. ",
    ),
    (
        "DYING",
        {"fight": ("Rook", "Thorn")},
        said(HARM, EndTurn(by="Rook")),
        EndTurn(by="Thorn"),
        "Thorn is dying, and has that check to make first. ",
    ),
    ("NOT-TURN", {"fight": ("Rook", "Thorn")}, said(), EndTurn(by="Thorn"), "It is not the turn of Thorn. "),
    ("VALUE", {}, said(), turns.Move(by="Rook", squares=-1), "squares must be "),
    ("REASON", {}, said(), scene.SetCover(**TOTAL | {"reason": " "}), "A decision of the game master needs a reason: "),
    ("STANCE", {}, said(), turns.SetStance(by="Rook", stance="standing"), "Rook is standing already. "),
    ("NO-HIDING", {}, said(), turns.Hide(by="Thorn"), "Thorn has nothing to hide in: "),
    (
        "AWARE",
        {},
        said(turns.Notice(**ROOK)),
        turns.Surprise(by="Thorn", target="Rook"),
        "Rook knows of Thorn, and cannot be surprised. ",
    ),
    (
        "NOT-LOCATED",
        {},
        said(scene.SetCover(**TOTAL)),
        combat.Attack(**ROOK),
        "Thorn is invisible to Rook, who does not know the square. ",
    ),
    (
        "LOCATION",
        {},
        said(),
        combat.Attack(**ROOK, at="tail"),
        "No place of the body is called tail in this campaign. ",
    ),
    ("LOCATION", {}, said(), combat.Attack(**ROOK, at="wing", **NUMBERS), "Thorn has no wing. "),
    ("NO-NUMBERS", {}, said(), combat.Attack(**ROOK, at="leg"), "There are no numbers for the leg. "),
    (
        "DESTROYED",
        {},
        said(KNIFE),
        combat.Attack(by="Thorn", target="Rook", weapon="knife"),
        "Thorn's knife is destroyed and serves its purpose no more. ",
    ),
    (
        "HAND",
        {},
        said(),
        combat.Attack(by="Thorn", target="Rook", weapon="pistol"),
        "Thorn has no hand free for pistol. Put something away first: ! Thorn stow knife.",
    ),
    ("HAND", {}, said(), turns.Draw(by="Thorn", item="pistol"), "Thorn has no hand free for pistol. "),
    (
        "HAND",
        {},
        said(),
        combat.Attack(by="Thorn", target="Rook", defence="block"),
        "Rook has no shield in hand to block with. ",
    ),
    (
        "EVASION",
        {},
        said(),
        combat.Area(by=GM, target="Rook", dodge=True, reason="a flash"),
        "Rook has no Evasion, and cannot dodge what does no damage. ",
    ),
    ("NOT-DUE", {}, said(), turns.Fortitude(by="Rook"), "No fortitude check is due from Rook. "),
    ("NOT-DUE", {}, said(), turns.DyingCheck(by="Rook"), "Rook is not dying. "),
    ("NOT-MOUNTED", {}, said(), turns.ControlMount(by="Rook"), "Rook is not mounted. "),
    (
        "MOUNTED",
        RIDING,
        said(MOUNT),
        turns.SetStance(by="Rook", stance="prone"),
        "Rook rides Horse, and has no stance in the saddle. Dismount first: Rook dismount.",
    ),
    (
        "HANDS",
        RIDING,
        said(MOUNT),
        turns.ControlMount(by="Rook"),
        "Rook has no hand free to control the mount while it moves. ",
    ),
    (
        "NO-CONTROL",
        RIDING,
        said(MOUNT),
        turns.Move(by="Horse", squares=5),
        "Horse is not under the control of Rook. ",
    ),
    (
        "NO-SECONDS",
        {"fight": ("Rook", "Thorn")},
        said(turns.Move(by="Rook", squares=6, seconds=6)),
        turns.SetStance(by="Rook", stance="prone"),
        "Rook needs 1 s, and has 0. ",
    ),
]


@pytest.mark.parametrize(
    ("code", "given", "before", "line", "sentence"), SENTENCES, ids=lambda part: part if isinstance(part, str) else ""
)
def test_code_has_its_sentence(
    code: str, given: dict[str, Any], before: tuple[Declaration, ...], line: Declaration, sentence: str
) -> None:
    seat = Seat(**given)
    for other in before:
        seat.say(other)
    assert str(seat.refusal(line)).startswith(f"TT-E-{code}: {sentence}"), str(seat.refusal(line))


def test_every_code_of_the_rulebook_has_a_refusal() -> None:
    refused = {code for code, *_ in SENTENCES} | set(ATTACK)
    assert {f"TT-E-{code}" for code in refused} == {error.code for error in TEXTS.content.errors}


@pytest.mark.parametrize(
    "line",
    [
        scene.SetLight(by=GM, light="pink"),
        scene.SetLight(by=GM, light="clear", dark=True),
        scene.SetCover(**TOTAL | {"grade": "huge"}),
        scene.SetCover(**TOTAL, toughness=-1),
        scene.SetCover(**TOTAL, object="Rook"),
        scene.PutAt(by=GM, who="Rook", square=(5,)),
        scene.Heal(by=GM, who="Rook", reason="rest"),
        scene.Heal(by=GM, who="Rook", wounds=1, reason="rest"),
        scene.Heal(by=GM, who="Rook", jam=True, reason="oil"),
        scene.Heal(by=GM, who="Rook", injuries=("leg",), reason="a splint"),
        combat.Harm(by=GM, target="Rook", damage=-1, reason="x"),
        combat.Area(by=GM, target="Rook", damage=-1, reason="x"),
        combat.Attack(by="Rook", target="Rook"),
        combat.Attack(**ROOK, at="body", item="knife"),
        combat.Attack(**ROOK, weapon="arming sword", reach="ranged"),
        combat.Attack(**ROOK, weapon="shield"),
        combat.Attack(**ROOK, range=-1),
        combat.Attack(**ROOK, square=(1, 2, 3)),
        combat.Attack(by="Thorn", target="Rook", at="leg", limb=3, target_modifier=1, toughness=-1, reason="x"),
        SetOption(by=GM, name="luck", value="on", reason="x"),
        SetOption(by=GM, name="attack_die", value="d20", reason="x"),
        scene.PutAt(by="Rook", who="Thorn", square=(5, 5)),
        Adjust(by=GM, value="luck", change=1, reason="x"),
        Ruling(by=GM, text="so", reason="so", changes=(Setting("luck", 1),)),
        Ruling(by=GM, text="so", reason="so", changes=(Setting("nobody.speed", 1),)),
        Ruling(by=GM, text="so", reason="so", changes=(Setting("rook.speed", "far"),)),
    ],
    ids=lambda line: str(line)[:70],
)
def test_value_outside_its_domain_is_refused(line: Declaration) -> None:
    assert Seat().code(line) in ("VALUE", "UNKNOWN")


def test_typed_faces_that_a_line_does_not_use_are_refused() -> None:
    seat = Seat()
    for line in (turns.SetStance(by="Rook", stance="prone"), scene.SetLight(by=GM, light="hazy")):
        assert seat.refusal_of_dice(line, 3).code == "TT-E-DICE"
    assert seat.refusal_of_dice(combat.Attack(**ROOK, weapon="throwing axe", range=4), 1, 3).code == "TT-E-DICE"


def test_healing_without_wounds_says_that_there_are_none() -> None:
    refused = Seat().refusal(scene.Heal(by=GM, who="Rook", wounds=1, reason="rest"))
    assert str(refused).startswith("TT-E-VALUE: wounds must be left out, as Rook has none; got 1.")


def test_destroyed_shield_in_hand_blocks_nothing() -> None:
    items = {"arming sword": {"carry": "carried"}, "shield": {"carry": "held", "toughness": 5}}
    seat = Seat(sheets={"Rook": {"items": items}})
    seat.say(combat.Harm(by=GM, target="Rook's shield", damage=9, reason="an axe"))
    refused = seat.refusal(combat.Attack(by="Thorn", target="Rook", defence="block"))
    assert str(refused) == (
        "TT-E-DESTROYED: Rook's shield is destroyed, and blocks nothing any more. Defend another way."
    )


def test_destroyed_weapon_in_hand_parries_nothing() -> None:
    seat = Seat()
    seat.say(combat.Harm(by=GM, target="Thorn's knife", damage=99, reason="an axe"))
    assert seat.code(combat.Attack(**ROOK, defence="parry")) == "DESTROYED"


def test_block_without_any_shield_proposes_none() -> None:
    refused = Seat(sheets={"Thorn": {"block": 2}}).refusal(combat.Attack(**ROOK, defence="block"))
    assert str(refused) == "TT-E-HAND: Thorn has no shield to block with. Defend another way."


def test_weapon_out_of_hand_is_drawn_where_a_hand_is_free() -> None:
    seat = Seat()
    seat.say(turns.Stow(by="Thorn", item="knife"))
    refused = seat.refusal(combat.Attack(by="Thorn", target="Rook", weapon="pistol"))
    assert str(refused) == "TT-E-HAND: Thorn has no pistol in hand. Take it in hand: ! Thorn draw pistol."
    seat.say(turns.Draw(by="Thorn", item="pistol"))


def test_hand_that_holds_the_reins_is_not_free() -> None:
    carried = {"arming sword": {"carry": "carried"}, "throwing axe": {"carry": "carried"}}
    seat = Seat(present=("Rook", "Horse"), sheets={"Rook": {"hands": 1, "arms": 1, "items": carried}})
    for line in (turns.MountUp(by="Rook", mount="Horse"), turns.ControlMount(by="Rook")):
        seat.say(line)
    refused = seat.refusal(turns.Draw(by="Rook", item="arming sword"))
    assert str(refused).endswith("one holds the reins. Give up control first: Rook release.")
