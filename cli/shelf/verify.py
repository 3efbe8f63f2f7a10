"""`shelf verify`: check every ledger of a shelf, as `verify` does one."""

from __future__ import annotations

from typing import Final

import msgspec

from cli.play.kept_heads import kept_heads_of
from cli.play.spoken import hear_again
from cli.questions.verification import quick_verification, verification
from cli.shelf.job import CampaignResult, OpenCampaign
from cli.shelf.results import DIFFERS, FINE
from ledger.names import plural

FINDINGS_MOST: Final = 50  # of a ledger that are kept


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
