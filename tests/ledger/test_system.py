"""Test what stands in for calls that an operating system does not have."""

from __future__ import annotations

import pytest

from ledger import system
from ledger.errors import LedgerError


def test_file_lock_holds_others_off_until_its_end(tmp_path, monkeypatch):
    """The lock of Windows, which has no flock."""
    monkeypatch.setattr(system, "LOCK_SECONDS", 0.05)
    path = str(tmp_path / system.LOCK_FILE)
    with system.file_lock(path), pytest.raises(LedgerError, match="another program"), system.file_lock(path):
        pass
    with system.file_lock(path):
        pass
    assert list(tmp_path.iterdir()) == []
