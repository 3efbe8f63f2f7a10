"""Claims that say what came of an entry, as `watch --write` puts them behind a line: `=> success 14`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cli.notation.claims import CLAIM_MARK, format_claim, parse_claims, split_claims, without_claims
from cli.notation.known_beings import join_names
from cli.notation.scope import Scope
from cli.notation.tokens import tokenize
from ledger.claims import OUTCOME_PREFIX, YES, compare_claims
from ledger.errors import LedgerError
from ledger.facts import Claimed, Claims, Judged, Scalar
from ledger.names import name_key
from ledger.records import Record

CLAIMS_MOST: Final = 4


def result_claims(record: Record) -> Claims:
    """Return the claims that hold of the results of an entry, each result once with its total."""
    claims: dict[str, Scalar] = {}
    for name, claimed in _results(record):
        claims.setdefault(name, claimed)
    true = [
        (fact.value, fact.claimed)
        for fact in compare_claims(tuple(claims.items()), record.facts, dict)
        if isinstance(fact, Claimed) and fact.claimed == fact.actual
    ]
    return tuple(sorted(true, key=lambda claim: claim[1] == YES)[:CLAIMS_MOST])  # totals first


def _results(record: Record) -> Iterator[tuple[str, Scalar]]:
    """Yield each result of an entry as a claim."""
    for fact in record.facts:
        if isinstance(fact, Judged) and fact.result:
            yield OUTCOME_PREFIX + name_key(fact.result), YES if fact.total is None else fact.total


def claim_text(record: Record) -> str:
    """Return the claims of the results of an entry as they are written behind its line; empty if it has none."""
    claims = ", ".join(format_claim(name, claimed) for name, claimed in result_claims(record))
    return f"{CLAIM_MARK} {claims}" if claims else ""


def is_readable_claim(record: Record, scope: Scope) -> bool:
    """Return whether the text of the claims is read as these claims: a result may have the name of a being."""
    try:
        _, tokens = split_claims(tokenize(claim_text(record)))
        return parse_claims(join_names(tokens or [], scope), scope) == result_claims(record)
    except LedgerError:
        return False


def claims_behind(line: str) -> str:
    """Return the claims behind a line, with their mark; empty if it has none."""
    return line[len(without_claims(line)) :].strip()


def is_result_claim(line: str, take: Record) -> bool:
    """Return whether the claims behind a line are those of the results of a take."""
    return claims_behind(line) == claim_text(take) != ""
