"""What decides a declaration: one function of the game for each kind, in a module that the game names."""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from types import ModuleType

import msgspec
import pytest

from ledger.declarations import Declaration
from rulebooks import GAMES, load_game
from rulebooks.common.decisions import decisions_in


def modules(game: str) -> list[ModuleType]:
    """Return every module of a game."""
    package = importlib.import_module(GAMES[game].rpartition(".")[0])
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    return [importlib.import_module(module.name) for module in found]


@pytest.mark.parametrize("game", GAMES)
def test_game_names_every_module_that_decides(game: str) -> None:
    assert dict(decisions_in(modules(game))) == load_game(game).decisions


@pytest.mark.parametrize("game", GAMES)
def test_one_function_decides_each_declaration(game: str) -> None:
    kinds = Counter(kind for kind, _ in decisions_in(modules(game)))
    assert [kind.__name__ for kind, count in kinds.items() if count > 1] == []
    written = {value for module in modules(game) for value in vars(module).values() if is_concrete(value, game)}
    assert written - kinds.keys() == set()


def is_concrete(value: object, game: str) -> bool:
    """Tell whether this is a declaration of the game itself that can be written down."""
    if not (isinstance(value, type) and issubclass(value, Declaration) and not value.__subclasses__()):
        return False
    own = value.__module__.startswith(GAMES[game].rpartition(".")[0])
    return own and isinstance(value, type(msgspec.Struct)) and bool(value.__struct_config__.tag)


@pytest.mark.parametrize("game", GAMES)
def test_function_with_dice_has_them_as_third_argument(game: str) -> None:
    for decision in load_game(game).decisions.values():
        names = decision.function.__code__.co_varnames[: decision.function.__code__.co_argcount]
        assert names[1:] == (("state", "dice") if decision.throws else ("state",)), decision.function
