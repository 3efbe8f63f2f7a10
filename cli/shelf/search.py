"""`shelf search`: find words in every campaign of a shelf."""

from __future__ import annotations

from itertools import islice
from typing import Final

import msgspec

from cli.questions.log import find_entries, spoken_words
from cli.questions.players_ledger import store_for
from cli.shelf.job import CampaignResult, OpenCampaign
from cli.shelf.results import FINE
from ledger.names import plural

MATCHES_MOST: Final = 1000  # of a campaign


class FoundEntry(msgspec.Struct, frozen=True):
    """An entry that has the words, and when it was said."""

    entry: str
    at: str
    text: str


class SearchTask(msgspec.Struct, frozen=True, tag="search"):
    """Find the entries with all words of a text, as `role` sees them; `takes`: also those that no longer count."""

    text: str
    takes: bool
    role: str

    def look(self, campaign: OpenCampaign) -> CampaignResult:
        """Return the entries that were found."""
        seen = store_for(campaign.store, campaign.book, self.role)
        matches = []
        for record in islice(find_entries(campaign.store, seen, self.text, takes=self.takes), MATCHES_MOST):
            line, told = spoken_words(record)
            name = f"{record.id}@{record.take}" if self.takes else str(record.id)
            matches.append(FoundEntry(name, record.at, line or told))
        return CampaignResult(FINE, plural(len(matches), "entry", "entries"), matches)
