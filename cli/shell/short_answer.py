"""The answer in a line or two to a question in words about values, and about how somebody is."""

from __future__ import annotations

from typing import Final

import msgspec

from cli.notation.tokens import tokenize
from cli.render.short_answers import short_answer
from cli.shell.line_reader import LineReader
from cli.speech.inquiry import inquiry_of
from cli.speech.readings import Reader

SHOW: Final = "show"


def answer_shortly(line: str, question: str, reader: LineReader) -> list[str]:
    """Return the lines that answer a sentence; none if the question of the shell that it asks has a longer answer."""
    command, *about = [token.text for token in tokenize(question)] or [""]
    if command != SHOW or len(about) > 1 or line.split(maxsplit=1)[0] == SHOW:
        return []
    state = reader.seen_state()
    asked = inquiry_of(line, Reader(state, reader.book, reader.scope, ""))
    if about and about[0] not in asked.who and not asked.of_several:
        if state.state.being(about[0]) is None:
            return []
        asked = msgspec.structs.replace(asked, who=(about[0],))
    return short_answer(asked, state.state, reader.book)
