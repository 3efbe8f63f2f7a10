"""Fixtures of the door: a campaign in a folder of its own, played in this process or in others."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cli.main import campaign as door

CLOCK = "2026-01-09T19:30:00Z"
LEDGER = "0" * 31 + "1"
PROGRAM = Path(sys.executable).parent / "campaign"
CAST = {
    "kess.toml": """name = "Kess"
level = 2
might = 9
speed = 14
intellect = 17
effort_limit = 2

[skills]
sneak = "trained speed"
""",
    "orrin.toml": """name = "Orrin"
might = 16
speed = 10
intellect = 8
effort_limit = 1
""",
}


def interruptible() -> None:
    """A shell that runs the tests in the background ignores interrupts, and so would the command."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Folder:
    """A campaign's folder, and whoever sits before it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.ledger = path / "ledger.db"

    def say(self, *arguments: str, clock: str = CLOCK) -> Result:
        """A command in this process. An error that is not ours is raised here."""
        done = CliRunner().invoke(door, ["--clock", clock, "-C", str(self.path), *arguments])
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done

    def fine(self, *arguments: str) -> str:
        """What a command prints that must go well."""
        done = self.say(*arguments)
        assert done.exit_code == 0, done.output
        return done.stdout

    def apart(self, *arguments: str | bytes, before: Sequence[str] = (), **more: Any) -> subprocess.CompletedProcess:
        """A command in a process of its own."""
        given = {"env": environment(), "capture_output": True, "text": True, "timeout": 60, "check": False} | more
        return subprocess.run([*before, str(PROGRAM), "-C", str(self.path), *arguments], **given)

    def started(self, *arguments: str, **more: Any) -> subprocess.Popen:
        """A command that goes on by itself."""
        given = {"env": environment(), "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | more
        return subprocess.Popen([str(PROGRAM), "-C", str(self.path), *arguments], preexec_fn=interruptible, **given)

    def file(self, name: str, content: str | bytes) -> Path:
        """A file in the folder."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    @property
    def seeds(self) -> list[Path]:
        """The seed files beside the ledger."""
        return sorted(self.path.glob("seed-*"))

    @property
    def bytes(self) -> bytes:
        """The ledger file."""
        return self.ledger.read_bytes()


def environment(**more: str) -> dict[str, str]:
    """A small environment: nothing of the machine's but where its programs are."""
    given = {"PATH": os.environ["PATH"], "CAMPAIGN_CLOCK": CLOCK, "LC_ALL": "C.UTF-8"} | more
    return {name: value for name, value in given.items() if value}


def one_error(done: Any, code: int) -> str:
    """The one line of error that a command ended with, and nothing that looks like a crash."""
    assert done.exit_code == code if isinstance(done, Result) else done.returncode == code, (done.stdout, done.stderr)
    *usage, error = done.stderr.splitlines()
    assert error.startswith("Error: "), done.stderr
    assert all(line.startswith(("Usage: ", "Try ")) or not line for line in usage), done.stderr
    assert "Traceback" not in done.stderr
    return error.removeprefix("Error: ")


@pytest.fixture(autouse=True)
def nothing_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """No campaign and no clock come from outside."""
    for name in ("CAMPAIGN_DIR", "CAMPAIGN_CLOCK", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def founded(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """A campaign with Kess and Orrin, before its first session. Copy it; do not write to it."""
    folder = Folder(tmp_path_factory.mktemp("founded") / "salt-ward")
    made = CliRunner().invoke(door, ["--clock", CLOCK, "new", "Salt Ward", str(folder.path), "--id", LEDGER])
    assert made.exit_code == 0, made.output
    for name, sheet in CAST.items():
        folder.file(f"cast/{name}", sheet)
    folder.fine("cast", str(folder.path / "cast"))
    return folder


@pytest.fixture(scope="session")
def begun(founded: Folder, tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The same with session 1 open and its dice fixed. Copy it; do not write to it."""
    folder = copied(founded, tmp_path_factory.mktemp("begun"))
    folder.fine("open", "Rooftops", "--seed", "the door's own")
    return folder


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The sample campaign. Do not write to it."""
    folder = Folder(tmp_path_factory.mktemp("demo") / "saints")
    done = CliRunner().invoke(door, ["demo", str(folder.path)])
    assert done.exit_code == 0, done.output
    return folder


def copied(folder: Folder, where: Path) -> Folder:
    """A copy of a campaign's folder."""
    return Folder(Path(shutil.copytree(folder.path, where / folder.path.name)))


@pytest.fixture
def closed(founded: Folder, tmp_path: Path) -> Folder:
    """A campaign of one's own, before its first session."""
    return copied(founded, tmp_path)


@pytest.fixture
def table(begun: Folder, tmp_path: Path) -> Folder:
    """A campaign of one's own, session 1 open with fixed dice."""
    return copied(begun, tmp_path)


@pytest.fixture(scope="session")
def evening(begun: Folder, tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The same after a few lines: rolls, a telling, an undo, the session closed. Copy it; do not write to it."""
    folder = copied(begun, tmp_path_factory.mktemp("evening"))
    for line in ("k sneak v5 e1", "# The lamp room", "k sneak v6", "close", "o climb v3 /7.6", "undo", "o climb v4"):
        folder.fine("do", line)
    folder.fine("close")
    return folder


@pytest.fixture
def played(evening: Folder, tmp_path: Path) -> Folder:
    """A campaign of one's own, session 1 played and closed."""
    return copied(evening, tmp_path)


@pytest.fixture
def secret(closed: Folder) -> Folder:
    """A campaign of one's own, session 1 open with a secret seed."""
    closed.fine("open", "Night")
    return closed


@pytest.fixture
def stopping() -> Iterator[list[subprocess.Popen]]:
    """Processes to end when the test does."""
    processes: list[subprocess.Popen] = []
    yield processes
    for process in processes:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture
def saints(demo: Folder, tmp_path: Path) -> Folder:
    """Return a copy of the sample campaign, between its sessions."""
    return copied(demo, tmp_path)


@pytest.fixture(scope="session")
def fourth_session(demo: Folder, tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Return the sample campaign with session 4 open, after a few lines. Do not write to it."""
    folder = copied(demo, tmp_path_factory.mktemp("again"))
    folder.fine("open", "The Tide Returns", "--seed", "gutter saints 4")
    for line in ("k sneak v5", "# a scene", "= k M9", "t read v2", "o climb v4 /7.6", "close"):
        folder.fine("do", line)
    return folder


@pytest.fixture
def night(fourth_session: Folder, tmp_path: Path) -> Folder:
    """Return a copy of the sample campaign with session 4 open."""
    return copied(fourth_session, tmp_path)
