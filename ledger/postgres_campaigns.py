"""The campaigns of a database that somebody may see."""

from __future__ import annotations

from typing import NamedTuple

from ledger.postgres_address import DatabaseAddress
from ledger.postgres_connection import connect, translate_errors
from ledger.postgres_schema import SCHEMA

ROWS = (
    "SELECT name, position, hash,"
    f" (SELECT public FROM {SCHEMA}.records AS r WHERE r.campaign = c.id AND r.position = 1),"
    f" (SELECT at FROM {SCHEMA}.entries AS e WHERE e.campaign = c.id AND e.position = c.position)"
    f" FROM {SCHEMA}.campaigns AS c WHERE %s::text IS NULL OR name = %s ORDER BY name"
)


class CampaignRow(NamedTuple):
    """A campaign: its name in addresses, its head, its first record in public, and when its last one was written."""

    name: str
    position: int
    hash: str
    first: bytes | None
    last: str | None


def campaigns(address: DatabaseAddress) -> list[CampaignRow]:
    """Return the campaigns of a database, or the one that an address names, by name. Raises LedgerError."""
    with translate_errors(address), connect(address) as db:
        rows = db.execute(ROWS, (address.campaign, address.campaign)).fetchall()
    return [CampaignRow(*row) for row in rows]
