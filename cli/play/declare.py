"""Declare one line of the table: parse it and append its record. Shared by `do`, `run` and `watch`."""

from __future__ import annotations

import msgspec

from cli.notation.line_parser import Said, read
from cli.notation.tokens import AMENDS, UNDO, normal_line
from cli.output import remark
from cli.queries.line_scope import line_scope
from ledger.builtin import BUILTIN
from ledger.errors import Refused
from ledger.facts import GM, parse_entry_id
from ledger.game import decoder
from ledger.records import Record
from ledger.service import Ledger
from projections.state import State
from rulebooks.common.announcements import Announce
from rulebooks.common.game import Game


def declare_line(ledger: Ledger[State], book: Game, text: str, *, at: str, request: str | None = None) -> Record | None:
    """Append the record of one line, and return it; None for an empty line or a comment.

    Raises Unreadable for a line that cannot be read, Refused for one that the rules do not allow.
    """
    line = normal_line(text).strip()
    if request is not None and (earlier := ledger.store.find_request(request)):
        if earlier.line != line:
            raise Refused(
                "L-REQUEST",
                f"this line was taken before as: {earlier.line}",
                hint="Write the change as a line of its own.",
            )
        return earlier
    if is_correction(line):
        return declare_correction(ledger, book, line, at=at, request=request)
    said = read(text, line_scope(ledger.state, book))
    if said is None:
        return None
    said = unless_answerable(ledger, book, said)
    return ledger.declare(said.said, at=at, line=said.line, faces=said.faces, claims=said.claims, request=request)


def unless_answerable(ledger: Ledger[State], book: Game, said: Said) -> Said:
    """Turn an announcement that nobody can answer into the declaration itself."""
    if not isinstance(said.said, Announce):
        return said
    what = decoder(book, BUILTIN).decode(said.said.what)
    if any(book.answers(what, ledger.state.state)):
        return said
    remark("Nobody can answer, so it happens at once.")
    return msgspec.structs.replace(said, said=what)


def is_correction(line: str) -> bool:
    """Whether a line corrects an earlier entry: `undo`, `undo 1.9`, `~ 11 +cover`."""
    return line.startswith(AMENDS) or UNDO.fullmatch(line) is not None


def declare_correction(ledger: Ledger[State], book: Game, line: str, *, at: str, request: str | None) -> Record:
    """Append a correction, and return its own record."""
    # Imported here to start faster: most lines correct nothing.
    if line.startswith(AMENDS):
        from cli.play.tilde import amend_by_line

        return amend_by_line(ledger, book, line, at=at, request=request).records[0]
    from ledger.corrections.amend import last_amendment, undo

    undone = UNDO.fullmatch(line)
    entry = parse_entry_id(undone[1]) if undone and undone[1] else last_amendment(ledger)
    return undo(ledger, entry, by=GM, at=at, line=line, request=request)


def is_silent(text: str) -> bool:
    """Whether a line is empty or a comment."""
    return text.strip()[:1] in ("", ";")
