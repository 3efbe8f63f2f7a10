"""Test the layout: imports point down without cycles, and no rule depends on a clock, chance or a file."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from rulebooks.testing.game_files import syntax_nodes, syntax_tree

ROOT = Path(__file__).parent.parent
PACKAGES = ("ledger", "projections", "rulebooks", "cli")
BELOW = {
    "ledger": set(),
    "projections": {"ledger"},
    "rulebooks": {"ledger", "projections"},
    "cli": {"ledger", "projections", "rulebooks"},
    "rulebooks/testing": {"ledger", "projections", "rulebooks", "cli"},  # it tests what a game says, too
}
LIBRARIES = {
    "ledger": {"msgspec", "sqlite_utils", "psycopg"},
    "projections": {"msgspec"},
    "rulebooks": {"msgspec"},
    "rulebooks/testing": {"msgspec", "pytest", "hypothesis"},
    "cli": {
        "msgspec",
        "click",
        "watchfiles",
        "jinja2",
        "prompt_toolkit",
        "wcwidth",
        "starlette",
        "uvicorn",
        "segno",
        "zstandard",
        "tomli_w",
        "distributed",
        "duckdb",
        "mcp",
        "pydantic",
    },
}
LEDGER_MODULES = {
    "projections": {"errors", "facts", "health", "names", "projection"},
    "rulebooks": {"declarations", "dice", "errors", "facts", "game", "names", "projection"},
}
CHANCE_AND_CLOCK = {"random", "time", "datetime", "os", "secrets", "socket", "subprocess", "locale", "uuid"}
FILES = {"pathlib", "os.path", "io", "tempfile", "shutil", "importlib.resources", "tomllib"}
READS_THE_BOOK = "rulebooks/common/texts.py"
MODULES = {str(path.relative_to(ROOT)): path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))}
KIT = "rulebooks/testing"
RULES = [
    module
    for module in MODULES
    if module.startswith(("projections/", "rulebooks/")) and not module.startswith(f"{KIT}/")
]


@cache
def imports(module: str) -> frozenset[str]:
    """Return every module that a file imports, also inside functions."""
    found: set[str] = set()
    for node in syntax_nodes(MODULES[module]):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import"
            found.add(node.module or "")
    return frozenset(found)


def package_of(module: str) -> str:
    """Return the package of a module; the kit with which games are tested stands on top of all."""
    return KIT if module.startswith(f"{KIT}/") else module.partition("/")[0]


def test_nothing_but_tests_imports_the_kit() -> None:
    for module in MODULES:
        uses = any(name.startswith("rulebooks.testing") for name in imports(module))
        assert package_of(module) == KIT or not uses, module


def test_imports_point_down_only() -> None:
    for module in MODULES:
        package = package_of(module)
        allowed = {package.partition("/")[0]} | BELOW[package] | LIBRARIES[package] | set(sys.stdlib_module_names)
        assert {name.partition(".")[0] for name in imports(module)} <= allowed, module


def dotted(module: str) -> str:
    return module.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def imported_modules(module: str, names: frozenset[str]) -> set[str]:
    """Return the modules of this project that a file imports, also inside functions."""
    found: set[str] = set()
    for node in syntax_nodes(MODULES[module]):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= ({f"{node.module}.{alias.name}" for alias in node.names} & names) or {node.module}
    return (found & names) - {dotted(module)}


def cycle_in(graph: Mapping[str, set[str]]) -> list[str]:
    """Return the modules of one import cycle, or nothing when there is none."""
    done: set[str] = set()

    def visit(module: str, path: list[str]) -> list[str]:
        if module in path:
            return path[path.index(module) :]
        if module not in done:
            for other in sorted(graph[module]):
                if cycle := visit(other, [*path, module]):
                    return cycle
            done.add(module)
        return []

    return next((cycle for module in sorted(graph) if (cycle := visit(module, []))), [])


def test_imports_form_no_cycle() -> None:
    names = frozenset(map(dotted, MODULES))
    assert cycle_in({dotted(module): imported_modules(module, names) for module in MODULES}) == []


def test_a_cycle_of_three_modules_is_found() -> None:
    assert cycle_in({"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set()}) == ["a", "b", "c"]


def test_rules_and_projections_do_not_import_the_store() -> None:
    for module in RULES:
        used = {name.split(".")[1] for name in imports(module) if name.startswith("ledger.")}
        assert used <= LEDGER_MODULES[package_of(module)], module


def test_rules_and_projections_use_no_clock_chance_or_files() -> None:
    for module in RULES:
        assert not imports(module) & CHANCE_AND_CLOCK, module
        assert module == READS_THE_BOOK or not imports(module) & FILES, module


def test_games_do_not_import_one_another() -> None:
    games = {path.parent.name for path in (ROOT / "rulebooks").glob("*/rulebook.toml")}
    for module in RULES:
        own = module.split("/")[1]
        used = {name.split(".")[1] for name in imports(module) if name.startswith("rulebooks.")}
        assert own not in games or used <= {own, "common"}, module
        assert own != "common" or not used & games, module


@cache
def game_names() -> list[str]:
    """Return the names of the games in every spelling that code would use."""
    names = []
    for book in sorted((ROOT / "rulebooks").glob("*/rulebook.toml")):
        content = tomllib.loads(book.read_text(encoding="utf-8"))
        names += [content["name"], content["title"], book.parent.name]
    return [name.casefold() for name in names]


@pytest.mark.slow
def test_only_rulebooks_name_a_game() -> None:
    for module in MODULES:
        if package_of(module) == "rulebooks":
            continue
        nodes = syntax_nodes(MODULES[module])
        documented = [node for node in nodes if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)]
        docstrings = {(ast.get_docstring(node, clean=False) or "").casefold() for node in documented}
        constants = [node.value for node in nodes if isinstance(node, ast.Constant)]
        strings = {value.casefold() for value in constants if isinstance(value, str)} - docstrings
        names = {node.id.casefold() for node in nodes if isinstance(node, ast.Name)}
        for game in game_names():
            assert not any(game in text for text in strings), module
            assert game.replace("-", "_") not in names, module


def test_every_module_has_a_docstring() -> None:
    assert [module for module in MODULES if not ast.get_docstring(syntax_tree(MODULES[module]))] == []


def test_top_level_has_only_the_given_names() -> None:
    given = {"pyproject.toml", "ledger", "projections", "rulebooks", "cli", "tests", "campaigns"}
    files = {"README.md", "LICENSE", "CHANGELOG.md"}
    built = {"build", "dist", "campaign_ledger.egg-info"}
    names = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert names - built <= given | files
    assert given | files <= names


MODULE_LINES_MOST = 400
FUNCTION_LINES_MOST = 40  # without its docstring
LONGER = {"cli/story/page.py:page_of_span"}


def function_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the lines of a function without its docstring."""
    first = function.body[0]
    documented = ast.get_docstring(function) is not None
    docstring = (first.end_lineno or 0) - first.lineno + 1 if documented else 0
    return (function.end_lineno or 0) - function.lineno + 1 - docstring


def test_modules_and_functions_are_short() -> None:
    longer = set[str]()
    for module, path in MODULES.items():
        if len(path.read_text(encoding="utf-8").splitlines()) > MODULE_LINES_MOST:
            longer.add(module)
        functions = (node for node in syntax_nodes(path) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
        longer |= {f"{module}:{each.name}" for each in functions if function_lines(each) > FUNCTION_LINES_MOST}
    assert longer <= LONGER


CALLED_BY_LIBRARIES = {
    "format_commands",
    "shell_complete",
    "get_completions",
    "emit",
    "redirect_request",
    "handle_starttag",
    "handle_endtag",
    "handle_data",
    "send_400_response",
    "pytest_runtest_logreport",
    "pytest_collectreport",
}
FOR_BOTS = {"Client"}  # of the table server
CALLED_BY_NAME = re.compile(r"__\w+__")
WORD = re.compile(r"\w+")


def used_names(path: Path) -> Iterator[str]:
    """Yield the names that a file loads, asks an object for, or has as a text, as `getattr` and click take them."""
    for node in syntax_nodes(path):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@pytest.mark.slow
def test_every_function_is_used_by_the_product() -> None:
    used = {name for path in MODULES.values() for name in used_names(path)} | CALLED_BY_LIBRARIES | FOR_BOTS
    tests = [path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py")]
    tested = {word for text in tests if "rulebooks.testing" in text for word in WORD.findall(text)}  # with the kit
    unused = [
        f"{module}:{node.name}"
        for module, path in MODULES.items()
        for node in syntax_nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not (
            node.name in (used | tested if package_of(module) == KIT else used)
            or node.decorator_list
            or CALLED_BY_NAME.fullmatch(node.name)
        )
    ]
    assert unused == []
