"""How the program begins and ends: its streams, the message of its last error, and its exit code."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import Any, NoReturn, TextIO

from cli.errors import ProgramError, shorten
from ledger.names import escape

INTERRUPTED = 130  # the exit code


def use_utf8() -> None:
    """Switch standard output and error to UTF-8, whatever the locale; one that is closed to a null stream."""
    sys.stdout, sys.stderr = utf8_stream(sys.stdout), utf8_stream(sys.stderr)


def utf8_stream(stream: Any) -> Any:
    """Return the stream switched to UTF-8; a null stream if it is closed."""
    if stream is None:
        return null_stream()
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    return stream


def null_stream() -> TextIO:
    """Return a stream that discards what is written."""
    return open(os.devnull, "w", encoding="utf-8")


def report(error: ProgramError) -> int:
    """Print the error that ends the program, and return its exit code."""
    if message := error.format_message():
        print_last(f"Error: {message}\n")
    return error.exit_code


def report_interrupt() -> int:
    """Say that the program was interrupted, and return its exit code."""
    print_last("interrupted\n")
    return INTERRUPTED


def print_last(text: str) -> None:
    """Print the last message of the program to standard error, of a length that can be read."""
    with suppress(OSError):
        print(shorten("\n".join(map(escape, text.split("\n")))), end="", file=sys.stderr, flush=True)


def leave(code: int) -> NoReturn:
    """End the process at once: Python would free each object by itself, in a tenth of the time that `do` takes.

    Every command has closed its ledger and ended its processes. What cannot be written is left to Python to report.
    """
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    raise SystemExit(code)
