"""Test that no string outside the rulebooks is a word of one game: such words are data of its book (words.toml)."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulebooks.testing.game_files import syntax_nodes, syntax_tree

ROOT = Path(__file__).parent.parent
PACKAGES = ("ledger", "projections", "cli")
ENGLISH = ROOT / "cli/phrases/verbs.py"  # a table of English verbs, many of which are words of some game
MODULES = sorted({path for package in PACKAGES for path in (ROOT / package).rglob("*.py")} - {ENGLISH})
BOOKS = sorted(path.parent for path in (ROOT / "rulebooks").glob("*/rulebook.toml"))
# Fields of facts and of dice that hold a name given by the book.
NAMING = {"action", "key", "kind", "phase", "pool", "result", "scale", "tie", "token", "what", "why"}
# Ordinary English and words that every game has: a fact, a field, a command or a value of an option may be named so.
ORDINARY = """
    all always any balance bash before body both carried change check day degree delayed down encounter fall fate
    fight foes held help hurt item kept no none nothing object off once one order others part passed pc phase place
    pool pull reached read rested roll rolled round run search seconds seen short source start state throw turn two
    use won wound wounded wounds yes
"""
# Names of values and results that are ordinary words inside a message.
ORDINARY_IN_MESSAGES = {"failed", "failure", "hit", "resolve", "success"}
WORD = re.compile(r"[a-z][a-z-]+")


def strings(value: Any) -> Iterator[str]:
    """Yield every string of a TOML value, also the keys of tables."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        yield from strings(list(value.values()))
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def constants(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def words_in_code(book: Path) -> Iterator[str]:
    """Yield the constants of a book's modules, and the names that its code gives to facts and dice."""
    for path in book.rglob("*.py"):
        assigned = [node.value for node in syntax_tree(path).body if isinstance(node, ast.Assign | ast.AnnAssign)]
        yield from constants(value for value in assigned if value is not None)
        for node in syntax_nodes(path):
            if isinstance(node, ast.keyword) and node.arg in NAMING:
                values = [node.value.body, node.value.orelse] if isinstance(node.value, ast.IfExp) else [node.value]
                yield from constants(values)


@cache
def words_of(book: Path) -> frozenset[str]:
    """Return the words that belong to one game."""
    content = tomllib.loads((book / "rulebook.toml").read_text(encoding="utf-8"))
    words = tomllib.loads((book / "words.toml").read_text(encoding="utf-8"))
    words["wording"]["colours"] = list(words["wording"]["colours"])  # not the colours themselves
    words["wording"]["named"] = list(words["wording"].get("named", {}))  # nor the fields of declarations
    words["wording"].pop("anchors", None)  # nor the kinds of ends, which all games share
    words["wording"].pop("influences", None)  # nor what they change: rolls, as any game has them
    words["wording"].pop("lines", None)  # nor kinds of lines, as any game has them
    words["wording"] = list(words["wording"].values())  # nor the names of the settings
    options = [[option["name"], option.get("values", [])] for option in content["options"]]
    situations = [[each["name"], each["words"]] for each in content.get("situations", [])]
    own = [*strings([options, situations, words["words"], *words["short"].values(), words["wording"]])]
    spellings = {word.strip().casefold() for word in (*own, *words_in_code(book))}
    return frozenset(word for word in spellings if len(word) > 2) - set(ORDINARY.split())


@cache
def names_of(book: Path) -> frozenset[str]:
    """Return the names of values, dice and results of one game that no message may mention, not even as an example."""
    words = tomllib.loads((book / "words.toml").read_text(encoding="utf-8"))
    names = strings([*words["short"].values(), *words["wording"].get("dice", []), *words["wording"]["colours"]])
    return (frozenset(name.casefold() for name in names) & words_of(book)) - ORDINARY_IN_MESSAGES


@cache
def code_strings(path: Path) -> tuple[str, ...]:
    """Return the string constants of a module without its docstrings."""
    documented = ast.Module | ast.ClassDef | ast.FunctionDef
    first = [node.body[0] for node in syntax_nodes(path) if isinstance(node, documented) and node.body]
    docstrings = {id(statement.value) for statement in first if isinstance(statement, ast.Expr)}
    return tuple(constants(node for node in syntax_nodes(path) if id(node) not in docstrings))


@pytest.mark.slow
def test_no_string_is_a_word_of_one_game() -> None:
    for path in MODULES:
        used = {text.strip().casefold() for text in code_strings(path)}
        for book in BOOKS:
            assert sorted(used & words_of(book)) == [], f"{path.relative_to(ROOT)}: {book.name}"


def test_no_message_mentions_a_value_of_one_game() -> None:
    for path in MODULES:
        used = {word for text in code_strings(path) for word in WORD.findall(text.casefold())}
        for book in BOOKS:
            assert sorted(used & names_of(book)) == [], f"{path.relative_to(ROOT)}: {book.name}"


def test_books_declare_words_of_their_own() -> None:
    everything = frozenset[str]().union(*map(words_of, BOOKS))
    assert {"dawn", "destined effect", "dawn die", "sneak", "light_wound_cost", "check_adv"} <= everything
