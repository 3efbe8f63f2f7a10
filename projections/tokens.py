"""Tokens of a being or of the game master. Their cap is checked whenever no window is open."""

from __future__ import annotations

from ledger.errors import OutOfBalance
from ledger.facts import EntryId, TokensMoved
from projections.checks import other_sum, out_of_bounds
from projections.state import Folds, State, Token


def change_tokens(state: State, entry: EntryId, fact: TokensMoved) -> None:
    """Add or take tokens, never below 0."""
    now = state.tokens_held(fact.who, fact.token) + fact.change
    if fact.now != now:
        raise other_sum(entry, fact, "now", fact.now, now)
    if now < 0:
        raise out_of_bounds(entry, fact, now, 0, None)
    state.put("tokens", (fact.who, fact.token), Token(count=fact.now, most=fact.most))


def check_caps(state: State, entry: EntryId) -> None:
    """Raise OutOfBalance if a being holds more tokens than it may."""
    for (who, token), held in state.tokens.items():
        if held.most is not None and held.count > held.most:
            raise OutOfBalance(f"{who} holds {held.count} {token}, {held.most} are the most", where=f"entry {entry}")


FOLDS: Folds = {TokensMoved: change_tokens}
