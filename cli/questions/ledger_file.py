"""The file of a ledger: its name, the game it says, and the words for its facts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from ledger.campaign_source import Source
from ledger.errors import Damaged, InputError, LedgerError
from ledger.facts import CampaignCreated, EntryId
from ledger.postgres_address import is_address, parse_address
from ledger.sql_store import SqlStore
from ledger.sqlite_connection import FilePath
from projections.read_models import CHARACTERS
from rulebooks import load_game
from rulebooks.common.game import Game
from rulebooks.common.texts import Wording

LEDGER_FILE = "ledger.db"


def source_of(text: str) -> Source:
    """Return the ledger that somebody names: the address of one in a database, or the path of a file or a folder."""
    if is_address(text):
        return parse_address(text)
    return os.path.join(text, LEDGER_FILE) if os.path.isdir(text) else text


@contextmanager
def ledger_errors(path: FilePath) -> Iterator[None]:
    """Raise every error of a ledger as Damaged with the ledger's path: for a reader bad facts are damage."""
    try:
        yield
    except InputError:
        raise
    except LedgerError as error:
        parts = [str(path), *([error.where] if error.where not in ("", str(path)) else [])]
        raise Damaged(error.what, where=", ".join(parts), hint=error.hint) from error


def find_game(store: SqlStore) -> Game:
    """Return the game of a ledger, named in its first record."""
    for record in store.takes(upto=EntryId(0, 0)):
        for fact in record.facts:
            if isinstance(fact, CampaignCreated):
                return load_game(fact.game)
    raise Damaged(
        "the ledger has no first record",
        where=str(store.path),
        hint="It was never created completely: campaign new does it again.",
    )


def ledger_wording(store: SqlStore, book: Game) -> Wording:
    """Return the words with which facts are printed: those of the book, and the names of the beings in a ledger."""
    beings = tuple(str(name) for name, *_ in store.read_model_rows(CHARACTERS))
    return msgspec.structs.replace(book.texts().lexicon.wording, beings=beings)
