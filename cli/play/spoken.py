"""How a line is taken that somebody says: as the grammar has it, or as the one thing that its words can mean now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec

from cli.notation.line_parser import ParsedLine, parse_each
from cli.notation.scope import Scope
from cli.notation.tokens import normalize_line, quote
from cli.play.only_speaker import with_only_speaker
from cli.questions.line_scope import line_scope
from cli.speech.heard import Heard, Unclear, is_doubtful, unclear
from ledger.errors import LedgerError, Unreadable
from ledger.facts import Declared
from ledger.ledger_state import LedgerState
from projections.state import State
from rulebooks.common.game import Game

WORDS_MOST: Final = 45  # of a sentence that is heard, and how often it has one of them: others would take minutes
SAME_MOST: Final = 8


def hear(text: str, state: LedgerState[State], book: Game, spoken_of: Callable[[], Sequence[str]] = list) -> Heard:
    """Return how a line is taken now. `spoken_of`: those who were named in the last lines.

    Raises Unclear with what may be meant, Unreadable or Refused with what is wrong.
    """
    line = normalize_line(text)
    scope = msgspec.structs.replace(line_scope(state, book), spoken_of=spoken_of)
    parsed: list[ParsedLine] | Unreadable
    try:
        parsed = parse_each(with_only_speaker(line, state, book, scope), scope)
    except Unreadable as error:
        parsed = error
    return hear_parsed(line, parsed, state, book, scope)


def hear_parsed(
    line: str, parsed: Sequence[ParsedLine] | Unreadable, state: LedgerState[State], book: Game, scope: Scope
) -> Heard:
    """Return how a line is taken that the grammar reads so, or does not read. Raises as `hear`."""
    if not isinstance(parsed, Unreadable) and not any(is_doubtful(each, scope) for each in parsed):
        return Heard(parsed)
    if is_too_long(line):
        raise parsed if isinstance(parsed, Unreadable) else unclear(line, [])
    from cli.speech.closest import interpret_or_ask  # imported here to start faster: most lines are in the grammar
    from cli.speech.hedges import without_hedges
    from cli.speech.words import without_last_question, without_narrator

    said = without_hedges(without_last_question(without_narrator(line)))
    return interpret_or_ask(said, parsed, state, book, scope)


def is_too_long(line: str) -> bool:
    """Return whether a line is too long, or says a word too often, to be a sentence that somebody says at a table."""
    from cli.speech.words import split_words  # imported here to start faster: most lines are in the grammar

    counted = Counter(word.text for word in split_words(line))
    return counted.total() > WORDS_MOST or max(counted.values(), default=0) > SAME_MOST


def hear_again(declared: Declared, state: LedgerState[State], book: Game) -> Iterator[ParsedLine]:
    """Yield how a recorded line may have been heard in this state.

    The shell puts who is in turn before a line; what players hear may be asked about where everybody in play is known.
    """
    scope = line_scope(state, book)
    for line in (declared.line, f"{quote(declared.by)} {declared.line}"):
        try:
            yield from hear(line, state, book).parsed
        except Unclear as error:
            for meant in error.lines:
                yield from parse_each(meant, scope)
        except LedgerError:
            continue
