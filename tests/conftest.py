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
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.budget import BUDGET, spread
from tests.postgres import Server, missing_postgres, running_server
from tests.seals import fix_salts

collect_ignore = ["example_game"]  # a package of its own, with its own tests: test_example_game.py installs it
SLOW = (HealthCheck.too_slow, HealthCheck.function_scoped_fixture)
EXAMPLES = (3, 75)  # of a random test, in the quick and in the long run
STEPS = (15, 40)  # of a state machine


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for long random runs."""
    parser.addoption("--long", action="store_true", help="run slow tests, and random tests with many examples")
    parser.addoption("--scale", type=float, default=1.0, help="times as many examples, seeds and faults with --long")


def pytest_configure(config: pytest.Config) -> None:
    """Load the profile before any test module is imported, and make every warning an error.

    pytest's own plugin sets the filters anew three times for each test: four seconds of the quick run.
    """
    warnings.simplefilter("error")
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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave slow tests out of the quick run: to skip each of them takes longer than many a test."""
    mark_rows(items)
    if not config.getoption("--long"):
        slow = [item for item in items if item.get_closest_marker("slow")]
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)


def mark_rows(items: list[pytest.Item]) -> None:
    """Mark as slow the rows of a test with `quick_rows(count)` that are not among those spread over all of them."""
    tests: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("quick_rows") and not item.get_closest_marker("slow"):
            tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for name, rows in tests.items():
        mark = rows[0].get_closest_marker("quick_rows")
        assert mark is not None
        quick = set(spread(len(rows), *mark.args, name))
        for place, row in enumerate(rows):
            if place not in quick:
                row.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    """Spare the garbage collector the thousands of collected tests: they live until the end."""
    gc.collect()
    gc.freeze()


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
