"""The rows of `show` under keys, so that an entry holds only those that it changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from cli.phrases.overview import Overview

Rows = Mapping[str, Any]  # a key, and the row as JSON: `being Kess`, `slot 0`, `tokens`


def rows_of(overview: Overview) -> dict[str, Any]:
    """Return an overview as rows under keys; rows without content are left out."""
    content = msgspec.to_builtins(overview)
    rows = {f"being {row['who']}": row for row in content.pop("beings")}
    encounter = content.pop("encounter")
    if encounter:
        rows |= {f"slot {number}": row for number, row in enumerate(encounter.pop("rows"))}
        rows["encounter"] = encounter
    return rows | {name: row for name, row in content.items() if row}


def changed_rows(before: Rows, after: Rows) -> dict[str, Any]:
    """Return the rows that differ, as they are now; None for one that is gone."""
    gone = {key: None for key in before if key not in after}
    return gone | {key: row for key, row in after.items() if before.get(key) != row}
