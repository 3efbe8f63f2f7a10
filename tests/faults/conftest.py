"""The tests of disk faults need strace; without it they are skipped with a word."""

from __future__ import annotations

import pytest

from tests.faults.strace import missing_strace


@pytest.fixture(scope="session")
def strace() -> None:
    """Skip where strace cannot be used."""
    if missing_strace():
        pytest.skip(missing_strace())
