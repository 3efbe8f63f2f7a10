"""Write the file of a bundle, plain or packed with gzip or zstd.

The same bundle packed again gives the same bytes: there is neither a time nor a name in it.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, Literal

from cli.play.files import FileKind, replaced_file
from cli.questions.bundle_file import is_bundle, zstandard

Packing = Literal["", "gzip", "zstd"]
GZIP_LEVEL: Final = 9
ZSTD_LEVEL: Final = 9
SUFFIXES: Final[dict[str, Packing]] = {".gz": "gzip", ".zst": "zstd"}
BUNDLE: Final = FileKind("a bundle", is_bundle)


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
