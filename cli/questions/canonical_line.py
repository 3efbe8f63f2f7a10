"""Records with their lines written out: whole names and words instead of what somebody typed at the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import msgspec

from cli.notation.formatter import format_line
from cli.notation.line_parser import ParsedLine
from ledger.builtin import BUILTIN, Claim, Correct
from ledger.declarations import Declaration
from ledger.errors import LedgerError
from ledger.facts import GM, Declared
from ledger.game import decoder
from ledger.records import Record
from rulebooks.common.announcements import said_or_announced
from rulebooks.common.game import Game

AS_TYPED: Final = (Claim, Correct)  # a sheet is read aloud in the table's own words; of corrections nothing is short
TASK: Final = re.compile(r'("[^"]+"|[^\s"=]+) "([^\W\d]\w*)"')  # a task needs no quotation marks to be read


def written_records(records: Iterable[Record], book: Game) -> Iterator[Record]:
    """Yield the records with their lines written out; a line that cannot be stays as it was typed."""
    decode = decoder(book, BUILTIN).decode
    for record in records:
        declared = record.declared
        line = "" if declared is None else written_line(declared, decode, book, secret=record.seen == GM)
        if declared is not None and line:
            own = msgspec.structs.replace(declared, line=line, line_start=msgspec.UNSET)
            record = msgspec.structs.replace(record, facts=(own, *record.facts[1:]))
        yield record


def written_line(declared: Declared, decode: Callable[[msgspec.Raw], Declaration], book: Game, *, secret: bool) -> str:
    """Return a line written out with its faces and claims; empty where it has none, or cannot be written."""
    return TASK.sub(r"\1 \2", canonical_line(declared, decode, book, secret=secret), count=1)


def canonical_line(
    declared: Declared, decode: Callable[[msgspec.Raw], Declaration], book: Game, *, secret: bool
) -> str:
    """Return a line as it can be read again whatever else is known; empty where it has none, or cannot be written."""
    try:
        said = decode(declared.said)
        if not declared.line or isinstance(said, AS_TYPED):
            return ""
        whole = said_or_announced(said, *book.declarations)
        parsed = ParsedLine(whole, declared.faces, declared.line, declared.claims, whole is not said, secret)
        return format_line(parsed)
    except (LedgerError, msgspec.MsgspecError):
        return ""
