"""Whose line it is where its first word may mean several: the one who alone may say it now."""

from __future__ import annotations

from cli.notation.groups import find_group, find_stem
from cli.notation.line_parser import ANSWER_MARK, GM_MARK
from cli.notation.resolve import find_kind_of_verb, match_anybody
from cli.notation.scope import Scope
from cli.notation.tokens import TELL_MARKS, LineToken, is_quote, quote, tokenize
from cli.play.possible import may_be_said
from ledger.errors import Unreadable
from ledger.service import Ledger
from projections.state import State
from rulebooks.common.game import Game


def with_only_speaker(line: str, ledger: Ledger[State], book: Game, scope: Scope) -> str:
    """Return a line with the whole name of its speaker, if several have that word in theirs and one alone may say it.

    Where several may, or nobody, it is the one of them whose turn it is. Any other line is returned as it is.
    """
    first = _first_word(line)
    if first is None or find_kind_of_verb(first.text, scope.declarations) or find_group(first, scope):
        return line
    names = match_anybody(first.text, scope).words
    if len(names) < 2 or find_stem(first, scope):
        return line
    start, end = line[: first.column - 1], line[first.column - 1 + len(first.raw) :]
    lines = {who: f"{start}{quote(who) if ' ' in who else who}{end}" for who in names}
    able = [who for who in names if may_be_said(lines[who], ledger, book, scope)] or names
    if len(able) > 1:
        due = set(book.next_up(ledger.state.state))
        able = [who for who in able if who in due]
    return lines[able[0]] if len(able) == 1 else line


def _first_word(line: str) -> LineToken | None:
    """Return the word of a line in which its speaker stands; None in a line without one, or that cannot be read."""
    bare = line.lstrip()
    mark = next((mark for mark in (GM_MARK, ANSWER_MARK) if bare.startswith(mark)), "")
    if bare[:1] in TELL_MARKS or is_quote(bare):
        return None
    try:
        words = tokenize(line.replace(mark, " ", 1) if mark else line)
    except Unreadable:
        return None
    return words[0] if len(words) > 1 and not words[0].has_quotes else None
