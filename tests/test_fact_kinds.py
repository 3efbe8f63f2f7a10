"""Every kind of fact is constructed by some rule, documented, and either folded or listed as unfolded."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from ledger.facts import KINDS, UNFOLDED, SessionClosed, WordsAdded
from ledger.records import Record
from projections.projection import FOLDS
from rulebooks.testing.game_files import syntax_nodes

ROOT = Path(__file__).parent.parent
FOLDED_BY_THE_LEDGER = {WordsAdded, SessionClosed}


def constructed_names() -> set[str]:
    """Return the names of all classes and functions that code below the command line calls."""
    paths = (path for package in ("ledger", "rulebooks") for path in (ROOT / package).rglob("*.py"))
    nodes = [node for path in paths for node in syntax_nodes(path)]
    called = [node.func for node in nodes if isinstance(node, ast.Call)]
    names = {each.id for each in called if isinstance(each, ast.Name)}
    return names | {each.attr for each in called if isinstance(each, ast.Attribute)}  # `facts.Amended(...)`


def test_kind_is_either_folded_or_unfolded() -> None:
    times = {kind: (kind in FOLDS or kind in FOLDED_BY_THE_LEDGER) + (kind in UNFOLDED) for kind in KINDS}
    assert [kind for kind in KINDS if times[kind] != 1] == []


@pytest.mark.slow
def test_every_kind_is_constructed_by_some_code() -> None:
    assert {kind.__name__ for kind in KINDS} - constructed_names() == set()


def test_readme_lists_every_kind_once_in_order() -> None:
    text = (ROOT / "ledger/facts/README.md").read_text("utf-8")
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    assert re.findall(r"`(\w+)`", "".join(rows)) == [kind.__name__ for kind in KINDS]


def test_readme_names_the_module_of_every_kind() -> None:
    text = (ROOT / "ledger/facts/README.md").read_text("utf-8")
    for family, rows in re.findall(r"\| \*\*(\w+)\*\* \| \|\n((?:\| `.*\n)+)", text):
        listed = re.findall(r"`(\w+)`", "".join(row.split("|")[1] for row in rows.splitlines()))
        assert listed == [kind.__name__ for kind in KINDS if kind.__module__ == f"ledger.facts.{family}"]


def test_annotations_are_no_strings_to_compile() -> None:
    """Else msgspec compiles each of them when the program starts."""
    for kind in [*KINDS, Record]:
        notes = vars(kind).get("__annotations__", {})
        assert not [name for name, note in notes.items() if isinstance(note, str)], kind
