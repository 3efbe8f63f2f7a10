"""Files of bundles: written plain or packed with gzip or zstd, and read whatever they are packed with.

A file is read as a stream, line by line, so that one that unpacks to an endless text takes no memory. The same bundle
packed again gives the same bytes: there is neither a time nor a name in it.
"""

from __future__ import annotations

import gzip
import io
import os
import stat
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, Final, Literal

from cli.play.files import FileKind, replaced_file
from cli.questions.ledger_file import LEDGER_FILE
from ledger.bundle import BEGINNING
from ledger.bundle_reader import BundleReader
from ledger.errors import InputError, LedgerError, Unreadable
from ledger.names import escape
from ledger.records import EMPTY
from ledger.sqlite_store import SqliteStore, create_store
from ledger.system import BINARY, NO_WAIT
from projections.projection import StateProjection

Packing = Literal["", "gzip", "zstd"]
GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
GZIP_LEVEL: Final = 9
ZSTD_LEVEL: Final = 9
ZSTD_WINDOW_MOST: Final = 1 << 27  # bytes: what level 19 of the zstd program uses at most
SUFFIXES: Final[dict[str, Packing]] = {".gz": "gzip", ".zst": "zstd"}


def packing_of(path: Path, asked: Packing) -> Packing:
    """Return how a file of this name is packed: as it was asked for, else as the end of the name says."""
    return asked or SUFFIXES.get(path.suffix.lower(), "")


def write_bundle(path: Path, lines: Iterable[bytes], packing: Packing, *, force: bool = False) -> None:
    """Write the lines of a bundle as a file; after an error there is none, or the one that was there.

    Raises the errors of `write_lines`, and LedgerError where zstd is not installed.
    """
    if packing == "zstd":
        zstandard()
    with replaced_file(path, BUNDLE, force=force) as unfinished, unfinished.open("wb") as file:
        with packed(file, packing) as out:
            for line in lines:
                out.write(line)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def packed(file: IO[bytes], packing: Packing) -> Iterator[IO[bytes]]:
    """Yield a file whose bytes are written to another, packed."""
    if packing == "gzip":
        with gzip.GzipFile(filename="", mode="wb", compresslevel=GZIP_LEVEL, fileobj=file, mtime=0) as out:
            yield out  # type: ignore[misc]  # it has what is used of a file
    elif packing == "zstd":
        with zstandard().ZstdCompressor(level=ZSTD_LEVEL).stream_writer(file, closefd=False) as out:
            yield out
    else:
        yield file


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


BUNDLE: Final = FileKind("a bundle", is_bundle)


@contextmanager
def temporary_ledger(bundle: BundleReader) -> Iterator[SqliteStore]:
    """Yield a ledger of the records of a bundle, without its tables, that is gone at the end.

    Raises the errors of reading the bundle.
    """
    try:
        folder = TemporaryDirectory(prefix="campaign-")
    except OSError as error:
        raise LedgerError(f"there is no place for a temporary ledger: {error.strerror}") from error
    with folder, closing(create_store(Path(folder.name) / LEDGER_FILE, StateProjection.read_models)) as store:
        store.extend(bundle.records(), after=EMPTY)
        yield store
