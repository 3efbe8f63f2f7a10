"""Options, rulings and sheets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ledger.declarations import Declaration, Ruling, Setting
from ledger.errors import Unreadable
from ledger.facts import GM, ConditionBegan, Judged, Ruled, Wounded
from rulebooks.common.options import SetOption
from rulebooks.dusk_bastards.declarations.harm import Rest
from rulebooks.dusk_bastards.declarations.parts import Armor, Change
from rulebooks.dusk_bastards.declarations.sheets import CreateCharacter, CreateNpc, CreateObject
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Close
from rulebooks.dusk_bastards.declarations.turns import Move
from rulebooks.dusk_bastards.texts import TEXTS
from tests.rulebooks.dusk_bastards.fight import attack, condition, conditions, fight
from tests.rulebooks.dusk_bastards.seat import BOOK, DUSK, Seat, cases, of_kind, spent, tries

# Options and rulings


@pytest.mark.parametrize(
    ("name", "value", "good"),
    [
        ("situational_ease_is_asset", "on", True),
        ("situational_ease_is_asset", "maybe", False),
        ("situational_ease_is_asset", 1, False),
        ("light_wound_cost", "per_use", True),
        ("points_change_target", "off", True),
        ("target_change_per_point", 1, True),
        ("target_change_per_point", 12, True),
        ("target_change_per_point", 0, False),
        ("target_change_per_point", 13, False),
        ("target_change_per_point", "3", False),
        ("wound_penalties_stack", "yes", True),
        ("luck", "on", False),
        ("", "on", False),
    ],
)
def test_option_takes_only_its_readings(name: str, value: int | str, good: bool) -> None:
    """DB-PLAY-7."""
    seat = Seat("Ash")
    said = SetOption(by="table", name=name, value=value, reason="table vote", agreed=("Ana",))
    if good:
        seat.say(said)
        assert seat.state.options == {name: value}
    else:
        assert seat.code(said) == "VALUE"


def test_option_needs_a_reason() -> None:
    assert Seat("Ash").code(SetOption(by="table", name="light_wound_cost", value="per_use", reason="")) == "VALUE"


def rules(*changes: tuple[str, int], **more: Any) -> Ruling:
    return Ruling(**{"by": GM, "text": "so be it", "reason": "the tide", "changes": as_changes(*changes), **more})


def as_changes(*changes: tuple[str, int]) -> tuple[Change, ...]:
    return tuple(Change(value, to) for value, to in changes)


@pytest.mark.parametrize(
    ("value", "to", "read"),
    [
        ("Ash.might", 0, lambda seat: seat.points("Ash", "might")),
        ("ash.speed", 10, lambda seat: seat.points("Ash", "speed")),
        ("ASH.intellect", 4, lambda seat: seat.points("Ash", "intellect")),
        ("ash.health", 0, lambda seat: seat.points("Ash", "health")),
        ("ash.destiny", 2, lambda seat: seat.destiny("Ash")),
        ("ash.destiny", 0, lambda seat: seat.destiny("Ash")),
        ("doom", 40, lambda seat: seat.doom),
        ("doom", 0, lambda seat: seat.doom),
        ("thug.health", 1, lambda seat: seat.points("Thug", "health")),
        ("old-door.state", 1, lambda seat: seat.points("Old Door", "state")),
        ("ash.dazed", 1, lambda seat: sum(each.name == "dazed" for each in seat.state.conditions.values())),
        ("ash.prone", 0, lambda seat: sum(each.name == "prone" for each in seat.state.conditions.values())),
    ],
)
def test_ruling_sets_a_value(value: str, to: int, read: Callable[[Seat], int]) -> None:
    """DB-PLAY-7."""
    seat = full_seat()
    record = seat.say(rules((value, to)))
    assert read(seat) == to
    assert of_kind(record, Ruled)[0].text == "so be it"


def full_seat() -> Seat:
    seat = Seat("Ash", doom=3, Ash={"destiny": 1})
    seat.say(CreateNpc(by=GM, name="Thug", kind="minion", difficulty=4, health=6))
    seat.say(CreateObject(by=GM, name="Old Door"))
    seat.say(rules(("ash.prone", 1)))
    return seat


def test_ruled_paralysis_brings_somebody_down() -> None:
    """DB-SPEC-5, DB-GAP-67: prone as well, until the next move; the paralysis stays until it is ruled over."""
    seat = fight("Ash", "thug", turn="Ash")
    seat.say(rules(("ash.paralysed", 1)))
    assert conditions(seat) == ["paralysed", "prone"]
    seat.say(rules(("ash.paralysed", 0)))
    seat.say(Move(by="Ash"))
    assert conditions(seat) == []


def test_ruled_hiding_is_not_found_yet() -> None:
    """DB-VIS-3."""
    seat = Seat("Ash", "thug")
    seat.say(condition("thug", "located"))
    seat.say(rules(("thug.hidden", 1)))
    assert seat.code(attack()) == "HIDDEN"


def test_ruled_wounds_incapacitate_an_elite() -> None:
    """DB-DMG-5: at its limit of two wounds."""
    seat = Seat("Ash", "captain")
    seat.say(rules(("captain.wound", 1)))
    assert conditions(seat, "captain") == []
    seat.say(rules(("captain.wound", 2)))
    assert conditions(seat, "captain") == ["incapacitated"]


@pytest.mark.parametrize("ruled", [False, True])
@pytest.mark.parametrize(
    ("wounds", "option", "value", "most", "health"),
    [
        ((6, 6), "wound_penalties_stack", "yes", 4, 4),  # 15 halved twice
        ((6,), "halves_round", "down", 7, 7),
        ((5,), "healing_category", "rounded_down", 15, 8),  # a moderate wound, which halves nothing
        ((7,), "healing_category", "rounded_down", 8, 1),  # a severe one
    ],
)
def test_option_rereads_the_wounds_that_are_there(
    wounds: tuple[int, ...], option: str, value: str, most: int, health: int, ruled: bool
) -> None:
    """DB-WOUND-8, DB-HEAL-6: and after the option is set back, rest restores health to the maximum as it then is."""
    seat = Seat("Ash", Ash={"sheet": {"might": 15, "speed": 15, "wounds": list(wounds)}})
    usual = seat.state.pools["Ash", "health"]
    default = TEXTS.options[option].default
    for now in (value, default):
        more = {"by": GM, "reason": "a vote"}
        said: Declaration = SetOption(name=option, value=now, **more)
        if ruled:
            said = Ruling(text="so be it", changes=(Setting(f"option.{option}", now),), **more)
        seat.say(said)
        if now == value:
            changed = seat.state.pools["Ash", "health"]
            assert (changed.most, changed.points) == (most, health)
    assert seat.state.pools["Ash", "health"].most == usual.most
    seat.say(Rest(by="Ash", kind="ten_minutes"), 3)
    assert seat.points("Ash", "health") == usual.most
    seat.check_closing()


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (1, "winded"),
        (2, "light"),
        (3, "moderate"),
        (4, "moderate"),
        (5, "severe"),
        (6, "severe"),
        (7, "critical"),
        (8, "critical"),
    ],
)
def test_ruling_inflicts_a_wound_in_force(value: int, kind: str) -> None:
    """DB-WOUND-2, DB-HEAL-6: the lowest category whose value is still at least this one."""
    seat = Seat("Ash")
    (wound,) = of_kind(seat.say(rules(("ash.wound", value))), Wounded)
    assert (wound.kind, wound.value, wound.in_force) == (kind, value, True)
    (other,) = of_kind(seat.say(rules(("ash.wound", value))), Wounded)
    assert other.wound != wound.wound


def test_ruled_light_wound_raises_the_effort_price() -> None:
    seat = Seat("Ash")
    seat.say(rules(("ash.wound", 2)))
    assert spent(seat.say(tries(effort=2), *DUSK)) == {"might": 7}


@pytest.mark.parametrize(
    ("value", "to"),
    [
        ("ash.might", -1),
        ("ash.might", 13),
        ("ash.health", 11),
        ("ash.destiny", -1),
        ("ash.destiny", 3),
        ("doom", -1),
        ("doom", 10**9 + 1),
        ("ash.wound", 0),
        ("ash.wound", 9),
        ("ash.dazed", 2),
        ("ash.dazed", -1),
        ("old-door.state", 3),
        ("thug.health", 7),
        ("ash.level", 3),
        ("ash.luck", 1),
        ("ash", 1),
        ("ash.", 1),
        ("", 1),
        (".might", 1),
        ("nobody.might", 1),
        ("thug.might", 1),
        ("gm.doom", 1),
    ],
)
def test_ruling_outside_a_domain_is_refused_whole(value: str, to: int) -> None:
    """DB-PLAY-7, DB-PLAY-9: its earlier settings are rolled back."""
    assert full_seat().code(rules(("ash.might", 3), (value, to))) == "VALUE"


@pytest.mark.parametrize("missing", ["text", "reason"])
def test_ruling_needs_text_and_reason(missing: str) -> None:
    assert Seat("Ash").code(rules(**{missing: ""})) == "VALUE"


def test_ruling_without_change_is_recorded() -> None:
    seat = Seat("Ash")
    record = seat.say(rules(("ash.dazed", 0), cites=("DB-MOD-4",), scope="campaign", agreed=("Ana", "Ben")))
    (ruled,) = of_kind(record, Ruled)
    assert (ruled.cites, ruled.scope, ruled.agreed) == (("DB-MOD-4",), "campaign", ("Ana", "Ben"))
    seat.say(rules(("ash.dazed", 1)))
    assert of_kind(seat.say(rules(("ash.dazed", 1))), ConditionBegan) == []


# Joining


def test_character_joins_with_full_pools() -> None:
    seat = Seat("Ash")
    assert (seat.pools("Ash"), seat.points("Ash", "health"), seat.destiny("Ash")) == ((12, 10, 9), 10, 0)
    assert {pool.most for (who, name), pool in seat.state.pools.items() if name == "health"} == {10}


@pytest.mark.parametrize("called", ["Ash", "ash", "ASH", "GM", "gm", "Table", "book"])
def test_taken_or_reserved_name_is_refused(called: str) -> None:
    seat = Seat("Ash")
    assert seat.code(CreateCharacter(by=GM, name=called, might=1, speed=1, intellect=1)) == "VALUE"
    assert seat.code(CreateNpc(by=GM, name=called, kind="minion", difficulty=4, health=1)) == "VALUE"
    assert seat.code(CreateObject(by=GM, name=called)) == "VALUE"


def test_names_are_equal_when_case_folded() -> None:
    seat = Seat()
    seat.say(CreateObject(by=GM, name="Straße"))
    assert seat.code(CreateObject(by=GM, name="STRASSE")) == "VALUE"
    seat.say(CreateObject(by=GM, name="Old Tom"))
    assert seat.code(CreateObject(by=GM, name="old-tom")) == "VALUE"


def character(**fields: Any) -> Declaration:
    return CreateCharacter(**{"by": GM, "name": "Kess", "might": 9, "speed": 9, "intellect": 9, **fields})


def npc(**fields: Any) -> Declaration:
    return CreateNpc(**{"by": GM, "name": "Thug", "kind": "minion", "difficulty": 4, "health": 6, **fields})


@pytest.mark.parametrize(
    "said",
    [
        character(might=0),
        character(speed=-1),
        character(intellect=0),
        character(might=10**9 + 1),
        character(level=0),
        character(effort_limit=-1),
        character(destiny=-1),
        character(destiny=2),
        character(level=3, destiny=4),
        character(armor=(Armor("magic", -1),)),
        npc(difficulty=0),
        npc(difficulty=13),
        npc(difficulty=None),
        npc(difficulty=None, target_number=14),
        npc(difficulty=None, target_number=0),
        npc(difficulty=None, target_number=39),
        npc(health=0),
        npc(damage=-1),
        npc(initiative=-1),
        npc(armor=(Armor("physical", -1),)),
        npc(kind="elite"),
        npc(kind="elite", wound_limit=0),
    ],
)
def test_sheet_outside_its_domain_is_refused(said: Declaration) -> None:
    """DB-GAP-3, DB-GAP-60."""
    assert Seat().code(said) == "VALUE"


@pytest.mark.parametrize(
    ("said", "sheet"),
    [
        (npc(), {"difficulty": 4, "initiative": 12, "damage": 0, "grade": "minion"}),
        (npc(difficulty=None, target_number=18, damage=5), {"difficulty": 6, "initiative": 18, "damage": 5}),
        (npc(initiative=7), {"initiative": 7}),
        (npc(kind="elite", wound_limit=2), {"grade": "elite", "wound_limit": 2}),
        (npc(armor=(Armor("physical", 2), Armor("physical", 1), Armor("magic", 1))), {"armor.physical": 2}),
    ],
)
def test_npc_joins_with_the_values_of_its_sheet(said: CreateNpc, sheet: dict[str, int | str]) -> None:
    """DB-GAP-60, DB-ENC-3, DB-ARMOR-2."""
    seat = Seat()
    seat.say(said)
    assert sheet.items() <= seat.state.sheet_of("Thug").items()
    assert seat.points("Thug", "health") == 6


@pytest.mark.parametrize(("state", "points"), [("whole", 2), ("damaged", 1), ("broken", 0)])
def test_object_joins_in_its_state(state: Any, points: int) -> None:
    """DB-DMG-7."""
    seat = Seat()
    seat.say(CreateObject(by=GM, name="Door", state=state))
    assert seat.points("Door", "state") == points


SHEET: dict[str, Any] = {"name": "Kess", "might": 9, "speed": 14, "intellect": 17}


@pytest.mark.quick_rows(12)
@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"name": ""}, "kess.toml, name"),
        ({"name": None}, "kess.toml, name"),
        ({"name": 7}, "kess.toml, name"),
        ({"name": True}, "kess.toml, name"),
        ({"name": float("nan")}, "kess.toml, name"),
        ({"name": ["Kess"]}, "kess.toml, name"),
        ({"name": "K\u202ess"}, "kess.toml, name"),
        ({"name": "K\nss"}, "kess.toml, name"),
        ({"name": "K\x1b[2Jss"}, "kess.toml, name"),
        ({"name": "7ess"}, "kess.toml, name"),
        ({"name": "Kess; drop"}, "kess.toml, name"),
        ({"name": "K" * 61}, "kess.toml, name"),
        ({"name": "../kess"}, "kess.toml, name"),
        ({"might": None}, "kess.toml"),
        ({"might": "nine"}, "kess.toml"),
        ({"might": 9.5}, "kess.toml"),
        ({"might": 9.0}, "kess.toml"),
        ({"might": float("nan")}, "kess.toml"),
        ({"might": float("inf")}, "kess.toml"),
        ({"might": True}, "kess.toml"),
        ({"might": [9]}, "kess.toml"),
        ({"might": 10**9 + 1}, "kess.toml, might"),
        ({"might": -(10**30)}, "kess.toml, might"),
        ({"level": 10**100}, "kess.toml, level"),
        ({"edge": 1}, "kess.toml"),
        ({"say": "create-npc"}, "kess.toml"),
        ({"sheet": "hero"}, "kess.toml"),
        ({"sheet": 1}, "kess.toml"),
        ({"skills": {"sneak": "traind"}}, "kess.toml, skills"),
        ({"skills": {"sneak": "trained luck"}}, "kess.toml, skills"),
        ({"skills": {"sneak": ""}}, "kess.toml, skills"),
        ({"skills": {"sneak": 2}}, "kess.toml, skills"),
        ({"skills": {"sn\u200beak": "trained"}}, "kess.toml, skills"),
        ({"skills": "sneak"}, "kess.toml"),
        ({"skills": [{"task": "sneak", "lvl": "trained"}]}, "kess.toml"),
        ({"skills": [{"task": "sneak", "level": "trained", "stats": "might"}]}, "kess.toml"),
        ({"skills": [{"task": "sn\u200beak", "level": "trained"}]}, "kess.toml, skills"),
        ({"armor": {"chain": 2}}, "kess.toml"),
        ({"armor": {"physical": "2"}}, "kess.toml"),
        ({"armor": {"physical": 10**18}}, "kess.toml, armor"),
        ({"armor": [{"kind": "physical", "value": 10**18}]}, "kess.toml, armor"),
        ({"armor": 2}, "kess.toml"),
        ({"player": "A\tna"}, "kess.toml, player"),
        ({"player": 1}, "kess.toml"),
        ({"aquatic": "yes"}, "kess.toml"),
    ],
)
def test_unreadable_sheet_file_names_the_position(changes: dict[str, Any], where: str) -> None:
    content = {key: value for key, value in {**SHEET, **changes}.items() if value is not None}
    with pytest.raises(Unreadable) as raised:
        BOOK.sheet(content, "kess.toml")
    assert raised.value.where == where or raised.value.where.startswith(f"{where},")
    assert "\u202e" not in str(raised.value)
    assert "\x1b" not in str(raised.value)


def test_sheet_file_may_leave_out_defaults() -> None:
    skills = {"sneak": "trained speed", "lie": "specialized"}
    content = {**SHEET, "name": "  Kess  O'Dal ", "skills": skills, "armor": {"physical": 1}}
    said = BOOK.sheet(content, "kess.toml")
    assert isinstance(said, CreateCharacter)
    assert (said.by, said.name, said.level, said.effort_limit) == (GM, "Kess O'Dal", 1, 1)
    assert [(skill.task, skill.level, skill.stat) for skill in said.skills] == [
        ("sneak", "trained", "speed"),
        ("lie", "specialized", None),
    ]
    assert said.armor == (Armor("physical", 1),)


def test_npc_armor_may_be_one_number() -> None:
    """DB-ARMOR-5."""
    content = {"sheet": "npc", "name": "Captain", "kind": "elite", "difficulty": 6, "health": 10, "wound_limit": 2}
    said = BOOK.sheet({**content, "armor": 1}, "captain.toml")
    assert isinstance(said, CreateNpc)
    assert said.armor == (Armor("physical", 1),)


def test_sheet_with_a_nameless_skill_is_refused() -> None:
    assert Seat().code(BOOK.sheet({**SHEET, "skills": {"": "trained"}}, "kess.toml")) == "VALUE"


def test_case_sheets_are_those_of_the_catalogue() -> None:
    """A copying mistake in the cases must not become a rule."""
    sheets = cases()["sheets"]
    health = {who: Seat(who).points(who, "health") for who in sheets}
    assert health == {"Ash": 10, "Bryn": 14, "Cole": 16, "Dov": 12, "thug": 6, "captain": 10}


def open_climb(seat: Seat) -> None:
    seat.say(Attempt(by="Ash", task="climb", stat="might", difficulty=8), 1, 2)


def test_ruling_sets_the_result_of_the_open_roll() -> None:
    """DB-PLAY-7: its dice stay what they are, and its consequences follow the ruling."""
    seat = Seat("Ash")
    open_climb(seat)
    said = seat.say(rules(result="success"))
    judged = [fact for fact in said.facts if isinstance(fact, Judged)]
    assert [(fact.result, fact.total, fact.final) for fact in judged] == [("success", 3, False)]
    assert "DB-PLAY-7" in judged[0].rules
    closed = seat.say(Close(by=GM))
    assert [fact.result for fact in closed.facts if isinstance(fact, Judged)] == ["success"]
    assert not [name for name in seat.state.conditions if name.startswith("failed")]
    seat.check_replay()


@pytest.mark.parametrize("result", ["hit", "eclipse", "Success"])
def test_ruled_result_is_success_or_failure(result: str) -> None:
    seat = Seat("Ash")
    open_climb(seat)
    assert seat.code(rules(result=result)) == "VALUE"


def test_ruled_result_needs_an_open_roll() -> None:
    assert Seat("Ash").code(rules(result="success")) == "NO-ROLL"
