"""Whose line it is where its first word may mean several: the one who alone may say it now."""

from __future__ import annotations

from typing import Final

from cli.notation.groups import find_group, find_stem
from cli.notation.known_beings import match_anybody
from cli.notation.known_words import find_kind_of_verb
from cli.notation.scope import Scope
from cli.notation.tokens import ANSWER_MARK, GM_MARK, TELL_MARKS, LineToken, is_quote, quote, tokenize
from cli.questions.possible import why_not_said
from ledger.errors import LedgerError, Refused, Unreadable
from ledger.ledger_state import LedgerState
from projections.state import State
from rulebooks.common.game import Game

SPEAKER_FIELD: Final = "by"
PLAYED: Final = "pc"  # the kind of a player's character


def with_only_speaker(line: str, ledger_state: LedgerState[State], book: Game, scope: Scope) -> str:
    """Return a line with the whole name of its speaker, if several have that word in theirs and one alone may say it.

    Where several may, it is the one of them whose turn it is. Where all are refused, the refusal is about one of those
    who could say it at another time: who is in turn, else a player's character. Those for whom it cannot be read, such
    as a weapon that they do not have, do not count. Any other line is returned as it is.
    """
    lines = _lines_of_speakers(line, scope)
    if len(lines) < 2:
        return line
    errors = {who: why_not_said(own, ledger_state, book, scope) for who, own in lines.items()}
    state, due = ledger_state.state, set(book.guide.next_up(ledger_state.state))
    able = [who for who, error in errors.items() if error is None]
    refused = [who for who, error in errors.items() if isinstance(error, Refused)]
    if not able and refused:
        able = [who for who in refused if not _is_about_speaker(errors[who])] or refused
        able = sorted(able, key=lambda who: (who not in due, state.kind(who) != PLAYED))[:1]
    able = able or list(lines)
    if len(able) > 1:
        able = [who for who in able if who in due]
    return lines[able[0]] if len(able) == 1 else line


def with_known_speaker(line: str, who: str, scope: Scope) -> str:
    """Return a line with the whole name of this speaker, if its first word may mean them and others."""
    return _lines_of_speakers(line, scope).get(who, line)


def _lines_of_speakers(line: str, scope: Scope) -> dict[str, str]:
    """Return the line with the whole name of each whom its first word may mean; nothing if that is not several."""
    first = _first_word(line)
    if first is None or find_kind_of_verb(first.text, scope.declarations) or find_group(first, scope):
        return {}
    names = match_anybody(first.text, scope).words
    if len(names) < 2 or find_stem(first, scope):
        return {}
    start, end = line[: first.column - 1], line[first.column - 1 + len(first.raw) :]
    return {who: f"{start}{quote(who) if ' ' in who else who}{end}" for who in names}


def _is_about_speaker(error: LedgerError | None) -> bool:
    """Return whether a line is refused because of who its speaker is."""
    return isinstance(error, Refused) and error.field == SPEAKER_FIELD


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
