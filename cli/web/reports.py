"""What the server says of its own troubles: one line on standard error, and the same line not again for a while."""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from cli.output import remark
from ledger.errors import LedgerError

QUIET_SECONDS: Final = 600  # for which the same line is not printed again
LINES_MOST: Final = 100  # that are remembered
OF_STRANGERS: Final = (  # what a library says of those who send anything at all, and of answers that they do not take
    "Invalid HTTP request received",
    "Unsupported upgrade request",
    "No supported WebSocket library",
    "ASGI callable returned without completing response",
)


class Reports(logging.Handler):
    """Prints lines, also those that libraries log as warnings and errors: never their tracebacks."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._printed: dict[str, float] = {}  # when each line was printed last

    def say(self, line: str) -> None:
        """Print a line, unless it was printed a short time ago. Standard error that is closed is no error."""
        now = time.monotonic()
        if now - self._printed.get(line, now - QUIET_SECONDS) < QUIET_SECONDS:
            return
        if len(self._printed) >= LINES_MOST:
            self._printed.clear()
        self._printed[line] = now
        with suppress(OSError, ValueError):
            remark(line)

    def forget(self) -> None:
        """Print every line again: what was wrong is over."""
        self._printed.clear()

    def emit(self, record: logging.LogRecord) -> None:
        """Print what a library logs."""
        error = record.exc_info[1] if record.exc_info else None
        line = record.getMessage().partition("\n")[0].strip()
        if line.startswith(OF_STRANGERS):
            return
        self.say(f"Server: {line}: {cause(error)}" if error else f"Server: {line}")


REPORTS: Final = Reports()


@contextmanager
def library_reports() -> Iterator[None]:
    """Print what libraries log meanwhile as lines of ours."""
    logging.getLogger().addHandler(REPORTS)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(REPORTS)


def page_error(error: Exception) -> str:
    """Return the line for an error that keeps a page from being made."""
    if isinstance(error, LedgerError):
        return f"Error: {error}"
    return f"Error: a page cannot be made, and is tried again: {cause(error)}. This is a fault of the program."


def cause(error: BaseException) -> str:
    """Return an error as one line: its kind, what it says, and where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    said = str(error).partition("\n")[0]
    return f"{type(error).__name__}{': ' if said else ''}{said}{where}"
