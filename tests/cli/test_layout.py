"""Test which folders of the cli may import which: the table in cli/README.md."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from rulebooks.testing.game_files import syntax_nodes

CLI = Path(__file__).parents[2] / "cli"
PRINTING = {"errors", "output"}
BASE = {"context", "options", *PRINTING}
LIBRARIES = ("notation", "questions", "speech", "phrases", "story")  # floors: each may import those before it
ALLOWED = {
    "notation": set[str](),
    "questions": {"notation"},
    "speech": {"notation", "questions"},
    "phrases": {"notation", "questions", "output"},
    "story": {"notation", "questions", "phrases", "output"},
    "forecast": {"notation", "questions"},
    "web": {*LIBRARIES, *PRINTING},
    "render": {*LIBRARIES, *BASE, "forecast", "play"},
    "play": {"notation", "questions", "speech", "club", "context", "errors"},
    "shelf": {*LIBRARIES, *PRINTING, "forecast", "play", "render"},
    "shell": {*LIBRARIES, *BASE, "play", "render"},
    "table": {*LIBRARIES, *BASE, "forecast", "play", "render", "shell", "web"},
    "errors": set[str](),
    "output": {"errors"},
    "club": set[str](),
    "place": {"errors"},
    "context": {*PRINTING, "club", "questions"},
    "options": {"context", "questions"},
    "program": {"errors"},
    "pager": {"output"},
    "processes": {"context", "questions"},
    "progress": set[str](),
    "verifier": set[str](),
    "completion": {"context", "options", "questions"},
    "edit_options": {"completion", "questions"},
    "start": {"main", "do_line", "context", "errors", "program"},
    "main": {*BASE, "place", "program", "questions"},
    "do_line": {*LIBRARIES, *PRINTING, "main", "context", "play", "render", "commands"},
    "commands": {
        *LIBRARIES,
        *BASE,
        "do_line",
        "completion",
        "edit_options",
        "forecast",
        "main",
        "pager",
        "place",
        "processes",
        "progress",
        "play",
        "render",
        "shelf",
        "shell",
        "table",
        "web",
    },
}


def part_of(path: Path) -> str:
    """Return the folder or the module of the cli that a file belongs to."""
    return path.relative_to(CLI).parts[0].removesuffix(".py")


def imported_parts(path: Path) -> Iterator[str]:
    """Yield the parts of the cli that a module imports, also inside functions."""
    for node in syntax_nodes(path):
        if isinstance(node, ast.ImportFrom) and node.module == "cli":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("cli."):
            yield node.module.split(".")[1]


def test_parts_import_only_what_is_below() -> None:
    for path in CLI.rglob("*.py"):
        part = part_of(path)
        assert set(imported_parts(path)) <= {part, *ALLOWED.get(part, ())}, path


def test_every_part_is_listed() -> None:
    assert {part_of(path) for path in CLI.rglob("*.py")} - {"__init__", "_samples"} == set(ALLOWED)


@pytest.mark.slow
def test_libraries_load_no_command_line() -> None:
    """Each floor is imported after those before it, so that one process shows what it adds."""
    script = ["import sys"]
    for library in LIBRARIES:
        modules = [f"cli.{library}.{path.stem}" for path in (CLI / library).glob("*.py") if path.stem != "__init__"]
        script += [f"import {', '.join(modules)}", "print(*sys.modules)"]
    done = subprocess.run([sys.executable, "-c", "\n".join(script)], capture_output=True, text=True, check=True)
    allowed = set[str]()
    for library, loaded in zip(LIBRARIES, done.stdout.splitlines(), strict=True):
        allowed |= {library, *ALLOWED[library], *(PRINTING if "output" in ALLOWED[library] else ())}
        names = loaded.split()
        assert {name.split(".")[1] for name in names if name.startswith("cli.")} <= allowed
        assert "click" not in names


def test_example_of_the_libraries_runs(played_samples: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """The ten lines of cli/README.md, in a sample."""
    (code,) = re.findall(r"```python\n(.*?)```", (CLI / "README.md").read_text(), re.DOTALL)
    assert len(code.strip().splitlines()) <= 12
    monkeypatch.chdir(played_samples["gutter-saints"])
    with redirect_stdout(StringIO()) as output:
        exec(code, {})
    assert "('task', 'success')" in output.getvalue()
    assert "DB-DIFF-2 Determining Task Difficulty" in output.getvalue()
