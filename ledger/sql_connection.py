"""What a store needs of a connection to its database, be it sqlite3's or one to PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol


class Rows(Protocol):
    """The rows that a query finds, read one after the other."""

    def fetchall(self) -> list[Any]:
        """Return the rows that are left."""

    def fetchone(self) -> Any:
        """Return the next row, or None."""

    def __iter__(self) -> Iterator[Any]:
        """Yield the rows that are left."""

    def close(self) -> None:
        """Forget the rows that are left."""


class Connection(Protocol):
    """A connection to the database of a campaign, in which its tables have the names of `ledger.db`."""

    def execute(self, sql: str, parameters: Sequence[Any] = ..., /) -> Rows:
        """Run a statement whose parameters are marked with `?`."""

    def executemany(self, sql: str, rows: Any, /) -> object:
        """Run a statement for each row."""
