"""The file of a ledger: its name, the game it says, and the words for its facts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from ledger.campaign_source import Source
from ledger.errors import Damaged, InputError, LedgerError
from ledger.facts import CampaignCreated, EntryId, SessionOpened
from ledger.names import escape
from ledger.postgres_address import is_address, parse_address
from ledger.sql_store import SqlStore
from ledger.sqlite_connection import FilePath
from projections.read_models import CHARACTERS
from rulebooks import UnknownGame, load_game
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
    """Return the game of a ledger, named in its first record. Raises LedgerError where it is not installed."""
    for record in store.takes(upto=EntryId(0, 0)):
        for fact in record.facts:
            if isinstance(fact, CampaignCreated):
                try:
                    return load_game(fact.game)
                except UnknownGame as error:
                    raise not_installed(store, fact) from error
    raise Damaged(
        "the ledger has no first record",
        where=str(store.path),
        hint="It was never created completely: campaign new does it again.",
    )


def not_installed(store: SqlStore, created: CampaignCreated) -> UnknownGame:
    """Return the error for a ledger whose game is missing: it names the game and the rules of the last session."""
    played: CampaignCreated | SessionOpened = created
    for extract in store.extracts(frozenset({SessionOpened})):
        played = next((fact for fact in extract.facts if isinstance(fact, SessionOpened)), played)
    book = escape(played.rulebook)
    return UnknownGame(
        f"its game is {book}, revision {played.revision}, and no package that is installed here has it",
        where=str(store.path),
        hint=f"Install the package of {book} beside this program, with that revision or a later one:"
        " pip install PACKAGE. Which games there are: campaign game list.",
    )


def ledger_wording(store: SqlStore, book: Game) -> Wording:
    """Return the words with which facts are printed: those of the book, and the names of the beings in a ledger."""
    beings = tuple(str(name) for name, *_ in store.read_model_rows(CHARACTERS))
    return msgspec.structs.replace(book.texts().lexicon.wording, beings=beings)
