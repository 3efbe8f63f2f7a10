"""Weapons of a sheet: what an attack takes from the one that is named, and the words of the book on sheets."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cli.notation.formatter import format_declaration
from cli.questions.line_check import check_lines
from cli.questions.line_completion import complete_line
from cli.questions.line_scope import line_scope
from ledger.declarations import Declaration, with_fallbacks, without_fallbacks
from ledger.errors import LedgerError, Refused, Unreadable
from ledger.facts import EntryId, Judged
from ledger.odds import count_odds
from ledger.writing_order import Log
from projections.projection import StateProjection
from rulebooks.dusk_bastards.combat import weapons
from rulebooks.dusk_bastards.combat.weapons import with_weapon
from rulebooks.dusk_bastards.declarations.combat import AreaAttack, Attack, Defence, Intercept
from rulebooks.dusk_bastards.declarations.parts import Spot
from rulebooks.dusk_bastards.declarations.sheets import CreateCharacter, CreateNpc
from rulebooks.testing.seat import AT
from tests.cli.scopes import parse
from tests.rulebooks.dusk_bastards.seat import BOOK, Seat, close, final_difficulty

PISTOL = {"stat": "speed", "damage": 4, "range": "short", "max_range": "long"}
KNIFE = {"stat": "speed", "damage": 2, "kind": "stabbing"}
BOW = {"stat": "speed", "damage": 6, "range": "long", "works_underwater": True}
SKILLS = {"pistol": "trained", "brawling": "trained might"}


def new_seat(**weapons: Any) -> Seat:
    """Return a seat where Ash holds these weapons, and Bryn none."""
    return Seat("Ash", "Bryn", "thug", "captain", Ash={"sheet": {"weapons": weapons, "skills": SKILLS}})


def armed() -> Seat:
    return new_seat(pistol=PISTOL, knife=KNIFE, **{"hunting bow": BOW})


def meant(seat: Seat, line: str) -> Declaration:
    return parse(line, line_scope(seat.ledger.state, BOOK))


def figures(seat: Seat, line: str) -> tuple[Any, ...]:
    """Return what the line says together with the sheet."""
    said = with_weapon(meant(seat, line), seat.state)
    assert isinstance(said, Attack | AreaAttack | Intercept)
    return said.task, said.stat, said.damage, said.mode, said.range, said.max_range


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a attack thug pistol", ("pistol", "speed", 4, "ranged", "short", "long")),
        ("a attack thug with pistol", ("pistol", "speed", 4, "ranged", "short", "long")),
        ("a attack with pis thug e1", ("pistol", "speed", 4, "ranged", "short", "long")),
        ("a attack thug task=Pistol", ("pistol", "speed", 4, "ranged", "short", "long")),
        ('a attack thug "hunting bow"', ("hunting bow", "speed", 6, "ranged", "long", "extreme")),
        ('a attack thug with "hunting bow"', ("hunting bow", "speed", 6, "ranged", "long", "extreme")),
        ("a attack thug knife", ("knife", "speed", 2, "melee", "short", "extreme")),
        ("a attack thug pistol m d7 range=long", ("pistol", "might", 7, "ranged", "long", "long")),
        ("a attack thug pistol melee d0", ("pistol", "speed", 0, "melee", "short", "long")),
        ("a attack thug brawling d2", ("brawling", None, 2, "melee", "short", "extreme")),
        ("a attack thug m", ("", "might", 0, "melee", "short", "extreme")),
        ("a blast thug with pistol", ("pistol", "speed", 4, "ranged", "short", "long")),
        ("a blast thug i d4", ("", "intellect", 4, "ranged", "short", "extreme")),
        ("a intercept thug m", ("", "might", 0, "melee", "short", "extreme")),
        ("b attack thug s d4", ("", "speed", 4, "melee", "short", "extreme")),
    ],
)
def test_line_and_sheet_say_the_attack(line: str, expected: tuple[Any, ...]) -> None:
    assert figures(armed(), line) == expected


@pytest.mark.parametrize(
    ("line", "weapon"),
    [
        ("a attack thug", "pistol"),
        ("a attack thug s d7", "pistol"),
        ("a attack thug ranged", "pistol"),
        ("a attack thug m d1", ""),
        ("a attack thug s melee d1", ""),
        ("a attack thug brawling d1", "brawling"),
        ("a blast thug s d1", ""),
    ],
)
def test_only_weapon_need_not_be_named(line: str, weapon: str) -> None:
    assert figures(new_seat(pistol=PISTOL), line)[0] == weapon


def test_weapon_is_not_chosen_among_several() -> None:
    seat = armed()
    with pytest.raises(Refused, match="the weapon must be hunting bow or knife or pistol"):
        seat.say(meant(seat, "a attack thug"))


def test_only_weapon_that_fits_need_not_be_named() -> None:
    seat = new_seat(pistol=PISTOL, knife=KNIFE)
    assert [figures(seat, f"a attack thug {mode}")[0] for mode in ("ranged", "melee")] == ["pistol", "knife"]
    assert not figures(seat, "a attack thug s d1")[0]  # an attack of another kind


def test_named_weapon_decides_skill_and_damage() -> None:
    seat = armed()
    assert final_difficulty(seat.say(meant(seat, "a attack thug pistol"), 12, 6)) == 3  # trained in pistol
    seat.say(close())
    assert seat.state.points("thug", "health") == 2
    assert final_difficulty(seat.say(meant(seat, "a attack captain pistol unskilled at=long"), 12, 6)) == 7
    seat.say(close())
    assert final_difficulty(seat.say(meant(seat, "a attack captain brawling d1"), 12, 6)) == 5
    seat.ended()


def test_weapon_has_its_maximum_range() -> None:
    seat = armed()
    with pytest.raises(Refused, match="DB-E-MAXRANGE"):
        seat.say(meant(seat, "a attack thug pistol at=extreme"))
    seat.say(meant(seat, "a attack thug pistol at=extreme max=extreme"), 12, 6)


@pytest.mark.parametrize(("weapon", "steps"), [("knife", 5), ('"hunting bow"', 5)])
def test_weapon_underwater_has_its_kind(weapon: str, steps: int) -> None:
    seat = armed()
    assert final_difficulty(seat.say(meant(seat, f"a attack thug {weapon} +underwater"), 12, 6)) == steps


def test_weapon_that_fails_underwater_is_refused() -> None:
    seat = armed()
    with pytest.raises(Refused, match="DB-E-UNDERWATER"):
        seat.say(meant(seat, "a attack thug pistol +underwater"))


@pytest.mark.slow
def test_odds_of_a_weapon_are_those_of_its_figures() -> None:
    seat = armed()

    def chances(line: str) -> Any:
        state = seat.ledger.state
        return count_odds(BOOK, state, meant(seat, line), EntryId(1, state.last.number + 1)).chances

    assert chances("a attack thug pistol e1") == chances("a attack thug s d4 ranged max=long task=pistol e1")
    assert chances("a attack thug pistol") != chances("a attack thug knife")


def test_unclaimed_knows_the_weapon() -> None:
    seat = new_seat(pistol=PISTOL)
    texts = [each.text for each in BOOK.guide.unclaimed(meant(seat, "a attack thug"), seat.state)]
    assert any("speed" in text for text in texts)
    assert "trained in pistol" not in texts
    unskilled = BOOK.guide.unclaimed(meant(seat, "a attack thug unskilled"), seat.state)
    assert "trained in pistol" in [each.text for each in unskilled]


def test_vocabulary_lists_weapons_and_skills() -> None:
    seat = armed()
    words = ["hunting bow", "knife", "pistol", "brawling"]
    assert list(BOOK.guide.vocabulary(Attack, "task", seat.state, "Ash")) == words
    assert list(BOOK.guide.vocabulary(AreaAttack, "task", seat.state, "Ash")) == words
    assert list(BOOK.guide.vocabulary(Attack, "task", seat.state, "Bryn")) == []
    assert list(BOOK.guide.vocabulary(Intercept, "task", seat.state, "Ash")) == words


def test_interception_takes_its_stat_from_its_weapon() -> None:
    seat = armed()
    assert figures(seat, "a intercept thug protect=bryn with pistol")[:4] == ("pistol", "speed", 4, "ranged")
    assert figures(new_seat(knife=KNIFE), "a intercept thug protect=bryn")[:2] == ("knife", "speed")
    assert figures(new_seat(knife=KNIFE), "a intercept thug protect=bryn s")[0] == ""  # as it was always taken
    with pytest.raises(Refused, match="the weapon must be hunting bow or knife or pistol"):
        seat.say(meant(seat, "a intercept thug protect=bryn"))


def test_completion_offers_weapons() -> None:
    scope = line_scope(armed().ledger.state, BOOK)
    assert complete_line("ash attack thug pi", scope) == ["pistol"]
    assert complete_line("ash attack thug hun", scope) == ['"hunting bow"']


@pytest.mark.parametrize("task", ["", "pistol", "hunting bow", "stage magic", "Thug", 'a "b" c'])
@pytest.mark.parametrize("kind", [Attack, AreaAttack])
def test_parse_format_of_a_weapon(kind: type[Declaration], task: str) -> None:
    scope = line_scope(armed().ledger.state, BOOK)
    target = {"target": "thug"} if kind is Attack else {"targets": (Spot("thug"),)}
    for more in ({}, {"stat": "speed", "damage": 0, "mode": "melee", "range": "short"}):
        said = msgspec.convert({"say": kind.__struct_config__.tag, "by": "Ash", "task": task, **target, **more}, kind)
        assert parse(format_declaration(said), scope) == said
        assert parse(format_declaration(said, scope), scope) == said


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("a attack thug with axe", "'axe' is not known here. There is: hunting bow, knife, pistol, brawling"),
        ("a attack thug with knif3", "'knif3' is not known here. Did you mean 'knife'?"),
        ("a attack thug pistl", "'pistl' does not fit here. Did you mean 'pistol'?"),
        ("a attack thug pistol knife", "'knife'"),
        ("a attack thug pistol with knife", "'pistol' does not fit here. For"),
        ("a attack thug with", "'with' does not fit here"),
    ],
)
def test_unknown_weapon_in_a_line(line: str, error: str) -> None:
    with pytest.raises(Unreadable) as raised:
        meant(armed(), line)
    assert error in str(raised.value)


def sheet(**content: Any) -> Declaration:
    return BOOK.sheet({"name": "Cy", "might": 9, "speed": 9, "intellect": 9, **content}, "cy.toml")


@pytest.mark.parametrize(
    ("weapons", "error"),
    [
        ({"a.b": {}}, "weapons must be named, without a point"),
        ({"bow": {"damage": -1}}, "the damage of bow"),
        ({"bow": {"max_range": "long"}}, "the range of bow must be given where max_range is"),
        ({"bow": {"range": "long", "max_range": "short"}}, "the max_range of bow must be long or more"),
        ({"bow": {"range": "far"}}, "cy.toml, weapons, bow, range"),
        ({"bow": {"damge": 3}}, "Did you mean 'damage'?"),
        ({"bow": {}, "Bow": {}}, "weapons must be named once each"),
    ],
)
def test_weapon_outside_its_domain(weapons: Any, error: str) -> None:
    seat = Seat("Ash")
    with pytest.raises(LedgerError) as raised:
        seat.say(sheet(weapons=weapons))
    assert error in str(raised.value)


def test_edited_sheet_changes_weapons() -> None:
    seat = Seat("Ash")
    before = sheet(weapons={"pistol": PISTOL, "knife": KNIFE})
    seat.say(before)
    after = sheet(weapons={"pistol": {**PISTOL, "damage": 5}})
    change = BOOK.sheet_edits(after, "the armoury", before)
    assert change is not None
    seat.say(change)
    assert seat.state.sheet("Cy", "weapon.pistol.damage") == 5
    assert not [key for key in seat.state.sheet_of("Cy") if key.startswith("weapon.knife")]


@pytest.mark.parametrize(("word", "value"), [("light", 1), ("medium", 2), ("heavy", 3), (2, 2)])
def test_physical_armor_in_the_words_of_the_book(word: str | int, value: int) -> None:
    said = sheet(armor={"physical": word})
    assert isinstance(said, CreateCharacter)
    assert said.armor[0].value == value
    foe = BOOK.sheet({"sheet": "npc", "name": "Foe", "difficulty": 2, "health": 3, "armor": word}, "foe.toml")
    assert isinstance(foe, CreateNpc)
    assert (foe.armor[0].kind, foe.armor[0].value) == ("physical", value)


@pytest.mark.parametrize("armor", [{"physical": "plate"}, {"magic": "light"}])
def test_armor_in_other_words(armor: dict[str, str]) -> None:
    with pytest.raises(Unreadable, match="light, medium, heavy"):
        sheet(armor=armor)


@pytest.mark.parametrize(
    ("more", "kind"), [({}, "minion"), ({"wound_limit": 2}, "elite"), ({"kind": "elite"}, "elite")]
)
def test_foe_without_a_kind(more: dict[str, Any], kind: str) -> None:
    foe = BOOK.sheet({"sheet": "npc", "name": "Foe", "difficulty": 2, "health": 3, **more}, "foe.toml")
    assert isinstance(foe, CreateNpc)
    assert foe.kind == kind


def test_foe_sheet_without_its_word_is_told_the_word() -> None:
    with pytest.raises(Unreadable, match="a sheet with 'difficulty' is not a pc") as raised:
        BOOK.sheet({"name": "Foe", "difficulty": 2, "health": 3}, "foe.toml")
    assert raised.value.hint == 'Add sheet = "npc" above its tables.'


def test_unknown_key_names_the_nearest() -> None:
    with pytest.raises(Unreadable, match="Did you mean 'effort_limit'"):
        sheet(effort=2)


def test_attack_of_an_older_ledger_is_the_same() -> None:
    """A record from before weapons says each of its figures, and Bryn's sheet has none."""
    old = {"say": "attack", "by": "Bryn", "target": "thug", "stat": "speed", "mode": "melee", "range": "short"}
    old |= {"max_range": "extreme", "damage": 3}
    seat = armed()
    said = msgspec.convert(old, Attack)
    assert with_weapon(said, seat.state) == said == with_fallbacks(meant(seat, "b attack thug s d3"))
    seat.say(said, 12, 6)
    seat.say(close())
    assert seat.state.points("thug", "health") == 3


@pytest.mark.parametrize(
    ("line", "earlier", "same"),
    [
        ("b attack thug s d3", {"mode": "melee", "range": "short", "max_range": "extreme"}, True),
        ("b attack thug s", {"mode": "melee", "range": "short", "max_range": "extreme", "damage": 0}, True),
        ("b blast thug i d3", {"mode": "ranged", "range": "short", "max_range": "extreme"}, True),
        ("b attack thug s d3", {"mode": "ranged", "range": "short", "max_range": "extreme"}, False),
        ("b attack thug s d3", {"mode": "melee", "range": "short", "max_range": "extreme", "damage": 4}, False),
    ],
)
def test_line_of_an_older_record_verifies(line: str, earlier: dict[str, Any], same: bool) -> None:
    seat = armed()
    recorded = msgspec.structs.replace(meant(seat, line), **earlier)
    seat.ledger.declare(recorded, at=AT, line=f"{line} /12.6", faces=(12, 6))
    assert (list(check_lines(Log.of(seat.store), BOOK, StateProjection())) == []) is same


def test_fallbacks_come_and_go() -> None:
    said = Attack(by="Bryn", target="thug", mode="ranged")
    full = with_fallbacks(said)
    assert (full.mode, full.range, full.max_range, full.damage) == ("ranged", "short", "extreme", 0)
    assert without_fallbacks(full) == said


def test_printed_sheet_arms_a_character() -> None:
    template = Path(weapons.__file__).parent.parent / "templates" / "pc.toml"
    said = BOOK.sheet(tomllib.loads(template.read_text(encoding="utf-8")), "pc.toml")
    seat = Seat("Ash", "thug")
    seat.say(said)
    assert figures(seat, "rook attack thug knife")[:4] == ("knife", "speed", 2, "melee")
    assert figures(seat, "rook attack thug pistol")[:4] == ("pistol", "speed", 4, "ranged")


# Weapons of foes


FOES = {
    "hunter": {"bow": {"damage": 4, "range": "long"}},
    "guard": {"bow": {"damage": 4, "range": "long"}, "Club": {"damage": 3, "kind": "bashing"}},
    "bare": {},
}


def facing_foes(damage: int = 0) -> Seat:
    """Return a seat where Ash faces an hunter, a guard with two weapons, and somebody without any."""
    seat = new_seat()
    for name, held in FOES.items():
        content = {"sheet": "npc", "name": name, "difficulty": 3, "health": 6, "damage": damage, "weapons": held}
        seat.ledger.declare(BOOK.sheet(content, "sheet"), at=AT)
    return seat


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ash dodge hunter", ("ranged", "long", None, 4)),
        ("ash dodge hunter with bow", ("ranged", "long", None, 4)),
        ("ash dodge hunter with bow d7", ("ranged", "long", None, 7)),
        ("ash dodge guard with club", ("melee", None, "bashing", 3)),
        ("ash dodge guard bow", ("ranged", "long", None, 4)),
        ("ash dodge guard d2", (None, None, None, 2)),
        ("ash dodge bare", (None, None, None, None)),
    ],
)
def test_defence_has_the_figures_of_the_foes_weapon(line: str, expected: tuple[Any, ...]) -> None:
    seat = facing_foes()
    said = with_weapon(meant(seat, line), seat.state)
    assert isinstance(said, Defence)
    assert (said.mode, said.range, said.weapon, said.damage) == expected
    scope = line_scope(seat.ledger.state, BOOK)
    assert parse(format_declaration(meant(seat, line), scope), scope) == meant(seat, line)


@pytest.mark.parametrize(
    ("said", "using"),
    [
        (Defence(by="Ash", source="hunter"), (("hunter", "bow"),)),
        (Defence(by="Ash", source="guard", foe_weapon="Club"), (("guard", "Club"),)),
        (Defence(by="Ash", source="bare", damage=2), ()),
    ],
)
def test_result_names_the_foes_weapon(said: Defence, using: tuple[tuple[str, str], ...]) -> None:
    record = facing_foes().say(said, 1, 1)
    assert [fact.using for fact in record.facts if isinstance(fact, Judged) and fact.what == "defence"] == [using]


def test_damage_of_the_foes_weapon_is_dealt() -> None:
    seat = facing_foes(damage=1)
    before = seat.points("Ash", "health")
    seat.say(Defence(by="Ash", source="guard", foe_weapon="Club"), 1, 1)
    seat.say(close())
    assert before - seat.points("Ash", "health") == 3


@pytest.mark.parametrize(
    ("said", "error"),
    [
        (Defence(by="Ash", source="guard"), "the weapon must be Club or bow (with and its name, or d with a damage)"),
        (Defence(by="Ash", source="guard", foe_weapon="lance"), "the weapon must be Club or bow; got lance"),
        (Defence(by="Ash", source="bare", foe_weapon="bow"), "the weapon must be on the sheet of a foe; got bow"),
    ],
)
def test_weapon_that_the_foe_does_not_have_is_refused(said: Defence, error: str) -> None:
    assert error in str(facing_foes().refusal(said, 1, 1))


def test_foe_with_damage_of_its_own_needs_no_weapon_named() -> None:
    facing_foes(damage=1).say(Defence(by="Ash", source="guard"), 1, 1)


def test_weapons_of_a_foe_outside_their_domains() -> None:
    content = {"sheet": "npc", "name": "Raider", "difficulty": 3, "health": 6, "weapons": {"bow": {"damage": -1}}}
    assert "the damage of bow" in str(new_seat().refusal(BOOK.sheet(content, "sheet")))
