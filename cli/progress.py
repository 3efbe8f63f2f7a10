"""Signs of life of long work: at a terminal one line on standard error, which disappears when the work is done.

It comes after a second, says how many records were read or how many entries were decided again, and is never written
into a file or a pipe.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from threading import Event, Thread
from typing import Any, Final

from ledger.whatif import WhatIf

FIRST_AFTER: Final = 1.0  # seconds
EVERY: Final = 0.2  # seconds


def progress(what: str, records_read: Callable[[], int]) -> AbstractContextManager[None]:
    """Show at a terminal that work goes on, while the block runs. `records_read` returns how many were read so far."""
    return live_line(lambda seconds: progress_line(what, records_read(), seconds))


def deciding(what: str, what_if: WhatIf[Any]) -> AbstractContextManager[None]:
    """Show at a terminal how many entries a what-if has decided again, while the block runs it."""
    return live_line(lambda seconds: deciding_line(what, what_if.decided, what_if.entries, seconds))


@contextmanager
def live_line(line: Callable[[float], str]) -> Iterator[None]:
    """Show a line at a terminal while the block runs. `line` returns it, given the seconds so far."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    done = Event()
    thread = Thread(target=_show, args=(line, done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _show(line: Callable[[float], str], done: Event) -> None:
    """Write the line again and again until the work is done, then blank it. A closed terminal ends it."""
    start, width = time.monotonic(), 0
    with suppress(OSError, ValueError):
        while not done.wait(EVERY if width else FIRST_AFTER):
            text = line(time.monotonic() - start)
            width = max(width, len(text))
            sys.stderr.write(f"\r{text.ljust(width)}")
            sys.stderr.flush()
        if width:
            sys.stderr.write(f"\r{' ' * width}\r")
            sys.stderr.flush()


def progress_line(what: str, records: int, seconds: float) -> str:
    """Return the line: `verify: 12,000 records read, 3 s`."""
    return f"{what}: {records:,} records read, {int(seconds)} s"


def deciding_line(what: str, decided: int, entries: int, seconds: float) -> str:
    """Return the line: `amend: 120 of 412 entries decided again, 3 s, at most 7 s more`."""
    more = f", at most {math.ceil(seconds * (entries - decided) / decided)} s more" if decided else ""
    return f"{what}: {decided:,} of {entries:,} entries decided again, {int(seconds)} s{more}"
