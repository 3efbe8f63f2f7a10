"""`shelf export`: every campaign of a shelf as its part of one data set."""

from __future__ import annotations

from pathlib import Path

import msgspec

from cli.play.parquet import part_stamp, write_parquet
from cli.questions.players_ledger import store_for
from cli.shelf.job import CampaignResult, OpenCampaign
from cli.shelf.results import FINE, ShelfRow
from ledger.names import plural


class ExportedPart(msgspec.Struct, frozen=True):
    """The part of a campaign: its name, its files as they were written, and the rows of each table."""

    part: str
    stamp: str
    rows: dict[str, int]


class ExportTask(msgspec.Struct, frozen=True, tag="export"):
    """Write records, facts, dice and values into the data set of a folder, as `role` sees them."""

    folder: str
    role: str

    def look(self, campaign: OpenCampaign) -> CampaignResult:
        """Return how many rows were written. Raises LedgerError where they cannot be."""
        store, book, part = campaign.store, campaign.book, campaign.place.part
        counts = write_parquet(Path(self.folder), part, store, store_for(store, book, self.role), book)
        text = f"{plural(counts['records'], 'record', 'records')} as campaign={part}"
        return CampaignResult(FINE, text, ExportedPart(part, part_stamp(Path(self.folder), part), counts))

    def is_there(self, row: ShelfRow) -> bool:
        """Return whether the part that a row is about is there as it was written: nobody has exported it since."""
        exported = msgspec.json.decode(row.content, type=ExportedPart)
        return exported.stamp == part_stamp(Path(self.folder), exported.part)
