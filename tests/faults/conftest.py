"""What the tests of faults need: strace, without which they are skipped with a word, and a server of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults.strace import missing_strace
from tests.postgres import Server, running_server


@pytest.fixture(scope="session")
def strace() -> None:
    """Skip where strace cannot be used."""
    if missing_strace():
        pytest.skip(missing_strace())


@pytest.fixture
def server() -> Iterator[Server]:
    """Return a server of its own for each test, with an empty database `club`."""
    with running_server() as made:
        yield made
