"""What Tab offers in the shell: words that may end a line, those that are legal now before those that are refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from cli.notation.known_beings import match_being
from cli.notation.scope import Scope
from cli.notation.tokens import quote
from cli.questions.line_completion import complete_line
from cli.questions.possible import is_possible
from cli.shell import questions
from cli.shell.speaker import in_turn, with_speaker
from ledger.errors import Unreadable
from ledger.name_match import fold_name
from ledger.service import Ledger
from projections.state import State
from rulebooks.common.beings import name_in_line
from rulebooks.common.game import Game

TRIED_MOST: Final = 40  # words that are tried: a Tab is answered at once
LEGAL, OPEN, REFUSED = range(3)  # OPEN: the line cannot be read yet


def complete_typed(text: str, ledger: Ledger[State], book: Game, scope: Scope, *, ranked: bool = True) -> list[str]:
    """Return the words that may end what is typed: a question, the words of one, or a line. `ranked`: as below."""
    complete = partial(complete_words, ledger=ledger, book=book, scope=scope, ranked=ranked)
    if not text.startswith(questions.QUESTION):
        return complete(text)
    asked = text.removeprefix(questions.QUESTION)
    if " " not in text:
        return [f"{questions.QUESTION} {word}" for word in questions.QUESTIONS if word.startswith(asked)]
    asked = asked.lstrip()
    question, space, rest = asked.partition(" ")
    if question in questions.QUESTIONS and space:
        return complete(rest) if question == questions.ODDS else complete_subject(question, rest, scope)
    return [*(word for word in questions.QUESTIONS if word.startswith(asked)), *complete(asked)]


def complete_words(text: str, ledger: Ledger[State], book: Game, scope: Scope, *, ranked: bool = True) -> list[str]:
    """Return the words that may end a line; the being in turn need not be named.

    `ranked`: legal ones first, which may tell something that is hidden.
    """
    state = ledger.state.state
    who, words = in_turn(state, book), complete_line(text, scope, list(book.guide.next_up(state)))
    if who and not (text.split() and match_being(text.split()[0], scope).words) and not text.startswith(("!", "^")):
        words += complete_line(f"{quote(who)} {text}", scope)
    before = text[: len(text) - len("" if text[-1:].isspace() or not text else text.split()[-1])]
    known = list(dict.fromkeys(words))
    if not ranked:
        return known
    ranks = {word: _rank(before + word, ledger, book, scope, who) for word in known[:TRIED_MOST]}
    return sorted(known, key=lambda word: ranks.get(word, OPEN))


def complete_subject(question: str, text: str, scope: Scope) -> list[str]:
    """Return what a question may be about: beings, or values; nothing for a question about neither."""
    start = fold_name(text.lstrip().lstrip('"'))
    known = {"show": scope.beings, "log": scope.beings, "who": scope.values(), "when": scope.values()}
    names = [name for name in known.get(question, ()) if fold_name(name).startswith(start)]
    return [*map(name_in_line, names)]


def _rank(line: str, ledger: Ledger[State], book: Game, scope: Scope, who: str) -> int:
    """Return whether a line would be taken now, also with a name behind it where it lacks one."""
    ranks = [_rank_of_line(line, ledger, book, scope, who)]
    if ranks == [OPEN]:
        ranks = [_rank_of_line(f"{line} {quote(name)}", ledger, book, scope, who) for name in _others(scope)]
    return LEGAL if LEGAL in ranks else REFUSED if ranks and OPEN not in ranks else OPEN


def _others(scope: Scope) -> Sequence[str]:
    """Return a few beings who may be aimed at: those who are here."""
    here: Iterable[str] = scope.groups().get("all", scope.beings)
    return list(here)[:6]


def _rank_of_line(line: str, ledger: Ledger[State], book: Game, scope: Scope, who: str) -> int:
    try:
        parsed = with_speaker(line, scope, lambda: who).parsed
    except Unreadable:
        return OPEN
    if parsed is None:
        return OPEN
    return LEGAL if all(is_possible(ledger, book, each.declaration) for each in parsed) else REFUSED
