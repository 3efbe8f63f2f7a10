"""`campaign run` killed or run twice at once: no line is lost, none is taken twice."""

from __future__ import annotations

import random
import re
import signal
import time
from collections import Counter

import msgspec
import pytest

from tests.cli.conftest import Folder

pytestmark = pytest.mark.slow

KILLS = 25
LINES = ("k sneak v3", "# scene {}", "close", "o climb v4 /7.6", '" k: {}')


def recorded(folder: Folder) -> list[dict]:
    """Return every record in order of writing."""
    return [msgspec.json.decode(line) for line in folder.run("log", "--takes", "--json").splitlines()]


def id_of(record: dict) -> str:
    return f"{record['session']}.{record['number']}"


def line_of(record: dict) -> str:
    return record["facts"][0]["line"]


def test_printed_entries_survive_a_kill(folder):
    chance = random.Random(7)
    seen: list[tuple[str, str]] = []
    killed = 0
    open_folder = time.monotonic()
    assert folder.run_process("do", "# How long does a line take here?").returncode == 0
    usual = time.monotonic() - open_folder
    base = len(recorded(folder))
    for n in range(KILLS):
        line = LINES[n % len(LINES)].format(n)
        process = folder.start_process("do", line)
        time.sleep(chance.uniform(0.2, 1.8) * usual)
        process.send_signal(signal.SIGKILL)
        printed, errors = process.communicate()
        killed += process.returncode == -signal.SIGKILL
        assert "Traceback" not in errors
        assert "locked" not in errors
        seen += [(entry, line) for entry in re.findall(r"^(\d+\.\d+) .*\n", printed, re.MULTILINE)]
    stored = recorded(folder)
    lines = {(id_of(record), line_of(record)) for record in stored}
    assert set(seen) <= lines
    assert len(seen) <= len(stored) - base <= KILLS
    assert killed
    folder.run("verify")
    folder.run("do", "# and on it goes")
    assert not list(folder.path.glob("ledger.db-*"))  # a reader leaves a journal that was never synced


def test_killed_run_goes_on_where_it_stopped(folder):
    lines = [f"# scene {n}" for n in range(120)]
    path = str(folder.file("long.session", "\n".join(lines)))
    chance = random.Random(8)
    for _ in range(6):
        process = folder.start_process("run", path)
        time.sleep(chance.uniform(0.15, 0.4))
        process.send_signal(signal.SIGKILL)
        process.communicate()
    folder.run("run", path)
    assert [line_of(record) for record in recorded(folder) if line_of(record)] == lines
    folder.run("verify")


def both(folder: Folder, *paths: str) -> list[str]:
    """Return what two concurrent runs print."""
    processes = [folder.start_process("run", path) for path in paths]
    outputs = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0] * len(paths), outputs
    lines = [line for _, errors in outputs for line in errors.splitlines()]
    assert not [line for line in lines if "already taken in session 1" not in line]
    assert "locked" not in str(outputs)
    return [printed for printed, _ in outputs]


def test_concurrent_runs_of_two_files_lose_no_line(folder):
    files = {
        name: [f"# {name} {n}" if n % 3 else f'{name} "wall {n}" m v3' for n in range(40)] for name in ("kess", "orrin")
    }
    paths = [str(folder.file(f"{name}.session", "\n".join(lines))) for name, lines in files.items()]
    printed = both(folder, *paths)
    said = Counter(line_of(record) for record in recorded(folder))
    assert {line: count for line, count in said.items() if line} == Counter(files["kess"] + files["orrin"])
    assert sum(len(re.findall(r"^1\.\d+ ", text, re.MULTILINE)) for text in printed) == 80
    folder.run("verify")


def test_concurrent_runs_of_one_file_take_no_line_twice(folder):
    lines = [f"# scene {n}" for n in range(60)]
    path = str(folder.file("same.session", "\n".join(lines)))
    both(folder, path, path)
    assert [line_of(record) for record in recorded(folder) if line_of(record)] == lines
    folder.run("verify")
