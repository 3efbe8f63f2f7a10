"""rulebook.toml of Monolith, held against itself, the shape of the catalogue, and the code beside it."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from cli.notation.schema import EXAMPLE
from rulebooks.common.texts import Option
from rulebooks.monolith.declarations import DECLARATIONS
from rulebooks.monolith.texts import TEXTS
from tests.rulebooks.monolith.seat import cases

CONTENT = TEXTS.content
CODE = {path.name: path for path in Path(str(files("rulebooks.monolith"))).glob("*.py")}
RULE = re.compile(r"ML-[A-Z]+-[0-9]+")
GAPS = {f"ML-GAP-{number}" for number in range(1, 33)}

# The catalogue's chapters in its order, and how many rules each has: 34 in all.
CHAPTERS = {
    **{"ROUND": 1, "ACT": 5, "TURN": 2, "SAVE": 2, "ATK": 3, "MOD": 2, "DUAL": 1, "GANG": 3, "DIR": 2, "CRIT": 4},
    **{"BODY": 1, "MOR": 5, "TAG": 3},
}
OPTIONS = {
    "save_auto": ("on", "off"),
    "body_save_score": ("reduced", "before"),
    "unarmed_enhanced": ("d12", "d4"),
    "both_modifiers": ("cancel", "impaired", "enhanced"),
    "modifier_dual": ("one_die", "each_die"),
    "gang_scope": ("round", "phase"),
    "blast_dice": ("per_target", "shared"),
    "morale_both": ("one", "two"),
    "morale_roll": ("group", "each"),
    "lone_last": ("no", "yes"),
    "half_counts_fled": ("no", "yes"),
}
# "When several apply: declared intents, target, able, order, action, weapon, area, dice; then Saves"; length of a move
# stands between order and action.
ORDER = "DECL TARGET OUT ORDER MOVE ACTION WEAPON AREA SCORE PC RULING DICE"


def test_every_rule_of_the_catalogue_is_there_in_order() -> None:
    every = [f"ML-{chapter}-{number}" for chapter, most in CHAPTERS.items() for number in range(1, most + 1)]
    assert [rule.id for rule in CONTENT.rules] == every
    assert len(every) == 34


def test_ids_named_in_texts_exist() -> None:
    rules, codes = TEXTS.rules.keys(), {error.code for error in CONTENT.errors}
    for rule in CONTENT.rules:
        assert rule.kind in ("computed", "recorded", "ruling")
        assert set(rule.gap) <= GAPS, rule.id
        assert set(rule.codes) <= codes, rule.id
        assert rule.heading, rule.id
        assert rule.cite, rule.id
        assert re.fullmatch(r"\S.*\.", rule.text), rule.id
    for option in CONTENT.options:
        assert option.gap in GAPS
        assert set(option.rules) <= rules
    for error in CONTENT.errors:
        assert error.rules, error.code
        assert set(error.rules) <= rules
        assert not error.text.endswith("."), error.code  # the ground ends the sentence
        assert error.hint, error.code


def test_options_are_those_of_the_catalogue() -> None:
    assert {option.name: option.values for option in CONTENT.options} == OPTIONS


@pytest.mark.parametrize("option", CONTENT.options, ids=lambda option: option.name)
def test_every_reading_of_an_option_has_a_case(option: Option) -> None:
    chosen = {(name, value) for case in cases()["cases"] for name, value in case["given"].get("options", {}).items()}
    for case in cases()["cases"]:
        chosen |= {(step["name"], step["value"]) for step in case["steps"] if step["say"] == "set-option"}
    assert option.default == OPTIONS[option.name][0]
    for value in option.values[1:]:
        assert (option.name, value) in chosen
    assert not option.takes("any")


def test_errors_are_in_the_catalogues_order() -> None:
    assert [error.code.removeprefix("ML-E-") for error in CONTENT.errors] == ORDER.split()


def calls(name: str) -> Iterator[tuple[str, ast.Call]]:
    """Every call of a function of this name in the book's code, and the module it stands in."""
    for module, path in CODE.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                yield module, node


def test_every_code_is_raised_with_its_sentence_filled() -> None:
    sentences = {error.code.removeprefix("ML-E-"): error for error in CONTENT.errors}
    raised = set()
    for module, call in calls("refusal"):
        code = call.args[0]
        assert isinstance(code, ast.Constant), f"{module}:{call.lineno}: a code that is not written out"
        error = sentences[str(code.value)]
        wanted = {field for _, field, _, _ in string.Formatter().parse(error.text + error.hint) if field is not None}
        assert wanted <= {str(keyword.arg) for keyword in call.keywords}, f"{module}: {code.value}"
        raised.add(str(code.value))
    assert raised == sentences.keys()


def test_rules_named_in_the_code_exist() -> None:
    for module, path in CODE.items():
        assert set(RULE.findall(path.read_text(encoding="utf-8"))) <= TEXTS.rules.keys() | GAPS, module


def test_every_option_is_read_by_the_code() -> None:
    names = {call.args[1].value for _, call in calls("option") if isinstance(call.args[1], ast.Constant)}
    assert names == TEXTS.options.keys()


@pytest.mark.parametrize("kind", [kind for kind in DECLARATIONS if kind.verbs], ids=lambda kind: kind.__name__)
def test_declaration_shows_an_example_line(kind: type) -> None:
    assert EXAMPLE.search(kind.__doc__ or "")
