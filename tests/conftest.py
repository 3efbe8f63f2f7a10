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

from tests.postgres import Server, missing_postgres, running_server
from tests.seals import fix_salts

SLOW = (HealthCheck.too_slow, HealthCheck.function_scoped_fixture)
settings.register_profile("quick", max_examples=3, stateful_step_count=15, deadline=None, suppress_health_check=SLOW)
settings.register_profile("long", max_examples=75, stateful_step_count=40, deadline=None, suppress_health_check=SLOW)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for long random runs."""
    parser.addoption("--long", action="store_true", help="run slow tests, and random tests with many examples")


def pytest_configure(config: pytest.Config) -> None:
    """Load the profile before any test module is imported, and make every warning an error.

    pytest's own plugin sets the filters anew three times for each test: four seconds of the quick run.
    """
    warnings.simplefilter("error")
    fix_salts()
    os.environ["CAMPAIGN_HEADS"] = str(Path(tempfile.gettempdir()) / "no-heads-are-kept-by-tests")
    settings.load_profile("long" if config.getoption("--long") else "quick")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave slow tests out of the quick run: to skip each of them takes longer than many a test."""
    if not config.getoption("--long"):
        slow = [item for item in items if item.get_closest_marker("slow")]
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)


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
