"""The answer in a line or two to a question in words about values, and about how somebody is."""

from __future__ import annotations

from typing import Final

import msgspec

from cli.notation.tokens import tokenize
from cli.render.short_answers import ShortAnswer, short_answer
from cli.shell.line_reader import LineReader
from cli.speech.inquiry import inquiry_of
from cli.speech.readings import Reader

SHOW: Final = "show"


def answer_shortly(line: str, question: str, reader: LineReader) -> ShortAnswer:
    """Return what answers a sentence in a line or two; no lines if its question of the shell has only a longer answer.

    It is about the one whom the question names, but for a name behind it: `how much have I got? Kestrel`.
    """
    command, *about = [token.text for token in tokenize(question)] or [""]
    if command != SHOW or len(about) > 1 or line.split(maxsplit=1)[0] == SHOW:
        return ShortAnswer()
    state = reader.seen_state()
    asked = inquiry_of(line, Reader(state, reader.book, reader.scope, ""))
    is_other = asked.is_named and len(asked.who) == 1
    if about and not (asked.of_several or is_other):
        if state.state.being(about[0]) is None:
            return ShortAnswer()
        asked = msgspec.structs.replace(asked, who=(about[0],))
    answer = short_answer(asked, state.state, reader.book)
    return answer._replace(is_whole=answer.is_whole or not about)
