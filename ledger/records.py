"""Records: one take of one entry as canonical JSON, chained with SHA-256 over two leaves.

    public = the take as everybody sees it
    sealed = a salt (16 random bytes in hex) and the whole take; only where it differs from what everybody sees
    leaf   = SHA-256(public), or SHA-256(public) and SHA-256(sealed), each as 64 hex digits
    hash of record n = SHA-256("campaign-ledger record v3", hash of record n-1, leaf of record n)

over lines joined by a line feed; the hash before the first record is 64 zeros. Whoever has `public` of each record and
the hash of `sealed` can check the chain to the last byte; the salt keeps them from guessing what is sealed. A secret
that is shown later is proved by `sealed` itself, which hashes to what stands in the chain.

The JSON is msgspec's: struct fields in their order, tags typed out, no floats, no spaces, UTF-8. It is written once:
the stored bytes are hashed and replayed. Every record has the number of its format (`v`).
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from operator import attrgetter
from typing import Any, Final, Literal, Protocol

import msgspec
from msgspec.structs import replace

from ledger import upcasts
from ledger.errors import Damaged, Unreadable, stored_errors
from ledger.facts import BaseFact, ChainCommitted, Declared, EntryId, Fact, Rolled, SessionOpened, Whole, Withheld

FORMAT: Final = 3  # of the file (SQLite's user_version), and of records that need no later one
NEWEST: Final = 4  # of records: one with something that programs of FORMAT cannot read says so
GENESIS: Final = "0" * 64
BY_POSITION: Final = attrgetter("position")  # the key that sorts takes in order of writing
NUMBER_OF_FORMAT: Final = re.compile(rb'\{"v":([0-9]{1,6}),')  # begins a body
BODY_BYTES_MOST: Final = 1 << 20
SALT_BYTES: Final = 16
REMEMBERED_MOST: Final = 1000  # records that a decoder remembers
SALT_DIGITS: Final = 2 * SALT_BYTES  # as they stand in front of what is sealed
READABLE: Final = frozenset(range(upcasts.OLDEST, NEWEST + 1))
CURRENT: Final = tuple(b'{"v":%d,' % number for number in range(FORMAT, NEWEST + 1))  # that have one form
SaidDecoder = Callable[[msgspec.Raw], object]  # of a declaration as it stands in a record
HEAD: Final = r"([0-9]{1,12}) ([0-9a-fA-F]{64})"


class Head(msgspec.Struct, frozen=True):
    """The end of a ledger: a position and the hash of the record there. A noted head proves that nothing changed."""

    position: int
    hash: str

    def __str__(self) -> str:
        return f"{self.position} {self.hash}"

    def fits(self, hash: str) -> bool:
        """Return whether a record at its position has the right hash."""
        return hash == self.hash


def parse_head(line: str) -> Head:
    """Return the head written as `17 3f9c...`. Raises Unreadable for any other text."""
    match = re.fullmatch(HEAD, line.strip(), re.ASCII)
    if match is None:
        hint = "Write a position with 64 hex digits (17 3f9c...), or with the four words of a head."
        raise Unreadable(f"'{line}' is not a head", hint=hint)
    return Head(int(match[1]), match[2].lower())


EMPTY: Final = Head(0, GENESIS)


Door = Literal["", "keyboard", "file", "page"]


class Sender(msgspec.Struct, frozen=True):
    """By which door a line comes in, and the holder of the link that it is sent with; empty for the library's callers.

    It is recorded for people, who may ask how a line was written. No rule and no fold depends on it.
    """

    door: Door = ""
    holder: str = ""


LIBRARY: Final = Sender()


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One take of one entry. The take with the highest position counts; a take without facts voids its entry."""

    v: Whole = FORMAT
    position: Whole
    session: Whole
    number: Whole
    insert: Whole
    take: Whole
    cause: str | None  # the entry whose correction made this take
    request: str | None  # the caller's key: the same request gives the same record
    by: str
    holder: str = ""  # of the link that the line was sent with, for people
    door: Door = ""  # by which the line came in, for people
    at: str  # the caller's clock, for people; no order or rule depends on it
    seen: str
    facts: tuple[Fact, ...]

    @property
    def id(self) -> EntryId:
        """The id of its entry."""
        return EntryId(self.session, self.number, self.insert)

    @property
    def sender(self) -> Sender:
        """The holder of the link, and the door."""
        return Sender(self.door, self.holder)

    @property
    def declared(self) -> Declared | None:
        """The declaration, or None in a take that voids its entry."""
        first = self.facts[0] if self.facts else None
        return first if isinstance(first, Declared) else None

    @property
    def line(self) -> str:
        """The declaration as it was typed."""
        return declared.line if (declared := self.declared) else ""

    @property
    def line_start(self) -> str:
        """The first entry of the line, if several said it; else empty."""
        return ((declared := self.declared) and declared.line_start) or ""

    @property
    def is_cut_short(self) -> bool:
        """Whether others who were to say its line too were refused after its dice."""
        return self.declared is not None and self.declared.cut_short is True

    @property
    def is_withheld(self) -> bool:
        """Whether the reader may see nothing of it."""
        return self.has(Withheld) and all(isinstance(fact, Withheld) for fact in self.facts)

    def has(self, *kinds: type[BaseFact]) -> bool:
        """Whether it has a fact of one of these kinds."""
        return self.has_any(frozenset(kinds))

    def has_any(self, kinds: frozenset[type[BaseFact]]) -> bool:
        """Whether it has a fact of one of these kinds, of which somebody asks often."""
        return not kinds.isdisjoint(map(type, self.facts))


class PublicRecord(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A record as everybody sees it: a fact that is hidden is withheld in its place."""

    facts: tuple[Fact | Withheld, ...]  # type: ignore[assignment]


class StoredRecord(msgspec.Struct, frozen=True):
    """A record in the store: its position, its exact bytes, and its hash.

    Attributes:
        public: the canonical bytes of the record as everybody sees it.
        sealed: a salt and the canonical bytes of the whole record; None if everybody sees all of it.
        sealed_hash: the hash of what is sealed, in a copy that has no more of it.
    """

    position: int
    public: bytes
    sealed: bytes | None
    hash: str
    sealed_hash: str | None = None

    @property
    def body(self) -> bytes:
        """The canonical bytes of the whole record, as far as they are here."""
        return whole_bytes(self.public, self.sealed)

    @property
    def leaf(self) -> bytes:
        """What the chain runs over: the hash of what everybody sees and, if there is more, that of what is sealed."""
        sealed = self.sealed_hash if self.sealed is None else sha256(self.sealed).hexdigest()
        public = sha256(self.public).hexdigest()
        return (public if sealed is None else f"{public}\n{sealed}").encode()


DECODER: Final = msgspec.json.Decoder(Record)
PUBLIC_DECODER: Final = msgspec.json.Decoder(PublicRecord)
ENCODER: Final = msgspec.json.Encoder(order="deterministic")


def whole_bytes(public: bytes, sealed: bytes | None) -> bytes:
    """Return the bytes of a whole record: what is sealed behind its salt, or else what everybody sees."""
    return public if sealed is None else sealed[SALT_DIGITS:]


def seal(whole: bytes) -> bytes:
    """Return the bytes of a whole record behind a new salt. Tests replace this function to know their salts."""
    return os.urandom(SALT_BYTES).hex().encode() + whole


def encode(record: Record, decoder: msgspec.json.Decoder[Any] = DECODER) -> bytes:
    """Return the canonical bytes of a record, decoded again as a check: constructors do not check types, decoders do.

    Raises Unreadable when a value is not of its field's type, or when the record is too long.
    """
    try:
        body = ENCODER.encode(record)
        if decoder.decode(body) != record:
            raise Unreadable("a record is not equal after storing it", where=str(record.id))
    except (msgspec.MsgspecError, TypeError, UnicodeError, OverflowError, RecursionError) as error:
        raise Unreadable(f"a record cannot be stored: {error}", where=str(record.id)) from error
    if len(body) > BODY_BYTES_MOST:
        raise Unreadable(f"a record of {len(body)} bytes is too long", where=str(record.id))
    return body


class RecordDecoder(Protocol):
    """What decodes the bytes of a record."""

    def decode(self, body: bytes, /) -> Any:
        """Return the record. Raises MsgspecError for bytes of none."""


class RememberingDecoder:
    """A decoder that knows the last records that it has decoded: each check of a ledger reads them again."""

    def __init__(self) -> None:
        self.decode: Callable[[bytes], Record] = lru_cache(REMEMBERED_MOST)(DECODER.decode)


def decode(stored: StoredRecord, decoder: RecordDecoder = DECODER) -> Record:
    """Return the record in stored bytes. Raises Damaged with the position when they are not a record."""
    return decode_body(stored.position, stored.body, decoder)


def decode_body(position: int, body: bytes, decoder: RecordDecoder) -> Record:
    """Return the record in the canonical bytes of a whole record. Raises Damaged like `decode`."""
    try:
        record: Record = decoder.decode(current_bytes(body))
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise unreadable_record(body, error, f"position {position}") from error
    if record.v not in READABLE:
        check_format(record.v, f"position {position}")
    if record.position != position:
        raise Damaged(f"the record has position {record.position}", where=f"position {position}")
    return record


def unreadable_record(body: bytes, error: Exception, where: str) -> Damaged:
    """Return why the bytes of a record cannot be read. Raises Damaged that says so if they are of a later format."""
    if (number := format_of(body)) > NEWEST:
        check_format(number, where)
    return Damaged(f"the record cannot be read: {error}", where=where)


SINCE_4: Final = frozenset({Rolled, SessionOpened, ChainCommitted})  # what may have a part that came with format 4


def oldest_format(facts: Iterable[BaseFact]) -> int:
    """Return the oldest format of a record that can hold these facts: 4 knows shared dice (`links`)."""
    for fact in facts:
        if type(fact) in SINCE_4 and (
            (type(fact) is Rolled and fact.links is not msgspec.UNSET)
            or (type(fact) is SessionOpened and fact.shared_dice is not msgspec.UNSET)
            or type(fact) is ChainCommitted
        ):
            return 4
    return FORMAT


def with_format(record: Record) -> Record:
    """Return a record that says the oldest format which can hold its facts."""
    needed = oldest_format(record.facts)
    return record if record.v == needed else replace(record, v=needed)


def check_format(number: int, where: str, newest: int = NEWEST) -> None:
    """Raise Damaged unless a format can be read. `newest` is the newest that can: FORMAT for a file."""
    if not upcasts.OLDEST <= number <= newest:
        read = f"format {newest}" if newest == upcasts.OLDEST else f"formats {upcasts.OLDEST} to {newest}"
        hint = "Open it with the version that wrote it."
        if number > newest:
            hint = "The newest version reads it: pip install -U campaign-ledger"
        elif number == upcasts.MOVED:
            hint = "Move it into a new campaign: campaign upgrade FOLDER."
        raise Damaged(f"the ledger has format {number}, this program reads {read}", where=where, hint=hint)


def is_older(body: bytes) -> bool:
    """Return whether these are the bytes of a record of an older format that can be read."""
    return not body.startswith(CURRENT) and upcasts.OLDEST <= format_of(body) < FORMAT


def format_of(body: bytes) -> int:
    """Return the number of the format of the bytes of a record; 0 for bytes of no record."""
    match = NUMBER_OF_FORMAT.match(body)
    return int(match[1]) if match else 0


def current_bytes(body: bytes) -> bytes:
    """Return the bytes of a record as this version writes them; those of the present format as they are.

    Raises Damaged for bytes of an older format that are no record.
    """
    if not is_older(body):
        return body
    with stored_errors("a record of an older format"):
        content = msgspec.json.decode(body)
        body = msgspec.json.encode(upcasts.upcast(content, int(content["v"]), FORMAT))
        return ENCODER.encode(PUBLIC_DECODER.decode(body))


def is_canonical(record: Record, body: bytes, decode_said: SaidDecoder | None = None) -> bool:
    """Return whether a record was written as these bytes: of an older format, that they are JSON without any choice.

    What it declares is kept as it was read, so that it could have spaces or a key twice: it is written again too.
    `decode_said` reads a declaration, for who needs it anyway.
    """
    if is_older(body):
        return msgspec.json.encode(msgspec.json.decode(body)) == body
    for fact in record.facts:
        if type(fact) is Declared and not _is_canonical_json(fact.said, decode_said):
            return False
    return record.v == oldest_format(record.facts) and ENCODER.encode(record) == body


def _is_canonical_json(said: msgspec.Raw, decode: SaidDecoder | None) -> bool:
    """Return whether a text is JSON without any choice: written again it is the same. `decode` may know its fields."""
    text = bytes(said)
    if decode is not None:
        with suppress(msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            if ENCODER.encode(decode(said)) == text:
                return True
    return msgspec.json.encode(msgspec.json.decode(text)) == text


def store_record(record: Record, public: Record, before: str) -> StoredRecord:
    """Return a record as stored after the hash `before`; `public` is what everybody sees of it.

    Raises Unreadable like `encode`.
    """
    whole, sealed = encode(record), None
    shown = whole
    if public != record:
        seen = PublicRecord(**{name: getattr(public, name) for name in public.__struct_fields__})
        shown, sealed = encode(seen, PUBLIC_DECODER), seal(whole)
    stored = StoredRecord(record.position, shown, sealed, "")
    return replace(stored, hash=record_hash(before, stored.leaf))


def record_hash(before: str, leaf: bytes) -> str:
    """Return the hash of a record: 64 hex digits over the hash before it and its leaf."""
    return sha256(b"\n".join((b"campaign-ledger record v3", before.encode(), leaf))).hexdigest()


def is_same_entry(take: Record, other: Record) -> bool:
    """Return whether two takes are of one entry, without making their ids."""
    return take.number == other.number and take.session == other.session and take.insert == other.insert


def latest_takes(takes: Iterable[Record]) -> Iterator[Record]:
    """Yield the last take of each entry, from takes in order of id and position."""
    last: Record | None = None
    for take in takes:
        if last is not None and (  # as `is_same_entry`, whose call would take a hundredth of a fold
            last.number != take.number or last.session != take.session or last.insert != take.insert
        ):
            yield last
        last = take
    if last is not None:
        yield last


def shown_records(records: Iterable[Record]) -> Iterator[Record]:
    """Yield records as they are printed: without withheld facts, and without records whose line is withheld."""
    for record in records:
        if not record.has(Withheld):
            yield record
        elif not isinstance(record.facts[0], Withheld):
            yield replace(record, facts=tuple(fact for fact in record.facts if not isinstance(fact, Withheld)))
