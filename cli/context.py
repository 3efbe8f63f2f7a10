"""Where a command works: the campaign's folder, its ledger, its game, and the clock.

A campaign is a folder with a `ledger.db`. It is found by walking up from the working directory, or named with
`-C` or CAMPAIGN_DIR. The clock is the caller's: `--clock` or CAMPAIGN_CLOCK, else the machine's, in UTC.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from cli.main import typed
from ledger.errors import Damaged, LedgerError, Unreadable
from ledger.facts import CampaignCreated, EntryId
from ledger.names import normalized
from ledger.seeds import SeedFiles
from ledger.service import Ledger
from ledger.sqlite_store import SqliteStore, open_store
from projections.projection import StateProjection
from projections.state import State
from rulebooks import book
from rulebooks.common.game import Book

LEDGER = "ledger.db"
DEEP = re.compile(r"(?<![\w\"'-])(?:[\w\"'-]+[ \t]*\.[ \t]*){40}")  # dotted keys: their time grows with the square


class Place:
    """The folder that was named, if any, and the clock that was given, if any."""

    def __init__(self, folder: Path | None, clock: str | None) -> None:
        self._folder, self._clock = folder, clock
        self._store: SqliteStore | None = None
        self.writes = False

    @property
    def now(self) -> str:
        """The time to write beside what is appended; for people, never for rules."""
        if self._clock is not None:
            with typed():
                return normalized(self._clock, where="--clock", most=40)
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())

    @property
    def folder(self) -> Path:
        """The campaign's folder. Raises LedgerError when there is none here or above."""
        start = self._folder or here()
        above = [start] if self._folder else [start, *start.resolve().parents]
        for folder in above:
            if (folder / LEDGER).exists():
                return folder
        raise LedgerError(
            "there is no ledger here or above",
            where=str(start),
            hint='Found one (campaign new "Gutter Saints"), or name its folder with -C.',
        )

    def store(self, *, write: bool) -> SqliteStore:
        """The ledger file, to read or to write. Closed when the command ends."""
        self.writes = self.writes or write
        if self._store is None:
            self._store = open_store(self.folder / LEDGER, write=write)
            click.get_current_context().call_on_close(self.leave)
        return self._store

    def leave(self) -> None:
        """Close the ledger; whoever asks for it again opens it again."""
        if self._store is not None:
            self._store.close()
            self._store = None

    def table(self, *, write: bool) -> Ledger[State]:
        """The ledger with its game, its tally and its seeds."""
        store = self.store(write=write)
        return Ledger(store, game_of(store), StateProjection(), SeedFiles(self.folder))

    def book(self) -> Book[State]:
        """The book that this campaign is played with."""
        return game_of(self.store(write=False))


def here() -> Path:
    """The working directory. Raises LedgerError when somebody has removed it."""
    try:
        return Path.cwd()
    except OSError as error:
        raise LedgerError("the folder you are in is gone", hint="Go to another, or name one with -C.") from error


@contextmanager
def within(path: Path) -> Iterator[None]:
    """Whatever is wrong in a ledger is told with its path; facts that do not add up are damage to a reader."""
    try:
        yield
    except LedgerError as error:
        parts = [str(path), *([error.where] if error.where not in ("", str(path)) else [])]
        raise Damaged(error.what, where=", ".join(parts), hint=error.hint) from error


def game_of(store: SqliteStore) -> Book[State]:
    """The game that a ledger was founded with, from its first record."""
    for record in store.takes(upto=EntryId(0, 0)):
        for fact in record.facts:
            if isinstance(fact, CampaignCreated):
                return book(fact.game)
    raise Damaged("the ledger has no first record", where=str(store.path), hint="It was not founded to the end.")


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file. Raises Unreadable, naming the file and the line."""
    import tomllib

    try:
        if not path.is_file():
            raise Unreadable("there is no such file", where=str(path), hint="Name a TOML file.")
        if path.stat().st_size > 1 << 20:
            raise Unreadable("the file is larger than 1 MiB", where=str(path))
        text = path.read_bytes().decode("utf-8")
        if DEEP.search(text):
            raise Unreadable("its keys go too deep", where=str(path))
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise Unreadable(f"it is no TOML: {error}", where=str(path)) from error
    except OSError as error:
        raise Unreadable(f"it cannot be read: {error.strerror}", where=str(path)) from error


pass_place = click.make_pass_decorator(Place)
