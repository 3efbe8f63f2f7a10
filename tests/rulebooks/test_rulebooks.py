"""Each rulebook.toml against itself and against the code of its game: ids, options, codes, example lines."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

from cli.notation.schema import EXAMPLE
from rulebooks import load_game
from rulebooks.common.texts import RefusalText, Texts
from tests.sources import syntax_nodes


class Rulebook(msgspec.Struct, frozen=True, kw_only=True):
    """A game with the prefix of its ids and the number of gaps that its catalogue lists."""

    name: str
    prefix: str
    gaps: int

    @property
    def texts(self) -> Texts:
        return load_game(self.name).texts()

    def ids(self) -> set[str]:
        """Return the ids of all rules and gaps."""
        return self.texts.rules.keys() | {f"{self.prefix}-GAP-{number}" for number in range(1, self.gaps + 1)}

    def ids_in(self, text: str) -> set[str]:
        """Return the ids of rules and gaps that a text names."""
        return set(re.findall(rf"{self.prefix}-(?!E-)[A-Z0-9]+-[0-9]+", text))

    @property
    def folder(self) -> Path:
        return Path(str(import_module(f"rulebooks.{self.name.replace('-', '_')}").__file__)).parent

    def code(self) -> dict[str, str]:
        """Return the source of each module of the game."""
        return {str(path.relative_to(self.folder)): path.read_text("utf-8") for path in self.folder.rglob("*.py")}

    def calls(self, function: str) -> Iterator[tuple[str, ast.Call]]:
        """Yield every call of a function in the game's code, with its module."""
        for path in self.folder.rglob("*.py"):
            for node in syntax_nodes(path):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function:
                    yield str(path.relative_to(self.folder)), node


RULEBOOKS = (
    Rulebook(name="dusk-bastards", prefix="DB", gaps=80),
    Rulebook(name="momentum", prefix="MO", gaps=37),
    Rulebook(name="monolith", prefix="ML", gaps=32),
    Rulebook(name="semiautomagic", prefix="TT", gaps=44),
    Rulebook(name="mars", prefix="GR", gaps=67),
    Rulebook(name="open-game", prefix="OG", gaps=0),
)
EACH = pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.name)
LINES = [kind for rulebook in RULEBOOKS for kind in load_game(rulebook.name).declarations if kind.verbs]


@EACH
def test_ids_named_in_rules_exist(rulebook: Rulebook) -> None:
    codes = {error.code for error in rulebook.texts.content.errors}
    for rule in rulebook.texts.content.rules:
        assert rule.kind in ("computed", "recorded", "ruling")
        assert rulebook.ids_in(rule.text) | set(rule.gap) <= rulebook.ids(), rule.id
        assert set(rule.codes) <= codes, rule.id
        assert rule.heading, rule.id
        assert rule.cite, rule.id
        assert re.fullmatch(r"\S.*[.)]", rule.text, re.DOTALL), rule.id


@EACH
def test_ids_named_in_options_with_errors_exist(rulebook: Rulebook) -> None:
    for option in rulebook.texts.content.options:
        assert {option.gap, *option.rules} <= rulebook.ids()
    for error in rulebook.texts.content.errors:
        assert error.rules, error.code
        assert set(error.rules) <= rulebook.texts.rules.keys(), error.code
        assert error.hint, error.code
        assert not any(text.endswith(".") for text in (error.text, *error.cases.values())), error.code  # it is added
        assert error.hints.keys() <= error.cases.keys(), error.code


def sentences(error: RefusalText, case: ast.expr | None) -> str:
    """Return the texts that a call may fill in: those of its case, or of all where the case is computed."""
    if case is None:
        return error.text + error.hint
    if isinstance(case, ast.Constant) and case.value:
        name = str(case.value)
        return error.cases[name] + error.hints.get(name, error.hint)
    return "".join((error.text, error.hint, *error.cases.values(), *error.hints.values()))


@pytest.mark.slow
@EACH
def test_every_code_is_raised_with_its_sentence_filled(rulebook: Rulebook) -> None:
    errors = {error.code.removeprefix(f"{rulebook.prefix}-E-"): error for error in rulebook.texts.content.errors}
    raised = set()
    for module, call in rulebook.calls("refusal"):
        code = call.args[0]
        assert isinstance(code, ast.Constant), f"{module}:{call.lineno}: a code that is not written out"
        error = errors[str(code.value)]
        given = {str(keyword.arg) for keyword in call.keywords}
        case = next((keyword.value for keyword in call.keywords if keyword.arg == "case"), None)
        parts = string.Formatter().parse(sentences(error, case))
        assert given >= {field for _, field, _, _ in parts if field is not None}, f"{module}:{call.lineno}"
        raised.add(str(code.value))
    assert raised == errors.keys()


@EACH
def test_revision_is_that_of_the_last_mend(rulebook: Rulebook) -> None:
    mends = rulebook.texts.mends
    assert max((mend.since for mend in mends), default=1) == load_game(rulebook.name).revision
    assert {rule for mend in mends for rule in mend.rules} <= rulebook.texts.rules.keys()


@EACH
def test_rules_named_in_code_exist(rulebook: Rulebook) -> None:
    for module, source in rulebook.code().items():
        assert rulebook.ids_in(source) <= rulebook.ids(), module


@EACH
def test_every_option_is_read_by_the_code(rulebook: Rulebook) -> None:
    calls = [call for reads in ("option", "is_on", "whole_option") for _, call in rulebook.calls(reads)]
    names = {call.args[1].value for call in calls if isinstance(call.args[1], ast.Constant)}
    assert names == {option.name for option in rulebook.texts.content.options}


@pytest.mark.parametrize("kind", LINES, ids=lambda kind: f"{kind.__module__.split('.')[1]}-{kind.__name__}")
def test_declaration_shows_an_example_line(kind: type) -> None:
    assert EXAMPLE.search(kind.__doc__ or "")


@pytest.mark.parametrize("book", RULEBOOKS, ids=lambda book: book.name)
def test_options_read_alone_are_those_of_the_book(book: Rulebook) -> None:
    texts = load_game(book.name).texts()
    assert list(texts.options.values())[: len(texts.content.options)] == list(texts.content.options)
