"""What is said alike in several games: `with` a weapon, who leaves, how a fight ends, a turn that is let go."""

from __future__ import annotations

import pytest

from cli.notation.formatter import format_declaration
from cli.notation.line_parser import parse_line
from cli.play.spoken import hear
from cli.questions.line_scope import line_scope
from cli.questions.possible import why_not_said
from cli.speech.heard import Unclear
from ledger.errors import Refused, Unreadable
from rulebooks import GAMES
from tests.cli.test_examples import table

WEAPONS = {
    "momentum": ("longbow", "spear"),
    "monolith": ("grenade", "pistol"),
    "mars": ("longsword", "spear"),
    "semiautomagic": ("sword", "club"),
}


def said(game, line):
    """Return the declaration of a line where Zuzka Ymir, Dr. Quy and two of Qax are in play."""
    ledger = table(game)
    parsed = parse_line(line, line_scope(ledger.state, ledger.game))
    assert parsed
    return parsed.declaration


@pytest.mark.parametrize("game", WEAPONS)
def test_weapon_may_stand_behind_with(game):
    own, of_foe = WEAPONS[game]
    for line in (f"zuzka attack qax1 with {own}", f"! qax1 attack zuzka with {of_foe}"):
        declaration = said(game, line)
        assert declaration == said(game, line.replace("with ", ""))
        assert said(game, format_declaration(declaration)) == declaration
    with pytest.raises(Unreadable, match=f"'teapot' is not known here. There is: .*{own}"):
        said(game, "zuzka attack qax1 with teapot")


def test_area_belongs_to_the_blast():
    with pytest.raises(Unreadable, match=r"'area' is not part of 'attack', but of 'blast'\. For example: z blast qax1"):
        said("monolith", 'zuzka attack qax1 grenade area="the hall"')


@pytest.mark.parametrize(
    ("game", "line", "same"),
    [
        ("dusk-bastards", '! over "he yields"', '! end "he yields"'),
        ("momentum", 'qax1 leave "it breaks"', 'qax1 flee "it breaks"'),
        ("momentum", "zuzka pass", "zuzka end"),
        ("monolith", '! leave qax1 "away"', '! flee qax1 "away"'),
        ("mars", "zuzka pass", "zuzka end"),
        ("semiautomagic", "zuzka pass", "zuzka end"),
    ],
)
def test_word_of_another_game_means_the_same(game, line, same):
    assert said(game, line) == said(game, same)


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("dusk-bastards", '! end "they yield"'),
        ("momentum", '! over "they yield"'),
        ("monolith", '! end "they yield"'),
        ("mars", '! over "they yield"'),
        ("semiautomagic", '! over "they yield"'),
    ],
)
def test_fight_ends_with_a_reason(game, line):
    assert said(game, line).reason == "they yield"


@pytest.mark.parametrize("game", GAMES)
def test_change_by_nothing_is_refused_with_what_to_type(game):
    ledger = table(game)
    vital, scope = ledger.game.texts().lexicon.vital, line_scope(ledger.state, ledger.game)
    error = why_not_said(f'zuzka {vital} -0 "a scratch"', ledger.state, ledger.game, scope)
    assert isinstance(error, Refused)
    assert error.hint == "Say how much it is, or only tell it: > a scratch"


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("dusk-bastards", "! damage zuzka 0"),
        ("mars", '! damage zuzka 0 "a scratch"'),
        ("semiautomagic", '! harm zuzka 0 "a scratch"'),
    ],
)
def test_damage_of_nothing_is_refused(game, line):
    ledger = table(game)
    scope = line_scope(ledger.state, ledger.game)
    assert isinstance(why_not_said(line, ledger.state, ledger.game, scope), Refused)
    assert not why_not_said(line.replace("0", "1"), ledger.state, ledger.game, scope)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("zuzka hp -1", '! "Zuzka Ymir" harm 1 "zuzka hp -1"'),
        ('zuzka hp -2 "a stone"', '! "Zuzka Ymir" harm 2 "a stone"'),
        ("zuzka loses 3 hit points", '! "Zuzka Ymir" harm 3 "zuzka loses 3 hit points"'),
    ],
)
def test_hit_points_where_there_are_none_ask_for_harm(line, meant):
    """In Semiautomagic wounds are counted, so that fewer of them are no harm."""
    ledger = table("semiautomagic")
    with pytest.raises(Unclear) as raised:
        hear(line, ledger.state, ledger.game)
    assert raised.value.lines == (meant,)
    assert not why_not_said(meant, ledger.state, ledger.game, line_scope(ledger.state, ledger.game))
