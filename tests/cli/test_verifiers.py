"""Both verifiers on ledgers and bundles, whole and forged: they say of them what `verify` says.

They know no rule, so that a few forgeries need `verify`. In a bundle for players nobody sees what is sealed: that it
was changed is shown by a kept head alone.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from ledger.bundle import Contents, encode_line
from ledger.records import ENCODER, GENESIS, Record, store_record
from tests.cli.conftest import Folder, copied, is_printable
from tests.cli.test_forgeries import REWRITES, told
from tests.cli.test_leaf_forgeries import FORGERIES, forge, played, stored_records
from tests.cli.verifiers import (
    JAVASCRIPT,
    PYTHON,
    bundle_of,
    is_refused,
    needs_node,
    said_in_javascript,
    said_in_python,
    write_bundles,
)
from tests.ledger.shared import FORGED_FIELDS, FORGED_LINKS, forged_fields, forged_takes
from tests.ledger.strategies import Forger
from tests.program import run_main

__all__ = ["played", "told"]  # fixtures

NEED_A_HEAD = {name for name, (_, found) in REWRITES.items() if not found} - {"who may see it"}
NEED_RULES = {  # what `verify` alone finds
    "another secret",
    "no line",
    "nothing said",
    "a fact's text",
    "a cost",
    "an invented fact",
    "an invented fact in a superseded take",
    "a take emptied by an unrelated correction",
    "a take emptied by no correction",
    "an extra pass",
    "a take of a note",
    "amended facts of another take",
    "amended facts of another entry",
    "amended facts of no such outcome",
    "a note in place of a change",
    "a line",
    "a sheet",
    "a ruling's text",
    "a correction's line",
    "a corrected line",
}


def head_of(folder: Folder) -> str:
    """Return the head of a ledger."""
    last = list(stored_records(folder).values())[-1]
    return f"{last.position} {last.hash}"


@pytest.fixture(scope="module")
def forged_leaves(played: Folder, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Folder]:
    """A copy of an evening for each forgery of a leaf, under new hashes."""
    kept, made = stored_records(played), dict[str, Folder]()
    for row in FORGERIES:
        name, edit, _ = row.values
        made[str(row.id)] = copied(played, tmp_path_factory.mktemp("leaf"))
        forge(made[str(row.id)], {name: edit(kept[name])}, chained=True)
    return made


@pytest.mark.slow
def test_forged_leaves_are_found_in_ledgers(played: Folder, forged_leaves: dict[str, Folder]) -> None:
    assert said_in_python(played.ledger, "--head", head_of(played))[0] == 0
    for name, folder in forged_leaves.items():
        assert said_in_python(folder.ledger)[0] == (0 if name in NEED_RULES else 1), name
        assert said_in_python(folder.ledger, "--head", head_of(played))[0] == 1, name


@pytest.mark.slow
@needs_node
def test_forged_leaves_are_found_in_bundles(played: Folder, forged_leaves: dict[str, Folder]) -> None:
    files = [file for folder in forged_leaves.values() for file in write_bundles(folder.ledger)]
    said = dict(zip(files, said_in_javascript(files), strict=True))
    for name, folder in forged_leaves.items():
        gm, players = write_bundles(folder.ledger)
        assert said[gm][0] == said_in_python(gm)[0] == (0 if name in NEED_RULES else 1), name
        assert said[players][0] == said_in_python(players)[0] >= is_refused(players), name
        assert said_in_python(players, "--head", head_of(played))[0] == 1, name


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("name", REWRITES)
def test_rewritten_ledger_is_judged_alike(told: Folder, tmp_path: Path, name: str) -> None:
    folder = copied(told, tmp_path)
    Forger(folder.ledger).rewrite(REWRITES[name][0], chained=True)
    code, bundles = (0 if name in NEED_RULES | NEED_A_HEAD else 1), write_bundles(folder.ledger)
    assert [said_in_python(file)[0] for file in (folder.ledger, *bundles)] == [code] * 3
    assert code or not any(map(is_refused, bundles))
    assert [said[0] for said in said_in_javascript(bundles)] == [code] * 2
    assert said_in_python(folder.ledger, "--head", told.kept)[0] == 1


@pytest.mark.slow
@needs_node
def test_whole_copies_have_the_head_of_the_ledger(played: Folder, told: Folder, tmp_path: Path) -> None:
    for folder in (copied(played, tmp_path / "1"), copied(told, tmp_path / "2")):
        packed = [Path(f"{file}.gz") for file in write_bundles(folder.ledger)]
        for file in packed:
            file.write_bytes(gzip.compress(file.with_suffix("").read_bytes()))
        files = [*write_bundles(folder.ledger), *packed]
        for code, said in [said_in_python(folder.ledger), *map(said_in_python, files), *said_in_javascript(files)]:
            assert (code, f"head {head_of(folder)}" in said) == (0, True), said


@pytest.mark.slow
@needs_node
def test_forged_links_are_found_by_both(tmp_path: Path) -> None:
    forged = {name: forged_takes(name) for name in FORGED_LINKS}
    forged |= {name: forged_fields(name) for name in FORGED_FIELDS}
    files = [write_takes(tmp_path / name, takes) for name, takes in forged.items()]
    said = [said_in_python(file) for file in files], said_in_javascript(files)
    for name, *both in zip(forged, *said, strict=True):
        what = "fact 3" if name == "too many" else "a link of its dice is not the next one"
        assert [(code, what in text) for code, text in both] == [(1, True)] * 2, name


def write_takes(file: Path, takes: Sequence[Record]) -> Path:
    """Write takes as a bundle in which all hashes are right, and return the file."""
    contents, lines, before = Contents(), b"", GENESIS
    for take in takes:
        stored = store_record(take, take, before)
        before, lines = stored.hash, lines + encode_line(stored)
        contents.add(stored)
    file.write_bytes(ENCODER.encode(contents.header("gm")) + b"\n" + lines)
    return file


def half(text: bytes) -> bytes:
    return text[: len(text) // 2]


UNREADABLE = {
    "half a line": lambda text: text[:-1],
    "half of it": half,
    "a packed half": lambda text: half(gzip.compress(text)),
    "nothing": lambda text: b"",
    "a head alone": lambda text: text.splitlines(keepends=True)[0],
    "a line less": lambda text: b"".join(text.splitlines(keepends=True)[:-1]),
    "a line twice": lambda text: text + text.splitlines(keepends=True)[-1],
    "spaces": lambda text: text.replace(b'"v":1', b'"v": 1', 1),
    "a later version": lambda text: text.replace(b'"v":1', b'"v":2', 1),
    "another reader": lambda text: text.replace(b'"for":"gm"', b'"for":"players"', 1),
    "another campaign": lambda text: text.replace(b'"campaign":"', b'"campaign":"The ', 1),
    "control characters": lambda text: b"\x1b]0;gone\x07\n" + text,
    "no UTF-8": lambda text: text.replace(b"Kess", b"Kes\xff", 1),
    "numbers that are too large": lambda text: text.replace(b'"position":7', b'"position":' + b"9" * 5000),
    "deep lists": lambda text: text + b"[" * 100_000 + b"\n",
    "a key that is a number": lambda text: text.replace(b'"hash"', b'"0":1,"hash"', 1),
    "a field twice": lambda text: text.replace(b'"hash"', b'"position":1,"hash"', 1),
}


@pytest.mark.slow
@needs_node
def test_damaged_bundles_are_refused_by_both(played: Folder, tmp_path: Path) -> None:
    whole = bundle_of(played.ledger, "gm")
    for name, damage in UNREADABLE.items():
        (tmp_path / name).write_bytes(damage(whole))
        assert damage(whole) != whole, name
    files = [tmp_path / name for name in UNREADABLE]
    for file, (code, _) in zip(files, said_in_javascript(files), strict=True):
        in_python, said = said_in_python(file)
        assert (in_python in (1, 3), code in (1, 3), is_printable(said)) == (True, True, True), (file.name, said)


@pytest.mark.slow
def test_help_prints_verifiers_that_run_alone(played: Folder, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(run_main("help", "verifier", "--python").stdout, "utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "-S", file, played.ledger], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert run_main("help", "verifier", "--javascript").stdout == JAVASCRIPT.read_text("utf-8")
    assert run_main("help", "verify", "--python").returncode == 2


def test_verifiers_are_as_short_as_promised() -> None:
    assert len(PYTHON.read_text("utf-8").splitlines()) < 370
    assert len(JAVASCRIPT.read_text("utf-8").splitlines()) < 260
