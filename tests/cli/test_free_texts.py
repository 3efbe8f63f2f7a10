"""Tasks in other words than the sheet's: the skill whose word is in the task counts, or the line asks."""

from __future__ import annotations

import pytest

from cli.notation.formatter import format_declaration
from cli.notation.free_text import find_phrase, read_free_text
from cli.notation.line_parser import parse_line
from cli.questions.line_scope import line_scope
from ledger.errors import Unreadable
from rulebooks.dusk_bastards.declarations.tasks import Attempt
from tests.rulebooks.dusk_bastards.seat import BOOK, DAWN, Seat, sum_of, task

SKILLS = ("sneak", "hide", "runes", "heal", "lore", "climbing", "pick locks", "find tracks", "read palms", "read maps")
SHEET = {"skills": dict.fromkeys(SKILLS, "trained intellect")}


def seat() -> Seat:
    return Seat("Ash", "Bryn", Ash={"sheet": SHEET})


def said_by(seat: Seat, line: str) -> Attempt:
    parsed = parse_line(line, line_scope(seat.ledger.state, BOOK))
    assert parsed is not None
    assert isinstance(parsed.declaration, Attempt)
    return parsed.declaration


@pytest.mark.quick_rows(8)
@pytest.mark.parametrize(
    ("line", "text", "skill"),
    [
        ("ash sneak v4", "sneak", ""),
        ("ash sneaks v4", "sneak", ""),
        ("ash tries to hide s v4", "hide", ""),
        ("ash finds tracks v4", "find tracks", ""),
        ("ash lock v4", "lock", "pick locks"),
        ("ash palms i v4", "palms", "read palms"),
        ("ash pick locks v4", "pick locks", ""),
        ("ash picks the lock v4", "pick locks", ""),
        ("ash picks the other lock v4", "pick the other lock", "pick locks"),
        ("ash finds the wolf's tracks v4", "find the wolf's tracks", "find tracks"),
        ("ash picks a cup and locks the door s v4", "picks a cup and locks the door", ""),
        ("ash sneak past the guard v4", "sneak past the guard", "sneak"),
        ("ash sn past the guard v4", "sneak past the guard", "sneak"),
        ("ash sneaks past the guard v4", "sneak past the guard", "sneak"),
        ("ash sneak past bryn v4", "sneak past bryn", "sneak"),
        ("ash attempt sneak past the guard v4", "sneak past the guard", "sneak"),
        ("ash climbs the wall v4", "climbing the wall", "climbing"),
        ("ash lore of the salt graves v4", "lore of the salt graves", "lore"),
        ("ash reads the runes i v4", "read the runes", "runes"),
        ("ash hides behind the crates s v4", "hide behind the crates", "hide"),
        ("ash heals bryn i v4", "heal bryn", "heal"),
        ('ash "read the runes" i v4', "read the runes", "runes"),
        ('ash "read the runes" skill=lore i v4', "read the runes", "lore"),
        ('ash attempt "read the runes" i v4', "read the runes", ""),
        ("ash reads the runes to find tracks skill=runes i v4", "read the runes to find tracks", "runes"),
        ("ash pick up the cup s v4", "pick up the cup", ""),
        ("bryn climbs the wall v4", "climb the wall", ""),
        ("ash juggle knives s v4", "juggle knives", ""),
    ],
)
def test_skill_with_its_word_in_the_task_counts(line: str, text: str, skill: str) -> None:
    at_table = seat()
    said = said_by(at_table, line)
    assert (said.task, said.skill) == (text, skill)
    assert said_by(at_table, format_declaration(said)) == said


def test_task_with_more_words_has_the_training() -> None:
    """DB-SKILL-1: and the stat of the skill."""
    at_table = seat()
    record = at_table.say(said_by(at_table, "ash reads the runes v5"), *DAWN)
    (skill,) = sum_of(task(record), "difficulty").steps
    assert (skill.because, skill.value) == ("trained in runes", 1)


@pytest.mark.parametrize(
    "line", ["ash reads i v4", "ash reads the runes to find tracks i v4", 'ash "tell lore from runes" i v4']
)
def test_task_with_two_skills_asks_which(line: str) -> None:
    with pytest.raises(Unreadable, match="Say which of them counts: skill="):
        said_by(seat(), line)


@pytest.mark.parametrize(("line", "meant"), [("ash sneak unskiled v4", "unskilled"), ("ash sneak hiden v4", "hidden")])
def test_slip_behind_a_skill_is_no_word_of_the_task(line: str, meant: str) -> None:
    with pytest.raises(Unreadable, match=f"Did you mean '{meant}'"):
        said_by(seat(), line)


def test_common_verb_gives_the_stat_with_more_words() -> None:
    """DB-STAT-1: `climbs` is in common use, whatever it is that is climbed."""
    at_table = seat()
    record = at_table.say(said_by(at_table, "bryn climbs the wall v4"), *DAWN)
    assert task(record).target == 12


def test_unknown_skill_is_refused() -> None:
    assert seat().code(Attempt(by="Ash", task="x", skill="juggling", stat="speed", difficulty=4), *DAWN) == "VALUE"


def test_phrase_is_found_in_any_form_with_articles() -> None:
    assert find_phrase(["pick", "locks"], ["quietly", "picking", "the", "lock"]) == (1, 4)
    assert find_phrase(["read"], ["spread", "it"]) is None
    assert read_free_text(["sneak"], []) == ("sneak", [])
