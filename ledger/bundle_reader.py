"""Read a bundle line by line, and check each line before anybody uses it.

Nothing is read further than the first line that is wrong. A line longer than two records can be is refused before it is
read, so that a small file that unpacks to an endless one takes no memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Final, TypeVar

import msgspec

from ledger.bundle import BEGINNING, VERSION, BundleHeader, BundleLine, Contents
from ledger.errors import Damaged, LedgerError, Unreadable
from ledger.names import plural
from ledger.records import (
    BODY_BYTES_MOST,
    EMPTY,
    ENCODER,
    PUBLIC_DECODER,
    SALT_DIGITS,
    Head,
    Record,
    StoredRecord,
    check_format,
    decode,
    is_canonical,
    record_hash,
)
from ledger.redaction.public_check import shape_problem

LINE_BYTES_MOST: Final = 4 * (BODY_BYTES_MOST + SALT_DIGITS) + 1024  # two bodies of which each sign may be escaped
CUT_OFF: Final = "Ask for the file again: this one is not whole."
T = TypeVar("T")


class NotABundle(Unreadable):
    """The file does not begin as a bundle."""


class BundleReader:
    """A bundle: its first line, which is read at once, and its records. `line` is the number of the line read last."""

    def __init__(self, file: IO[bytes]) -> None:
        """Read the first line. Raises NotABundle, and Damaged for a version or a format that cannot be read."""
        self._file, self.line = file, 0
        first = self._next_line()
        if not first.startswith(BEGINNING):
            raise NotABundle("this is not a bundle of a ledger", hint="Write one with: campaign export --bundle FILE.")
        version = msgspec.json.Decoder(_Version)
        number = self._decode(version, first).v
        if number != VERSION:
            raise Damaged(
                f"the bundle has version {number}, this program reads version {VERSION}",
                where="line 1",
                hint="Read it with a newer version of the program.",
            )
        self.header = self._decode(msgspec.json.Decoder(BundleHeader), first)
        self._check_bytes(self.header, first)
        check_format(self.header.format, "line 1")

    @property
    def is_whole(self) -> bool:
        """Whether it has what is sealed."""
        return self.header.audience == "gm"

    def records(self) -> Iterator[tuple[StoredRecord, Record]]:
        """Yield each record, as stored and decoded; in a players' bundle as everybody sees it.

        Checked are the bytes, the numbering, the chain, and at the end the first line. Raises Unreadable with the line
        for one that is not of a bundle, and Damaged for one that says what cannot be.
        """
        contents, last = Contents(), EMPTY
        while line := self._next_line():
            if last.position == self.header.records:
                count = plural(last.position, "record", "records")
                raise Damaged(f"there is a line more than the {count} that line 1 names", where=self._at)
            stored = self._stored(line)
            try:
                record = self._checked(stored, last)
            except LedgerError as error:
                raise error.at(self._at) from error
            contents.add(stored)
            last = Head(stored.position, stored.hash)
            yield stored, record
        self._check_end(contents)

    @property
    def _at(self) -> str:
        """The line that was read last."""
        return f"line {self.line}"

    def _next_line(self) -> bytes:
        """Return the next line without its end; empty at the end of the file."""
        line = self._file.readline(LINE_BYTES_MOST)
        self.line += 1
        if not line:
            return b""
        if line.endswith(b"\n") and line != b"\n":
            return line[:-1]
        if len(line) >= LINE_BYTES_MOST:
            raise Unreadable("the line is longer than any record", where=self._at)
        if line == b"\n":
            raise Unreadable("the line is empty", where=self._at)
        if self.line == 1:
            raise NotABundle("this is not a bundle of a ledger", hint="Write one with: campaign export --bundle FILE.")
        raise Unreadable("the line is cut off", where=self._at, hint=CUT_OFF)

    def _decode(self, decoder: msgspec.json.Decoder[T], line: bytes) -> T:
        """Return what a line says. Raises Unreadable for one that is none of a bundle."""
        try:
            return decoder.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise Unreadable(f"it is no line of a bundle: {error}", where=self._at) from error

    def _check_bytes(self, said: msgspec.Struct, line: bytes) -> None:
        """Raise Unreadable unless a line is written as it is always written."""
        if ENCODER.encode(said) != line:
            raise Unreadable("the line says the same in other bytes than a bundle has", where=self._at)

    def _stored(self, line: bytes) -> StoredRecord:
        """Return the record of a line."""
        said = self._decode(LINES, line)
        self._check_bytes(said, line)
        if (said.sealed if not self.is_whole else said.sealed_hash) is not None:
            has = "what is sealed" if said.sealed is not None else "the hash of what is sealed, but not that itself"
            whose = "the game master" if self.is_whole else "the players"
            raise Damaged(f"the line has {has}, and the bundle is for {whose}", where=self._at)
        try:
            public, sealed = said.public.encode(), None if said.sealed is None else said.sealed.encode()
        except UnicodeEncodeError as error:
            raise Unreadable("the line has a character that is none", where=self._at) from error
        if max(len(public), len(sealed or b"") - SALT_DIGITS) > BODY_BYTES_MOST:
            raise Unreadable("the record is too long", where=self._at)
        return StoredRecord(said.position, public, sealed, said.hash, said.sealed_hash)

    def _checked(self, stored: StoredRecord, last: Head) -> Record:
        """Return a record that comes after the head `last`. Raises Damaged where it is wrong."""
        if stored.position != last.position + 1:
            raise Damaged(f"it has position {stored.position}, and should have {last.position + 1}")
        record = decode(stored) if self.is_whole else decode(stored, PUBLIC_DECODER)
        if not is_canonical(record, stored.body):
            raise Damaged("its bytes are not canonical", where=f"entry {record.id}")
        if record_hash(last.hash, stored.leaf) != stored.hash:
            raise Damaged("its hash does not match its bytes and the record before", where=f"entry {record.id}")
        if what := shape_problem(stored, record):
            raise Damaged(what, where=f"entry {record.id}")
        return record

    def _check_end(self, contents: Contents) -> None:
        """Raise Damaged unless the first line is that of the records."""
        said, expected = self.header, self.header.records
        if contents.head.position < expected:
            raise Damaged(
                f"the file ends after {contents.head.position} of {expected} records",
                where=self._at,
                hint=CUT_OFF,
            )
        if not expected:
            raise Damaged("there is no record in it", where="line 1")
        made = contents.header(said.audience)
        for field in BundleHeader.__struct_fields__:
            if getattr(made, field) != getattr(said, field):
                name = "for" if field == "audience" else field
                raise Damaged(f"its '{name}' differs from what the records say", where="line 1")


class _Version(msgspec.Struct):
    """The beginning of a first line of any version."""

    bundle: str
    v: int


LINES: Final[msgspec.json.Decoder[BundleLine]] = msgspec.json.Decoder(BundleLine)
