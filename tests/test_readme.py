"""The README tells the truth: its commands, in order, print what it shows."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.readme import README, ROOT, Shell, steps

FRESH = re.compile(r"^python3 -m venv .*$", re.MULTILINE)


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    return Shell(tmp_path_factory.mktemp("readme"))


@pytest.mark.parametrize("step", steps(README.read_text(encoding="utf-8")), ids=lambda step: f"line {step.line}")
def test_the_readme_tells_the_truth(shell: Shell, step) -> None:
    assert shell.run(step.command) == step.printed, "python -m tests.rewrite rewrites it"


def test_the_readme_opens_with_two_commands_for_a_fresh_machine() -> None:
    commands = FRESH.findall(README.read_text(encoding="utf-8"))
    assert len(commands) == 2
    assert commands[0].endswith("campaign demo")
    assert commands[1] in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_first_command_sets_up_and_plays_in_a_fresh_copy(tmp_path: Path) -> None:
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in files.splitlines():
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    command = FRESH.findall(README.read_text(encoding="utf-8"))[0]
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "the replay agrees" in done.stdout
