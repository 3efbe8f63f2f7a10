"""A game of others, installed into an environment of its own beside this program: made, played, replayed, checked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

from rulebooks.installed import GROUP
from tests.packages import add_package

pytestmark = pytest.mark.slow  # makes an environment, and starts a dozen processes

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "tests" / "example_game"
Run = Callable[..., str]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python of a new environment. Its packages are those of this one and, by a path file, the game."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder / "venv", symlinks=True)
    (site,) = (folder / "venv").glob("lib/python3.*/site-packages")
    libraries = [path for path in sys.path if path.endswith("-packages")]
    (site / "shared.pth").write_text("".join(f"{path}\n" for path in (ROOT, *libraries)), encoding="utf-8")
    return folder / "venv" / "bin" / "python"


def install(python: Path) -> None:
    """Install the example as pip does in editable mode: its metadata, and a path file."""
    (site,) = python.parents[1].glob("lib/python3.*/site-packages")
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    add_package(site, project["name"], project["entry-points"][GROUP], project["version"])
    (site / "lamplight.pth").write_text(f"{EXAMPLE}\n", encoding="utf-8")


def uninstall(python: Path) -> None:
    """Take the example away again."""
    (site,) = python.parents[1].glob("lib/python3.*/site-packages")
    (site / "lamplight.pth").unlink()
    (listed,) = site.glob("lamplight_game-*.dist-info/entry_points.txt")
    listed.unlink()


def run(python: Path, folder: Path, *arguments: str, code: int = 0) -> str:
    """Return what the program prints in that environment."""
    own = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "CAMPAIGN_DIR")}
    done = subprocess.run(
        [python, "-m", "cli.main", *arguments], cwd=folder, env=own, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_game_of_others_is_installed_played_and_checked(environment: Path, tmp_path: Path) -> None:
    assert "lamplight" not in run(environment, tmp_path, "game", "list")
    install(environment)
    assert "of lamplight-game 0.3" in " ".join(run(environment, tmp_path, "game", "list").split())
    run(environment, tmp_path, "new", "The Crypt", "crypt", "--game", "lamplight")
    (tmp_path / "ana.toml").write_text('name = "Ana"\n', encoding="utf-8")
    (tmp_path / "shade.toml").write_text('sheet = "npc"\nname = "Shade"\ndread = 1\n', encoding="utf-8")
    table = ("-C", "crypt")
    run(environment, tmp_path, *table, "cast", "ana.toml", "shade.toml")
    run(environment, tmp_path, *table, "open", "--seed", "lamps")
    assert "oil 3>1" in run(environment, tmp_path, *table, "do", "ana search o2 /1.5.2")
    assert "Shade is gone" in run(environment, tmp_path, *table, "do", "ana face shade /6")
    seen = run(environment, tmp_path, *table, "log", "--as", "players")
    assert "Shade" in seen
    assert "dread" not in seen
    assert "the replay agrees" in run(environment, tmp_path, *table, "replay")
    checked = json.loads(run(environment, tmp_path, "game", "check", "lamplight", "--json"))
    assert [result for result in checked if result["wrong"]] == []
    assert len(checked) >= 25
    uninstall(environment)
    missing = run(environment, tmp_path, *table, "replay", code=3)
    assert "its game is lamplight 1, revision 1, and no package that is installed here has it" in missing
