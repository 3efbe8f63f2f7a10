"""What is replied to a line that was said, in lines of text."""

from __future__ import annotations

from collections.abc import Sequence

from cli.phrases.entries import passed_over
from cli.questions.players_ledger import hidden_beings
from cli.render.reply import is_pass, next_text, pass_texts, reply_lines
from cli.shell.line_reader import LineReader
from ledger.facts import Fact, WindowOpened
from ledger.records import Record
from rulebooks.common.texts import Wording


def said_lines(
    record: Record, reader: LineReader, wording: Wording, closing: Sequence[Fact] | None, due: Sequence[str] = ()
) -> list[str]:
    """Return what an entry did, as those see it for whom lines are read.

    `closing`: what closing the open roll will cause, None if none is open. `due`: those who could have acted, if the
    line let all of them pass.
    """
    facts = [fact for fact in record.facts[1:] if closing is None or not isinstance(fact, WindowOpened)]
    passed, after = passed_over(record) or pass_texts(due), ""
    if not passed and is_pass(record, reader.book):
        hidden = hidden_beings(reader.seen)
        passed = pass_texts([record.by])
        after = next_text([who for who in reader.book.guide.next_up(reader.state) if who not in hidden])
    return reply_lines(facts, wording, "" if record.line_start else record.by, passed, after)
