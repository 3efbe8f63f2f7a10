"""The parts of all facts: bounded numbers, sheets, entry ids, and the base class of every fact."""

import re
from functools import lru_cache
from typing import Annotated, Final

import msgspec

from ledger.errors import Unreadable
from ledger.names import NUMBER_MOST

Whole = Annotated[int, msgspec.Meta(ge=-NUMBER_MOST, le=NUMBER_MOST)]
Scalar = Whole | str
Sheet = tuple[tuple[str, Scalar], ...]
Claims = tuple[tuple[str, Scalar], ...]
ENTRY_ID = re.compile(r"([0-9]{1,6})\.([0-9]{1,6})(?:\+([0-9]{1,4}))?", re.ASCII)
RESERVED: Final = ("gm", "table", "book")  # speakers that are not beings
GM: Final = "gm"


class EntryId(msgspec.Struct, frozen=True, order=True, gc=False):
    """The id of an entry: `3.42`, or `3.42+1` for one inserted later. Ids sort in the order of history."""

    session: int
    number: int
    insert: int = 0

    def __str__(self) -> str:
        return f"{self.session}.{self.number}" + (f"+{self.insert}" if self.insert else "")

    @property
    def before(self) -> "EntryId":
        """An id that sorts after every earlier entry and before this one."""
        return EntryId(self.session, self.number, self.insert - 1)


@lru_cache(maxsize=4096)
def parse_entry_id(text: str) -> EntryId:
    """Return the entry id written in `text`. Raises Unreadable when it is not one."""
    match = ENTRY_ID.fullmatch(text.strip())
    if match is None:
        raise Unreadable(f"'{text}' is not an entry id", hint="Write it as 3.42 (session 3, entry 42).")
    session, number, insert = match.groups()
    return EntryId(int(session), int(number), int(insert or 0))


class BaseFact(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="fact", gc=False):
    """Something that happened at the table. Stored once and never edited."""

    rules: tuple[str, ...] = ()  # ids of the rules that caused it, the main one first


def tag(kind: type[BaseFact]) -> str:
    """Return the name of a kind of fact in storage, as in `points-spent`."""
    return str(kind.__struct_config__.tag)
