"""A game that is tested: its book, and the sources of its package."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

from rulebooks import load_game


class GameFiles:
    """A game by its name, with its texts, its modules and the ids of its rules and gaps."""

    def __init__(self, name: str, gaps: int | None = None) -> None:
        """Load the game. `gaps`: how many gaps of the text are listed somewhere; else those that the book names."""
        self.game = load_game(name)
        self.texts = self.game.texts()
        self.prefix = self.texts.codes.removesuffix("-E-")
        self.module = sys.modules[type(self.game).__module__]
        self._gaps = gaps

    @property
    def package(self) -> str:
        """The name of the package of the game: its modules are below it."""
        return self.module.__name__.rpartition(".")[0]

    @property
    def folder(self) -> Path:
        """The folder of the package."""
        return Path(str(self.module.__file__)).parent

    def sources(self) -> list[Path]:
        """Return the files of the package with code, without its tests."""
        every = sorted(self.folder.rglob("*.py"))
        return [path for path in every if "tests" not in path.relative_to(self.folder).parts]

    def modules(self) -> list[ModuleType]:
        """Return every module of the game."""
        package = import_module(self.package)
        names = [module.name for module in walk_packages(package.__path__, f"{self.package}.")]
        return [import_module(name) for name in names if ".tests" not in name]

    def ids(self) -> set[str]:
        """Return the ids of all rules and gaps."""
        if self._gaps is not None:
            return self.texts.rules.keys() | {f"{self.prefix}-GAP-{number}" for number in range(1, self._gaps + 1)}
        gaps = {option.gap for option in self.texts.content.options}
        return self.texts.rules.keys() | gaps.union(*(rule.gap for rule in self.texts.content.rules))

    def ids_in(self, text: str) -> set[str]:
        """Return the ids of rules that a text names, and of gaps where it is known which there are."""
        no_gaps = "GAP-|" if self._gaps is None else ""
        return set(re.findall(rf"\b{self.prefix}-(?!{no_gaps}E-)[A-Z0-9]+-[0-9]+", text))

    def calls(self, function: str) -> Iterator[tuple[str, ast.Call]]:
        """Yield every call of a function or a method in the game's code, with the place of it."""
        for path in self.sources():
            for node in syntax_nodes(path):
                if isinstance(node, ast.Call) and called_name(node) == function:
                    yield f"{path.relative_to(self.folder)}:{node.lineno}", node


def called_name(call: ast.Call) -> str:
    """Return the name of what is called: that of a function, or that of a method; empty for anything else."""
    if isinstance(call.func, ast.Name):
        return call.func.id
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


@cache
def syntax_tree(path: Path) -> ast.Module:
    """Return the tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def syntax_nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return every node of a file, but for the contexts of names, of which there are as many as names."""
    nodes: list[ast.AST] = [syntax_tree(path)]
    for node in nodes:  # it grows
        for field in vars(node).values():
            if isinstance(field, list):
                nodes += [each for each in field if isinstance(each, ast.AST)]
            elif isinstance(field, ast.AST) and not isinstance(field, ast.expr_context):
                nodes.append(field)
    return tuple(nodes)
