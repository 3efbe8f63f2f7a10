"""Test which folders of the cli may import which: the table in cli/README.md."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sources import syntax_nodes

CLI = Path(__file__).parents[2] / "cli"
BASE = {"context", "errors", "options", "output"}
ALLOWED = {
    "start": {"main", "line", "context", "errors", "program"},
    "main": {"context", "errors", "options", "output", "program"},
    "program": {"errors"},
    "line": {"main", "context", "errors", "output", "notation", "play", "render", "commands"},
    "errors": set(),
    "output": {"errors"},
    "context": {"errors", "output"},
    "options": {"context"},
    "pager": {"output"},
    "processes": {"context"},
    "progress": set(),
    "completion": {"context", "options", "queries"},
    "edit_options": {"completion", "queries"},
    "notation": {"errors", "output"},
    "phrases": {"errors", "output"},
    "queries": {*BASE, "notation", "phrases"},
    "play": {*BASE, "notation", "queries"},
    "render": {*BASE, "notation", "phrases", "queries", "play"},
    "pages": {*BASE, "queries", "render"},
    "shell": {*BASE, "notation", "queries", "play", "render"},
    "web": BASE,
    "commands": {
        *BASE,
        "line",
        "completion",
        "edit_options",
        "notation",
        "pager",
        "processes",
        "progress",
        "queries",
        "play",
        "render",
        "pages",
        "shell",
        "web",
    },
}


def part_of(path: Path) -> str:
    """Return the folder or the module of the cli that a file belongs to."""
    return path.relative_to(CLI).parts[0].removesuffix(".py")


def imported_parts(path: Path) -> Iterator[str]:
    """Yield the parts of the cli that a module imports, also inside functions."""
    for node in syntax_nodes(path):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("cli."):
            yield node.module.split(".")[1]


@pytest.mark.parametrize("part", ALLOWED)
def test_parts_import_only_what_is_below(part: str) -> None:
    for path in CLI.rglob("*.py"):
        if part_of(path) == part:
            assert set(imported_parts(path)) <= {part, *ALLOWED[part]}, path


def test_every_part_is_listed() -> None:
    assert {part_of(path) for path in CLI.rglob("*.py")} - {"__init__", "_samples"} == set(ALLOWED)
