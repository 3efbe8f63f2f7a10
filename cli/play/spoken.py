"""How a line is taken that somebody says: as the grammar has it, or as the one thing that its words can mean now."""

from __future__ import annotations

from cli.notation.line_parser import ParsedLine, parse_each
from cli.notation.tokens import normalize_line
from cli.play.only_speaker import with_only_speaker
from cli.questions.line_scope import line_scope
from cli.speech.interpretation import Heard, interpret
from ledger.errors import Unreadable
from ledger.service import Ledger
from projections.state import State
from rulebooks.common.game import Game


def hear(text: str, ledger: Ledger[State], book: Game) -> Heard:
    """Return how a line is taken now.

    Raises Unclear with what may be meant, Unreadable or Refused with what is wrong.
    """
    line = normalize_line(text)
    scope = line_scope(ledger.state, book)
    parsed: list[ParsedLine] | Unreadable
    try:
        parsed = parse_each(with_only_speaker(line, ledger.state, book, scope), scope)
    except Unreadable as error:
        parsed = error
    return interpret(line, parsed, ledger.state, book, scope)
