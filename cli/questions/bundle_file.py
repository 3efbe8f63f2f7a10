"""Read the file of a bundle, whatever it is packed with.

It is read as a stream, line by line, so that one that unpacks to an endless text takes no memory.
"""

from __future__ import annotations

import gzip
import io
import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from cli.questions.ledger_file import LEDGER_FILE
from ledger.bundle import BEGINNING
from ledger.bundle_reader import BundleReader
from ledger.errors import InputError, LedgerError, Unreadable
from ledger.names import escape
from ledger.players_copy import PlayersCopy
from ledger.read_model_build import build_read_models
from ledger.records import EMPTY
from ledger.snapshots import build_snapshots
from ledger.sqlite_store import SqliteStore, create_store
from ledger.system import BINARY, NO_WAIT
from projections.projection import StateProjection
from rulebooks import UnknownGame

GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
ZSTD_WINDOW_MOST: Final = 1 << 27  # bytes: what level 19 of the zstd program uses at most


def zstandard() -> Any:
    """Return the library for zstd. Raises LedgerError where it is not installed."""
    try:
        import zstandard as library
    except ImportError as error:
        hint = "Install it: pip install 'campaign-ledger[zstd]'. Or use gzip."
        raise LedgerError("zstd needs the library zstandard, which is not installed", hint=hint) from error
    return library


@contextmanager
def open_bundle(path: Path) -> Iterator[BundleReader]:
    """Open a bundle to read. Raises InputError where there is no such file, and Unreadable for another file."""
    name = escape(str(path))
    try:
        descriptor = os.open(path, os.O_RDONLY | NO_WAIT | BINARY)
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}", hint="Name the file of a bundle.") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise InputError(f"{name} is not a file", hint="Name the file of a bundle.")
    with os.fdopen(descriptor, "rb") as file:
        try:
            yield BundleReader(PackedFile(file))  # type: ignore[arg-type]  # it has the one method that is used
        except LedgerError as error:
            raise (error.at(name) if error.where.startswith("line ") or not error.where else error) from error


class PackedFile:
    """A file that may be packed, read line by line. Raises Unreadable where it cannot be unpacked."""

    def __init__(self, file: io.BufferedReader) -> None:
        first = file.peek(len(ZSTD))
        self._broken: tuple[type[Exception], ...] = (OSError,)
        self._file: Any = file
        self._is_packed, self._has_read = first.startswith((GZIP, ZSTD)), False
        if first.startswith(GZIP):
            self._broken = (OSError, EOFError, zlib.error)
            self._file = gzip.GzipFile(fileobj=file, mode="rb")
        elif first.startswith(ZSTD):
            library = zstandard()
            self._broken = (OSError, EOFError, library.ZstdError, MemoryError)
            unpacker = library.ZstdDecompressor(max_window_size=ZSTD_WINDOW_MOST)
            self._file = io.BufferedReader(unpacker.stream_reader(file, read_across_frames=True))

    def readline(self, most: int) -> bytes:
        """Return the next line, or a part of it of this length."""
        try:
            line = bytes(self._file.readline(most))
            if not line and self._is_packed and not self._has_read:
                raise EOFError("it ends before its first line")
        except self._broken as error:
            reason = getattr(error, "strerror", None) or error
            hint = "The file is damaged or cut off: ask for it again."
            raise Unreadable(f"it cannot be unpacked: {reason}", hint=hint) from error
        self._has_read = True
        return line


class _First(io.BufferedReader):
    """The first bytes of a file, in place of the file."""

    def __init__(self, first: bytes) -> None:
        super().__init__(io.BytesIO(first))


def is_bundle(first: bytes) -> bool:
    """Return whether a file that begins with these bytes is a bundle."""
    try:
        return PackedFile(_First(first)).readline(len(BEGINNING)) == BEGINNING
    except LedgerError:
        return False


@contextmanager
def temporary_ledger(bundle: BundleReader) -> Iterator[SqliteStore]:
    """Yield a ledger of the records of a bundle, without its tables, that is gone at the end.

    Raises the errors of reading the bundle, and UnknownGame without a place where its game is not installed.
    """
    try:
        folder = TemporaryDirectory(prefix="campaign-")
    except OSError as error:
        raise LedgerError(f"there is no place for a temporary ledger: {error.strerror}") from error
    with folder, closing(create_store(Path(folder.name) / LEDGER_FILE, StateProjection.read_models)) as store:
        try:
            if bundle.is_whole:
                store.extend(bundle.records(), after=EMPTY)
                yield store
            else:
                copy = PlayersCopy(store.connection, store.path)
                copy.fill(bundle.records())
                yield copy
        except UnknownGame as error:  # it names the temporary file
            raise UnknownGame(error.what, hint=error.hint) from error


@contextmanager
def readable_bundle(path: Path) -> Iterator[SqliteStore]:
    """Yield a ledger of the records of a bundle, with its tables, to be read; it is gone at the end."""
    with open_bundle(path) as bundle, temporary_ledger(bundle) as store:
        build_tables(store)
        yield store


def build_tables(store: SqliteStore) -> None:
    """Make the snapshots and the read models of a ledger from its records."""
    head = store.head()
    store.replace_read_models(build_read_models(store, StateProjection()), after=head)
    store.replace_snapshots(build_snapshots(store, StateProjection()), after=head)
