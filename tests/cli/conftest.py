"""Fixtures: a campaign in a folder of its own, played in this process or in others."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cli.main import campaign
from ledger.facts import EntryId, Fact
from ledger.names import INVISIBLE
from ledger.records import latest_takes
from ledger.sqlite_store import open_store
from tests.program import run_main

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


PARTY = {
    "1.toml": 'name = "Ash"\nlevel = 2\nmight = 12\nspeed = 10\nintellect = 9\neffort_limit = 2\n',
    "2.toml": 'name = "Bryn"\nlevel = 4\nmight = 9\nspeed = 14\nintellect = 17\neffort_limit = 3\n',
    "3.toml": 'sheet = "npc"\nname = "Thug"\nkind = "minion"\ndifficulty = 4\nhealth = 6\ndamage = 4\n',
    "4.toml": (
        'sheet = "npc"\nname = "Captain"\nkind = "elite"\ndifficulty = 6\nhealth = 10\ndamage = 5\nwound_limit = 2\n'
        "[armor]\nphysical = 1\n"
    ),
}
FIGHT = [
    '! encounter "the lamp room"',
    "a initiative /6.5",
    "b initiative +t e1 /4.7",
    "close",  # 1.4: round 1
    "a move",
    "b interrupt",
    "b charge thug",
    "thug pass",
    "captain pass",
    "a dodge captain /1.2",  # 1.10
    "close",
    "captain pass",
    "b attack thug speed d5 /4.6",
    "b pass",
    "a dodge thug /1.2",
    "close",
    "thug pass",
    "! damage ash 5",  # 1.18: Ash is down
]
AFTER = ["a wound /4.3", "close", "! end", "a rest ten_hours /3"]


def interruptible() -> None:
    """Accept interrupts, also where a shell runs the tests in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Folder:
    """A campaign's folder, and the commands given in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.ledger = path / "ledger.db"

    def invoke(self, *arguments: str, clock: str = CLOCK, input: str | bytes | None = None) -> Result:
        """Run a command in this process. Unexpected exceptions are raised."""
        done = CliRunner().invoke(campaign, ["--clock", clock, "-C", str(self.path), *arguments], input=input)
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done

    def run(self, *arguments: str) -> str:
        """Run a command that must succeed, and return its standard output."""
        done = self.invoke(*arguments)
        assert done.exit_code == 0, done.output
        return done.stdout

    def run_main(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the whole program in this process."""
        return run_main("--clock", CLOCK, "-C", str(self.path), *arguments)

    def run_process(
        self, *arguments: str | bytes, before: Sequence[str] = (), **more: Any
    ) -> subprocess.CompletedProcess:
        """Run a command in a process of its own."""
        given = {"env": environment(), "capture_output": True, "text": True, "timeout": 60, "check": False} | more
        return subprocess.run([*before, str(PROGRAM), "-C", str(self.path), *arguments], **given)

    def start_process(self, *arguments: str, **more: Any) -> subprocess.Popen:
        """Start a command in a process of its own."""
        given = {"env": environment(), "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | more
        return subprocess.Popen([str(PROGRAM), "-C", str(self.path), *arguments], preexec_fn=interruptible, **given)

    def file(self, name: str, content: str | bytes) -> Path:
        """Write a file in the folder."""
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
    """Return a small environment: of the machine's own only PATH."""
    given = {"PATH": os.environ["PATH"], "CAMPAIGN_CLOCK": CLOCK, "LC_ALL": "C.UTF-8"} | more
    return {name: value for name, value in given.items() if value}


def one_error(done: Any, code: int) -> str:
    """Return the one line of error of a command that ended with this exit code."""
    assert done.exit_code == code if isinstance(done, Result) else done.returncode == code, (done.stdout, done.stderr)
    *usage, error = done.stderr.splitlines()
    assert error.startswith("Error: "), done.stderr
    assert all(line.startswith(("Usage: ", "Try ")) or not line for line in usage), done.stderr
    assert "Traceback" not in done.stderr
    return error.removeprefix("Error: ")


def is_printable(text: str) -> bool:
    """Return whether a text has no control or invisible characters, except colours."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text.replace("\r\n", "\n"))
    return not {letter for letter in plain if letter not in "\n\t" and unicodedata.category(letter) in INVISIBLE}


def numbered_facts(folder: Folder) -> Iterator[tuple[EntryId, int, Fact]]:
    """Yield the facts of a ledger with their entries and numbers."""
    store = open_store(folder.ledger, write=False)
    for record in latest_takes(store.takes()):
        for number, fact in enumerate(record.facts, 1):
            yield record.id, number, fact
    store.close()


@pytest.fixture(autouse=True, scope="session")
def no_environment() -> None:
    """Take no campaign and no clock from the environment."""
    for name in ("CAMPAIGN_DIR", "CAMPAIGN_CLOCK", "NO_COLOR"):
        os.environ.pop(name, None)


@pytest.fixture(scope="session")
def new_folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Return a campaign with Kess and Orrin before its first session. Copy it; do not write to it."""
    folder = Folder(tmp_path_factory.mktemp("founded") / "salt-ward")
    made = CliRunner().invoke(campaign, ["--clock", CLOCK, "new", "Salt Ward", str(folder.path), "--id", LEDGER])
    assert made.exit_code == 0, made.output
    for name, sheet in CAST.items():
        folder.file(f"cast/{name}", sheet)
    folder.run("cast", str(folder.path / "cast"))
    return folder


@pytest.fixture(scope="session")
def open_folder(new_folder: Folder, tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Return the same with session 1 open and its dice fixed. Copy it; do not write to it."""
    folder = copied(new_folder, tmp_path_factory.mktemp("begun"))
    folder.run("open", "Rooftops", "--seed", "the door's own")
    return folder


@pytest.fixture(scope="session")
def demo(played_samples: dict[str, Path]) -> Folder:
    """Return the sample campaign. Do not write to it."""
    return Folder(played_samples["gutter-saints"])


def copied(folder: Folder, where: Path) -> Folder:
    """Return a copy of a campaign's folder."""
    return Folder(Path(shutil.copytree(folder.path, where / folder.path.name)))


@pytest.fixture(scope="session")
def fight_folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Return a fight that waits for a wound roll. Copy it to continue; do not write to it."""
    folder = Folder(tmp_path_factory.mktemp("fought") / "lamp-room")
    made = CliRunner().invoke(campaign, ["--clock", CLOCK, "new", "Lamps", str(folder.path), "--id", "0" * 32])
    assert made.exit_code == 0, made.output
    for name, sheet in PARTY.items():
        folder.file(f"cast/{name}", sheet)
    folder.run("cast", str(folder.path / "cast"))
    folder.run("open", "--seed", "fight")
    folder.run("run", str(folder.file("fight.session", "".join(f"{line}\n" for line in FIGHT))))
    return folder


@pytest.fixture(scope="session")
def rested(fight_folder: Folder, tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Return the same after the wound, the end of the fight and a night. Do not write to it."""
    folder = Folder(Path(shutil.copytree(fight_folder.path, tmp_path_factory.mktemp("rested") / "lamp-room")))
    folder.told = [folder.run("do", line) for line in AFTER]
    return folder


@pytest.fixture
def closed(new_folder: Folder, tmp_path: Path) -> Folder:
    """Return a campaign before its first session."""
    return copied(new_folder, tmp_path)


@pytest.fixture
def folder(open_folder: Folder, tmp_path: Path) -> Folder:
    """Return a campaign whose session 1 is open, with fixed dice."""
    return copied(open_folder, tmp_path)


@pytest.fixture(scope="session")
def evening(open_folder: Folder, tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Return the same after rolls, a scene, an undo and the close of the session. Copy it; do not write to it."""
    folder = copied(open_folder, tmp_path_factory.mktemp("evening"))
    for line in ("k sneak v5 e1", "# The lamp room", "k sneak v6", "close", "o climb v3 /7.6", "undo", "o climb v4"):
        folder.run("do", line)
    folder.run("close")
    return folder


@pytest.fixture
def played(evening: Folder, tmp_path: Path) -> Folder:
    """Return a campaign whose session 1 was played and closed."""
    return copied(evening, tmp_path)


@pytest.fixture
def secret(closed: Folder) -> Folder:
    """Return a campaign whose session 1 is open, with a secret seed."""
    closed.run("open", "Night")
    return closed


@pytest.fixture
def stopping() -> Iterator[list[subprocess.Popen]]:
    """Collect processes to kill at the end of the test."""
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
    folder.run("open", "The Tide Returns", "--seed", "gutter saints 4 8144")
    for line in ("k sneak v5", "# a scene", "= k M9", "t read v2", "o climb v4 /7.6", "close"):
        folder.run("do", line)
    return folder


@pytest.fixture
def night(fourth_session: Folder, tmp_path: Path) -> Folder:
    """Return a copy of the sample campaign with session 4 open."""
    return copied(fourth_session, tmp_path)
