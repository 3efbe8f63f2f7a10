"""The answer in a line or two to a question in words about values, and about how somebody is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from cli.notation.line_parser import parse_each
from cli.notation.tokens import tokenize
from cli.phrases.encounters import turn_order
from cli.phrases.results import sum_text
from cli.phrases.turns import living_slots
from cli.questions.odds import number_to_reach
from cli.questions.roles import PLAYERS
from cli.render.short_answers import ShortAnswer, short_answer
from cli.shell.line_reader import LineReader
from cli.speech.english import ENGLISH
from cli.speech.inquiry import inquiry_of
from cli.speech.readings import Reader
from cli.speech.words import split_words
from ledger.errors import LedgerError

SHOW: Final = "show"
ODDS: Final = "odds"
TURN: Final = "turn"
ORDER: Final = frozenset(("order", "after", "follow", "follows"))  # in a question for more than whose turn it is


def answer_shortly(line: str, question: str, reader: LineReader) -> ShortAnswer:
    """Return what answers a sentence in a line or two; no lines if its question of the shell has only a longer answer.

    It is about the one whom the question names, but for a name behind it: `how much have I got? Kestrel`.
    """
    if question.startswith(f"{ODDS} "):
        return ShortAnswer(_needed(line, question.removeprefix(ODDS), reader), is_whole=False)
    if question == TURN:
        return ShortAnswer(_order(line, reader), is_whole=False)
    command, *about = [token.text for token in tokenize(question)] or [""]
    if command != SHOW or len(about) > 1 or line.split(maxsplit=1)[0] == SHOW:
        return ShortAnswer()
    state = reader.seen_state()
    asked = inquiry_of(line, Reader(state, reader.book, reader.scope, ""))
    is_other = asked.is_named and len(asked.who) == 1
    if about and not (asked.of_several or is_other):
        if state.state.being(about[0]) is None:
            return ShortAnswer()
        members = reader.scope.groups().get(about[0].casefold(), ())
        asked = msgspec.structs.replace(asked, who=tuple(members) or (about[0],))
    answer = short_answer(asked, state.state, reader.book)
    return answer._replace(is_whole=answer.is_whole or not about)


def _order(sentence: str, reader: LineReader) -> Sequence[str]:
    """Return the turn order, if a sentence asks who comes after somebody."""
    state, words = reader.seen_state().state, {word.text for word in split_words(sentence)}
    if state.encounter is None or words.isdisjoint(ORDER):
        return ()
    order = turn_order(living_slots(state, state.encounter))
    return [f"order: {order}"] if order else ()


def _needed(sentence: str, line: str, reader: LineReader) -> Sequence[str]:
    """Return the number that a line is held against, if a sentence asks for it: `against 13: TN 20, AGI -7 = 13`.

    The players see none, as it may rest on what they do not know.
    """
    if reader.role == PLAYERS or all(word.text not in ENGLISH.needing for word in split_words(sentence)):
        return ()
    try:
        said = parse_each(line.strip(), reader.scope)
    except LedgerError:
        return ()
    needed = number_to_reach(reader.book, reader.ledger.state, said[0].declaration) if said else None
    if needed is None:
        return ()
    how = next((sum_text(each) for each in needed.sums if each.total == needed.target and each.steps), "")
    return [f"against {needed.target}{how and f': {how}'}"]
