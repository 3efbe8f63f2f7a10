"""The word of a line that a refusal of the rules is about."""

from __future__ import annotations

import re
from typing import Final

from cli.notation.known_beings import join_names, match_being
from cli.notation.scope import Scope
from cli.notation.tokens import tokenize
from ledger.errors import Unreadable
from ledger.line_tokens import FACES

LEAST: Final = 3  # letters of a word that may be looked for as it stands


def subject_column(line: str, told: str, scope: Scope) -> int | None:
    """Return the column of the only word behind the speaker that a refusal tells of; None for none or several.

    It tells of a being by name, and of any other word but a verb as it was typed.
    """
    try:
        tokens = join_names(tokenize(line.lstrip("!^ ").rjust(len(line))), scope)
        meanings = [(token.column, _meanings(token.text, scope)) for token in tokens[1:]]
    except Unreadable:
        return None
    columns = [column for column, words in meanings if any(_is_in(word, told) for word in words)]
    return columns[0] if len(columns) == 1 else None


def _meanings(word: str, scope: Scope) -> list[str]:
    """Return the being that a word means, or the word itself."""
    beings = match_being(word, scope).words
    if any(word in kind.verbs for kind in scope.declarations):
        return []
    return beings if len(beings) == 1 else [word] if len(word) >= LEAST and not FACES.fullmatch(word) else []


def _is_in(word: str, told: str) -> bool:
    """Return whether a text contains a word."""
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", told) is not None
