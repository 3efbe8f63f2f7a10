"""One line said at the table: read, declared, kept. The door that `do` and `run` share."""

from __future__ import annotations

from collections.abc import Iterable

from cli.grammar import COMMANDS, Around, Said, read
from cli.tokens import normal_line
from ledger.correcting import undo
from ledger.errors import Refused
from ledger.game import Declaration
from ledger.ground import AddWords
from ledger.records import Record
from ledger.table import Table
from projections.state import State
from rulebooks.common.game import Book


def around(table: Table[State], book: Book[State]) -> Around:
    """What the grammar asks about this table."""
    state = table.standing.state

    def words(declaration: type[Declaration], field: str, by: str) -> Iterable[str]:
        return book.words(declaration, field, state, by)

    return Around(
        names=[being.name for being in state.in_order()],
        kinds=[*book.declarations, AddWords],
        words=words,
        values=lambda: list(table.standing.values()),
        short=lambda: book.texts().words.short,
    )


def say_line(table: Table[State], book: Book[State], text: str, *, at: str, request: str | None = None) -> list[Record]:
    """Declare one line. An empty list for a line that says nothing.

    Raises Unreadable for a line that cannot be read, Refused for one that the rules do not allow.
    """
    line = normal_line(text).strip()
    if request is not None and (earlier := table.store.by_request(request)):
        if earlier.line != line:
            raise Refused(
                "L-REQUEST",
                f"this line was taken before as: {earlier.line}",
                mend="Say the change as a line of its own.",
            )
        return [earlier]
    if line in COMMANDS:
        return [undo(table, by="gm", at=at, request=request)]
    said = read(text, around(table, book))
    if said is None:
        return []
    return [declare(table, said, at=at, request=request)]


def silent(text: str) -> bool:
    """Whether a line says nothing: it is empty, or a comment."""
    return text.strip()[:1] in ("", ";")


def declare(table: Table[State], said: Said, *, at: str, request: str | None) -> Record:
    """What a line says, declared."""
    return table.declare(said.said, at=at, line=said.line, faces=said.faces, request=request)
