"""Bundles for the verifiers, and what both of them say."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import deque
from contextlib import closing, redirect_stdout
from io import StringIO
from pathlib import Path
from shutil import which
from typing import Final
from unittest.mock import patch

import pytest

from cli.verifier import ledger_verifier
from ledger.bundle import Audience, Contents, encode_line, without_sealed
from ledger.bundle_reader import BundleReader
from ledger.errors import LedgerError
from ledger.records import ENCODER
from ledger.sqlite_store import open_store

VERIFIERS: Final = Path(__file__).parents[2] / "cli" / "verifier"
PYTHON, JAVASCRIPT = (VERIFIERS / f"ledger_verifier.{language}" for language in ("py", "js"))
NODE: Final = which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is missing: .ci/install-browser")
AUDIENCES: Final[tuple[Audience, ...]] = ("gm", "players")
MANY: Final = (
    "const {main} = require(process.argv[1]); console.log(JSON.stringify(process.argv.slice(2).map(f => main([f]))))"
)


def bundle_of(ledger: Path, audience: Audience) -> bytes:
    """Return a ledger as a bundle, also one that `export` would refuse."""
    contents = Contents()
    with closing(open_store(ledger, write=False)) as store:
        stored = list(store.read())
    for each in stored:
        contents.add(each)
    shown = map(without_sealed, stored) if audience == "players" else stored
    return ENCODER.encode(contents.header(audience)) + b"\n" + b"".join(map(encode_line, shown))


def is_refused(bundle: Path) -> bool:
    """Whether the program refuses to read a bundle."""
    with bundle.open("rb") as file:
        try:
            deque(BundleReader(file).records(), maxlen=0)
        except LedgerError:
            return True
        return False


def write_bundles(ledger: Path) -> list[Path]:
    """Write a ledger as a bundle of each kind beside it."""
    files = [ledger.with_name(f"{audience}.bundle") for audience in AUDIENCES]
    for file, audience in zip(files, AUDIENCES, strict=True):
        file.write_bytes(bundle_of(ledger, audience))
    return files


def errors_in_copies(ledger: Path) -> list[str]:
    """Return what the verifier in Python finds wrong with a ledger, and with bundles of it."""
    said = map(said_in_python, (ledger, *write_bundles(ledger)))
    return [text for code, text in said if code]


def said_in_python(file: Path, *options: str) -> tuple[int, str]:
    """Return the exit code of the verifier in Python, and what it says."""
    with patch.object(sys, "argv", ["ledger_verifier", str(file), *options]), redirect_stdout(StringIO()) as said:
        return ledger_verifier.main(), said.getvalue()


def said_in_javascript(files: list[Path]) -> list[tuple[int, str]]:
    """Return the exit code of the verifier in JavaScript for each file, and what it says."""
    assert NODE is not None
    done = subprocess.run([NODE, "-e", MANY, JAVASCRIPT, *files], capture_output=True, text=True, check=True)
    return [(code, "\n".join(lines)) for code, *lines in json.loads(done.stdout)]
