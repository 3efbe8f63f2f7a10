"""Tokens, of one being or of the game master's side. A cap holds whenever nothing is open."""

from __future__ import annotations

from ledger.facts import EntryId, TokensMoved
from projections.checks import check_bounds, check_sum
from projections.state import Evolve, State, Token


def moved(state: State, entry: EntryId, fact: TokensMoved) -> None:
    """Tokens come or go, never below none."""
    check_sum(entry, fact, "now", fact.now, state.tokens_held(fact.who, fact.token) + fact.change)
    check_bounds(entry, fact, fact.now, 0, None)
    state.put(state.tokens, (fact.who, fact.token), Token(count=fact.now, most=fact.most))


EVOLVE: Evolve = {TokensMoved: moved}
