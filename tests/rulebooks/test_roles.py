"""The files of the games: a role has the same file name in every game, and any other file is listed as its own."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

RULEBOOKS = Path(__file__).parents[2] / "rulebooks"
PAGE = (RULEBOOKS / "README.md").read_text(encoding="utf-8")
NAME = re.compile(r"`(\w+)(?:\.py)?`")
GAMES = sorted(path.parent.name for path in RULEBOOKS.glob("*/rulebook.toml"))


def rows(heading: str) -> list[list[str]]:
    """Return the rows of the table on the page that begins with this heading."""
    table = PAGE.split(f"| {heading} |", 1)[1].split("\n\n", 1)[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


ROLES = {name for _, files in rows("role") for name in NAME.findall(files)}
OWN_FILES = {game.strip("`"): NAME.findall(files) for game, files in rows("game")}


def modules(game: str) -> list[str]:
    """Return the names of a game's modules; a role that is a package counts as one."""
    paths = [path.relative_to(RULEBOOKS / game) for path in (RULEBOOKS / game).rglob("*.py")]
    return [path.stem for path in paths if path.parts[0] != "declarations" and path.stem != "__init__"]


def test_page_lists_every_game() -> None:
    assert sorted(OWN_FILES) == GAMES


@pytest.mark.parametrize("game", GAMES)
def test_file_is_a_role_or_listed_as_the_games_own(game: str) -> None:
    assert sorted(set(modules(game)) - ROLES) == sorted(OWN_FILES[game])


def test_name_of_an_own_file_belongs_to_one_game() -> None:
    games = Counter(name for names in OWN_FILES.values() for name in set(names))
    assert [name for name, count in games.items() if count > 1] == []
    assert games.keys().isdisjoint(ROLES)


@pytest.mark.parametrize("game", GAMES)
def test_file_name_stands_once_in_a_game(game: str) -> None:
    names = Counter(modules(game))
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.quick_rows(10)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("mark", "role"),
    [
        (r"^class \w+\((GameMaster)?Declaration\b", "declarations"),
        (r"^TEXTS: Final = Texts\(", "texts"),
        (r"^RULEBOOK: Final = Rulebook\(|\bValueTable\):", "rulings"),
        (r"\bread_sheet\(|^@decides\(Create\w+\)", "sheets"),
        (r"^@decides\(PassOn\)", "passes"),
        (r"^@decides\(StartEncounter\)", "encounter"),
        (r"^def check_able\(|^def is_able\(", "guards"),
    ],
)
def test_role_is_in_the_file_of_its_name(game: str, mark: str, role: str) -> None:
    paths = [
        path for path in (RULEBOOKS / game).rglob("*.py") if re.search(mark, path.read_text(encoding="utf-8"), re.M)
    ]
    assert {role if role in path.parts else path.stem for path in paths} <= {role, "game"}
