"""The odds of a declaration at each level (of Effort, say)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from cli.notation.formatter import format_declaration
from ledger.declarations import Declaration
from ledger.errors import Refused
from ledger.facts import EntryId
from ledger.ledger_state import LedgerState
from ledger.odds import Odds, count_odds
from projections.state import State
from rulebooks.common.game import Game


class LevelOdds(msgspec.Struct, frozen=True, kw_only=True):
    """A declaration at one level, with its odds."""

    level: str
    line: str
    odds: Odds


def odds_by_level(book: Game, position: LedgerState[State], said: Declaration) -> Iterator[LevelOdds]:
    """Yield the odds at every level that the rules allow. Raises Refused when they allow none."""
    id = EntryId(position.last.session, position.last.number + 1)
    refusal: Refused | None = None
    any_allowed = False
    for level, declaration in book.levels(said, position.state):
        try:
            counted = count_odds(book, position, declaration, id)
        except Refused as error:
            refusal = refusal or error
            continue
        any_allowed = True
        yield LevelOdds(level=level, line=format_declaration(declaration), odds=counted)
    if not any_allowed and refusal is not None:
        raise refusal
