"""Names as people type them: numbers, several words, accents, tasks without quotation marks."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from cli.notation.line_parser import parse_line
from cli.notation.scope import Scope
from ledger.declarations import Declaration
from ledger.errors import Unreadable
from ledger.name_match import match_name
from tests.cli.conftest import one_error
from tests.cli.scopes import SCOPE, attempt

NUMBERED = ("Thug 1", "Thug 2", "Thug 11", "Sergeant Dovel 2")
SIGNS = ("Old Well-Warden", "Dr. Crow", "Ash & Oak", "Sir Ives, Jr.", "Unit: North (far)")
BEINGS = ("Kess", "Tor", "Sister Ode", *NUMBERED, "Élodie", "J'onn", "Wait 3", *SIGNS)
TABLE: Scope = replace(SCOPE, beings=BEINGS)


def said(line: str) -> Declaration:
    parsed = parse_line(line, TABLE)
    assert parsed
    return parsed.declaration


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("thug 1", ["Thug 1"]),
        ("thug1", ["Thug 1"]),
        ("t1", ["Thug 1"]),
        ("T11", ["Thug 11"]),
        ("th-2", ["Thug 2"]),
        ("dovel2", ["Sergeant Dovel 2"]),
        ("s2", ["Sergeant Dovel 2"]),
        ("ode", ["Sister Ode"]),
        ("sister-ode", ["Sister Ode"]),
        ("well-warden", ["Old Well-Warden"]),
        ("elodie", ["Élodie"]),
        ("elo", ["Élodie"]),
        ("jonn", ["J'onn"]),
        ("crow", ["Dr. Crow"]),
        ("dr", ["Dr. Crow"]),
        ("dr.", ["Dr. Crow"]),
        ("dr.crow", ["Dr. Crow"]),
        ("drcrow", ["Dr. Crow"]),
        ("drc", ["Dr. Crow"]),
        ("sisterode", ["Sister Ode"]),
        ("sergeantdovel2", ["Sergeant Dovel 2"]),
        ("oak", ["Ash & Oak"]),
        ("ives", ["Sir Ives, Jr."]),
        ("north", ["Unit: North (far)"]),
        ("far", ["Unit: North (far)"]),
        ("thug", ["Thug 1", "Thug 2", "Thug 11"]),
        ("t", ["Tor", "Thug 1", "Thug 2", "Thug 11"]),
        ("t3", []),
        ("1", ["Thug 1"]),
        ("x1", []),
        ("-", []),
    ],
)
def test_word_means_these_beings(word, names):
    assert match_name(word, BEINGS).words == names


@pytest.mark.parametrize(
    ("line", "canonical"),
    [
        ("k attack thug 1 m d4", 'k attack "Thug 1" m d4'),
        ("k attack t1 m d4", 'k attack "Thug 1" m d4'),
        ("thug 1 move", '"Thug 1" move'),
        ("! thug 2 move", '! "Thug 2" move'),
        ("dovel 2 move", '"Sergeant Dovel 2" move'),
        ("sergeant dovel2 move", '"Sergeant Dovel 2" move'),
        ("dr.crow sneak v5", '"Dr. Crow" sneak v5'),
        ("sister ode sneak v5", '"Sister Ode" sneak v5'),
        ("sergeant dovel 2 sneak v5", '"Sergeant Dovel 2" sneak v5'),
        ("kess move", "Kess move"),
        ("elodie sneak", '"Élodie" sneak'),
        ("dr. crow move", '"Dr. Crow" move'),
        ("dr crow move", '"Dr. Crow" move'),
        ("ash & oak move", '"Ash & Oak" move'),
        ("sir ives, jr. move", '"Sir Ives, Jr." move'),
        ("k attack ash & oak m d4", 'k attack "Ash & Oak" m d4'),
        ('k attack "Unit: North (far)" m d4', "k attack north m d4"),
    ],
)
def test_names_of_several_words_need_no_quotes(line, canonical):
    assert said(line) == said(canonical)


def test_whole_name_of_one_word_stays_alone():
    """With Thug and Thug 3 in play, `thug 3` is not joined: the number may be an amount."""
    scope = replace(SCOPE, beings=("Thug", "Thug 3", "Kess"))
    assert parse_line('thug "hold" v3', scope).declaration.by == "Thug"
    with pytest.raises(Unreadable, match="the number 3 fits several fields"):
        parse_line("thug sneak 3", scope)


@pytest.mark.parametrize(
    ("line", "task", "fields"),
    [
        ("k look for tracks i v3", "look for tracks", {"stat": "intellect", "difficulty": 3}),
        ("k break door might v5 e1", "break door", {"stat": "might", "difficulty": 5, "effort": 1}),
        ("k look in the box v3", "look in the box", {"difficulty": 3}),
        ("k climb the wall m v4 +a1", "climb the wall", {"stat": "might", "difficulty": 4}),
        ("k look around hidden v3", "look around", {"hidden": True, "difficulty": 3}),
        ("k push thug 1 aside m v3", "push Thug 1 aside", {"stat": "might", "difficulty": 3}),
        ('k "look" for tracks', "look", None),
        ("k sneak past him v3", "sneak past him", {"difficulty": 3}),
    ],
)
def test_task_of_several_words_needs_no_quotes(line, task, fields):
    """Behind a task in quotation marks the next word is refused."""
    if fields is None:
        with pytest.raises(Unreadable):
            said(line)
        return
    declaration = said(line)
    assert declaration.task == task
    assert declaration == attempt(task=task, **fields, assets=declaration.assets)


@pytest.fixture
def sergeant(closed):
    kind = 'sheet = "npc"\nkind = "minion"\ndifficulty = 3\nhealth = 6\ndamage = 4\n'
    for name in ("Sergeant Dovel", "Sister Ode"):
        closed.run("cast", str(closed.file(f"{name}.toml", f'name = "{name}"\n{kind}')))
    return closed


@pytest.mark.slow
@pytest.mark.parametrize("word", ["dovel", "sergeant-d", "Sergeant Dovel", "SERGEANT DOVEL"])
def test_reading_commands_find_names_as_lines_do(sergeant, word):
    shown = sergeant.run("show", word)
    assert shown.startswith("Sergeant Dovel")
    assert sergeant.run("who", f"{word}.health").startswith("Sergeant Dovel health is 6")
    if " " not in word:  # a question is read word by word
        assert "sergeant-dovel.health" in sergeant.run("when", f"{word}.health < 7")


@pytest.mark.slow
def test_show_names_those_whom_a_word_may_mean(sergeant):
    assert "'s' may be 'Sergeant Dovel' or 'Sister Ode'" in one_error(sergeant.invoke("show", "s"), 2)
