"""The file of results: a row for each campaign, head of its ledger and revision of its rules, written as it comes.

It is an SQLite file that may be read while it is written, and deleted: then everything is looked at again. Whoever
begins a campaign says so in `claims`: of two runs at once each leaves it to the other until there is nothing else.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, Literal, Self

import msgspec

from cli.play.files import FileKind, check_target, write_errors
from ledger.errors import Damaged, LedgerError
from ledger.names import escape
from ledger.records import ENCODER, Head

APPLICATION_ID: Final = 0x4C444753  # "LDGS", in the header of the file
VERSION: Final = 1
WAIT_SECONDS: Final = 20
ANOTHER: Final = "Name another one with --results, or remove it: everything is looked at again then."
Outcome = Literal["fine", "differs", "unreadable"]
FINE: Final[Literal["fine"]] = "fine"
DIFFERS: Final[Literal["differs"]] = "differs"
UNREADABLE: Final[Literal["unreadable"]] = "unreadable"
CREATE: Final = (
    """CREATE TABLE IF NOT EXISTS results (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    task TEXT NOT NULL, options TEXT NOT NULL, campaign TEXT NOT NULL, head TEXT NOT NULL, revision INTEGER NOT NULL,
    name TEXT NOT NULL, ledger TEXT NOT NULL, game TEXT NOT NULL, position INTEGER NOT NULL, stamp TEXT NOT NULL,
    outcome TEXT NOT NULL, text TEXT NOT NULL, content TEXT NOT NULL, milliseconds INTEGER NOT NULL,
    written TEXT NOT NULL, printed INTEGER NOT NULL DEFAULT 0,
    UNIQUE (task, options, campaign, head, revision)) STRICT""",
    """CREATE TABLE IF NOT EXISTS claims (
    task TEXT NOT NULL, options TEXT NOT NULL, campaign TEXT NOT NULL, stamp TEXT NOT NULL, run TEXT NOT NULL,
    PRIMARY KEY (task, options, campaign)) STRICT, WITHOUT ROWID""",
)


class ShelfRow(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a campaign.

    Attributes:
        task: what was done, as `verify`, and `options` how, as JSON.
        campaign: its folder, as `ShelfPlace.campaign`.
        name: of the campaign; empty if it could not be read, as `ledger` (its id), `game` and `head`.
        revision: of the rules that are installed, 0 if they are not known.
        position: of the head.
        stamp: of the file that was looked at.
        text: the result in a line, `content` all of it as JSON.
        written: when.
    """

    task: str
    options: str
    campaign: str
    head: str = ""
    revision: int = 0
    name: str = ""
    ledger: str = ""
    game: str = ""
    position: int = 0
    stamp: str
    outcome: Outcome
    text: str
    content: msgspec.Raw = msgspec.Raw(b"null")
    milliseconds: int = 0
    written: str = ""


COLUMNS: Final = ShelfRow.__struct_fields__
INSERT: Final = f"INSERT OR REPLACE INTO results ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"
LATEST: Final = (
    f"SELECT {', '.join(COLUMNS)} FROM results WHERE number IN"
    " (SELECT max(number) FROM results WHERE task = ? AND options = ? GROUP BY campaign)"
)
LAST: Final = (
    f"SELECT {', '.join(COLUMNS)} FROM results WHERE task = ? AND options = ? AND campaign = ?"
    " ORDER BY number DESC LIMIT 1"
)
MARKS: Final = (
    "SELECT campaign, position, head FROM results"
    " WHERE task = ? AND options = ? AND printed AND head <> '' ORDER BY number"
)
CLAIM: Final = (
    "INSERT INTO claims VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET stamp = excluded.stamp, run = excluded.run"
    " WHERE stamp <> excluded.stamp OR run = excluded.run"
)


class ResultsFile:
    """The rows of one task with its options. A context manager: at its end the file is closed."""

    def __init__(self, path: Path, task: str, options: str, run: str) -> None:
        """Open the file, or create it; `run` is a name that no other run has.

        Raises InputError for a file that is no such file and may not be replaced, and LedgerError if it cannot be
        written.
        """
        with write_errors(path):
            check_target(path, FileKind("a file of results of a shelf", is_results), force=False)
            path.parent.mkdir(parents=True, exist_ok=True)
        self.path, self.task, self.options, self.run = path, task, options, run
        with result_errors(path):
            self._db = sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None)
            self._create()

    def _create(self) -> None:
        """Create what is not there. Raises Damaged for a file of another version."""
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version not in (0, VERSION):
            raise Damaged("the file of results is of another version", where=escape(str(self.path)), hint=ANOTHER)
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("BEGIN IMMEDIATE")
        self._db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        self._db.execute(f"PRAGMA user_version = {VERSION}")
        for statement in CREATE:
            self._db.execute(statement)
        self._db.execute("COMMIT")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def latest(self) -> dict[str, ShelfRow]:
        """Return the last row of each campaign."""
        return {row.campaign: row for row in self._rows()}

    def _rows(self) -> Iterator[ShelfRow]:
        with result_errors(self.path), closing(self._db.execute(LATEST, (self.task, self.options))) as rows:
            for row in rows:
                yield msgspec.convert(_cells(row), ShelfRow)

    def last(self, campaign: str) -> ShelfRow | None:
        """Return the last row of one campaign."""
        with result_errors(self.path):
            row = self._db.execute(LAST, (self.task, self.options, campaign)).fetchone()
        return None if row is None else msgspec.convert(_cells(row), ShelfRow)

    def marks(self) -> dict[str, Head]:
        """Return the head of the last row of each campaign that was printed."""
        with result_errors(self.path), closing(self._db.execute(MARKS, (self.task, self.options))) as rows:
            return {campaign: Head(position, head) for campaign, position, head in rows}

    def unprinted(self) -> set[str]:
        """Return the campaigns with a row that was not printed yet."""
        query = "SELECT campaign FROM results WHERE task = ? AND options = ? AND NOT printed"
        with result_errors(self.path), closing(self._db.execute(query, (self.task, self.options))) as rows:
            return {campaign for (campaign,) in rows}

    def note_printed(self) -> None:
        """Note that all rows were printed."""
        with result_errors(self.path):
            self._db.execute("UPDATE results SET printed = 1 WHERE task = ? AND options = ?", (self.task, self.options))

    def claim(self, campaign: str, stamp: str) -> bool:
        """Say that this run does a campaign; return False if another run has said so of the same ledger."""
        with result_errors(self.path):
            return bool(self._db.execute(CLAIM, (self.task, self.options, campaign, stamp, self.run)).rowcount)

    def write(self, row: ShelfRow) -> None:
        """Write a row, in place of an earlier one of the same head and revision."""
        cells = msgspec.structs.asdict(row) | {"content": bytes(row.content).decode()}
        with result_errors(self.path):
            self._db.execute(INSERT, [_storable(cells[name]) for name in COLUMNS])

    def release(self) -> None:
        """Forget what this run has claimed: it has done it, or does not do it any more."""
        with result_errors(self.path):
            self._db.execute("DELETE FROM claims WHERE run = ?", (self.run,))


@contextmanager
def result_errors(path: Path) -> Iterator[None]:
    """Turn an error of SQLite into one about the file of results."""
    try:
        yield
    except sqlite3.Error as error:
        what = f"the file of results cannot be used: {error}"
        raise LedgerError(what, where=escape(str(path)), hint=ANOTHER) from error


def _storable(value: str | int) -> str | int:
    """Return a value as it can be stored: the name of a file may have bytes that are no text."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def _cells(row: Iterable[Any]) -> dict[str, Any]:
    """Return a row of the file with its content as JSON."""
    cells = dict(zip(COLUMNS, row, strict=True))
    cells["content"] = msgspec.Raw(cells["content"].encode())
    return cells


def is_results(first: bytes) -> bool:
    """Return whether a file begins as a file of results, or is empty."""
    return not first or (first[:16] == b"SQLite format 3\0" and first[68:72] == APPLICATION_ID.to_bytes(4, "big"))


def raw(content: object) -> msgspec.Raw:
    """Return content as JSON."""
    return msgspec.Raw(ENCODER.encode(content))
