"""The README and the help pages: their commands, in order, print what they show."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.readme import CHAINS, README, ROOT, Shell, Step, steps

FRESH = re.compile(r"^python3 -m venv .*$", re.MULTILINE)
LONG_RUN = re.compile(r"campaign (?:-C \w+ )?forecast|from mcp import")  # hundreds of fights; a library of its own

STEPS = [
    pytest.param(
        number,
        step,
        id=f"{page.relative_to(ROOT)} line {step.line}",
        marks=pytest.mark.slow if LONG_RUN.search(step.command) else (),
    )
    for number, pages in enumerate(CHAINS)
    for page in pages
    for step in steps(page.read_text(encoding="utf-8"))
]


@pytest.fixture(scope="module")
def shells(tmp_path_factory: pytest.TempPathFactory) -> list[Shell]:
    return [Shell(tmp_path_factory.mktemp("pages")) for _ in CHAINS]


@pytest.mark.parametrize(("number", "step"), STEPS)
def test_transcript_prints_what_the_page_shows(shells: list[Shell], number: int, step: Step) -> None:
    assert shells[number].run(step) == step.printed, "python -m tests.rewrite rewrites it"


def test_readme_has_at_most_180_lines() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 180


def test_readme_shows_small_pictures_that_exist() -> None:
    pictures = re.findall(r"\]\(([^)]+\.(?:png|svg))\)", README.read_text(encoding="utf-8"))
    assert len(pictures) >= 4
    for picture in pictures:
        assert (ROOT / picture).stat().st_size < 150 * 1024, "python -m tests.pictures takes them anew"


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
