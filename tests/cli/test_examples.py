"""Examples in help and refusals have the names in play, never those of a sample."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from cli.notation.examples import example_hint, with_names_in_play
from cli.notation.line_parser import parse_line
from cli.questions.help import find_verbs, help_pages, kinds_with_verbs, names_in_play, page_text, verb_help
from cli.questions.line_completion import complete_line
from cli.questions.line_scope import line_scope
from ledger.errors import Unreadable
from ledger.memory_store import MemorySeeds
from ledger.service import Ledger
from projections.projection import StateProjection
from projections.state import State
from rulebooks import GAMES, load_game
from rulebooks.common.texts import SHARED_EXAMPLES
from rulebooks.semiautomagic.declarations.turns import StartEncounter
from rulebooks.testing.game_files import syntax_nodes
from rulebooks.testing.seat import AT, RowStore
from tests.cli.conftest import Folder, one_error

ROOT = Path(__file__).parents[2]
PACKAGES = ("ledger", "projections", "rulebooks", "cli")
WORD = re.compile(r"[^\W\d_]+")
IN_PLAY = {"pc": ["Zuzka Ymir", "Dr. Quy"], "npc": ["Qax 1", "Qax 2"], "foe": ["Qax 1", "Qax 2"]}
ORDINARY = {"called", "shots", "cant", "door", "guard", "leader", "boss", "captain", "horse", "bear", "cat", "archer"}


@cache
def foreign_names(game: str) -> set[str]:
    """Return the names of the samples' casts, and those in the examples of a game, without ordinary words."""
    sheets = [
        tomllib.loads(path.read_text("utf-8"))
        for path in ROOT.glob("campaigns/*/*/*.toml")
        if path.parent.name != "maps"
    ]
    book = load_game(game).texts().lexicon.examples
    names = [str(sheet.get("name", "")) for sheet in sheets]
    names += [word for words in (*book.values(), *SHARED_EXAMPLES.values()) for word in words]
    return {word for name in names for word in WORD.findall(name.casefold()) if len(word) > 1} - ORDINARY


def found(text: str, game: str) -> set[str]:
    """Return the foreign names in a text."""
    return foreign_names(game) & set(WORD.findall(text.casefold()))


@cache
def table(game: str) -> Ledger[State]:
    """Return a ledger whose beings have unusual names."""
    book = load_game(game)
    ledger = Ledger(RowStore(), book, StateProjection(), MemorySeeds())
    ledger.create("Table", at=AT)
    for kind, path in book.texts().sheet_templates.items():
        content = tomllib.loads(path.read_text("utf-8"))
        for name in IN_PLAY.get(kind, ()):
            ledger.declare(book.sheet({**content, "name": name}, "sheet"), at=AT)
    return ledger


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("game", GAMES)
def test_help_of_every_verb_has_the_names_in_play(game):
    ledger = table(game)
    names = names_in_play(ledger.state, ledger.game)
    for kind in kinds_with_verbs(ledger.game):
        shown = verb_help(kind, names, ledger.game)
        assert not found(shown.text, game), shown.text
    assert "zuzka" in with_names_in_play("kess attack brute", names)


@pytest.mark.parametrize(("game", "is_told"), [("momentum", True), ("mars", False), ("semiautomagic", False)])
def test_field_without_use_in_a_game_is_not_told(game, is_told):
    ledger = table(game)
    fields = [written for each in find_verbs("go", ledger.game, {}) for written, _ in each.fields]
    assert any("wait" in written for written in fields) == is_told
    assert ("wait" in complete_line("go ", line_scope(ledger.state, ledger.game))) == is_told


@pytest.mark.parametrize("game", GAMES)
def test_hint_of_every_verb_has_the_names_in_play(game):
    ledger = table(game)
    scope = line_scope(ledger.state, ledger.game)
    for kind in kinds_with_verbs(ledger.game):
        assert not found(example_hint(kind, scope), game)
    for line in ("!", "zuzka", "! qax1", "/7.6", "=", "= zuzka 1 2", "nobody runs"):
        with pytest.raises(Unreadable) as error:
            parse_line(line, scope)
        assert not found(str(error.value), game), line


@pytest.mark.parametrize("game", GAMES)
def test_page_of_a_game_has_the_names_in_play(game):
    """Transcripts have the names of the page."""
    ledger = table(game)
    shown = page_text(help_pages()[game], names_in_play(ledger.state, ledger.game))
    outside = "".join(shown.split("```")[::2])
    samples = {path.name for path in ROOT.glob("campaigns/*")}
    assert not found(re.sub("|".join(samples), "", outside), game)


@pytest.mark.parametrize("game", GAMES)
def test_refusals_of_a_book_name_nobody(game):
    for error in load_game(game).texts().content.errors:
        for text in (error.text, error.hint, *error.cases.values(), *error.hints.values()):
            assert not found(text, game), f"{error.code}: {text}"


def strings(path: Path) -> list[tuple[int, str]]:
    """Return the strings of a file that are no docstrings."""
    nodes = syntax_nodes(path)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docs = {
        id(node.body[0].value) for node in nodes if isinstance(node, documented) and isinstance(node.body[0], ast.Expr)
    }
    texts = [node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [(text.lineno, text.value) for text in texts if id(text) not in docs]


@pytest.mark.slow
def test_messages_in_the_code_name_nobody():
    for path in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        if path.match("common/texts.py") or path.match("rulebooks/testing/*.py"):  # the names of examples themselves
            continue
        game = next((game for game in GAMES if game.replace("-", "_") in path.parts), "dusk-bastards")
        for line, text in strings(path):
            assert not found(text, game), f"{path}:{line}: {text}"


EXAMPLES = [
    ("k sneak v5 e1", "z sneak v5 e1"),
    ("k,o rest ten_hours", "z,d rest ten_hours"),
    ("! brute attack kess", "! qax1 attack zuzka"),
    ('k intercept brute protect=orrin "Orrin\'s way"', 'z intercept qax1 protect=quy "Dr. Quy\'s way"'),
    ('! heal kess 1 wound="Kess w1"', '! heal zuzka 1 wound="Zuzka Ymir w1"'),
    ("o attack door m v4", "d attack OBJECT m v4"),
    ("= k hp 9", "= z hp 9"),
    ("kess.destiny=1", "zuzka.destiny=1"),
    ("k D regain:speed", "z D regain:speed"),
]


@pytest.mark.parametrize(("example", "shown"), EXAMPLES)
def test_example_has_the_names_in_play(example, shown):
    ledger = table("dusk-bastards")
    assert with_names_in_play(example, names_in_play(ledger.state, ledger.game)) == shown


@pytest.mark.parametrize(("game", "value"), [("dusk-bastards", "health"), ("momentum", "hp"), ("monolith", "hp")])
def test_shared_example_has_the_vital_value_of_the_game(game, value):
    """A letter that begins it stays a letter."""
    ledger = table(game)
    names = names_in_play(ledger.state, ledger.game)
    assert with_names_in_play('! ruling "a gift" "agreed" kess.vital=3', names).endswith(f".{value}=3")
    assert with_names_in_play("x v=3", names) == "x v=3"


def test_examples_begin_with_the_speaker():
    ledger = table("dusk-bastards")
    with pytest.raises(Unreadable, match="For example: d attack qax1 s d4 e1"):
        parse_line("quy attack", line_scope(ledger.state, ledger.game))


def test_examples_where_nobody_is_in_play(closed):
    folder = closed.path.parent / "empty"
    closed.run("new", "Empty", str(folder))
    assert "NAME attack FOE" in closed.run("-C", str(folder), "help", "attack")


def test_help_of_a_command_has_the_names_in_play(night):
    assert "campaign who kess.might" in night.run("help", "who")


def test_help_of_a_damaged_ledger_is_printed(closed):
    (closed.path / "ledger.db").write_bytes(b"no ledger")
    assert "no ledger" not in one_error(closed.invoke("help", "disptues"), 3)


def test_example_names_nobody_twice_in_a_row() -> None:
    book = load_game("semiautomagic")
    ledger = Ledger(RowStore(), book, StateProjection(), MemorySeeds())
    ledger.create("Table", at=AT)
    for kind, name in (("pc", "Sable"), ("npc", "Grum")):
        content = tomllib.loads(book.texts().sheet_templates[kind].read_text("utf-8"))
        ledger.declare(book.sheet({**content, "name": name}, "sheet"), at=AT)
    hint = example_hint(StartEncounter, line_scope(ledger.state, book))
    assert hint == 'For example: ! fight "the yard" sable grum'


def test_example_names_nobody_by_an_article(tmp_path):
    sheet = "name = 'The Salt Widow'\nsheet = 'npc'\ndifficulty = 4\nhealth = 9\ndamage = 2\n"
    folder = Folder(tmp_path / "ward")
    folder.run("new", "Ward", str(folder.path), "--game", "dusk-bastards")
    (folder.path / "widow.toml").write_text(sheet)
    folder.run("cast", str(folder.path / "widow.toml"))
    folder.run("open")
    assert "! leave salt" in one_error(folder.invoke("do", '! leave widow "a" "b"'), 2)
