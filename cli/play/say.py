"""One line said at the table: read, declared, kept. The door that `do` and `run` share."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from cli.notation.line_parser import Around, Said, read
from cli.notation.tokens import AMENDS, UNDO, normal_line
from cli.output import remark
from ledger.builtin import BUILTIN, SPOKEN
from ledger.errors import Refused
from ledger.facts import GM, parse_entry_id
from ledger.game import Declaration, Ruling, decoder
from ledger.position import LedgerState
from ledger.records import Record
from ledger.service import Ledger
from projections.state import State
from rulebooks.common.announcing import Announce
from rulebooks.common.game import Book


def around(place: LedgerState[State], book: Book[State]) -> Around:
    """What the grammar asks about a table where it stands, or stood."""
    state = place.state

    def words(declaration: type[Declaration], field: str, by: str) -> Iterable[str]:
        if declaration is Ruling and field == "cites":
            return book.texts().rules
        return book.vocabulary(declaration, field, state, by)

    return Around(
        names=[being.name for being in state.in_order()],
        kinds=[*book.declarations, *SPOKEN],
        words=words,
        values=lambda: list(place.values()),
        short=lambda: book.texts().words.short,
        vital=lambda: book.texts().words.vital,
    )


def say_line(
    table: Ledger[State], book: Book[State], text: str, *, at: str, request: str | None = None
) -> list[Record]:
    """Declare one line. An empty list for a line that says nothing.

    Raises Unreadable for a line that cannot be read, Refused for one that the rules do not allow.
    """
    line = normal_line(text).strip()
    if request is not None and (earlier := table.store.by_request(request)):
        if earlier.line != line:
            raise Refused(
                "L-REQUEST",
                f"this line was taken before as: {earlier.line}",
                hint="Say the change as a line of its own.",
            )
        return [earlier]
    if corrects(line):
        return [corrected(table, book, line, at=at, request=request)]
    said = read(text, around(table.state, book))
    if said is None:
        return []
    return [declare(table, unpaused(table, book, said), at=at, request=request)]


def unpaused(table: Ledger[State], book: Book[State], said: Said) -> Said:
    """What a line announces is said at once where nobody can answer it."""
    if not isinstance(said.said, Announce):
        return said
    what = decoder(book, BUILTIN).decode(said.said.what)
    if any(book.answers(what, table.state.state)):
        return said
    remark("Nobody can answer: it is not announced, it happens.")
    return msgspec.structs.replace(said, said=what)


def corrects(line: str) -> bool:
    """Whether a line corrects what was said earlier: `undo`, `undo 1.9`, `~ 11 +cover`."""
    return line.startswith(AMENDS) or UNDO.fullmatch(line) is not None


def corrected(table: Ledger[State], book: Book[State], line: str, *, at: str, request: str | None) -> Record:
    """What corrects, in a record of its own. Its modules are asked for only here: most lines correct nothing."""
    if line.startswith(AMENDS):
        from cli.commands.amend import tilded

        return tilded(table, book, line, at=at, request=request).records[0]
    from ledger.corrections.amend import last_amendment, undo

    taken_back = UNDO.fullmatch(line)
    entry = parse_entry_id(taken_back[1]) if taken_back and taken_back[1] else last_amendment(table)
    return undo(table, entry, by=GM, at=at, line=line, request=request)


def silent(text: str) -> bool:
    """Whether a line says nothing: it is empty, or a comment."""
    return text.strip()[:1] in ("", ";")


def declare(table: Ledger[State], said: Said, *, at: str, request: str | None) -> Record:
    """What a line says, declared."""
    return table.declare(said.said, at=at, line=said.line, faces=said.faces, claims=said.claims, request=request)
