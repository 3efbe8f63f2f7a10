"""Signs of life of long work: at a terminal one line on standard error, which disappears when the work is done.

It comes after a second, says how many records were read, and is never written into a file or a pipe.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import Final

FIRST_AFTER: Final = 1.0  # seconds
EVERY: Final = 0.2  # seconds


@contextmanager
def progress(what: str, records_read: Callable[[], int]) -> Iterator[None]:
    """Show at a terminal that work goes on, while the block runs. `records_read` returns how many were read so far."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    done = Event()
    thread = Thread(target=_show, args=(what, records_read, done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _show(what: str, records_read: Callable[[], int], done: Event) -> None:
    """Write the line again and again until the work is done, then blank it. A closed terminal ends it."""
    start, width = time.monotonic(), 0
    with suppress(OSError, ValueError):
        while not done.wait(EVERY if width else FIRST_AFTER):
            line = progress_line(what, records_read(), time.monotonic() - start)
            width = max(width, len(line))
            sys.stderr.write(f"\r{line.ljust(width)}")
            sys.stderr.flush()
        if width:
            sys.stderr.write(f"\r{' ' * width}\r")
            sys.stderr.flush()


def progress_line(what: str, records: int, seconds: float) -> str:
    """Return the line: `verify: 12,000 records read, 3 s`."""
    return f"{what}: {records:,} records read, {int(seconds)} s"
