"""Check a bundle: one of the game master as a ledger is checked, one of the players as far as that can be done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

import msgspec

from cli.play.import_bundle import place_in_bundle
from cli.questions.verification import QuickVerification, Verification
from ledger.bundle_reader import BundleReader
from ledger.errors import Damaged
from ledger.head_words import KeptHead
from ledger.players_check import PlayersCheck, PlayersReport
from ledger.records import Head
from ledger.session_proof import SessionProof
from ledger.sql_store import SqlStore
from ledger.verify import Finding

SEALED_UNREAD: Final = (
    "This is the players' copy. Its bytes are checked, its hashes up to the head, the numbers of its entries, and the"
    " dice that are not hidden. What is sealed is fixed by its hash and was not read, and no rule was applied again:"
    " the game master's ledger or bundle with the same head shows that."
)


class PlayersVerification(msgspec.Struct, frozen=True, kw_only=True):
    """All findings in a players' bundle, its head, and what was counted; `rules_applied` is always false."""

    ok: bool
    findings: tuple[Finding, ...]
    head: str
    checked: PlayersReport
    proofs: tuple[SessionProof, ...] = ()
    notices: tuple[Finding, ...] = ()
    rules_applied: bool = False


def players_verification(bundle: BundleReader, heads: Sequence[KeptHead]) -> tuple[PlayersVerification, dict[str, int]]:
    """Check a players' bundle; `heads` were kept elsewhere and must be in its chain.

    Return what was found, and the commitments of its sessions with their numbers.
    """
    check, last, findings = PlayersCheck(heads), "", list[Finding]()
    try:
        for stored, record in bundle.records():
            check.add(stored, record)
            last = str(Head(stored.position, stored.hash))
        findings = check.findings()
    except Damaged as error:
        findings = [damage(error)]
    answer = PlayersVerification(
        ok=not findings, findings=tuple(findings), head=last, checked=check.report, proofs=tuple(check.proofs)
    )
    return answer, check.commitments


def damage(error: Damaged) -> Finding:
    """Return the finding of a line that says what cannot be."""
    return Finding(where=error.where, what=f"{error.what}; what is behind it was not looked at")


Result = TypeVar("Result", Verification, QuickVerification)


def with_lines(store: SqlStore, result: Result) -> Result:
    """Return the result of the check of a bundle's records with the line of each finding."""
    findings = (Finding(where=place_in_bundle(store, finding), what=finding.what) for finding in result.findings)
    return msgspec.structs.replace(result, findings=tuple(findings))
