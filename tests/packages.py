"""Packages with games as pip installs them: a folder on the path with code and the metadata of the package."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from rulebooks.installed import GROUP, installed_games, load_installed


def add_package(folder: Path, package: str, games: Mapping[str, str] | str, version: str = "1.0") -> None:
    """Write the metadata of a package with these games (places by name, or the lines as they are) into a folder."""
    lines = games if isinstance(games, str) else "".join(f"{name} = {place}\n" for name, place in games.items())
    metadata = folder / f"{package.replace('-', '_')}-{version}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n", "utf-8")
    (metadata / "entry_points.txt").write_text(f"[{GROUP}]\n{lines}", "utf-8")


def forget_games(*modules: str) -> None:
    """Have the packages looked up again, and these modules imported again."""
    installed_games.cache_clear()
    load_installed.cache_clear()
    for module in modules:
        sys.modules.pop(module, None)
