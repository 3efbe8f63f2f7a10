"""A ledger of what everybody sees, made of a players' bundle, to be read and never written.

Each record is what stands in the open part of the game master's; a fact that is hidden is `Withheld`. What is sealed is
not there, so nothing can be decided again, and the hashes cannot be computed: the bundle itself is checked for that.
"""

from __future__ import annotations

from collections.abc import Iterable

from ledger import sqlite_connection
from ledger.record_rows import record_row
from ledger.records import PUBLIC_DECODER, Record, RecordDecoder, StoredRecord
from ledger.sqlite_schema import INSERT_RECORD
from ledger.sqlite_store import SqliteStore


class OpenDecoder:
    """What decodes the open part of a record as a record."""

    def decode(self, body: bytes) -> Record:
        """Return a record with the facts that are withheld in their places. Raises the errors of msgspec."""
        public = PUBLIC_DECODER.decode(body)
        return Record(**{name: getattr(public, name) for name in public.__struct_fields__})


class PlayersCopy(SqliteStore):
    """The store of a players' bundle, in a temporary file."""

    decoder: RecordDecoder = OpenDecoder()

    def fill(self, records: Iterable[tuple[StoredRecord, Record]]) -> None:
        """Write the records of a bundle into the empty file."""
        rows = (record_row(stored, record) for stored, record in records)
        with sqlite_connection.translate_errors(self.path), sqlite_connection.transaction(self.connection):
            self.connection.executemany(INSERT_RECORD, rows)
