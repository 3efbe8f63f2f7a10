"""The answer to a sentence that says what is recorded already, or what Enter would close: nothing is declared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cli.play.amend_line import is_close_or_claim
from cli.questions.roles import PLAYERS
from cli.render.reply import closing_text, reply_lines
from cli.shell.line_reader import LineReader
from cli.speech.readings import Reader
from cli.speech.recorded_numbers import says_recorded
from cli.speech.words import amount_at, is_too_long, split_words
from ledger.facts import EntryId
from ledger.records import Record, latest_takes
from rulebooks.common.texts import Wording

MORE: Final = "If it is one more, say 'another'."


def recorded_answer(line: str, reader: LineReader, wording: Wording) -> Sequence[str]:
    """Return what is recorded already, if a sentence says no more than that; no lines for any other line."""
    words = [] if is_too_long(line) else split_words(line)
    if not any(amount_at(words, at) for at in range(len(words))) or reader.plain_line(line):
        return ()
    closing = (reader.closing() or ()) if reader.role != PLAYERS else ()
    last = [fact for take in _last_takes(reader) for fact in take.facts]
    state = reader.seen_state()
    if not says_recorded(words, [*last, *closing], Reader(state, reader.book, reader.scope)):
        return ()
    if closing:
        return [f"That is in the open roll already. Enter closes: {closing_text(closing, wording)}. {MORE}"]
    return [f"That is recorded already: {'; '.join(reply_lines(last, wording))}. {MORE}"]


def _last_takes(reader: LineReader) -> Iterator[Record]:
    """Yield the last line, and what closed its roll."""
    takes = latest_takes(reader.seen.takes(after=EntryId(reader.ledger.state.last.session, -1)))
    lines = [take for take in takes if take.declared and take.line]
    start = next((at for at in range(len(lines) - 1, -1, -1) if not is_close_or_claim(lines[at])), len(lines))
    yield from lines[start:]
