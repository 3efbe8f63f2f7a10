"""`shelf export`: every campaign of a shelf as its part of one data set."""

from __future__ import annotations

from pathlib import Path

import msgspec

from cli.play.parquet import write_parquet
from cli.questions.players_ledger import store_for
from cli.shelf.job import CampaignResult, OpenCampaign
from cli.shelf.results import FINE
from ledger.names import plural


class ExportTask(msgspec.Struct, frozen=True, tag="export"):
    """Write records, facts, dice and values into the data set of a folder, as `role` sees them."""

    folder: str
    role: str

    def look(self, campaign: OpenCampaign) -> CampaignResult:
        """Return how many rows were written. Raises LedgerError where they cannot be."""
        store, book = campaign.store, campaign.book
        counts = write_parquet(Path(self.folder), campaign.place.part, store, store_for(store, book, self.role), book)
        text = f"{plural(counts['records'], 'record', 'records')} as campaign={campaign.place.part}"
        return CampaignResult(FINE, text, counts)
