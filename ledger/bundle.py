"""A bundle: a whole ledger as one text file, byte for byte the same whenever it is written.

It is JSON Lines: UTF-8, one object a line, each line ended by a line feed, no spaces, the keys in this order.

    line 1       {"bundle":"campaign-ledger","v":1,"format":3,"for":"gm","ledger":...,"campaign":...,"game":...,
                 "books":[["1","dusk-bastards 1 revision 1"],...],"records":606,"head":"606 3f9c..."}
    each record  {"position":1,"public":"...","sealed":"...","hash":"..."}

`public` and `sealed` are the exact bytes of a record as a string; `sealed` is there only where the record has it. A
bundle for the players (`"for":"players"`) has `"sealed_hash"` in its place, the hash of what is sealed: it has the same
chain and the same head, and no secret. `format` is the newest format of a record. `books` has for each session the rule
book and the revision that its opening recorded.

The first line says nothing that the records do not: it is made again from them and compared. A reader that knows the
number of records and the head from the start can say that a file is cut off.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any, Final, Literal

import msgspec
from msgspec.structs import replace

from ledger.errors import Damaged, stored_errors
from ledger.facts import CampaignCreated, SessionOpened, Whole, tag
from ledger.records import EMPTY, ENCODER, PUBLIC_DECODER, Head, StoredRecord, current_bytes, format_of, record_hash

NAME: Final = "campaign-ledger"
BEGINNING: Final = b'{"bundle":"campaign-ledger",'
VERSION: Final = 1
Audience = Literal["gm", "players"]
NAMED: Final = (CampaignCreated, SessionOpened)  # the facts that the first line is made of
MARKS: Final = tuple(f'"{tag(kind)}"'.encode() for kind in NAMED)


class BundleHeader(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line of a bundle. `audience` is for whom it is: whoever may see everything, or the players."""

    bundle: str = NAME
    v: Whole = VERSION
    format: Whole
    audience: Audience = msgspec.field(name="for")
    ledger: str
    campaign: str
    game: str
    books: tuple[tuple[str, str], ...]
    records: Whole
    head: str


class BundleLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The line of a record."""

    position: Whole
    public: str
    sealed: str | None = None
    sealed_hash: str | None = None
    hash: str


class Contents:
    """What the first line says, gathered from the records in order of writing."""

    def __init__(self) -> None:
        self.head = EMPTY
        self._created: CampaignCreated | None = None
        self._books: dict[int, str] = {}  # by session
        self._format = 0  # the newest of a record

    def add(self, stored: StoredRecord) -> None:
        """Take in the next record. Raises Damaged for bytes of no record."""
        self.head = Head(stored.position, stored.hash)
        self._format = max(self._format, format_of(stored.public))
        if not any(mark in stored.public for mark in MARKS):
            return
        with stored_errors("position", stored.position):
            facts: tuple[Any, ...] = PUBLIC_DECODER.decode(current_bytes(stored.public)).facts
        for fact in facts:
            if isinstance(fact, CampaignCreated) and stored.position == 1:
                self._created = fact
            elif isinstance(fact, SessionOpened):
                self._books[fact.number] = f"{fact.rulebook} revision {fact.revision}"

    def header(self, audience: Audience) -> BundleHeader:
        """Return the first line. Raises Damaged for a ledger that does not begin with its creation."""
        if self._created is None:
            raise Damaged("the ledger does not begin with its creation", where="position 1")
        return BundleHeader(
            format=self._format,
            audience=audience,
            ledger=self._created.ledger,
            campaign=self._created.name,
            game=self._created.game,
            books=tuple((str(number), book) for number, book in sorted(self._books.items())),
            records=self.head.position,
            head=str(self.head),
        )


def without_sealed(stored: StoredRecord) -> StoredRecord:
    """Return a record as the players' bundle has it: with the hash of what is sealed in its place."""
    if stored.sealed is None:
        return stored
    return replace(stored, sealed=None, sealed_hash=sha256(stored.sealed).hexdigest())


def encode_line(stored: StoredRecord) -> bytes:
    """Return the line of a record. Raises Damaged where its bytes are not UTF-8."""
    with stored_errors("position", stored.position):
        sealed = None if stored.sealed is None else stored.sealed.decode()
        line = BundleLine(
            position=stored.position,
            public=stored.public.decode(),
            sealed=sealed,
            sealed_hash=stored.sealed_hash,
            hash=stored.hash,
        )
        return ENCODER.encode(line) + b"\n"


def bundle_lines(header: BundleHeader, records: Iterable[StoredRecord]) -> Iterator[bytes]:
    """Yield the lines of a bundle with this first line, of the records up to its head.

    Raises Damaged for a record that does not follow from the one before, and if the records do not end at the head.
    """
    yield ENCODER.encode(header) + b"\n"
    last = EMPTY
    for stored in records:
        if stored.position > header.records:
            break
        if stored.position != last.position + 1 or record_hash(last.hash, stored.leaf) != stored.hash:
            raise Damaged(
                "the record does not follow from the one before",
                where=f"position {stored.position}",
                hint="Look at the ledger with: campaign verify.",
            )
        last = Head(stored.position, stored.hash)
        yield encode_line(without_sealed(stored) if header.audience == "players" else stored)
    if str(last) != header.head:
        raise Damaged("the ledger was changed while it was written to the bundle", hint="Write it again.")
