"""Paths and contents that are no file, and no ledger."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path


def odd_paths(folder: Path) -> Iterator[Path]:
    """Paths that are no file to be read."""
    os.mkfifo(folder / "fifo")
    (folder / "folder").mkdir()
    (folder / "loop").symlink_to("loop")
    (folder / "dangling").symlink_to("nowhere")
    yield from (folder / name for name in ("fifo", "loop", "dangling", "missing", "a\nb\x1b[31m", "x" * 300))
    yield from map(Path, ("/dev/zero", "/dev/null", "/proc/self/mem", "", "folder/../missing"))
    yield folder / "folder"


def broken_ledgers(good: bytes) -> Iterator[tuple[str, bytes]]:
    chance = random.Random(5)
    yield "empty", b""
    yield "a word", b"hello\n"
    yield "random bytes", chance.randbytes(8192)
    yield "a header only", good[:100]
    yield "half a page", good[:2048]
    yield "half a file", good[: len(good) // 2]
    yield "a page short", good[:-4096]
    yield "zeros", bytes(len(good))
    yield "random behind the header", good[:100] + chance.randbytes(len(good) - 100)
    yield "another application", good[:68] + b"\x00\x00\x00\x01" + good[72:]
    yield "no application", good[:68] + bytes(4) + good[72:]
    yield "a later version", good[:60] + b"\x00\x00\x00\x63" + good[64:]
    yield "version 0", good[:60] + bytes(4) + good[64:]
    yield "a write-ahead log", good[:18] + b"\x02\x02" + good[20:]
