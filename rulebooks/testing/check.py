"""Run the suite of one game without a test of its own: `python -m rulebooks.testing.check RESULTS GAME [CASES]`.

`campaign game check` starts it as a process of its own, so that the code of others prints and ends in there. What
came of each test is written into the file RESULTS, as JSON.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from typing import Final

import msgspec
import pytest
from hypothesis import Phase, settings

from rulebooks import load_game

CASES: Final = "cases.toml"  # beside rulebook.toml, as is
KEPT: Final = "kept"  # the folder of ledgers of earlier versions
STEP: Final = re.compile(r"^E +(state\.(?!older_records|teardown).*)$", re.MULTILINE)  # of an evening at random
BARE: Final = re.compile(r"AssertionError(?:\(\))?(?: \[.*\])?$")
ASSERTED: Final = re.compile(r"^> +(assert .*)$", re.MULTILINE)
QUIET: Final = ("-p", "no:terminal", "-p", "no:cacheprovider", "--import-mode=importlib", "-c", "/dev/null")


class AskedCheck(msgspec.Struct):
    """The game that is checked, with its cases and the ledgers that are kept of it."""

    game: str = ""
    cases: Path | None = None
    kept: Path | None = None


class CheckResult(msgspec.Struct):
    """What came of one test: its name, and what is wrong; empty where nothing is."""

    name: str
    wrong: str = ""


ASKED: Final = AskedCheck()


class Recorder:
    """The plugin that keeps what came of each test."""

    def __init__(self) -> None:
        self.results: list[CheckResult] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the result of a test."""
        if report.when == "call" or report.failed:
            self.results.append(CheckResult(name=report.location[2], wrong=wrong_in(report) if report.failed else ""))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep an error because of which there are no tests."""
        if report.failed:
            self.results.append(CheckResult(name="the tests", wrong=wrong_in(report)))


def wrong_in(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Return what a report says is wrong: the error, and the steps of an evening at random that leads to it."""
    crash = getattr(report.longrepr, "reprcrash", None)
    error = crash.message if crash else report.longreprtext
    if BARE.match(error) and (failed := ASSERTED.findall(report.longreprtext)):
        error = failed[-1]  # what it says itself is nothing
    _, _, way = report.longreprtext.partition("Failing test case")
    steps = STEP.findall(way.partition("Failing test case")[0])
    return "\n".join([re.sub(r"^(AssertionError|ledger\.errors\.\w+): ", "", error), *steps])


def ask(game: str, cases: Path | None) -> None:
    """Set what is checked: the files beside the book are found where they are."""
    folder = load_game(game).texts().folder
    beside, kept = folder / CASES, folder / KEPT
    ASKED.game, ASKED.cases = game, cases or (beside if beside.exists() else None)
    ASKED.kept = kept if kept.is_dir() else None


def main() -> None:
    """Check the game of the arguments, and write what came of it."""
    results, game, *cases = sys.argv[1:]
    settings.register_profile(
        "check", database=None, report_multiple_bugs=False, phases=[Phase.explicit, Phase.generate]
    )
    settings.load_profile("check")
    ask(game, Path(cases[0]) if cases else None)
    recorder = Recorder()
    tests = Path(__file__).with_name("checked_game.py")
    with tempfile.TemporaryDirectory() as root:
        pytest.main([*QUIET, "--rootdir", root, str(tests)], plugins=[recorder])
    Path(results).write_bytes(msgspec.json.encode(recorder.results))


if __name__ == "__main__":
    from rulebooks.testing import check  # the module of which checked_game.py reads what is asked

    check.main()
