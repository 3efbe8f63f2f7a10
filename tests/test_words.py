"""Test names: one meaning per word, modules named by nouns, test names that can be read.

`ledger/README.md` is the glossary. The words here are those that once had several meanings.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulebooks.testing.game_files import syntax_nodes, syntax_tree

ROOT = Path(__file__).parent.parent
PACKAGES = ("ledger", "projections", "rulebooks", "cli")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
GAMES = {path.parent.name for path in (ROOT / "rulebooks").glob("*/rulebook.toml")}

# Past participles and metaphors that named several functions each; a function is a noun or a verb.
NO_FUNCTION_NAMES = """
    again asked began begun came chosen closed counted done ended felt found given going gone held judged lost
    lying made marked meant met moved named opened owed paid passed placed said settled shown spent spoken standing
    stood struck taken there thrown tied told took tried used waited waiting went whole words written
"""
# Words with another meaning elsewhere, and the word to use instead.
NO_VARIABLE_NAMES = {
    "sitting": "session",
    "tally": "projection",
    "standing": "state",
    "foresight": "result",
    "fate": "outcome",
    "ground": "builtin",
}
LONGEST_TEST_NAME = 60


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    for node in syntax_nodes(path):
        if isinstance(node, ast.FunctionDef):
            yield node


def variables(path: Path) -> set[str]:
    """Return every name that a file assigns or takes as a parameter."""
    nodes = syntax_nodes(path)
    assigned = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return assigned | {node.arg for node in nodes if isinstance(node, ast.arg)}


def test_no_module_is_named_by_a_participle() -> None:
    assert [relative(path) for path in MODULES if re.fullmatch(r"\w*ing", path.stem)] == []


@pytest.mark.slow
def test_functions_are_nouns_or_verbs() -> None:
    forbidden = NO_FUNCTION_NAMES.split()
    names = [f"{relative(path)}: {each.name}" for path in MODULES for each in functions(path)]
    assert [name for name in names if name.split()[-1].lstrip("_") in forbidden] == []


@pytest.mark.slow
def test_words_with_two_meanings_name_no_variable() -> None:
    names = {relative(path): sorted(variables(path) & NO_VARIABLE_NAMES.keys()) for path in MODULES}
    assert {path: words for path, words in names.items() if words} == {}


def owner(path: Path) -> str:
    """Return the game that a module belongs to, or nothing for what all games share."""
    parts = path.relative_to(ROOT).parts
    return parts[1] if parts[0] == "rulebooks" and parts[1] in GAMES else ""


def test_a_class_name_names_one_class() -> None:
    """In a game, its own classes and the shared ones; two games may use the same name."""
    classes: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for path in MODULES:
        for node in syntax_tree(path).body:
            if isinstance(node, ast.ClassDef):
                classes[owner(path)][node.name].append(relative(path))
    for game, names in classes.items():
        shared = classes[""] if game else {}
        doubles = {name: where + shared.get(name, []) for name, where in names.items()}
        assert {name: where for name, where in doubles.items() if len(where) > 1} == {}, game


@pytest.mark.slow
def test_docstrings_are_whole_sentences() -> None:
    """Not 'the highest; of equals the first', nor 'told' where a word says what is printed, listed or left out."""
    for path in MODULES:
        for node in syntax_nodes(path):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                found = re.search(r"; of\b|\S told\b", ast.get_docstring(node) or "")
                assert found is None, f"{relative(path)}: {getattr(node, 'name', 'module')}"


def test_test_names_are_short() -> None:
    defined = re.compile(r"^ *def (\w+)", re.MULTILINE)
    names = [f"{relative(path)}: {name}" for path in TESTS for name in defined.findall(path.read_text("utf-8"))]
    assert [name for name in names if len(name.split()[-1].removeprefix("test_")) > LONGEST_TEST_NAME] == []
