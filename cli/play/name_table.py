"""The `campaign.toml` of a campaign's folder, which has its table of names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from cli.context import read_toml
from cli.play.files import FileKind, write_lines
from cli.questions.name_table import NO_NAMES, TABLE, NamedPerson, NameTable, name_table
from ledger.ledger_state import load_state
from ledger.names import name_key
from ledger.store import ReadableStore
from projections.projection import StateProjection
from rulebooks.common.pronouns import PRONOUNS

CAMPAIGN_FILE: Final = "campaign.toml"
KIND: Final = FileKind("a table of names", lambda first: False)


def read_name_table(folder: Path) -> NameTable:
    """Return the table of names of a campaign's folder; an empty one without the file. Raises Unreadable."""
    path = folder / CAMPAIGN_FILE
    return name_table(read_toml(path), str(path)) if path.is_file() else NO_NAMES


def campaign_names(folder: Path, store: ReadableStore) -> NameTable:
    """Return what a story calls everybody: the table of the folder, with the pronouns on all sheets.

    The sheets of the game master's people are hidden from the players, but not how a story that names them calls them.
    `store`: the whole ledger. Raises Unreadable.
    """
    table = dict(read_name_table(folder))
    for (who, entry), value in load_state(store, StateProjection()).state.sheets.items():
        if entry == PRONOUNS and value:
            person = table.get(name_key(who), NamedPerson())
            table[name_key(who)] = msgspec.structs.replace(person, pronouns=str(value))
    return table


def write_name_table(folder: Path, names: Mapping[str, Any]) -> None:
    """Write the table of names of a new campaign, if there is any."""
    import tomli_w  # imported here to start faster: few commands write TOML

    if names:
        write_lines(folder / CAMPAIGN_FILE, tomli_w.dumps({TABLE: names}).splitlines(), KIND)
