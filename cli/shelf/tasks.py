"""`shelf verify`, `search` and `export`: check every ledger of a shelf, find words, write all as one data set."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from cli.play.kept_heads import kept_heads_of
from cli.play.parquet import part_stamp, write_parquet
from cli.play.spoken import hear_again
from cli.questions.log import find_entries, spoken_words
from cli.questions.players_ledger import store_for
from cli.questions.verification import quick_verification, verification
from cli.shelf.job import CampaignResult, OpenCampaign
from cli.shelf.results import DIFFERS, FINE, ShelfRow
from ledger.names import plural

FINDINGS_MOST: Final = 50  # of a ledger that are kept
MATCHES_MOST: Final = 1000  # of a campaign


class VerifyTask(msgspec.Struct, frozen=True, tag="verify"):
    """Check every stored byte, hash, die and fact; `quick`: apply no rule again."""

    quick: bool = False

    def look(self, campaign: OpenCampaign) -> CampaignResult:
        """Return the findings of a ledger. Raises LedgerError if it cannot be read."""
        store = campaign.store
        store.checks_index = False  # what it lacks is a finding
        kept = [each.kept for each in kept_heads_of(store).read()]
        if self.quick:
            quick = quick_verification(store, kept)
            ok, entries, findings, proofs = quick.ok, quick.checked.entries, quick.findings, quick.proofs
        else:
            full = verification(store, kept, None, hear_again)
            ok, entries, findings, proofs = full.ok, full.replay.entries, full.findings, full.proofs
        unproved = sum(proof.faces - proof.later for proof in proofs if proof.lost)
        counts = plural(entries, "entry", "entries")
        if ok:
            doubt = f", {plural(unproved, 'face is', 'faces are')} unproved: of a lost seed" if unproved else ""
            text = f"{counts}{doubt}"
        else:
            text = f"{plural(len(findings), 'finding', 'findings')}, the first: {findings[0]}"
        content = {
            "entries": entries,
            "findings": findings[:FINDINGS_MOST],
            "found": len(findings),
            "unproved": unproved,
        }
        return CampaignResult(FINE if ok else DIFFERS, text, content)


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
