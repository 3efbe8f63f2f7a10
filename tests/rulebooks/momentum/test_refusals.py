"""Refusals: their precedence and their sentences."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from ledger.declarations import Declaration, Ruling, Setting
from ledger.facts import GM
from rulebooks.common.announcements import Go, announcement
from rulebooks.common.encounters import EndTurn
from rulebooks.common.options import SetOption
from rulebooks.momentum.declarations import (
    AbilityCheck,
    Attack,
    BypassMomentum,
    Defend,
    DoubleAttack,
    EndEncounter,
    Flee,
    Help,
    Interpose,
    JoinFight,
    Move,
    OtherAction,
    Reaction,
    Reroll,
    SeizeMomentum,
    StartEncounter,
)
from rulebooks.momentum.texts import TEXTS
from tests.rulebooks.momentum.seat import Seat, attacks, reacts

LATE = Reaction("Dara", "late")  # without a ruling


def open_arlos_turn(seat: Seat) -> None:
    seat.say(Move(by="Arlo", zone="Yard"))


def spend_both_actions(seat: Seat) -> None:
    seat.say(Move(by="Cole", zone="Stair"))
    seat.say(Move(by="Cole", zone="Hall"))


def remove_rushed_dice(seat: Seat) -> None:
    """Take the Rushed dice from the battleaxe."""
    seat.say(Ruling(by=GM, text="bare", reason="the test", changes=(Setting("cole.weapon.battleaxe.rushed", ""),)))


# Errors in the catalogue's order for an attack: the seat, the lines before, and the line.
BROKEN: dict[str, dict[str, Any]] = {
    "MOMENTUM": {"start": "checks"},
    "DOWN": {"hp": {"Cole": 0}},
    "PHASE": {"start": "foes"},
    "TURN": {"before": open_arlos_turn},
    "WEAPON": {"weapon": "rapier"},
    "SELF": {"target": "Cole"},
    "DOWN target": {"target": "Slinger", "hp": {"Slinger": 0}},
    "RANGE": {"thrown": True},
    "ACTIONS": {"before": spend_both_actions},
    "HANDS": {"shield": ("Cole",)},
    "RUSHED": {"scores": {"Cole": {"str": 8}}, "before": remove_rushed_dice},
    "PCONLY": {"reactions": (Reaction("Brute", "interpose"),)},
    "DICE": {"dice": (13, 3, 4)},
    "RULING": {"reactions": (LATE,)},
    "HELP": {"reroll": (3,)},
    "DICE left over": {"dice": (2, 3, 4, 5)},
}
APART = {
    frozenset(pair)
    for pair in [
        ("MOMENTUM", "PHASE"),
        ("MOMENTUM", "TURN"),
        ("MOMENTUM", "ACTIONS"),
        ("DOWN", "PHASE"),  # who is down is waited for by nobody: the phase goes on
        ("DOWN", "ACTIONS"),
        ("PHASE", "TURN"),
        ("PHASE", "ACTIONS"),
        ("TURN", "ACTIONS"),
        ("SELF", "DOWN target"),
        ("DICE", "DICE left over"),
    ]
}
PAIRS = [pair for pair in itertools.combinations(BROKEN, 2) if frozenset(pair) not in APART]
OF_SEAT = ("start", "hp", "shield", "scores")


def both(*names: str) -> tuple[Seat, dict[str, Any]]:
    """Return a seat and an attack with all of these errors."""
    merged: dict[str, Any] = {}
    for name in names:
        for field, value in BROKEN[name].items():
            old = merged.get(field)
            if field == "before":
                merged[field] = (*(old or ()), value)
            elif isinstance(old, dict):
                merged[field] = {**old, **value}
            elif field == "reactions":
                merged[field] = (*(old or ()), *value)
            elif field == "dice" and old:
                merged[field] = (*old, *value)
            else:
                merged[field] = value
    seat = Seat(**{field: merged.pop(field) for field in OF_SEAT if field in merged})
    for before in merged.pop("before", ()):
        before(seat)
    return seat, {"target": "Brute", **merged}


@pytest.mark.quick_rows(20)
@pytest.mark.parametrize(("earlier", "later"), PAIRS)
def test_attack_with_two_errors_reports_the_earlier(earlier: str, later: str) -> None:
    """The order of the catalogue's Declarations: `BROKEN` lists it."""
    seat, said = both(earlier, later)
    dice = said.pop("dice", (2, 3, 4))
    refusal = seat.refusal_of_dice(Attack(by="Cole", **said), *dice)
    assert refusal.code == f"MO-E-{earlier.split()[0]}"


@pytest.mark.parametrize("wrong", [name for name in BROKEN if name not in ("MOMENTUM", "DOWN", "PHASE", "TURN")])
def test_double_attack_checks_actions_after_the_turn(wrong: str) -> None:
    seat, said = both(wrong)
    said.pop("dice", None)
    if wrong not in ("ACTIONS", "RUSHED"):
        seat.say(Move(by="Cole", zone="Stair"))
    expected = "MO-E-ACTIONS" if wrong != "RUSHED" else "MO-E-RUSHED"
    assert seat.refusal_of_dice(DoubleAttack(by="Cole", **said), 2, 3, 4, 5).code == expected


@pytest.mark.parametrize("wrong", list(BROKEN))
def test_announcement_is_refused_like_its_attack(wrong: str) -> None:
    seat, said = both(wrong)
    said.pop("dice", None)
    if wrong in ("DICE", "DICE left over", "HELP", "RULING"):  # they come with the dice
        assert seat.say(announcement(Attack(by="Cole", **said)))
    else:
        assert seat.code(announcement(Attack(by="Cole", **said))) == wrong.split()[0]


def down(seat: Seat, *who: str) -> None:
    changes = tuple(Setting(f"{name.lower()}.hp", 0) for name in who)
    seat.say(Ruling(by=GM, text="down", reason="the test", changes=changes))


def spend_reactions(seat: Seat) -> Seat:
    """Let Arlo, Bex and Dara react in this round."""
    seat.say(attacks("Brute", "Arlo", ("Bex", "interpose"), ("Arlo", "interpose"), ("Dara", "interpose")), 1, 1, 1)
    return seat


def seat_with(**options: str) -> Seat:
    return Seat(options=options)


REACTIONS: list[tuple[str, Callable[[], Seat], str, str, tuple[Reaction, ...], str]] = [
    ("a foe without a shield", lambda: Seat("foes"), "Brute", "Bex", (Reaction("Guard", "defend"),), "PCONLY"),
    (
        "who is down and has no shield",
        lambda: Seat("foes", hp={"Dara": 0}),
        "Brute",
        "Bex",
        (Reaction("Dara", "defend"),),
        "DOWN",
    ),
    ("in one's own turn, without a ruling", Seat, "Arlo", "Brute", (Reaction("Arlo", "help"),), "OWNTURN"),
    (
        "who has reacted and has no shield",
        lambda: spend_reactions(Seat("foes")),
        "Brute",
        "Cole",
        (Reaction("Bex", "defend"),),
        "REACTED",
    ),
    ("no shield and not the target", lambda: Seat("foes"), "Brute", "Arlo", (Reaction("Bex", "defend"),), "SHIELD"),
    ("not the target", lambda: Seat("foes"), "Brute", "Bex", (Reaction("Arlo", "defend"),), "NOT-TARGET"),
    (
        "another zone",
        lambda: Seat("foes", at={"Dara": "Yard"}),
        "Brute",
        "Bex",
        (Reaction("Dara", "interpose"),),
        "ZONE",
    ),
    ("for oneself", lambda: Seat("foes"), "Brute", "Bex", (Reaction("Bex", "interpose"),), "SELF"),
    (
        "a second Help that is late too",
        lambda: seat_with(help_timing="before_roll"),
        "Arlo",
        "Brute",
        (reacts("Dara", "help"), Reaction("Bex", "late")),
        "STACK",
    ),
    (
        "a late Help without a ruling",
        lambda: seat_with(help_timing="before_roll"),
        "Arlo",
        "Brute",
        (Reaction("Bex", "late"),),
        "TIMING",
    ),
    ("no ruling, and no ally", lambda: Seat("foes"), "Brute", "Bex", (Reaction("Arlo", "help"),), "RULING"),
    ("no ally", lambda: Seat("foes"), "Brute", "Bex", (reacts("Arlo", "help"),), "PCONLY"),
]


@pytest.mark.parametrize(
    ("build", "by", "target", "reactions", "code"),
    [case[1:] for case in REACTIONS],
    ids=[case[0] for case in REACTIONS],
)
def test_reaction_with_two_errors_reports_the_earlier(
    build: Callable[[], Seat], by: str, target: str, reactions: tuple[Reaction, ...], code: str
) -> None:
    """Not a PC, down, own turn, reacted; then those of the reaction itself."""
    said = Attack(by=by, target=target, reactions=reactions)
    assert build().refusal_of_dice(said, 2, 3, 4).code == f"MO-E-{code}"


def test_reactions_are_checked_in_their_order() -> None:
    said = Attack(by="Brute", target="Bex", reactions=(Reaction("Arlo", "defend"), Reaction("Bex", "interpose")))
    assert Seat("foes").code(said, 9, 9, 9) == "NOT-TARGET"
    swapped = msgspec.structs.replace(said, reactions=said.reactions[::-1])
    assert Seat("foes").code(swapped, 9, 9, 9) == "SELF"


def twice(**more: Any) -> DoubleAttack:
    return DoubleAttack(by="Cole", target="Brute", **more)


LATE_ERRORS: list[tuple[Declaration, str]] = [
    (attacks("Cole", "Brute", ("Dara", "help"), reroll=(2, 2)), "HELP"),
    (attacks("Cole", "Brute", reroll=(1,)), "HELP"),
    (Attack(by="Cole", target="Brute", reactions=(LATE,)), "RULING"),
    (twice(second=(reacts("Cole", "late"),)), "OWNTURN"),
    (twice(reactions=(reacts("Dara", "late"),), second=(reacts("Dara", "late"),)), "REACTED"),
    (twice(reactions=(reacts("Dara", "help"),), reroll=(1,), reroll_second=(2,)), "HELP"),
]


@pytest.mark.parametrize(("said", "code"), LATE_ERRORS)
def test_late_help_is_refused_before_a_die_is_drawn(said: Declaration, code: str) -> None:
    """MO-CONV-3: also of the second attack."""
    seat = Seat()
    assert seat.refusal_of_dice(said).code == f"MO-E-{code}"
    seat.check_faces_decide_no_refusal(said)


def test_second_choice_is_refused_before_the_first_is_rolled() -> None:
    """MO-HELP-2: die 1 of the second attack has hit."""
    seat = Seat()
    seat.say(announcement(twice(reactions=(reacts("Dara", "help"),), second=(reacts("Arlo", "help"),))))
    seat.say(Go(by=GM, wait=True), 2, 3, 4, 9)
    choice = Reroll(by="Cole", dice=(1,), second=(1,))
    assert seat.refusal_of_dice(choice).code == "MO-E-HELP"
    seat.check_faces_decide_no_refusal(choice)


OTHERS: list[tuple[str, Callable[[], Seat], Declaration, str]] = [
    ("a foe's check after all", Seat, SeizeMomentum(by="Brute"), "PCONLY"),
    ("a check in round 2", Seat, SeizeMomentum(by="Arlo"), "PHASE"),
    ("a bypass without a reason, of a foe", Seat, BypassMomentum(by=GM, who="Brute"), "RULING"),
    ("a bypass of a foe", Seat, BypassMomentum(by=GM, who="Brute", reason="x"), "PCONLY"),
    ("a bypass in round 2", Seat, BypassMomentum(by=GM, who="Arlo", reason="x"), "PHASE"),
    ("a move out of turn, and too far", lambda: Seat("foes"), Move(by="Cole", zone="Gate"), "PHASE"),
    ("a move too far", Seat, Move(by="Cole", zone="Gate"), "NEIGHBOUR"),
    ("a deed out of turn, without a ruling", lambda: Seat("foes"), OtherAction(by="Cole", deed="x"), "PHASE"),
    ("a deed without a ruling", Seat, OtherAction(by="Cole", deed="x"), "RULING"),
    ("flight without a reason, of who is down", lambda: Seat(hp={"Guard": 0}), Flee(by="Guard"), "RULING"),
    ("flight of who is down", lambda: Seat(hp={"Guard": 0}), Flee(by="Guard", reason="x"), "DOWN"),
    ("an end without a reason", Seat, EndEncounter(by=GM), "RULING"),
    ("an end before the beginning", lambda: Seat("none"), EndEncounter(by=GM, reason="x"), "PHASE"),
    ("a second fight", Seat, StartEncounter(by=GM, zones=("Hall",)), "PHASE"),
    ("a turn that is over", lambda: ended_turn(), EndTurn(by="Arlo"), "TURN"),
    ("a reaction to nothing", lambda: Seat("foes"), Interpose(by="Arlo"), "TIMING"),
    ("a shield that is not there, to nothing", lambda: Seat("foes"), Defend(by="Bex"), "SHIELD"),
    ("Help for nothing", lambda: Seat("foes"), Help(by="Bex"), "TIMING"),
    ("coming late, and down", lambda: late_and_down(), JoinFight(by=GM, who="Brute", zone="Hall"), "DOWN"),
]


def ended_turn() -> Seat:
    seat = Seat()
    seat.say(EndTurn(by="Arlo"))
    return seat


def late_and_down() -> Seat:
    seat = Seat("none", present=("Arlo", "Guard", "Brute"), hp={"Brute": 0})
    seat.say(StartEncounter(by=GM, zones=("Hall",), participants=("Arlo", "Guard")))
    return seat


@pytest.mark.parametrize(("build", "said", "code"), [case[1:] for case in OTHERS], ids=[case[0] for case in OTHERS])
def test_two_errors_report_the_earlier(build: Callable[[], Seat], said: Declaration, code: str) -> None:
    assert build().code(said) == code


WRONG = [("cole.place", "Moon"), ("cole.hp", -1), ("nobody.hp", 3), ("option.edges", "x")]


@pytest.mark.parametrize(("value", "to"), WRONG)
def test_deed_with_wrong_changes_is_refused_before_the_dice(value: str, to: str | int) -> None:
    """A failed check makes no change, so a wrong one must not show by its refusal that the check would succeed."""
    seat = Seat()
    seat.check_faces_decide_no_refusal(
        OtherAction(by="Cole", deed="x", ruling="y", ability="agi", changes=(Setting(value=value, to=to),))
    )


OVER = "This is not the phase for that: no fight is on."
SENTENCES: dict[str, tuple[Callable[[], Seat], Declaration, tuple[int, ...], str]] = {
    "MOMENTUM": (
        lambda: Seat("checks"),
        Move(by="Arlo", zone="Yard"),
        (),
        "Not every PC has rolled to seize momentum yet.",
    ),
    "PHASE": (
        lambda: Seat("foes"),
        Move(by="Arlo", zone="Yard"),
        (),
        "This is not the phase for that: it is the opponents' phase of round 2.",
    ),
    "TURN": (
        ended_turn,
        Move(by="Arlo", zone="Yard"),
        (),
        "Arlo has acted in round 2.",
    ),
    "ACTIONS": (lambda: broken("ACTIONS"), Move(by="Cole", zone="Yard"), (), "Not enough actions left: 0 left."),
    "NEIGHBOUR": (Seat, Move(by="Cole", zone="Tower"), (), "Tower is not next to Hall, where Cole is."),
    "RANGE": (
        lambda: Seat(at={"Cole": "Gate"}),
        attacks("Cole", "Brute"),
        (),
        "Brute is out of reach of Cole: Cole's battleaxe reaches only the own zone, and Brute is 2 zones away (Hall).",
    ),
    "WEAPON": (Seat, attacks("Cole", "Brute", weapon="rapier"), (), "Cole has no rapier in hand."),
    "HANDS": (
        lambda: Seat(shield=("Cole",)),
        attacks("Cole", "Brute"),
        (),
        "Cole bears a shield, and battleaxe needs both hands.",
    ),
    "RUSHED": (
        lambda: broken("RUSHED"),
        attacks("Cole", "Brute"),
        (),
        "battleaxe has no Rushed Damage dice; the GM must enter them.",
    ),
    "DOWN": (
        lambda: Seat(hp={"Guard": 0}),
        attacks("Cole", "Guard"),
        (),
        "Guard is at 0 HP.",
    ),
    "SELF": (
        Seat,
        attacks("Cole", "Cole"),
        (),
        "Cole cannot be the target of Cole's own attack.",
    ),
    "PCONLY": (Seat, Interpose(by="Brute"), (), "Only PCs can do that, and Brute is none."),
    "OWNTURN": (
        Seat,
        attacks("Cole", "Brute", ("Cole", "help")),
        (),
        "It is the own turn of Cole, and reactions are taken outside of it.",
    ),
    "REACTED": (
        lambda: spend_reactions(Seat("foes")),
        Interpose(by="Arlo"),
        (),
        "Arlo has reacted in this round already.",
    ),
    "SHIELD": (
        lambda: Seat("foes"),
        attacks("Brute", "Bex", ("Bex", "defend")),
        (),
        "Defend needs a shield, and Bex bears none.",
    ),
    "NOT-TARGET": (
        lambda: Seat("foes"),
        attacks("Brute", "Bex", ("Arlo", "defend")),
        (),
        "Only Bex, the target of the attack, can Defend against it.",
    ),
    "ZONE": (
        lambda: Seat("foes", at={"Dara": "Yard"}),
        attacks("Brute", "Bex", ("Dara", "interpose")),
        (),
        "Interpose protects only a creature in the same zone: Dara is in Yard, Bex in Hall.",
    ),
    "TIMING": (
        lambda: Seat("foes"),
        Interpose(by="Arlo"),
        (),
        "Too late, or too early: no attack waits for the answer of Arlo.",
    ),
    "STACK": (
        Seat,
        attacks("Cole", "Brute", ("Dara", "help"), ("Arlo", "help")),
        (),
        "One Help per attack.",
    ),
    "HELP": (
        Seat,
        attacks("Cole", "Brute", ("Dara", "help"), reroll=(1, 2, 3)),
        (2, 3, 4),
        "Help re-rolls up to two different dice that are not hits.",
    ),
    "DICE": (
        Seat,
        attacks("Cole", "Brute"),
        (12, 4, 4),
        "A face is impossible, missing or left over; "
        "expected one more d12 of Cole, since die 1 shows its maximum: 1 die is rolled, no face is left.",
    ),
    "RULING": (Seat, Flee(by="Guard"), (), "A GM ruling needs its content and a reason."),
}


def broken(name: str) -> Seat:
    return both(name)[0]


@pytest.mark.parametrize("code", SENTENCES)
def test_code_has_its_sentence(code: str) -> None:
    """MO-CONV-3."""
    build, said, dice, sentence = SENTENCES[code]
    seat = build()
    refusal = seat.refusal_of_dice(said, *dice)
    assert refusal.code == f"MO-E-{code}"
    assert str(refusal).startswith(f"MO-E-{code}: {sentence}")
    assert "MO-CONV-3" in refusal.rules


def fled(seat: Seat) -> Seat:
    seat.say(Flee(by="Guard", reason="the test"))
    return seat


def cut_off(seat: Seat) -> Seat:
    """Take away the path between the gate and the yard."""
    gone = Setting("gate.neighbour.yard", 0)
    seat.say(Ruling(by=GM, text="it falls", reason="the test", changes=(gone,)))
    return seat


# Codes that cover several cases: each sentence names the one that applies.
SINGLE_CASES: list[tuple[Callable[[], Seat], Declaration, str]] = [
    (lambda: fled(Seat()), attacks("Cole", "Guard"), "MO-E-DOWN: Guard has fled. "),
    (lambda: Seat("foes"), attacks("Brute", "Bex", ("Bex", "interpose")), "MO-E-SELF: Bex is the target already. "),
    (Seat, attacks("Arlo", "Bex", ("Arlo", "interpose")), "MO-E-OWNTURN: "),
    (
        lambda: Seat("foes"),
        attacks("Brute", "Bex", ("Arlo", "help")),
        "MO-E-PCONLY: Help is for allies, and Brute is none. ",
    ),
    (
        Seat,
        Help(by="Arlo", how="a", because="b"),
        "MO-E-TIMING: No attack waits for Help: the last one is resolved already",
    ),
    (Seat, Interpose(by="Arlo"), "MO-E-TIMING: Too late, or too early: no attack waits for the answer of Arlo. "),
    (
        lambda: seat_with(help_timing="before_roll"),
        Help(by="Arlo", how="a", because="b"),
        "MO-E-TIMING: Too late, or too early: no attack waits for the answer of Arlo. ",
    ),
    (
        Seat,
        attacks("Cole", "Brute", thrown=True),
        "MO-E-RANGE: Cole cannot throw battleaxe, which is not throwable. Leave out thrown",
    ),
    (
        lambda: cut_off(Seat(at={"Cole": "Gate"})),
        attacks("Cole", "Brute"),
        "MO-E-RANGE: Brute is out of reach of Cole: Cole's battleaxe reaches only the own zone, and Brute is where no "
        "path leads (Hall). ",
    ),
    (lambda: cut_off(Seat(at={"Cole": "Gate"})), Move(by="Cole", zone="Yard"), "MO-E-NEIGHBOUR: Yard is not next to"),
    (
        lambda: Seat(scores={"Cole": {"STR": 6, "AGI": 10}}),
        AbilityCheck(by="Cole", ability="15"),
        "L-VALUE: ability must be a score on Cole's sheet; got 15. No difficulty is set, the score decides. "
        "Times in 100: AGI 10 needs 10: 78, FIN 6 needs 14: 50, STR 6 needs 14: 50.",
    ),
    (
        Seat,
        AbilityCheck(by="Brute", ability="str"),
        "L-VALUE: ability must be a score on Brute's sheet; got str. Use a value that fits.",
    ),
]


@pytest.mark.parametrize(("build", "said", "sentence"), SINGLE_CASES)
def test_sentence_names_the_case_that_applies(build: Callable[[], Seat], said: Declaration, sentence: str) -> None:
    assert str(build().refusal(said)).startswith(sentence)


def test_withdrawal_after_the_dice_says_so() -> None:
    seat = Seat(present=("Arlo", "Bex", "Brute"))
    seat.say(announcement(attacks("Arlo", "Brute")))
    assert str(seat.refusal(Defend(by="Bex", attack=2))).startswith("MO-E-SHIELD")
    single = seat.refusal(Help(by="Bex", how="a", because="b", attack=2))
    assert str(single) == "MO-E-TIMING: The announced attack is a single one. Leave the 2 out."
    seat.say(Go(by=GM, wait=True), 1, 1)
    assert "the dice are thrown. Resolve it: go." in str(seat.refusal(Go(by=GM, withdraw=True)))


def test_every_code_of_the_rulebook_has_a_refusal() -> None:
    assert {f"MO-E-{code}" for code in SENTENCES} == {error.code for error in TEXTS.content.errors}


def test_phase_is_refused_after_the_fight() -> None:
    seat = Seat(present=("Cole", "Guard"))
    seat.say(EndEncounter(by=GM, reason="they yield"))
    for said in (Move(by="Cole", zone="Yard"), attacks("Cole", "Guard"), EndTurn(by="Cole"), Interpose(by="Cole")):
        assert str(seat.refusal(said)).startswith(f"MO-E-PHASE: {OVER}")


VALUES: list[tuple[str, Declaration]] = [
    ("an option that is none", SetOption(by=GM, name="luck", value="on", reason="x")),
    ("a reading that is none", SetOption(by=GM, name="wounded_at", value="never", reason="x")),
    ("a player who begins a fight", StartEncounter(by="Arlo", zones=("Hall",))),
    ("a zone that is not there", Move(by="Cole", zone="Moon")),
    ("a fighter who is not there", Move(by="Nobody", zone="Hall")),
    ("a target who is not there", attacks("Cole", "Nobody")),
    ("a score that is not there", AbilityCheck(by="Cole", ability="luck")),
    ("a check of Defense", AbilityCheck(by="Cole", ability="defense")),
    ("three actions in round 1", BypassMomentum(by=GM, who="Arlo", actions=3, reason="x")),
    ("somebody who is in the fight already", JoinFight(by=GM, who="Brute", zone="Hall")),
    ("hit points above the maximum", Ruling(by=GM, text="x", reason="y", changes=(Setting("cole.hp", 11),))),
    ("a Defense of nothing", Ruling(by=GM, text="x", reason="y", changes=(Setting("cole.defense", 0),))),
    ("a score of 20", Ruling(by=GM, text="x", reason="y", changes=(Setting("cole.str", 20),))),
    ("a shield that is perhaps there", Ruling(by=GM, text="x", reason="y", changes=(Setting("cole.shield", "maybe"),))),
    ("dice of no type", Ruling(by=GM, text="x", reason="y", changes=(Setting("cole.weapon.battleaxe.damage", "2d7"),))),
    ("a value of nobody", Ruling(by=GM, text="x", reason="y", changes=(Setting("doom", 1),))),
    ("a value that no sheet has", Ruling(by=GM, text="x", reason="y", changes=(Setting("cole.luck", 1),))),
    ("a text for a number", Ruling(by=GM, text="x", reason="y", changes=(Setting("cole.hp", "many"),))),
]


@pytest.mark.parametrize("said", [case[1] for case in VALUES], ids=[case[0] for case in VALUES])
def test_value_outside_its_domain_is_refused(said: Declaration) -> None:
    seat = Seat("checks" if isinstance(said, BypassMomentum) else "pcs")
    assert seat.refusal(said).code == "L-VALUE"
