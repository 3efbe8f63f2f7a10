"""Bundles for the verifiers, and what both of them say."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import closing, redirect_stdout
from hashlib import sha256
from io import StringIO
from pathlib import Path
from shutil import which
from typing import Final
from unittest.mock import patch

import msgspec
import pytest

from cli.verifier import ledger_verifier
from ledger.sqlite_store import open_store

VERIFIERS: Final = Path(__file__).parents[2] / "cli" / "verifier"
PYTHON, JAVASCRIPT = (VERIFIERS / f"ledger_verifier.{language}" for language in ("py", "js"))
NODE: Final = which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is missing: .ci/install-browser")
MANY: Final = (
    "const {main} = require(process.argv[1]); console.log(JSON.stringify(process.argv.slice(2).map(f => main([f]))))"
)


def bundle_of(ledger: Path, kind: str) -> bytes:
    """Return a ledger as a bundle for `gm` or `players`."""
    with closing(open_store(ledger, write=False)) as store:
        stored = list(store.read())
    facts = [fact for each in stored for fact in json.loads(each.public)["facts"]]
    (created,) = (fact for fact in facts if fact["fact"] == "campaign-created")
    header: dict[str, object] = {
        **{"bundle": "campaign-ledger", "v": 1, "format": 3, "for": kind},
        **{"ledger": created["ledger"], "campaign": created["name"], "game": created["game"]},
        "books": [[str(fact["number"]), fact["rulebook"]] for fact in facts if fact["fact"] == "session-opened"],
        **{"records": len(stored), "head": f"{stored[-1].position} {stored[-1].hash}"},
    }
    lines: list[dict[str, object]] = [header]
    for each in stored:
        sealed = {} if each.sealed is None else {"sealed": each.sealed.decode()}
        if each.sealed is not None and kind == "players":
            sealed = {"sealed_hash": sha256(each.sealed).hexdigest()}
        lines.append({"position": each.position, "public": each.public.decode(), **sealed, "hash": each.hash})
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def said_in_python(file: Path, *options: str) -> tuple[int, str]:
    """Return the exit code of the verifier in Python, and what it says."""
    with patch.object(sys, "argv", ["ledger_verifier", str(file), *options]), redirect_stdout(StringIO()) as said:
        return ledger_verifier.main(), said.getvalue()


def said_in_javascript(files: list[Path]) -> list[tuple[int, str]]:
    """Return the exit code of the verifier in JavaScript for each file, and what it says."""
    assert NODE is not None
    done = subprocess.run([NODE, "-e", MANY, JAVASCRIPT, *files], capture_output=True, text=True, check=True)
    return [(code, "\n".join(lines)) for code, *lines in json.loads(done.stdout)]
