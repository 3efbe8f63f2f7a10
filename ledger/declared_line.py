"""A line as it is handed to a ledger: what is recorded with its declarations."""

from __future__ import annotations

import msgspec

from ledger.dice import Ask
from ledger.facts import Claims
from ledger.records import Sender


class DeclaredLine(msgspec.Struct, frozen=True, kw_only=True):
    """What is recorded with the declarations of a line, and what they are decided with.

    `at`: the caller's clock. `text`: the line as it was typed. `faces`: faces of the dice on the table; without them
    `ask` returns those of each throw. `request`: a key; a repeated request with the same line returns the record of the
    first. `seen`: the audience of the entries: `table`, `gm` or a name. `claims`: the outcome as the players remember
    it. `session`: the number of the session that it is said in; any if None. `sender`: by which door it came in; that
    of the Ledger if None.
    """

    at: str
    text: str = ""
    faces: tuple[int, ...] | None = None
    ask: Ask | None = None
    request: str | None = None
    seen: str = "table"
    claims: Claims = ()
    session: int | None = None
    sender: Sender | None = None
