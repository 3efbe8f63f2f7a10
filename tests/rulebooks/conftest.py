"""The line at the end of a run: how many worked cases are played, and which wait."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulebooks.testing.cases import load_cases
from tests.packages import forget_games
from tests.rulebooks import CASES

SLOW_OF_SUITE = {
    "test_every_code_is_raised_with_its_sentence_filled",
    "test_every_option_is_read_by_the_code",
    "test_odds_are_those_of_every_throw",
}


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for file in sorted(CASES.glob("*.toml")):
        content = load_cases(file)
        played, waiting = {case["id"] for case in content["cases"]}, list(content.get("waiting", ()))
        game = file.stem.replace("_", " ").title()
        line = f"{game}: {len(played)} of {len(played) + len(waiting)} worked cases in, {len(waiting)} wait"
        terminalreporter.write_line(f"{line}: {ranges(waiting)}" if waiting else line)


def ranges(ids: list[str]) -> str:
    """Return the numbers of ids like `DB-C-006`, those in a row as `059-099`."""
    rows: list[list[str]] = []
    for number in (id_.rpartition("-")[2] for id_ in ids):
        if rows and int(rows[-1][-1]) + 1 == int(number):
            rows[-1].append(number)
        else:
            rows.append([number])
    return ", ".join(row[0] if len(row) == 1 else f"{row[0]}-{row[-1]}" for row in rows)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the kit that parse all code of a game, or play long: others mark theirs as they like."""
    for item in items:
        if item.name.partition("[")[0] in SLOW_OF_SUITE and item.path.name == "test_suite.py":
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder on the path in which packages are installed."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    forget_games()
    yield folder
    forget_games(*(name for name, module in [*sys.modules.items()] if str(folder) in place_of(module)))


def place_of(module: object) -> str:
    """Return where the code of a module, or those of a package without code, was found."""
    spec = getattr(module, "__spec__", None)
    return f"{spec.origin} {spec.submodule_search_locations}" if spec else ""
