"""The `campaign.toml` of a campaign's folder, which has its table of names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from cli.context import read_toml
from cli.play.files import FileKind, write_lines
from cli.questions.name_table import NO_NAMES, TABLE, NameTable, name_table

CAMPAIGN_FILE: Final = "campaign.toml"
KIND: Final = FileKind("a table of names", lambda first: False)


def read_name_table(folder: Path) -> NameTable:
    """Return the table of names of a campaign's folder; an empty one without the file. Raises Unreadable."""
    path = folder / CAMPAIGN_FILE
    return name_table(read_toml(path), str(path)) if path.is_file() else NO_NAMES


def write_name_table(folder: Path, names: Mapping[str, Any]) -> None:
    """Write the table of names of a new campaign, if there is any."""
    import tomli_w  # imported here to start faster: few commands write TOML

    if names:
        write_lines(folder / CAMPAIGN_FILE, tomli_w.dumps({TABLE: names}).splitlines(), KIND)
