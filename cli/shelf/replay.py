"""`shelf replay`: decide every entry of a shelf again, by the rules on record or by another reading of them."""

from __future__ import annotations

from typing import Final

import msgspec

from cli.questions.house_rule import HouseRule, house_rule
from cli.shelf.job import CampaignResult, OpenCampaign
from cli.shelf.results import DIFFERS, FINE, ShelfRow
from ledger.errors import InputError
from ledger.names import plural
from ledger.replay import Replay
from projections.projection import StateProjection

DIFFERENCES_MOST: Final = 50  # of a ledger that are kept


class ReplayTask(msgspec.Struct, frozen=True, tag="replay"):
    """Decide all entries again; with `options` or a `revision` evening by evening under another reading."""

    options: tuple[str, ...]
    revision: str | None

    @property
    def supposes(self) -> bool:
        """Whether the rules are others than those on record."""
        return bool(self.options or self.revision)

    def look(self, campaign: OpenCampaign) -> CampaignResult:
        """Return what differs. Raises LedgerError if the ledger cannot be replayed."""
        store, book = campaign.store, campaign.book
        if self.supposes:
            try:
                found = house_rule(store, book, campaign.wording, self.options, self.revision)
            except InputError as error:
                return CampaignResult(FINE, str(error), None)
            return CampaignResult(
                DIFFERS if found.flips or found.fates or found.impossible else FINE, _text(found), found
            )
        report = Replay(store, book, StateProjection()).run()
        counts = f"{plural(report.entries, 'entry', 'entries')}, {plural(report.facts, 'fact', 'facts')}"
        text = counts
        if report.differences:
            number = plural(len(report.differences), "entry differs", "entries differ")
            text = f"{number}, the first: {report.differences[0]}"
        content = {
            "entries": report.entries,
            "facts": report.facts,
            "differences": report.differences[:DIFFERENCES_MOST],
            "differing": len(report.differences),
        }
        return CampaignResult(DIFFERS if report.differences else FINE, text, content)


def is_unasked(row: ShelfRow) -> bool:
    """Return whether the book of a campaign does not have the reading that is supposed."""
    return row.outcome == FINE and bytes(row.content) == b"null"


def _text(found: HouseRule) -> str:
    """Return in a line what a house rule comes to in one campaign."""
    parts = [f"{len(found.flips)} of {plural(found.results, 'result', 'results')} would be others"]
    for lives, word in ((True, "live"), (False, "be gone")):
        if names := list(dict.fromkeys(end.who for end in found.fates if end.lives is lives and end.is_player)):
            parts.append(f"{', '.join(names)} would {word}")
    if found.impossible:
        parts.append(plural(len(found.impossible), "entry falls away", "entries fall away"))
    if found.needs:
        parts.append(f"{plural(len(found.needs), 'evening', 'evenings')} to decide with dice that were never thrown")
    return "; ".join(parts)
