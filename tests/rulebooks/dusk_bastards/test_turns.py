"""Refusals of turns, actions and rests: their sentences and their order."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from ledger.declarations import Declaration, Ruling
from ledger.facts import GM, ConditionBegan, Fact, OrderSet, WindowOpened, Wounded
from rulebooks.common.encounters import LeaveEncounter
from rulebooks.common.options import SetOption
from rulebooks.dusk_bastards.declarations import turns
from rulebooks.dusk_bastards.declarations.combat import Attack, Defence, FinishLongSpell
from rulebooks.dusk_bastards.declarations.harm import Damage, HealWound, InflictWound, Rest, WoundRoll
from rulebooks.dusk_bastards.declarations.parts import Change, Use
from rulebooks.dusk_bastards.declarations.sheets import CreateNpc, CreateObject
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Close, SpendDestiny, SpendDoom
from rulebooks.dusk_bastards.declarations.world import AdvanceTime
from tests.rulebooks.dusk_bastards.fight import fight
from tests.rulebooks.dusk_bastards.seat import DAWN, DUSK, Seat, close, points, tries

ACTION = {"order": ("Ash", "thug", "captain"), "phase": "action"}
LATER = {"order": ("thug", "Ash", "captain"), "phase": "action"}
MOVEMENT = {"order": ("captain", "thug", "Ash")}
WHO = ("Ash", "Bryn", "thug", "captain")
FACES = (6, 7)


def new_seat(encounter: dict[str, Any] | None = None, **given: Any) -> Seat:
    return Seat(*WHO, encounter=encounter, **given)


def attack(by: str = "Ash", target: str = "thug", **more: Any) -> Attack:
    return Attack(by=by, target=target, stat="might", **more)


def with_rulings(seat: Seat, *changes: str) -> Seat:
    """`ash.dazed`: set to 1."""
    seat.say(Ruling(by=GM, text="so", reason="it is", changes=tuple(Change(change, 1) for change in changes)))
    return seat


def with_critical_wound(seat: Seat) -> Seat:
    """Ash with a critical wound in force."""
    seat.say(Ruling(by=GM, text="so", reason="it is", changes=(Change("ash.wound", 8),)))
    seat.say(turns.StartEncounter(by=GM))
    for who in ("Ash", "Bryn"):
        seat.say(turns.Initiative(by=who), *DUSK)
    seat.say(close())
    return seat


def with_death(seat: Seat, who: str = "Ash") -> Seat:
    """Wounded to death."""
    seat.say(InflictWound(by=GM, target=who))
    if who == "Ash":
        seat.say(WoundRoll(by=who), 12, 12)
        seat.say(close())
    return seat


def with_wound_due(seat: Seat, who: str = "Ash") -> Seat:
    seat.say(InflictWound(by=GM, target=who))
    return seat


def without_ash(seat: Seat) -> Seat:
    seat.say(LeaveEncounter(by=GM, who="Ash"))
    return seat


def with_exploration(seat: Seat) -> Seat:
    seat.say(turns.StartEncounter(by=GM, scale="exploration"))
    return seat


def with_broken_door(seat: Seat) -> Seat:
    seat.say(CreateObject(by=GM, name="door", state="broken"))
    return seat


def with_rest(seat: Seat, kind: Any = "one_hour") -> Seat:
    seat.say(Rest(by="Ash", kind=kind), 1)
    return seat


Example = tuple[Callable[[], Seat], Declaration, tuple[int, ...], str]
TURNS: dict[str, Example] = {
    "DEAD": (lambda: with_death(new_seat()), tries(), DAWN, "Ash is dead and cannot act."),
    "PENDING-WOUND": (lambda: with_wound_due(new_seat()), tries("Bryn"), DAWN, "Ash must make a wound roll first."),
    "ENC": (
        lambda: new_seat(),
        turns.Move(by="Ash"),
        FACES,
        "No encounter is running.",
    ),
    "NOACT": (
        lambda: with_critical_wound(new_seat()),
        turns.Move(by="Ash"),
        FACES,
        "Ash has a critical wound and cannot take actions.",
    ),
    "STUNNED": (
        lambda: with_rulings(new_seat(LATER), "ash.stunned"),
        attack(),
        FACES,
        "Ash is stunned and loses this turn.",
    ),
    "PHASE": (lambda: new_seat(ACTION), turns.Move(by="Ash"), FACES, "That belongs to the movement phase."),
    "SLOT": (
        lambda: without_standard_action(new_seat(ACTION)),
        attack(),
        FACES,
        "Ash has no standard action left for that.",
    ),
    "REACTION": (
        lambda: without_reaction(new_seat(ACTION)),
        Defence(by="Ash", source="thug", npc_slot="reaction"),
        FACES,
        "thug has already used a reaction this round.",
    ),
    "TURN": (lambda: new_seat(MOVEMENT), turns.Move(by="thug"), (), "It is Ash's place in the order now."),
    "INTERRUPT": (
        lambda: new_seat(ACTION),
        turns.Interrupt(by="thug"),
        (),
        "Nobody is moving whom thug could interrupt.",
    ),
    "T20-COMBAT": (lambda: new_seat(ACTION), attack(take20=True), FACES, "There is no time to take 20 in combat."),
    "CHARGE": (
        lambda: new_seat(MOVEMENT),
        turns.Charge(by="Ash", target="thug", distance="long"),
        (),
        "Ash cannot charge: thug is farther than short distance.",
    ),
    "MOVE-DISTANCE": (
        lambda: new_seat(MOVEMENT),
        turns.Move(by="Ash", distance="long"),
        FACES,
        "A move action covers an immediate or a short distance.",
    ),
    "OBJECT": (
        lambda: with_broken_door(new_seat()),
        attack(target="door", difficulty=4),
        FACES,
        "door is already broken.",
    ),
    "REST-USED": (
        lambda: with_rest(new_seat()),
        Rest(by="Ash", kind="one_hour"),
        (3,),
        "Ash has already used the one_hour rest today.",
    ),
    "REST-COMBAT": (
        lambda: new_seat(ACTION),
        Rest(by="Ash", kind="one_hour"),
        (3,),
        "Only the one-action rest is possible in combat.",
    ),
    "PARALYSED": (
        lambda: with_rulings(new_seat(ACTION), "ash.paralysed"),
        attack(),
        FACES,
        "Ash is paralysed and cannot do what needs movement.",
    ),
    "SPELL": (
        lambda: new_seat(ACTION),
        FinishLongSpell(by="Ash"),
        FACES,
        "Ash cannot cast that now: no long spell was started this round.",
    ),
    "NO-WOUND": (lambda: new_seat(), WoundRoll(by="Ash"), FACES, "No wound roll is due for Ash."),
    "SPLIT": (
        lambda: new_seat(Ash={"might": 1}),
        Rest(by="Ash", kind="one_hour", split=points(might=9)),
        (3,),
        "There are 8 points to share, and the shares add up to 9.",
    ),
}


def without_standard_action(seat: Seat) -> Seat:
    seat.say(turns.Deed(by="Ash", text="open the door"))
    return seat


def without_reaction(seat: Seat) -> Seat:
    seat.say(Defence(by="Ash", source="thug", npc_slot="reaction"), *FACES)
    seat.say(close())
    return seat


@pytest.mark.parametrize("code", TURNS)
def test_refusal_sentence_of_turns(code: str) -> None:
    """DB-PLAY-9."""
    build, said, faces, sentence = TURNS[code]
    refusal = build().refusal(said, *faces)
    assert refusal.code == f"DB-E-{code}"
    assert str(refusal).startswith(f"DB-E-{code}: {sentence}")


# Faults of the actor in the order of the catalogue; each is tested together with all that follow it.

WRONGS: dict[str, Fact] = {
    "DEAD": ConditionBegan(id="dead Ash", who="Ash", name="dead"),
    "PENDING-WOUND": WindowOpened(window="wound due Bryn", kind="wound due", who="Bryn", awaits=("Bryn",), data=""),
    "NOACT": Wounded(who="Ash", wound="Ash w1", kind="critical", value=8, in_force=True),
    "STUNNED": ConditionBegan(id="stunned Ash", who="Ash", name="stunned"),
}
STANDARD: tuple[Declaration, ...] = (
    attack(take20=True),
    tries(take20=True),
    turns.Delay(by="Ash"),
    turns.Deed(by="Ash", text="x"),
    Rest(by="Ash", kind="one_action"),
    turns.Pass(by="Ash"),
)
MOVES: tuple[Declaration, ...] = (
    turns.Move(by="Ash", distance="long", take20=True),
    turns.Charge(by="Ash", target="thug", distance="long"),
    turns.FullDefence(by="Ash"),
    turns.Interrupt(by="Ash"),
    turns.Pass(by="Ash"),
)


@pytest.mark.quick_rows(12)
@pytest.mark.parametrize("said", [*STANDARD, *MOVES], ids=lambda said: type(said).__name__)
@pytest.mark.parametrize("number", range(len(WRONGS)))
def test_errors_of_the_actor_follow_the_catalogue(number: int, said: Declaration) -> None:
    """DEAD, PENDING-WOUND, NOACT, STUNNED, and only then phase, slot and turn."""
    wrong = tuple(WRONGS.values())[number:]
    seat = Seat(*WHO, encounter={"order": ("thug", "captain", "Ash", "Bryn"), "phase": "action"}, facts=wrong)
    faces = FACES if isinstance(said, Attack | Attempt | turns.Move) else (3,) if isinstance(said, Rest) else ()
    assert seat.code(said, *faces) == list(WRONGS)[number]


@pytest.mark.parametrize(
    "said",
    [
        turns.Move(by="Ash", distance="long", take20=True),
        turns.Charge(by="Ash", target="thug", distance="long"),
        turns.FullDefence(by="Ash"),
        turns.Interrupt(by="Ash"),
        turns.Delay(by="Ash"),
        turns.Pass(by="Ash"),
    ],
    ids=lambda said: type(said).__name__,
)
def test_missing_combat_is_refused_before_other_errors(said: Declaration) -> None:
    """ENC comes after death and before wounds that hinder."""
    seat = new_seat()
    seat.say(Ruling(by=GM, text="so", reason="it is", changes=(Change("ash.wound", 8), Change("ash.stunned", 1))))
    faces = FACES if isinstance(said, turns.Move) else ()
    assert seat.code(said, *faces) == "ENC"
    assert with_death(new_seat()).code(said, *faces) == "DEAD"
    assert with_wound_due(new_seat()).code(said, *faces) == "PENDING-WOUND"
    fight = {"order": ("thug", "captain")}
    assert new_seat(fight).code(said, *faces) == "ENC"


@pytest.mark.quick_rows(8)
@pytest.mark.parametrize(
    ("phase", "turn", "done", "said", "code"),
    [
        # the wrong phase is reported before what is left, and both before whose turn it is
        ("movement", "Ash", "", attack(take20=True), "PHASE"),
        ("movement", "captain", "", attack(take20=True), "PHASE"),
        ("action", "thug", "", turns.Move(by="Ash", distance="long"), "PHASE"),
        ("action", "thug", "", attack(take20=True), "TURN"),
        ("action", "thug", "standard", attack(take20=True), "SLOT"),
        ("action", "Ash", "", attack(take20=True), "T20-COMBAT"),
        ("action", "Ash", "", attack(take20=True, effort=9), "T20-COMBAT"),
        ("action", "Ash", "", tries(take20=True, effort=9), "T20-COMBAT"),
        ("action", "thug", "", turns.UseAbility(by="Ash", text="x", is_attack=True), "SLOT"),
        ("movement", "thug", "", turns.UseAbility(by="Ash", text="x", is_attack=True), "PHASE"),
        ("movement", "Ash", "", turns.Move(by="Ash", distance="long", take20=True), "T20-COMBAT"),
        ("movement", "Ash", "", turns.Move(by="Ash", distance="long", effort=9), "MOVE-DISTANCE"),
        ("movement", "thug", "", turns.Charge(by="Ash", target="thug", distance="long"), "TURN"),
        ("movement", "Ash", "", turns.Pass(by="Ash", what="bonus"), "PHASE"),
        ("movement", "thug", "", turns.Pass(by="Ash", what="bonus"), "PHASE"),
        ("action", "thug", "bonus", turns.Pass(by="Ash", what="bonus"), "SLOT"),
        ("action", "thug", "", turns.Pass(by="Ash", what="bonus"), "TURN"),
        ("movement", "thug", "", Rest(by="Ash", kind="one_action"), "PHASE"),
        ("action", "thug", "", Rest(by="Ash", kind="one_action"), "TURN"),
        ("action", "Ash", "", Rest(by="Ash", kind="one_hour", split=points(might=9)), "REST-COMBAT"),
        ("action", "Ash", "", Rest(by="Ash", kind="one_action", split=points(might=9)), "SPLIT"),
        ("movement", "thug", "", Defence(by="Ash", source="captain", take20=True), "PHASE"),
        ("action", "thug", "", Defence(by="Ash", source="captain", take20=True), "TURN"),
        ("action", "captain", "", Defence(by="Ash", source="captain", take20=True), "T20-COMBAT"),
        ("movement", "Ash", "", turns.Interrupt(by="Ash"), "INTERRUPT"),
        ("action", "thug", "", turns.Interrupt(by="captain"), "INTERRUPT"),
        ("action", "Ash", "", turns.NewInitiative(by=GM, reason="x"), "PHASE"),
    ],
)
def test_phase_error_comes_before_action_and_turn(
    phase: str, turn: str, done: str, said: Declaration, code: str
) -> None:
    order = ("Ash", "thug", "captain", "Bryn") if phase == "action" else ("captain", "thug", "Ash", "Bryn")
    seat = Seat(*WHO, encounter={"order": order, "phase": phase, "turn": "Ash" if done else turn})
    if done:
        seat.say(turns.Pass(by="Ash", what=done))
        seat.say(turns.Pass(by="Ash"))
    faces = (
        FACES if isinstance(said, Attack | Attempt | turns.Move | Defence) else (3,) if isinstance(said, Rest) else ()
    )
    assert seat.code(said, *faces) == code


RESTS = ("VALUE", "DIE", "DEAD", "PENDING-WOUND", "NOACT", "STUNNED", "REST-USED", "SPLIT")


@pytest.mark.parametrize(("earlier", "later"), list(itertools.combinations(RESTS, 2)))
def test_first_of_two_rest_errors_is_reported(earlier: str, later: str) -> None:
    both = {earlier, later}
    fight = ACTION if "STUNNED" in both else None
    sheet = {"rests": ["one_action"]} if "REST-USED" in both else {}
    wrong = tuple(WRONGS[code] for code in RESTS if code in both & WRONGS.keys())
    seat = Seat(*WHO, encounter=fight, facts=wrong, Ash={"sheet": sheet})
    split = points(might=-1) if "VALUE" in both else points(might=99) if "SPLIT" in both else ()
    said = Rest(by="Ash", kind="one_action", split=split)
    assert seat.code(said, 7 if "DIE" in both else 3) == earlier


@pytest.mark.quick_rows(10)
@pytest.mark.parametrize(
    ("said", "faces"),
    [
        (attack(target="Nobody"), FACES),
        (attack(target="Thug"), FACES),
        (attack(target="Bryn"), FACES),
        (attack(damage=-1), FACES),
        (Attack(by="Ash", target="thug"), FACES),  # no stat
        (attack(by="thug"), FACES),
        (Defence(by="Ash", source="Nobody"), FACES),
        (Defence(by="Ash", source="Thug"), FACES),
        (Defence(by="Ash", source="Bryn", difficulty=4), FACES),
        (Defence(by="Ash", source="thug", damage=-1), FACES),
        (Defence(by="Ash", difficulty=0), FACES),
        (Defence(by="thug", source="captain"), FACES),
        (turns.Move(by="ash"), FACES),
        (turns.Move(by="gm"), ()),
        (turns.Charge(by="Ash", target="Thug"), ()),
        (turns.Charge(by="ash", target="thug"), ()),
        (turns.FullDefence(by="Nobody"), ()),
        (turns.Interrupt(by="THUG"), ()),
        (turns.Pass(by="gm"), ()),
        (turns.Delay(by="ash"), ()),
        (turns.Deed(by="ash"), ()),
        (turns.Deed(by="Ash", cost=points(might=-1)), ()),
        (Rest(by="thug", kind="one_hour"), (3,)),
        (Rest(by="Ash", kind="one_hour", split=points(might=-1)), (3,)),
        (turns.StartEncounter(by=GM, participants=("ash",)), ()),
        (turns.JoinEncounter(by=GM, who="ash"), ()),
        (turns.JoinEncounter(by=GM, who="Ash", initiative=-1), ()),
        (turns.EndEncounter(by=GM, regained=(Change("thug.health", 1),)), ()),
        (turns.EndEncounter(by=GM, regained=(Change("ash.might", 1),)), ()),
        (Damage(by=GM, target="ash", amount=1), ()),
        (Damage(by=GM, target="Ash", amount=-1), ()),
        (InflictWound(by=GM, target="ash"), ()),
        (InflictWound(by=GM, target="Nobody"), ()),
        (HealWound(by=GM, target="Ash", wound="Ash w1", reason="care"), ()),
        (HealWound(by=GM, target="Ash", wound="Ash w1", reason=""), ()),
        (AdvanceTime(by=GM, seconds=0), ()),
        (AdvanceTime(by=GM, seconds=1, rest_day=("ash",)), ()),
        (turns.StartEncounter(by="Ash"), ()),
        (Damage(by="Ash", target="thug", amount=1), ()),
        (turns.EndEncounter(by="Ash"), ()),
    ],
)
def test_value_errors_come_first(said: Declaration, faces: tuple[int, ...]) -> None:
    """DB-PLAY-9: the form comes before the state of the actor, and names are written as on the sheet."""
    seat = with_death(new_seat(ACTION))
    assert seat.code(said, *faces) == "VALUE"


def test_only_those_in_the_encounter_regain_health() -> None:
    """DB-HEAL-1, DB-ENC-12: also who has left it."""
    seat = fight("Ash", "Bryn", "thug", Ash={"health": 2}, Bryn={"health": 2}, Cole={"health": 2})
    said = turns.EndEncounter(by=GM, regained=(Change("cole.health", 1),))
    assert seat.code(said) == "VALUE"
    seat.say(LeaveEncounter(by=GM, who="Bryn"))
    seat.say(turns.EndEncounter(by=GM, regained=(Change("bryn.health", 1),)))
    assert [seat.points(who, "health") for who in ("Ash", "Bryn", "Cole")] == [7, 3, 2]


@pytest.mark.parametrize(
    ("said", "faces", "code"),
    [
        (attack(target="door"), FACES, "DIFFICULTY"),  # things have no difficulty of their own
        (attack(target="door"), (0, 5), "DIE"),
        (Defence(by="Ash"), FACES, "DIFFICULTY"),
        (Defence(by="Ash", difficulty=13), (0, 5), "DIE"),
        (Defence(by="Ash", difficulty=13), FACES, "DIFFICULTY"),
        (WoundRoll(by="Ash"), (13, 1), "DIE"),
        (WoundRoll(by="Ash"), (3,), "DIE"),
        (Rest(by="Ash", kind="one_hour"), (7,), "DIE"),
        (Rest(by="Ash", kind="one_hour"), (6, 6), "DIE"),
        (turns.Initiative(by="Ash"), (13, 1), "DIE"),
        (turns.Move(by="Ash", distance="short"), (13, 1), "DIE"),
    ],
)
def test_faces_and_difficulty_are_checked_before_death(said: Declaration, faces: tuple[int, ...], code: str) -> None:
    seat = with_broken_door(with_death(new_seat(ACTION)))
    assert seat.code(said, *faces) == code


# While a wound roll is due


@pytest.mark.parametrize(
    ("said", "faces"),
    [
        (turns.StartEncounter(by=GM), ()),
        (turns.EndEncounter(by=GM), ()),
        (turns.NewInitiative(by=GM, reason="x"), ()),
        (turns.JoinEncounter(by=GM, who="Bryn"), ()),
        (LeaveEncounter(by=GM, who="Bryn"), ()),
        (turns.Initiative(by="Bryn"), FACES),
        (Damage(by=GM, target="Bryn", amount=3), ()),
        (InflictWound(by=GM, target="Bryn"), ()),
        (AdvanceTime(by=GM, seconds=60), ()),
        (Rest(by="Bryn", kind="one_hour"), (3,)),
        (Defence(by="Bryn", source="thug"), FACES),
        (attack("Bryn"), FACES),
        (turns.Deed(by="Bryn"), ()),
        (Close(by=GM), ()),
        (SpendDestiny(by="Bryn", uses=(Use("reroll"),)), FACES),
        (SpendDoom(by=GM, points=1, purpose="rain"), ()),
        (WoundRoll(by="Bryn"), FACES),
        (WoundRoll(by=GM, who="Ash"), FACES),
    ],
    ids=lambda said: type(said).__name__,
)
def test_due_wound_roll_comes_first(said: Declaration, faces: tuple[int, ...]) -> None:
    """DB-WOUND-11."""
    refusal = with_wound_due(new_seat()).refusal(said, *faces)
    assert refusal.code == "DB-E-PENDING-WOUND"
    assert "Ash must make" in str(refusal)


def test_only_wound_need_not_be_named_to_heal() -> None:
    """DB-HEAL-8."""
    care = HealWound(by=GM, target="Ash", points=1, reason="care")
    seat = new_seat(Ash={"sheet": {"wounds": [2]}})
    seat.say(care)
    assert [wound.value for _, wound in seat.state.wounds_of("Ash")] == [1]
    two = new_seat(Ash={"sheet": {"wounds": [2, 4]}}).refusal(care)
    assert two.what == "wound must be Ash w1, Ash w2; none is given"
    none = new_seat().refusal(care)
    assert none.what == "wound must be one of Ash, who has none; got no wound"
    assert none.hint == 'For health type "Ash" hp +1 "care"'


def test_ruling_is_allowed_while_a_wound_roll_is_due() -> None:
    """DB-WOUND-11."""
    seat = with_rulings(with_wound_due(new_seat(Ash={"sheet": {"wounds": [2]}})), "bryn.dazed")
    seat.say(HealWound(by=GM, target="Ash", wound="Ash w1", reason="care"))
    seat.say(SetOption(by="table", name="hits_at_zero", value="wound", reason="vote"))
    seat.say(CreateNpc(by=GM, name="rat", kind="minion", difficulty=1, health=1))
    seat.say(WoundRoll(by="Ash"), *DUSK)


def test_due_wounds_are_rolled_in_order() -> None:
    """DB-WOUND-11: damage, then the wound that the attack deals besides; the second adds the first."""
    seat = new_seat(ACTION, Ash={"health": 3})
    seat.say(turns.Pass(by="Ash"))
    seat.say(Defence(by="Ash", source="thug", wound=True), 1, 2)
    seat.say(close())
    assert [window.who for window in seat.state.windows.values()] == ["Ash", "Ash"]
    seat.say(WoundRoll(by="Ash"), 4, 6)
    assert seat.code(tries("Bryn"), *DAWN) == "PENDING-WOUND"
    seat.say(WoundRoll(by="Ash"), 4, 6)
    seat.say(close())
    assert [(wound.kind, wound.value) for _, wound in seat.state.wounds_of("Ash")] == [("light", 2), ("light", 2)]
    assert seat.code(WoundRoll(by="Ash"), 4, 6) == "NO-WOUND"


def test_dead_character_rolls_no_wounds() -> None:
    """DB-WOUND-5."""
    seat = new_seat(Ash={"health": 3})
    seat.say(Defence(by="Ash", source="thug", wound=True), 1, 2)
    seat.say(close())
    seat.say(WoundRoll(by="Ash"), 12, 12)
    seat.say(close())
    assert not seat.state.windows
    seat.say(tries("Bryn"), *DAWN)


@pytest.mark.parametrize(
    ("at", "said", "hint"),
    [
        (lambda: new_seat(), turns.Move(by="Ash"), 'Begin one first: ! encounter "the lamp room"'),
        (lambda: new_seat(), turns.EndEncounter(by=GM), 'Begin one first: ! encounter "the lamp room"'),
        (lambda: new_seat(ACTION), turns.StartEncounter(by=GM), "End it first: ! end"),
        (lambda: without_ash(new_seat(ACTION)), turns.Move(by="Ash"), 'Let Ash join it first: ! join "Ash"'),
        (lambda: new_seat(ACTION), turns.JoinEncounter(by=GM, who="Ash"), "Go on with what comes next"),
        (
            lambda: with_exploration(new_seat()),
            turns.Move(by="Ash"),
            "Only combat has that, and this is exploration: one action a round, or pass",
        ),
    ],
)
def test_missing_encounter_refusal_says_what_to_do(at: Callable[[], Seat], said: Declaration, hint: str) -> None:
    refusal = at().refusal(said)
    assert (refusal.code, refusal.hint) == ("DB-E-ENC", hint)


def test_leave_records_its_reason():
    seat = fight("Ash", "Bryn", "thug")
    record = seat.say(LeaveEncounter(by=GM, who="Ash", reason="over the wall"))
    assert [fact.because for fact in record.facts if isinstance(fact, OrderSet)] == ["over the wall"]
