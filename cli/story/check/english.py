"""English words by which a text is read: those that begin sentences, that deny, and numbers."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

ENGLISH: Final[dict[str, list[str]]] = tomllib.loads(Path(__file__).with_name("english.toml").read_text("utf-8"))
