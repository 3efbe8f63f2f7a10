"""Records as rows of their table, in SQLite and in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ledger.errors import Damaged
from ledger.facts import EntryId
from ledger.records import DECODER, Record, RecordDecoder, StoredRecord, decode_body, whole_bytes

SELECT_RECORDS: Final = (
    "SELECT position, CAST(public AS BLOB), CAST(sealed AS BLOB), CAST(hash AS TEXT), session, number, inserted, take,"
    " request FROM records"
)

SELECT_COLUMNS: Final = (
    "SELECT position, session, number, inserted, take, request FROM records"
    " WHERE (session, number, inserted, position) > (?, ?, ?, ?)"
    " ORDER BY session, number, inserted, position LIMIT ?"
)

SELECT_IDS: Final = (
    "SELECT position, session, number, inserted FROM records WHERE position > ? ORDER BY position LIMIT ?"
)


def id_columns(entry: EntryId) -> tuple[int, int, int]:
    """Return an entry id as the columns of an index."""
    return (entry.session, entry.number, entry.insert)


def record_row(stored: StoredRecord, record: Record) -> tuple[Any, ...]:
    """Return a record as a row of its table."""
    sealed = None if stored.sealed is None else stored.sealed.decode()
    columns = (*id_columns(record.id), record.take, record.request)
    return (stored.position, stored.public.decode(), sealed, stored.hash, *columns)


def stored_record(row: tuple[Any, ...]) -> StoredRecord:
    """Return a row of records as exact bytes."""
    return StoredRecord(*row[:4])


def record_of(row: tuple[Any, ...], decoder: RecordDecoder = DECODER) -> Record:
    """Return a row of records, decoded. Raises Damaged when its columns differ from its bytes."""
    position, public, sealed, _, *columns = row
    record = decode_body(position, whole_bytes(public, sealed), decoder)
    check_columns(record, columns)
    return record


def check_columns(record: Record, columns: Sequence[object]) -> None:
    """Raise Damaged unless a record has these columns, which stand beside its bytes."""
    session, number, insert, take, request = columns
    if (
        record.number != number
        or record.session != session
        or record.insert != insert
        or record.take != take
        or record.request != request
    ):
        raise Damaged("the columns of the record differ from its bytes", where=f"position {record.position}")
