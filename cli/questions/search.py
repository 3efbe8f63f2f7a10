"""The entries whose line or text has some words, as somebody sees them."""

from __future__ import annotations

from collections.abc import Iterator

from cli.questions.players_ledger import printed_records
from ledger.facts import Told
from ledger.records import Record
from ledger.sql_store import SqlStore
from ledger.sqlite_read_models import has_words
from ledger.store import ReadableStore


def find_entries(store: SqlStore, seen: ReadableStore, text: str, *, takes: bool) -> Iterator[Record]:
    """Yield the entries that have all words of a text, or words that begin so, in what is `seen` of them."""
    for record in store.search(text, takes=takes):
        for shown in printed_records(seen, [record]):
            if spoken_words(shown) == spoken_words(record) or has_words(text, *spoken_words(shown)):
                yield shown


def spoken_words(record: Record) -> tuple[str, str]:
    """Return the line of an entry, and its narration."""
    return record.line, "\n".join(fact.text for fact in record.facts if isinstance(fact, Told))
