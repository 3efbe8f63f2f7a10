"""The campaign in which simulated evenings begin: three characters of the sample, with a first session open."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Folder

CAST = Path(__file__).parent.parent.parent / "campaigns" / "gutter-saints" / "cast"


def begin(path: Path) -> Path:
    """Make the campaign, open a session with three players, and return its folder."""
    folder = Folder(path)
    folder.invoke("new", "Gutter Saints", str(path), "--id", "0" * 32)
    folder.run("cast", *map(str, sorted(CAST.glob("*.toml"))))
    folder.run("open", "The Counting House", "--seed", "simulated", "--players", "ana,bo,cem")
    return path
