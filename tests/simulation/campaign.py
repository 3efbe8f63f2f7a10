"""The campaigns in which simulated evenings begin: three characters of the sample, with a first session open."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.cli.conftest import Folder

CAST: Final = Path(__file__).parent.parent.parent / "campaigns" / "gutter-saints" / "cast"
LEDGER: Final = "0" * 32
SEED: Final = "simulated"


def begin(path: Path) -> dict[bool, Path]:
    """Make the campaigns in a folder, open a session of each; return their folders by whether its dice are shared."""
    starts = {is_shared: path / f"shared {is_shared}" for is_shared in (False, True)}
    for is_shared, start in starts.items():
        folder = Folder(start)
        folder.invoke("new", "Gutter Saints", str(start), "--id", LEDGER)
        folder.run("cast", *map(str, sorted(CAST.glob("*.toml"))))
        shared = ["--shared-dice"] if is_shared else []
        folder.run("open", "The Counting House", "--seed", SEED, "--players", "ana,bo,cem", *shared)
    return starts
