"""The whole line to type instead of one that was refused: it is proposed only if it would be taken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cli.notation.known_words import nearest_words
from cli.notation.scope import Scope
from cli.notation.tokens import quote
from cli.questions.possible import may_be_said
from ledger.errors import LedgerError
from ledger.line_tokens import TOKEN
from ledger.service import Ledger
from projections.state import State
from rulebooks.common.game import Game

GUESS: Final = re.compile(r"\s*Did you mean (.*)\?$")
COLUMN: Final = re.compile(r"column ([0-9]+)")
VALUE_MARKS: Final = ("=", ":")


def with_whole_line(error: LedgerError, line: str, ledger: Ledger[State], book: Game, scope: Scope) -> LedgerError:
    """Return an error that guessed a word with the whole line instead, or without a guess where no line is taken."""
    guess = GUESS.search(error.hint)
    if guess is None:
        return error
    told, words = error.hint[: guess.start()], re.findall(r"'([^']+)'", guess[1])
    for meant in _lines(error, line, words, scope):
        if meant != line and may_be_said(meant, ledger, book, scope):
            return error.with_hint(f"{told} Did you mean: {meant} ?".strip())
    return error.with_hint(f"{told} The nearest: {', '.join(words)}".strip())


def _lines(error: LedgerError, line: str, words: list[str], scope: Scope) -> Iterator[str]:
    """Yield the line with the nearest word in place of the one that is wrong, then with the nearest name."""
    column = error.column or next((int(found[1]) for found in [COLUMN.search(error.where)] if found), None)
    typed = TOKEN.match(line, column - 1) if column else None
    starts = [(typed.start(), typed[0])] if typed else [(word.start(), word[0]) for word in TOKEN.finditer(line)][1:]
    beings = nearest_words(starts[0][1], scope.beings) if typed else []
    for start, raw in starts:
        for word in (*words[:1], *beings[:1]):  # any other word may be another act
            mark = next((mark for mark in VALUE_MARKS if mark in raw and mark not in word), "")
            end = start + (raw.index(mark) if mark else len(raw))
            meant = quote(word) if " " in word and word in scope.beings else word
            yield f"{line[:start]}{meant}{line[end:]}"
