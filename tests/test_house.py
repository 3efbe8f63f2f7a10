"""The house: imports point down, rooms use what they may, and nothing below decides by clock or chance."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("ledger", "projections", "rulebooks", "cli")
BELOW = {
    "ledger": set(),
    "projections": {"ledger"},
    "rulebooks": {"ledger", "projections"},
    "cli": {"ledger", "projections", "rulebooks"},
}
OTHERS = {
    "ledger": {"msgspec", "sqlite_utils"},
    "projections": {"msgspec"},
    "rulebooks": {"msgspec"},
    "cli": {"msgspec", "click", "watchfiles"},
}
OF_LEDGER = {
    "projections": {"facts", "errors", "game", "names"},
    "rulebooks": {"facts", "dice", "errors", "game", "names"},
}
CHANCE_AND_CLOCK = {"random", "time", "datetime", "os", "secrets", "socket", "subprocess", "locale", "uuid"}
FILES = {"pathlib", "io", "tempfile", "shutil", "importlib.resources", "tomllib"}
MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""


def room_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_down_only(path: Path) -> None:
    room = room_of(path)
    allowed = {room} | BELOW[room] | OTHERS[room] | set(sys.stdlib_module_names)
    tops = {name.split(".")[0] for name in imports(path)}
    assert tops <= allowed, tops - allowed


@pytest.mark.parametrize(
    "path", [path for path in MODULES if room_of(path) in OF_LEDGER], ids=lambda path: str(path.relative_to(ROOT))
)
def test_the_middle_floors_see_facts_and_dice_not_the_store(path: Path) -> None:
    seen = {name.split(".")[1] for name in imports(path) if name.startswith("ledger.")}
    assert seen <= OF_LEDGER[room_of(path)]


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if room_of(path) in ("projections", "rulebooks")],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_the_middle_floors_know_no_clock_no_chance_and_no_files(path: Path) -> None:
    found = set(imports(path))
    reads_the_book = path == ROOT / "rulebooks" / "common" / "texts.py"
    assert not found & CHANCE_AND_CLOCK
    assert reads_the_book or not found & FILES


def test_the_games_do_not_import_one_another() -> None:
    books = {path.name for path in (ROOT / "rulebooks").iterdir() if path.is_dir()} - {"common", "__pycache__"}
    for path in (ROOT / "rulebooks").rglob("*.py"):
        own = path.relative_to(ROOT / "rulebooks").parts[0]
        seen = {name.split(".")[1] for name in imports(path) if name.startswith("rulebooks.")}
        assert own not in books or seen <= {own, "common"}
        assert own != "common" or not seen & books


def games() -> list[str]:
    """How the games call themselves, in every spelling that code would use."""
    found = []
    for book in sorted((ROOT / "rulebooks").glob("*/rulebook.toml")):
        content = tomllib.loads(book.read_text(encoding="utf-8"))
        found += [content["name"], content["title"], book.parent.name]
    return [name.casefold() for name in found]


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if room_of(path) in ("ledger", "projections", "cli")],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_no_floor_but_the_books_names_a_game_in_code(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    strings = {
        node.value.casefold()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    docstrings = {
        (ast.get_docstring(node, clean=False) or "").casefold()
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
    }
    names = {node.id.casefold() for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for game in games():
        assert not any(game in text for text in strings - docstrings)
        assert game.replace("-", "_") not in names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_the_top_level_is_as_it_was_given() -> None:
    given = {"pyproject.toml", "ledger", "projections", "rulebooks", "cli", "tests", "campaigns"}
    files = {"README.md", "LICENSE", "CHANGELOG.md"}
    made = {"build", "dist", "campaign_ledger.egg-info"}
    here = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert here - made <= given | files
    assert given | files <= here
