"""Records: one take of one entry, as canonical JSON text, chained with SHA-256 over its stored bytes.

    hash of record n = SHA-256("campaign-ledger record v1", hash of record n-1, body of record n)

over lines joined by a line feed; the hash before the first record is 64 zeros. Bodies are msgspec's JSON:
struct fields in their order, tags typed out, no floats, no spaces, UTF-8. They are never written anew: what is
stored is what is hashed, exported and replayed. A format version `v` stands in every record.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from ledger.errors import Damaged, Unreadable
from ledger.facts import BaseFact, Declared, EntryId, Fact, Whole

FORMAT: Final = 2  # of record bodies and of the file (SQLite's user_version): raise it when either changes
GENESIS: Final = "0" * 64
BODY_BYTES_MOST: Final = 1 << 20
HEAD = re.compile(r"([0-9]{1,12}) ([0-9a-fA-F]{64})", re.ASCII)


class Head(msgspec.Struct, frozen=True):
    """The end of a ledger: a position and the hash of the record there. Fits on a line; keep one to trust one."""

    position: int
    hash: str

    def __str__(self) -> str:
        return f"{self.position} {self.hash}"


def head_of(line: str) -> Head:
    """The head that a line `17 3f9c...` names. Raises Unreadable when it names none."""
    found = HEAD.fullmatch(line.strip())
    if found is None:
        raise Unreadable(f"'{line}' is no head", hint="A head is a position and 64 hex digits: 17 3f9c...")
    return Head(int(found[1]), found[2].lower())


EMPTY: Final = Head(0, GENESIS)


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One take of one entry. The take with the highest position counts; one without facts voids its entry."""

    v: Whole = FORMAT
    position: Whole
    session: Whole
    number: Whole
    insert: Whole
    take: Whole
    cause: str | None  # the entry whose correction made this take
    request: str | None  # the caller's key: said again, it is the same record
    by: str
    at: str  # the caller's clock, for people; never used for order or rules
    seen: str
    facts: tuple[Fact, ...]

    @property
    def id(self) -> EntryId:
        """The entry that this is a take of."""
        return EntryId(self.session, self.number, self.insert)

    @property
    def declared(self) -> Declared | None:
        """What was said, or None in a take that voids its entry."""
        first = self.facts[0] if self.facts else None
        return first if isinstance(first, Declared) else None

    @property
    def line(self) -> str:
        """What was said, as it was typed."""
        return self.declared.line if self.declared else ""

    def of(self, *kinds: type[BaseFact]) -> bool:
        """Whether a fact of one of these kinds is in it."""
        return any(isinstance(fact, kinds) for fact in self.facts)


class Stored(msgspec.Struct, frozen=True):
    """A record as it lies in the store: position, exact bytes, and the hash that stands beside them."""

    position: int
    body: bytes
    hash: str


DECODER: Final = msgspec.json.Decoder(Record)
ENCODER: Final = msgspec.json.Encoder(order="deterministic")


def encode(record: Record) -> bytes:
    """The canonical bytes of `record`, decoded again to prove them: constructors do not check types, decoders do.

    Raises Unreadable when something in it is not of its field's type, or too long.
    """
    try:
        body = ENCODER.encode(record)
        if DECODER.decode(body) != record:
            raise Unreadable("a record does not survive being stored", where=str(record.id))
    except (msgspec.MsgspecError, TypeError, UnicodeError, OverflowError, RecursionError) as error:
        raise Unreadable(f"a record cannot be stored: {error}", where=str(record.id)) from error
    if len(body) > BODY_BYTES_MOST:
        raise Unreadable(f"a record of {len(body)} bytes is too long", where=str(record.id))
    return body


def decode(stored: Stored) -> Record:
    """The record in those bytes. Raises Damaged, naming the position, when they are not its canonical bytes."""
    where = f"position {stored.position}"
    try:
        record = DECODER.decode(stored.body)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise Damaged(f"the record cannot be read: {error}", where=where) from error
    check_format(record.v, where)
    if record.position != stored.position:
        raise Damaged(f"the record says that it is {record.position}", where=where)
    return record


def check_format(number: int, where: str) -> None:
    """Raise Damaged unless a ledger of this format can be read."""
    if number != FORMAT:
        raise Damaged(
            f"the ledger has format {number}, this program reads format {FORMAT}",
            where=where,
            hint="Open it with the version that wrote it, or run its session files into a new ledger.",
        )


def link(before: str, body: bytes) -> str:
    """The hash of a record: 64 hex digits over the hash before it and its own bytes."""
    return hashlib.sha256(b"\n".join((b"campaign-ledger record v1", before.encode(), body))).hexdigest()


def counting(takes: Iterable[Record]) -> Iterator[Record]:
    """Of takes in order of id and then position, the one that counts of each entry: the last."""
    last: Record | None = None
    for take in takes:
        if last is not None and last.id != take.id:
            yield last
        last = take
    if last is not None:
        yield last
