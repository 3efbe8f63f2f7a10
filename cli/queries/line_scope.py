"""The scope in which a line is read: who is in play and which words, values and verbs the ledger and book know."""

from __future__ import annotations

from collections.abc import Iterable

from cli.notation.scope import Scope
from ledger.builtin import BUILTIN_WITH_VERBS
from ledger.declarations import Declaration, Ruling
from ledger.ledger_state import LedgerState
from projections.state import State
from rulebooks.common.game import Game


def line_scope(ledger_state: LedgerState[State], book: Game) -> Scope:
    """Return the scope of a line that is said at this position of the ledger."""
    state = ledger_state.state

    def known_words(declaration: type[Declaration], field: str, by: str) -> Iterable[str]:
        if declaration is Ruling and field == "cites":
            return book.texts().rules
        return book.vocabulary(declaration, field, state, by)

    return Scope(
        beings=[being.name for being in state.beings_in_order()],
        declarations=[*book.declarations, *BUILTIN_WITH_VERBS],
        words=known_words,
        values=lambda: list(ledger_state.values()),
        short_names=lambda: book.texts().lexicon.short,
        vital_value=lambda: book.texts().lexicon.vital,
    )
