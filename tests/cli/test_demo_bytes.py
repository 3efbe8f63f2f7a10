"""The sample campaign gives the same bytes and texts on every machine."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import PROGRAM

ROOT = Path(__file__).parent.parent.parent
NEEDED = "import sys; assert sys.version_info >= (3, 11); import msgspec, click, sqlite_utils"
# Of what is hidden the salts are known, or no two ledgers would be the same.
SALTED = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{ROOT / 'tests' / 'salts'}:{ROOT}"}
DOOR = "from cli.main import main; main()"
Made = tuple[str, bytes, bytes]


def played(folder: Path, *command: str, environment: dict[str, str], cwd: Path | None = None) -> Made:
    """Return the digest of the sample's ledger, what is printed about it, and its `log --json`."""
    given = {**SALTED, **environment}
    printed = b""
    for arguments in (["demo", str(folder)], ["-C", str(folder), "log", "--takes", "--json"]):
        done = subprocess.run([*command, *arguments], cwd=cwd, env=given, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        assert b"Traceback" not in done.stderr
        if arguments[0] == "demo":
            printed = done.stdout
    return hashlib.sha256((folder / "ledger.db").read_bytes()).hexdigest(), printed, done.stdout


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return played(tmp_path_factory.mktemp("usual") / "demo", str(PROGRAM), environment={"LC_ALL": "C.UTF-8"})


@pytest.mark.slow
@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"PYTHONHASHSEED": "0"},
        {"PYTHONHASHSEED": "1"},
        {"PYTHONHASHSEED": "random"},
        {"LANG": "C"},
        {"LC_ALL": "C"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
        {"PYTHONUTF8": "1", "PYTHONIOENCODING": "latin-1"},
        {"TZ": "Asia/Tokyo"},
        {"TZ": "America/St_Johns", "SOURCE_DATE_EPOCH": "0"},
        {"COLUMNS": "20", "LINES": "5", "TERM": "dumb"},
        {"NO_COLOR": "1"},
        {"FORCE_COLOR": "1", "TERM": "xterm-256color"},
        {"PYTHONOPTIMIZE": "2"},
        {"PYTHONDEVMODE": "1"},
        {"CAMPAIGN_CLOCK": "1970-01-01T00:00:00Z"},
    ],
    ids=lambda given: " ".join(f"{name}={value}" for name, value in given.items()) or "nothing set",
)
def test_sample_is_the_same_under_any_environment(usual, tmp_path, environment):
    assert played(tmp_path / "demo", str(PROGRAM), environment=environment) == usual


@pytest.mark.slow
def test_sample_is_the_same_without_asserts(usual, tmp_path):
    assert played(tmp_path / "demo", sys.executable, "-O", str(PROGRAM), environment={}) == usual


@pytest.mark.slow
@pytest.mark.parametrize("umask", ["000", "077", "027"])
def test_sample_is_the_same_under_another_umask(usual, tmp_path, umask):
    elsewhere = tmp_path / "Ärger, \"und\" 'so' weiter"
    elsewhere.mkdir()
    shell = ["sh", "-c", f'umask {umask}; exec "$@"', "sh", str(PROGRAM)]
    assert played(elsewhere / "demo", *shell, environment={}, cwd=elsewhere) == usual


@pytest.mark.slow
def test_sample_is_the_same_through_a_link(usual, tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    done = subprocess.run([PROGRAM, "demo", "link/demo"], cwd=tmp_path, env=SALTED, capture_output=True, check=False)
    assert done.returncode == 0
    assert done.stdout == usual[1]
    assert hashlib.sha256((tmp_path / "real" / "demo" / "ledger.db").read_bytes()).hexdigest() == usual[0]


def interpreters() -> list[str]:
    """Return other interpreters of this machine that have the dependencies."""
    named = (shutil.which(f"python3.{minor}") for minor in range(11, 16))
    kept = sorted((Path.home() / ".pyenv" / "versions").glob("3.*/bin/python3"))
    paths = {os.path.realpath(path): path for path in map(str, filter(None, [*named, *kept]))}
    paths.pop(os.path.realpath(sys.executable), None)
    return [path for path in paths.values() if able(path)]


def able(interpreter: str) -> bool:
    done = subprocess.run([interpreter, "-c", NEEDED], capture_output=True, check=False, timeout=30)
    return done.returncode == 0


@pytest.mark.slow
def test_sample_is_the_same_under_other_pythons(usual, tmp_path):
    """Records are compared where SQLite versions differ, because SQLite writes its version into the file."""
    others = interpreters()
    if not others:
        pytest.skip("no other Python here has msgspec, click and sqlite-utils")
    for number, python in enumerate(others):
        made = played(tmp_path / str(number), python, "-c", DOOR, environment={})
        assert made[1:] == usual[1:], python
