"""Test a game with `rulebooks.testing`, in a process of its own: the code of others prints and ends in there."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import msgspec

from ledger.errors import InputError, LedgerError

NEEDED: Final = ("pytest", "hypothesis")
KIT: Final = "rulebooks.testing.check"
SAID_MOST: Final = 400  # characters of what a check that did not end has printed


class GameCheck(msgspec.Struct, frozen=True):
    """What came of one test of a game: its name, and what is wrong; empty where nothing is."""

    name: str
    wrong: str = ""


def run_check(game: str, cases: Path | None) -> list[GameCheck]:
    """Return what came of each test of a game, with the cases of a file or those beside its book.

    Raises InputError without the libraries for it, LedgerError for a check that does not come to its end.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        hint = 'Install them: pip install "campaign-ledger[test]".'
        raise InputError(f"a check of a game needs {' and '.join(missing)}", hint=hint)
    with tempfile.TemporaryDirectory() as scratch:
        results = Path(scratch) / "results.json"
        command = [sys.executable, "-m", KIT, str(results), game, *([str(cases)] if cases else [])]
        path = os.pathsep.join(filter(None, sys.path))  # what is found here is found there
        done = subprocess.run(
            command, cwd=scratch, env=os.environ | {"PYTHONPATH": path}, capture_output=True, check=False
        )
        if not results.exists():
            said = done.stderr.decode("utf-8", "replace").strip()[-SAID_MOST:] or f"exit code {done.returncode}"
            raise LedgerError(f"the check of {game} did not come to its end: {said}", hint="Run its own tests: pytest.")
        return msgspec.json.decode(results.read_bytes(), type=list[GameCheck])
