"""The odds of a declaration at each level (of Effort, say)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from cli.notation.formatter import format_declaration
from cli.queries.line_scope import line_scope
from ledger.declarations import Declaration
from ledger.errors import Refused, stored_errors
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
    scope = line_scope(position, book)
    with stored_errors(f"the state after entry {position.last}"):
        levels = list(book.levels(said, position.state))
    for level, declaration in levels:
        try:
            counted = count_odds(book, position, declaration, id)
        except Refused as error:
            refusal = refusal or error
            continue
        any_allowed = True
        yield LevelOdds(level=level, line=format_declaration(declaration, scope), odds=counted)
    if not any_allowed and refusal is not None:
        raise refusal
