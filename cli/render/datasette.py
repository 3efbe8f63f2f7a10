"""The metadata of a file of tables for Datasette: titles, descriptions, facets, and the queries of the help page."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from ledger.names import escape

CLI: Final = Path(__file__).parents[1]
MARK: Final = {"source": "campaign browse"}  # a file with this entry may be written again
QUERY: Final = re.compile(r"([^.\n]+):\n\n```sql\n(.*?)\n```", re.DOTALL)
VIEWS_OF: Final = {"players": "What the players may see", "gm": "Everything, for the game master alone"}


def table_texts() -> dict[str, Any]:
    """Return the texts about tables and columns."""
    return tomllib.loads((CLI / "tables.toml").read_text(encoding="utf-8"))


def help_queries() -> Iterator[tuple[str, str]]:
    """Yield the title and the SQL of each query of the help page `data`."""
    page = (CLI / "help" / "data.md").read_text(encoding="utf-8")
    yield from ((title.strip(), sql) for title, sql in QUERY.findall(page))


def datasette_metadata(database: str, campaign: str, role: str, finds: Callable[[str], bool]) -> dict[str, Any]:
    """Return the metadata of a database. Of the queries it has those that find a row in it."""
    texts = table_texts()
    tables = {name: _table_metadata(text, texts["every"]) for name, text in texts["tables"].items()}
    queries = {
        re.sub(r"\W+", "_", title.lower()): {"title": title, "sql": sql} for title, sql in help_queries() if finds(sql)
    }
    return {
        **MARK,
        "title": escape(campaign),
        "description": f"{VIEWS_OF[role]}. Take changes for what happened, the other tables for what is.",
        "databases": {database: {"tables": tables, "queries": queries}},
    }


def is_own_metadata(first: bytes) -> bool:
    """Return whether a file begins as metadata that was written here."""
    return msgspec.json.encode(MARK)[1:-1] in first.replace(b'": "', b'":"')


def _table_metadata(text: dict[str, Any], every: dict[str, str]) -> dict[str, Any]:
    """Return the metadata of one table or view."""
    return {
        "description": text["about"],
        "columns": {**every, **text["columns"]},
        **{key: value for key, value in text.items() if key not in ("about", "columns")},
    }
