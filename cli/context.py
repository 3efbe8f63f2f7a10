"""The context of a command: the campaign's folder, its ledger, its game and the clock.

A campaign is a folder with a `ledger.db`: the one named with `-C` or CAMPAIGN_DIR, else the working directory or the
nearest folder above it. An address there names one in a database. The time is `--clock` or CAMPAIGN_CLOCK, else the
machine's, in UTC.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from cli.output import remark
from cli.questions.ledger_file import LEDGER_FILE, find_game, ledger_wording
from ledger.campaign_source import Source, open_campaign
from ledger.errors import InputError, LedgerError, Unreadable, input_errors
from ledger.names import escape, normalize
from ledger.postgres_address import DatabaseAddress
from ledger.records import Door, Sender
from ledger.seeds import SeedFiles, Seeds
from ledger.service import Ledger
from ledger.sql_store import SqlStore
from projections.projection import StateProjection
from projections.state import State
from rulebooks import UnknownGame, load_game
from rulebooks.common.game import Game
from rulebooks.common.texts import Wording

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.sqlite_store import SqliteStore

WAL_SET_BACK = "Another program had switched the ledger to a write-ahead log (WAL). One file holds it all again."
WAL_READ = (
    "Another program has switched the ledger to a write-ahead log (WAL): a copy of ledger.db alone may lack lines."
    " The next line that is written sets it back."
)
SEVERAL_WORDS: Final = re.compile(r"^[ \t]*([^\W\d][\w-]*(?: [\w-]+)+)[ \t]*=", re.MULTILINE)
BARE_WORD: Final = re.compile(r"\s*([\w.-]+)\s*=\s*([^\W\d][\w -]*)\s*(?:#.*)?$")
DEEP: Final = r"(?<![\w\"'-])(?:[\w\"'-]+[ \t]*\.[ \t]*){40}"  # parsing dotted keys takes quadratic time


class CampaignContext:
    """The campaign that a command works on. The ledger file is opened on first use."""

    def __init__(self, place: Path | DatabaseAddress | None, clock: str | None) -> None:
        """`place`: a folder, the file of a bundle, or the address of a campaign in a database."""
        self.address = place if isinstance(place, DatabaseAddress) else None
        self._folder = None if isinstance(place, DatabaseAddress) else place
        self.clock = clock
        self._store: SqlStore | None = None
        self._bundle = ExitStack()  # in which a bundle is open
        self._can_write = False  # to the file that is open
        self._book: Game | None = None
        self.writes = False
        self.appended = False

    @property
    def now(self) -> str:
        """The time recorded with an entry. Rules never see it."""
        if self.clock is not None:
            with input_errors():
                return valid_time(self.clock, where="--clock")
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())

    @property
    def folder(self) -> Path:
        """The campaign's folder, with files of this machine. Raises LedgerError when there is none."""
        from pathlib import Path  # imported here to start faster

        if self.address is not None:
            from cli.club import own_folder

            return own_folder(self.address)
        return Path(os.path.dirname(self.ledger_file))

    @property
    def source(self) -> Source:
        """Where the campaign is: the path of its ledger, or its address. Raises LedgerError without one."""
        return self.ledger_file if self.address is None else self.address

    @property
    def place(self) -> str:
        """What names the campaign as an argument of -C. Raises LedgerError when there is none."""
        return str(self.folder) if self.address is None else self.address.uri

    @property
    def ledger_file(self) -> str:
        """The path of the ledger: in the folder that was named, else in the nearest. Raises LedgerError without one."""
        if self.address is not None:
            hint = "Copy it: campaign copy ADDRESS FOLDER."
            raise InputError("this works on a ledger in a folder", where=str(self.address), hint=hint)
        if self.bundle is not None:
            return os.fspath(self.store(write=False).path)
        start = working_directory() if self._folder is None else str(self._folder)
        for folder in (start,) if self._folder else upwards(start):
            if os.path.exists(file := os.path.join(folder, LEDGER_FILE)):
                return file
        raise LedgerError(
            "there is no ledger here or above",
            where=start,
            hint='Create one (campaign new "Gutter Saints"), or name its folder with -C.',
        )

    @property
    def named_folder(self) -> Path | None:
        """The folder that was named with -C or CAMPAIGN_DIR."""
        return self._folder

    def folder_or_none(self) -> Path | None:
        """Return the folder that was named, or that of the nearest ledger; None where there is neither."""
        if self._folder is not None:
            return self._folder
        try:
            return self.folder
        except LedgerError:
            return None

    def store(self, *, write: bool, rebuild: bool = False) -> SqlStore:
        """Open the ledger file; whoever has made the context closes it. `rebuild`: its read models may be others."""
        if write and not self._can_write:
            self.close()  # it was opened to read
        self.writes = self.writes or write
        if self._store is None and self.bundle is not None:
            self._store = self._open_bundle(self.bundle, write=write)
        if self._store is None:
            self._can_write = write
            self._store = open_campaign(
                self.source, write=write, models=None if rebuild else StateProjection.read_models
            )
            if self._store.wal:
                remark(WAL_SET_BACK if write else WAL_READ)
        return self._store

    def copy(self) -> CampaignContext:
        """Return another context of the same campaign, for a thread of its own."""
        return CampaignContext(self.address or self.folder, self.clock)

    def close(self) -> None:
        """Close the ledger file, and say which snapshots were not used; the next use opens it again."""
        if self._store is not None:
            for entry, problem in self._store.wrong_snapshots.items():
                remark(f"The snapshot at {entry} is not used: {problem}. Make snapshots again: campaign rebuild")
            self.appended = self.appended or (self._store.appended and self.bundle is None)
            self._store.close()
            self._store = None
            self._bundle.close()

    @cached_property
    def bundle(self) -> Path | None:
        """The file of a bundle that was named in place of a folder: asked of the disk once, never behind an append."""
        return self._folder if self._folder is not None and self._folder.is_file() else None

    def _open_bundle(self, path: Path, *, write: bool) -> SqliteStore:
        """Return a temporary ledger of a bundle. Raises Refused to write into it."""
        from cli.questions.bundle_file import readable_bundle  # imported here to start faster

        if write:
            hint = "Import it (campaign import FILE), and play in that folder."
            raise LedgerError("a bundle can be read, and not written to", where=str(path), hint=hint)
        return self._bundle.enter_context(readable_bundle(path))

    def ledger(self, *, write: bool, door: Door = "keyboard") -> Ledger[State]:
        """Return the ledger with its game, projection and seeds; what is written comes in by `door`."""
        store = self.store(write=write)
        seeds: Seeds
        if self.address is None:  # they are beside the file itself, also when it is opened through a symbolic link
            seeds = SeedFiles(os.path.dirname(os.path.realpath(store.path)))
        else:
            from cli.club import sealed_seeds

            seeds = sealed_seeds(store)
        return Ledger(store, self.game(), StateProjection(), seeds, Sender(door))

    def game(self) -> Game:
        """Return the game of this campaign. Raises UnknownGame where it is not installed."""
        if self._book is None:
            store = self.store(write=False)
            try:
                self._book = find_game(store)
            except UnknownGame as error:
                if self.bundle is None:
                    raise
                raise UnknownGame(error.what, where=escape(str(self.bundle)), hint=error.hint) from error
        return self._book

    def game_if_any(self, name: str | None = None) -> Game | None:
        """Return the game with this name, else that of the ledger here; None where there is no ledger."""
        if name is not None:
            return load_game(name)
        try:
            self.source  # noqa: B018 - only to learn whether there is one
        except LedgerError:
            return None
        return self.game()

    @property
    def wording(self) -> Wording:
        """The words with which the log prints the facts of this game."""
        return ledger_wording(self.store(write=False), self.game())


def valid_time(text: str, *, where: str) -> str:
    """Return a time as it is recorded. Raises Unreadable unless it is a date or a time in ISO 8601."""
    from datetime import datetime  # imported here to start faster: most commands take the machine's clock

    clean = normalize(text, where=where, most=40)
    try:
        datetime.fromisoformat(clean)
    except ValueError as error:
        hint = "Write it as in 2026-01-09T19:30:00Z."
        raise Unreadable(f"'{clean}' is not a time", where=where, hint=hint) from error
    return clean


def upwards(folder: str) -> Iterator[str]:
    """Yield a folder and those above it."""
    yield folder
    while (above := os.path.dirname(folder)) != folder:
        yield (folder := above)


def working_directory() -> str:
    """Return the working directory. Raises LedgerError when it has been removed."""
    try:
        return os.getcwd()
    except OSError as error:
        raise LedgerError("the working directory is gone", hint="Go to another, or name one with -C.") from error


def toml_hint(path: Path, error: str) -> str:
    """Return what to write instead in the line of a TOML file that an error names."""
    number = re.search(r"line (\d+)", error)
    lines = path.read_bytes().decode("utf-8", "replace").splitlines()
    line = lines[int(number[1]) - 1] if number and int(number[1]) <= len(lines) else ""
    if name := SEVERAL_WORDS.match(line):
        return f'A name of several words needs quotation marks: "{name[1]}" ={line[name.end() :]}'
    if value := BARE_WORD.match(line):
        return f'A word needs quotation marks: {value[1]} = "{value[2].rstrip()}"'
    return "Save it as UTF-8 text with one entry a line, as in level = 2."


def read_toml(path: Path) -> dict[str, Any]:
    """Return the content of a TOML file. Raises Unreadable with the file and the line."""
    import tomllib  # imported here to start faster: few commands read TOML files

    try:
        if not path.is_file():
            raise Unreadable("there is no such file", where=str(path), hint="Name a TOML file.")
        if path.stat().st_size > 1 << 20:
            raise Unreadable("the file is larger than 1 MiB", where=str(path), hint="Name a shorter file.")
        text = path.read_bytes().decode("utf-8")
        if re.search(DEEP, text):
            raise Unreadable("its keys go too deep", where=str(path), hint="Write a table in a table at most.")
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            with suppress(tomllib.TOMLDecodeError):
                return tomllib.loads(SEVERAL_WORDS.sub(r'"\1" =', text))  # a name of two words without its marks
            raise
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise Unreadable(f"it is not TOML: {error}", where=str(path), hint=toml_hint(path, str(error))) from error
    except OSError as error:
        raise Unreadable(f"it cannot be read: {error.strerror}", where=str(path)) from error
