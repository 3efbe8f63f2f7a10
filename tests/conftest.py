"""Two budgets: a small one for every run, a large one behind `--long`.

Random tests draw new examples each time, also in CI: a failure is a bug, to be fixed and pinned with `@example`.
Tests marked `slow` (they install the project, kill processes, wait) run only with `--long`.
"""

from __future__ import annotations

import gc
import os
import tempfile
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from tests.budget import BUDGET, spread
from tests.postgres import Server, missing_postgres, running_server
from tests.seals import fix_salts

collect_ignore = ["example_game"]  # a package of its own, with its own tests: test_example_game.py installs it
SLOW = (HealthCheck.too_slow, HealthCheck.function_scoped_fixture)
EXAMPLES = (2, 75)  # of a random test, in the quick and in the long run
STEPS = (12, 40)  # of a state machine
CASES = "tests/rulebooks/"  # the worked cases of the books are tried whole
ROWS = 8  # of a test that does not say how many of its rows are quick


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for long random runs."""
    parser.addoption("--long", action="store_true", help="run slow tests, and random tests with many examples")
    parser.addoption("--rows", type=float, default=1.0, help="the share of the slow rows of long tables with --long")
    parser.addoption("--scale", type=float, default=1.0, help="times as many examples, seeds and faults with --long")


def pytest_configure(config: pytest.Config) -> None:
    """Load the profile before any test module is imported, and make every warning an error.

    pytest's own plugin sets the filters anew three times for each test: four seconds of the quick run.
    """
    warnings.simplefilter("error")
    gc.set_threshold(100_000, 20, 20)  # syntax trees and the like live long: to look through them again takes seconds
    fix_salts()
    os.environ["CAMPAIGN_HEADS"] = str(Path(tempfile.gettempdir()) / "no-heads-are-kept-by-tests")
    BUDGET.long, BUDGET.scale = config.getoption("--long"), config.getoption("--scale")
    settings.register_profile(
        "run",
        max_examples=BUDGET.examples(*EXAMPLES),
        stateful_step_count=STEPS[BUDGET.long],
        deadline=None,
        suppress_health_check=SLOW,
    )
    settings.load_profile("run")
    if not BUDGET.long:  # two examples seldom meet the constants of our sources, and to find them takes five seconds
        providers.is_local_module_file = lambda path: False


@pytest.hookimpl(trylast=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Mark the slow rows, and make no tests of them in the quick run: to leave out thousands takes five seconds."""
    rows = metafunc._calls
    mark_rows(metafunc.definition, rows)
    if not metafunc.config.getoption("--long"):
        slow = metafunc.definition.get_closest_marker("slow")
        rows[:] = [row for row in rows if not slow and not is_slow(row)] or rows[:1]  # without any it would be no test
    elif not metafunc.definition.nodeid.startswith(CASES):
        rows[:] = drawn_rows(rows, metafunc.config.getoption("--rows"))


def is_slow(row: Any) -> bool:
    """Return whether a row of a test is for the long run."""
    return any(mark.name == "slow" for mark in row.marks)


def drawn_rows(rows: list[Any], share: float) -> list[Any]:
    """Return rows with this share of the slow ones, ROWS at least."""
    kept = {*BUDGET.drawn([place for place, row in enumerate(rows) if is_slow(row)], share, ROWS)}
    return [row for place, row in enumerate(rows) if place in kept or not is_slow(row)]


def mark_rows(test: pytest.Item, rows: list[Any]) -> None:
    """Mark as slow the rows of a test that are not among the quick ones, which are spread over all of them."""
    mark = test.get_closest_marker("quick_rows")
    rows, most = [row for row in rows if not is_slow(row)], mark.args[0] if mark else ROWS
    if len(rows) > most:
        quick = set(spread(len(rows), most, test.nodeid))
        for place, row in enumerate(rows):
            if place not in quick:
                row.marks.append(pytest.mark.slow.mark)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave slow tests out of the quick run: to skip each of them takes longer than many a test."""
    if not config.getoption("--long"):
        slow = [item for item in items if item.get_closest_marker("slow")]
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Spare the garbage collector the collected tests, which live until the end, and find the hooks of a file once."""
    gc.collect()
    gc.freeze()
    session.gethookproxy = cache(session.gethookproxy)  # type: ignore[method-assign]


@pytest.fixture(scope="session")
def played_samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the folder of every sample campaign, played once. Copy it; do not write to it."""
    from tests.golden import played, samples

    folder = tmp_path_factory.mktemp("samples")
    for sample in samples():
        played(sample, folder / sample)
    return {sample: folder / sample for sample in samples()}


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """Return a PostgreSQL server that runs as long as the tests; without one the tests of it are skipped."""
    if missing_postgres():
        pytest.skip(missing_postgres())
    with running_server() as server:
        yield server
