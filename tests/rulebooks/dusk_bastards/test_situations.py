"""Situations that are said, known or denied, on attacks and, mirrored, on defences. The tables are the book's."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from ledger.declarations import Declaration
from ledger.facts import GM, Counted, Step
from ledger.records import Record
from rulebooks.dusk_bastards.declarations.combat import Attack, Defence
from rulebooks.dusk_bastards.declarations.harm import SetCondition
from rulebooks.dusk_bastards.declarations.parts import Denied
from rulebooks.dusk_bastards.declarations.sheets import CreateObject
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Retry
from rulebooks.dusk_bastards.declarations.turns import Charge, Move
from rulebooks.dusk_bastards.declarations.world import SetDistance, SetLight, SetObscurity
from rulebooks.dusk_bastards.texts import TEXTS
from rulebooks.testing.seat import cited
from tests.rulebooks.dusk_bastards.fight import attack
from tests.rulebooks.dusk_bastards.seat import BOOK, DAWN, DUSK, Seat, close, final_difficulty, of_kind, task, uses

# From the book: the steps of each word on an attack in melee, and from afar at a short distance; + hinders.


WORDS: dict[str, tuple[int, int]] = {
    "cover": (1, 1),
    "prone": (-1, 1),
    "high": (-1, -1),
    "higher_ground": (-1, -1),
    "surprise": (-2, -2),
    "unaware": (-2, -2),
    "unsure": (-1, -1),
    "on_guard": (-1, -1),
    "dim": (0, 1),
    "very_dim": (1, 2),
    "dark": (2, 2),
    "obscured": (0, 1),
    "mist": (0, 1),
    "fog": (0, 1),
    "heavily_obscured": (1, 2),
    "deep_fog": (1, 2),
    "hidden": (0, 0),
    "invisible": (2, 2),
    "shallow": (0, 0),
    "deep": (1, 1),
    "moved=immediate": (0, 1),
    "moved=short": (0, 2),
    "moved=long": (0, 3),
    "moved=extreme": (0, 4),
    "moving=immediate": (0, 1),
    "moving=short": (0, 2),
    "moving=long": (0, 3),
    "moving=extreme": (0, 4),
    "same_direction": (0, 0),
}
BARE = ("located", "through", "full_cover", "underwater")  # which mean nothing alone, or forbid
WHO = ("Ash", "Bryn", "thug", "captain")


def new_seat(**given: Any) -> Seat:
    return Seat(*WHO, **given)


def melee(*situations: str, **more: Any) -> Attack:
    fields = {"by": "Ash", "target": "captain", "stat": "might", "situations": (*situations, "located"), **more}
    return Attack(**fields)


def shot(*situations: str, **more: Any) -> Attack:
    return melee(*situations, **{"mode": "ranged", "at": "short", **more})


def dodge(*situations: str, **more: Any) -> Defence:
    return Defence(**{"by": "Ash", "source": "captain", "situations": situations, **more})


def steps(record: Record) -> list[Step]:
    (difficulty,) = (each for each in task(record).sums if each.name == "difficulty")
    return list(difficulty.steps)


def given(seat: Seat, *said: Declaration) -> Seat:
    for declaration in said:
        seat.say(declaration)
    return seat


def held(who: str, *names: str) -> list[SetCondition]:
    return [SetCondition(by=GM, target=who, name=name) for name in names]


# Each situation on its own


@pytest.mark.quick_rows(14)
@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("ranged", [False, True], ids=["melee", "ranged"])
def test_a_situation_bears_on_an_attack_and_is_mirrored_on_a_defence(word: str, ranged: bool) -> None:
    """DB-ROLL-4: nobody has to know the sign."""
    expected = WORDS[word][ranged]
    attack = shot(word) if ranged else melee(word)
    assert final_difficulty(new_seat().say(attack, *DUSK)) == 6 + expected
    defence = dodge(word, mode="ranged", at="short") if ranged else dodge(word)
    assert final_difficulty(new_seat().say(defence, *DUSK)) == 6 - expected


def test_every_situation_word_is_tested() -> None:
    words = [word for situation in TEXTS.content.situations for word in situation.words]
    assert len(set(words)) == len(words)
    assert {*WORDS, *BARE} == set(words)
    assert set(BOOK.guide.vocabulary(Attack, "situations", new_seat().state, "Ash")) == set(words)


def test_a_situation_has_rules_and_names_whom_it_is_about() -> None:
    for situation in TEXTS.content.situations:
        assert set(situation.rules) <= TEXTS.rules.keys()
        about = {"target": "{target}", "attacker": "{attacker}"}.get(situation.of, "")
        assert about in situation.text, situation.name


@pytest.mark.parametrize("known", ["cover", "prone", "obscured", "invisible", "hidden"])
def test_a_known_situation_of_the_target_counts_once(known: str) -> None:
    """DB-MOD-4: a flag adds what the ledger does not know, and never counts twice."""
    for said in ((), (known,)):
        seat = given(new_seat(), *held("captain", known))
        assert final_difficulty(seat.say(shot(*said), *DUSK)) == 6 + WORDS[known][True]
        seat = given(new_seat(), *held("Ash", known))
        assert final_difficulty(seat.say(dodge(*said, mode="ranged", at="short"), *DUSK)) == 6 - WORDS[known][True]


@pytest.mark.parametrize(("water", "expected"), [("shallow", 0), ("deep", 1)])
def test_water_affects_the_attacker_who_stands_in_it(water: str, expected: int) -> None:
    """DB-WATER-1, DB-WATER-2."""
    seat = given(new_seat(), *held("Ash", water))
    assert final_difficulty(seat.say(melee(), *DUSK)) == 6 + expected
    assert final_difficulty(seat.say(dodge(), *DUSK)) == 6
    seat = given(new_seat(), *held("captain", water))
    assert final_difficulty(seat.say(melee(), *DUSK)) == 6
    assert final_difficulty(seat.say(dodge(), *DUSK)) == 6 - expected


@pytest.mark.parametrize(("weapon", "expected"), [("stabbing", 1), ("slashing", 2), ("bashing", 2)])
def test_a_foe_underwater_fights_worse_with_its_weapon(weapon: Any, expected: int) -> None:
    """DB-WATER-3, mirrored; not on top of deep water."""
    seat = given(new_seat(), *held("captain", "underwater", "deep"))
    assert final_difficulty(seat.say(dodge(weapon=weapon), *DUSK)) == 6 - expected
    assert seat.code(dodge(), *DUSK) == "VALUE"


def test_a_defence_against_harm_has_only_said_situations() -> None:
    """DB-SPEC-3: a prone or unseen target changes nothing for poison."""
    seat = given(new_seat(), *held("Ash", "prone", "cover"), SetLight(by=GM, light="dark"))
    assert final_difficulty(seat.say(Defence(by="Ash", difficulty=5, stat="might"), *DUSK)) == 5
    assert final_difficulty(seat.say(Defence(by="Ash", difficulty=5, situations=("cover",)), *DUSK)) == 4
    assert final_difficulty(seat.say(Defence(by="Ash", difficulty=5, mode="melee"), *DUSK)) == 5 - 1 + 1 - 2


# What is denied


def denied(*pairs: tuple[str, str]) -> tuple[Denied, ...]:
    return tuple(Denied(*pair) for pair in pairs)


def test_a_denied_situation_is_shown_in_the_sum_with_its_reason() -> None:
    seat = given(new_seat(), *held("captain", "prone", "cover"))
    record = seat.say(melee(denied=denied(("prone", "he is up on the table"))), *DUSK)
    assert final_difficulty(record) == 7
    assert [(step.rule, step.because, step.counted) for step in steps(record)] == [
        ("DB-COVER-1", "captain is behind cover", True),
        ("DB-PLAY-7", "captain is prone, but he is up on the table", False),
    ]


def test_a_daze_a_charge_and_a_wound_may_be_denied_too() -> None:
    seat = new_seat(Ash={"wounds": [{"value": 4, "in_force": True}]})
    given(seat, *held("Ash", "dazed"))
    assert final_difficulty(seat.say(melee(), *DUSK)) == 8
    assert final_difficulty(seat.say(melee(denied=denied(("dazed", "rage"))), *DUSK)) == 7
    assert final_difficulty(seat.say(melee(denied=denied(("dazed", "rage"), ("wound", "rage"))), *DUSK)) == 6


def test_the_next_worst_sight_counts_when_the_worst_is_denied() -> None:
    """DB-VIS-5."""
    seat = given(new_seat(), SetLight(by=GM, light="dark"), SetObscurity(by=GM, obscurity="light"))
    record = seat.say(shot(denied=denied(("dark", "he holds the lamp"))), *DUSK)
    assert final_difficulty(record) == 7
    assert ("DB-PLAY-7", False) in [(step.rule, step.counted) for step in steps(record)]


def test_denying_an_unknown_situation_changes_nothing() -> None:
    assert final_difficulty(new_seat().say(melee(denied=denied(("prone", "he stands"))), *DUSK)) == 6


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (melee("coverr"), "the nearest: cover; got coverr"),
        (melee("dim", "dark"), "dim or dark, not both"),
        (melee("surprise", "unsure"), "surprise or unsure, not both"),
        (melee("moved=short", "moved=long"), "moved=short or moved=long, not both"),
        (melee(denied=denied(("prone", ""))), "the reason in quotes"),
        (melee("prone", denied=denied(("prone", "up"))), "said or denied, not both"),
        (shot(at=None, feet=-1), "feet must be"),
        (shot(feet=5), "at must be immediate, which 5 feet are"),
        (shot("dim", at=None), "since in this light it matters how far Ash and captain are apart"),
        (melee("underwater"), "stabbing, slashing or bashing"),
        (shot(range="long", max_range="short"), "max_range must be long or more"),
        (Attempt(by="Ash", stat="might", difficulty=3, situations=("cover",)), "on a task that is not an attack"),
        (
            Attempt(by="Ash", stat="might", difficulty=3, locates="Nobody"),
            "locates must be somebody or something in play",
        ),
        (Attempt(by="Ash", stat="might", difficulty=3, toward="Thug"), "toward must be spelled thug"),
    ],
)
def test_a_malformed_situation_is_refused(said: Declaration, sentence: str) -> None:
    refusal = new_seat().refusal(said, *DAWN)
    assert refusal.code == "DB-E-VALUE"
    assert sentence in str(refusal)


# Light, obscurity, invisibility


LIGHT: dict[str, tuple[int, int, int, int]] = {  # DB-LIGHT-1 to 4, at immediate, short, long, extreme distance
    "bright": (0, 0, 0, 0),
    "dim": (0, 1, 2, 2),
    "very_dim": (1, 2, 2, 2),
    "dark": (2, 2, 2, 2),
}
BANDS = ("immediate", "short", "long", "extreme")
BOW: dict[str, Any] = {"mode": "ranged", "range": "extreme"}


@pytest.mark.quick_rows(8)
@pytest.mark.parametrize("light", LIGHT)
@pytest.mark.parametrize("at", BANDS)
def test_light_hinders_by_distance(light: Any, at: Any) -> None:
    seat = given(new_seat(), SetLight(by=GM, light=light))
    point_blank, expected = int(at == "immediate"), LIGHT[light][BANDS.index(at)]
    assert final_difficulty(seat.say(melee(**BOW, at=at), *DUSK)) == 6 + expected - point_blank
    assert final_difficulty(seat.say(dodge(mode="ranged", at=at), *DUSK)) == 6 - expected + point_blank
    said = Attempt(by="Ash", stat="might", difficulty=6, toward="captain", at=at)
    assert final_difficulty(seat.say(said, *DUSK)) == 6 + (expected == 1)


KINDS = {"light": ("dim", "very_dim"), "obscurity": ("obscured", "heavily_obscured"), "invisible": ("invisible",)}


@pytest.mark.parametrize("words", list(itertools.product(*(("", *words) for words in KINDS.values()))))
def test_only_the_worst_sight_penalty_counts_by_default(words: tuple[str, ...]) -> None:
    """DB-VIS-5, in both readings."""
    said = [word for word in words if word]
    each = [WORDS[word][True] for word in said]
    record = new_seat().say(shot(*said), *DUSK)
    assert final_difficulty(record) == 6 + max(each, default=0)
    left_out = [step for step in steps(record) if not step.counted]
    assert all(step.rule == "DB-VIS-5" for step in left_out)
    assert sum(step.value for step in left_out) == sum(each) - max(each, default=0)
    added = new_seat(options={"sight_penalties_stack": "yes"}).say(shot(*said), *DUSK)
    assert final_difficulty(added) == 6 + sum(each)


def test_the_darkest_of_known_and_said_light_counts() -> None:
    """DB-LIGHT-1: one light, the darkest that is known or said; also where penalties add up."""
    for options in ({}, {"sight_penalties_stack": "yes"}):
        seat = given(new_seat(options=options), SetLight(by=GM, light="dim"))
        assert final_difficulty(seat.say(shot("dark"), *DUSK)) == 8


def test_a_thing_stands_in_cover_and_at_a_distance_too() -> None:
    seat = new_seat()
    seat.say(CreateObject(by=GM, name="door"))
    given(seat, *held("door", "cover"), SetDistance(by=GM, between=("door", "Ash"), at="long"))
    assert final_difficulty(seat.say(shot(target="door", difficulty=3, at=None), *DUSK)) == 3 + 1 + 1


def test_light_is_set_once_and_lasts() -> None:
    seat = new_seat()
    record = seat.say(SetLight(by=GM, light="dim"))
    assert [(fact.name, fact.now, fact.because) for fact in of_kind(record, Counted)] == [("light", 1, "dim")]
    assert not of_kind(seat.say(SetLight(by=GM, light="dim")), Counted)
    seat.say(SetLight(by=GM, light="bright"))
    assert final_difficulty(seat.say(shot(), *DUSK)) == 6


def test_hiding_again_ends_being_located() -> None:
    """DB-VIS-3."""
    seat = given(new_seat(), *held("captain", "hidden"))
    hidden = melee(situations=())
    assert seat.code(hidden, *DAWN) == "HIDDEN"
    search = Attempt(by="Ash", task="search", stat="intellect", difficulty=5, locates="captain")
    seat.say(search, *DUSK)
    seat.say(close())
    assert seat.code(hidden, *DAWN) == "HIDDEN"
    seat.say(Retry(by="Ash", effort=1), 9, 8)  # what is tried again looks for the same
    seat.say(close())
    assert final_difficulty(seat.say(hidden, *DUSK)) == 6
    given(seat, *held("captain", "hidden"))
    assert seat.code(hidden, *DAWN) == "HIDDEN"


# Distance


@pytest.mark.parametrize("at", [*BANDS, "beyond"])
@pytest.mark.parametrize("reach", BANDS[1:])
def test_each_band_beyond_the_weapons_range_is_a_step(at: Any, reach: Any) -> None:
    """DB-RANGE-2, DB-RANGE-3."""
    far = [*BANDS, "beyond"].index(at)
    said = melee(mode="ranged", range=reach, at=at)
    if at == "beyond":
        assert new_seat().code(said, *DAWN) == "MAXRANGE"
    else:
        expected = -1 if far == 0 else max(0, far - BANDS.index(reach))
        assert final_difficulty(new_seat().say(said, *DUSK)) == 6 + expected


def test_a_foe_that_shoots_beyond_its_range_is_easier_to_dodge() -> None:
    assert final_difficulty(new_seat().say(dodge(mode="ranged", at="long"), *DUSK)) == 6
    assert final_difficulty(new_seat().say(dodge(mode="ranged", at="long", range="short"), *DUSK)) == 5


def test_a_distance_lasts_until_one_moves_or_charges() -> None:
    """DB-DIST-2, DB-MOVE-3."""
    seat = new_seat(encounter={"order": ("captain", "thug", "Ash")})
    for other in ("captain", "thug"):
        seat.say(SetDistance(by=GM, between=(other, "Ash"), at="short"))
    seat.say(Charge(by="Ash", target="captain"))
    assert {name: count.now for (who, name), count in seat.state.counts.items() if name.startswith("distance")} == {
        "distance.captain": 1
    }
    seat.say(Move(by="thug"))
    seat.say(Move(by="captain"))
    assert not [name for _, name in seat.state.counts if name.startswith("distance")]


@pytest.mark.parametrize(
    "said",
    [
        SetDistance(by=GM, between=("Ash", "Ash"), at="short"),
        SetDistance(by=GM, between=("Ash",), at="short"),
        SetDistance(by=GM, between=("Ash", "Nobody"), at="short"),
        SetDistance(by=GM, between=("Ash", "thug")),
        SetDistance(by=GM, between=("Ash", "thug"), feet=-1),
        SetDistance(by=GM, between=("Ash", "thug"), at="long", feet=5),
        SetDistance(by="Ash", between=("Ash", "thug"), at="long"),
    ],
)
def test_a_malformed_distance_is_refused(said: SetDistance) -> None:
    assert new_seat().code(said) == "VALUE"


# Moving targets


@pytest.mark.parametrize(("base", "expected"), [(1, (2, 1)), (0, (1, 0))])
def test_the_farther_of_known_and_said_movement_counts(base: int, expected: tuple[int, int]) -> None:
    """DB-MTGT-1, DB-MTGT-2, in both readings."""

    def after_moves(said: Attack) -> Record:
        seat = new_seat(encounter={"order": ("Ash", "captain")}, options={"moving_base": base} if base != 1 else {})
        seat.say(Move(by="captain", distance="short"))
        seat.say(Move(by="Ash"))
        return seat.say(said, *DUSK)

    target, own = expected
    assert final_difficulty(after_moves(shot("moved=immediate"))) == 6 + target + own
    assert final_difficulty(after_moves(shot("moved=long"))) == 6 + target + 1 + own
    cancelled = after_moves(shot("same_direction"))
    assert final_difficulty(cancelled) == 6
    assert {step.rule for step in steps(cancelled)} <= {"DB-MTGT-3"}


@pytest.mark.parametrize(
    ("situations", "expected"),
    [
        (("same_direction",), 4),
        (("moved=short", "same_direction"), 6),
        (("moving=short", "same_direction"), 6),
        (("moved=short", "moving=short", "same_direction"), 4),
    ],
)
def test_the_same_direction_matters_only_where_both_have_moved(situations: tuple[str, ...], expected: int) -> None:
    """DB-MTGT-3: the sum shows a situation without effect and its reason."""
    seat = Seat("Ash", "thug")
    record = seat.say(attack(mode="ranged", at="short", situations=situations), *DUSK)
    assert final_difficulty(record) == expected
    assert "DB-MTGT-3" in cited(record.facts)
    reasons = [step.because for each in task(record).sums for step in each.steps]
    assert any("not both" in reason for reason in reasons) == (expected == 6)


# What cannot be attacked


AIMS: dict[str, tuple[Attack, str]] = {
    "HIDDEN": (melee("hidden", situations=("hidden",)), "The target must be located first."),
    "COVER": (melee("full_cover"), "The target is wholly behind cover."),
    "REACH": (melee(at="short"), "The target is out of reach."),
    "UNDERWATER": (shot("underwater"), "That weapon does not work underwater."),
    "MAXRANGE": (shot(at="long", max_range="short"), "The target is beyond the weapon's maximum range."),
}


@pytest.mark.parametrize("code", AIMS)
def test_a_target_that_cannot_be_attacked_is_refused(code: str) -> None:
    said, sentence = AIMS[code]
    refusal = new_seat().refusal(said, *DAWN)
    assert str(refusal).startswith(f"DB-E-{code}: {sentence}")


FAULTS: dict[str, dict[str, Any]] = {
    "HIDDEN": {"situations": ("hidden",)},
    "COVER": {"situations": ("full_cover",)},
    "REACH": {"at": "long"},
    "UNDERWATER": {"mode": "ranged", "situations": ("underwater",)},
    "MAXRANGE": {"mode": "ranged", "at": "beyond"},
    "DESTINY-NONE": {"destiny_first": uses("activate:x")},
    "EFFORT-LIMIT": {"effort": 3},
}


SHOTS = {"UNDERWATER", "MAXRANGE"}  # what is out of reach is no shot
PAIRS = [pair for pair in itertools.combinations(FAULTS, 2) if not ("REACH" in pair and SHOTS & {*pair})]


@pytest.mark.parametrize(("earlier", "later"), PAIRS)
def test_the_first_refusal_of_an_attack_is_reported(earlier: str, later: str) -> None:
    """HIDDEN, COVER, REACH, UNDERWATER, MAXRANGE, and only then tokens and Effort."""
    merged: dict[str, Any] = {**FAULTS[earlier], **FAULTS[later]}
    words = [word for fault in (FAULTS[earlier], FAULTS[later]) for word in fault.get("situations", ())]
    located = () if "HIDDEN" in (earlier, later) else ("located",)
    merged["situations"] = (*words, *located)
    assert new_seat().code(Attack(by="Ash", target="captain", stat="might", **merged), *DAWN) == earlier


def test_refusals_of_the_actor_come_before_those_of_the_target() -> None:
    """OBJECT comes before HIDDEN, SLOT before both."""
    seat = new_seat(encounter={"order": ("Ash", "captain"), "phase": "action"})
    seat.say(CreateObject(by=GM, name="door", state="broken"))
    hidden = Attack(by="Ash", target="door", stat="might", difficulty=3, situations=("hidden",))
    assert seat.code(hidden, *DAWN) == "OBJECT"
    seat.say(melee(), *DUSK)
    assert seat.code(hidden, *DAWN) == "SLOT"
