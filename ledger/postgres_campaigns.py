"""The campaigns of a database that somebody may see."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ledger.postgres_address import DatabaseAddress
from ledger.postgres_connection import connect, translate_errors
from ledger.postgres_schema import SCHEMA
from ledger.records import Head

ROWS: Final = (
    "SELECT name, position, hash,"
    f" (SELECT public FROM {SCHEMA}.records AS r WHERE r.campaign = c.id AND r.position = 1),"
    f" (SELECT at FROM {SCHEMA}.entries AS e WHERE e.campaign = c.id AND e.position = c.position)"
    f" FROM {SCHEMA}.campaigns AS c WHERE %s::text IS NULL OR name = %s ORDER BY name"
)
HEADS: Final = f"SELECT name, position, hash FROM {SCHEMA}.campaigns WHERE %s::text IS NULL OR name = %s ORDER BY name"


class CampaignRow(NamedTuple):
    """A campaign: its name in addresses, its head, its first record in public, and when its last one was written."""

    name: str
    position: int
    hash: str
    first: bytes | None
    last: str | None


def campaigns(address: DatabaseAddress) -> list[CampaignRow]:
    """Return the campaigns of a database, or the one that an address names, by name. Raises LedgerError."""
    return [CampaignRow(*row) for row in _rows(address, ROWS)]


def heads(address: DatabaseAddress) -> dict[str, Head]:
    """Return the head of each campaign of a database, or of the one that an address names, by name.

    It reads no records: whoever follows many campaigns compares these heads. Raises LedgerError.
    """
    return {name: Head(position, hash) for name, position, hash in _rows(address, HEADS)}


def _rows(address: DatabaseAddress, query: str) -> list[tuple[Any, ...]]:
    """Return what a query about the campaign of an address says, or about all."""
    with translate_errors(address), connect(address) as db:
        rows: list[tuple[Any, ...]] = db.execute(query.encode(), (address.campaign, address.campaign)).fetchall()
        return rows
