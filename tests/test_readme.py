"""The README and the help pages: their commands, in order, print what they show."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.readme import CHAINS, README, ROOT, Shell, Step, steps

FRESH = re.compile(r"^python3 -m venv .*$", re.MULTILINE)
# hundreds of fights; a library or a server of its own
LONG_RUN = re.compile(r"campaign (?:-C \w+ )?forecast|from mcp import|from http.server import")


def is_long(chain: Sequence[tuple[Path, Step]], index: int) -> bool:
    """Return whether a step takes long, comes after a sample is played, or shows nothing and is there for long ones."""
    step = chain[index][1]
    if LONG_RUN.search(step.command) or any("campaign demo" in before.command for _, before in chain[: index + 1]):
        return True
    return not step.printed and all(is_long(chain, later) for later in range(index + 1, len(chain)))


PAGES = [[(page, step) for page in chain for step in steps(page.read_text(encoding="utf-8"))] for chain in CHAINS]
STEPS = [
    pytest.param(
        number,
        index,
        id=f"{page.relative_to(ROOT)} line {step.line}",
        marks=pytest.mark.slow if is_long(chain, index) else (),
    )
    for number, chain in enumerate(PAGES)
    for index, (page, step) in enumerate(chain)
]


class Transcripts:
    """The transcripts of pages that go on from one another."""

    def __init__(self, folder: Path, chain: Sequence[tuple[Path, Step]]) -> None:
        self.shell, self.steps, self.begun = Shell(folder), [step for _, step in chain], 0

    def run(self, index: int) -> str:
        """Return what a step prints, behind those before it that were not run; the long ones of them change nothing."""
        for step in self.steps[self.begun : index]:
            if not LONG_RUN.search(step.command):
                self.shell.run(step)
        self.begun = index + 1
        return self.shell.run(self.steps[index])


@pytest.fixture(scope="module")
def transcripts(tmp_path_factory: pytest.TempPathFactory) -> list[Transcripts]:
    return [Transcripts(tmp_path_factory.mktemp("pages"), chain) for chain in PAGES]


@pytest.mark.quick_rows(1000)
@pytest.mark.parametrize(("number", "index"), STEPS)
def test_transcript_prints_what_the_page_shows(transcripts: list[Transcripts], number: int, index: int) -> None:
    printed = PAGES[number][index][1].printed
    assert transcripts[number].run(index) == printed, "python -m tests.rewrite rewrites it"


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
