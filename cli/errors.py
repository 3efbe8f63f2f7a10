"""Errors of the commands and their exit codes: 1 differs or refused, 2 wrong usage, 3 unreadable or damaged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

from ledger.errors import BadFaces, InputError, LedgerError, NeverDrawn, NewerRules, Overtaken, Refused
from ledger.names import escape

ERROR_MOST: Final = 1_000  # characters
REFUSALS: Final = (Refused, BadFaces, NeverDrawn, NewerRules, Overtaken)


class ProgramError(Exception):
    """What ends the program, with a message and an exit code. `kept`: something was appended before."""

    exit_code = 3

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        self.kept = False

    def format_message(self) -> str:
        """Return the message; empty if nothing is to be said."""
        return self.message


class CommandError(ProgramError):
    """The errors that end a command, one a line, without control characters: something is unreadable or damaged."""

    def __init__(self, *errors: LedgerError) -> None:
        super().__init__(shorten("\n".join(escape(str(error)) for error in errors)))

    def format_message(self) -> str:
        """Return the message, with a note if records were appended and the error does not say so itself."""
        note = " What was taken is kept: look with campaign log before you say it again."
        return self.message + (note if self.kept and self.exit_code == CommandError.exit_code else "")


class RefusedError(CommandError):
    """The rules refuse the declaration, or another writer appended first."""

    exit_code = 1


class UsageError(CommandError):
    """The command line is wrong."""

    exit_code = 2


class OutputError(ProgramError):
    """Standard output is full or closed. `kept`: the command may have appended something before."""

    def __init__(self, error: OSError) -> None:
        super().__init__(f"standard output: {error.strerror}")

    def format_message(self) -> str:
        """Return the message, with a note if records were appended."""
        return self.message + (". What was taken is kept: look with campaign log." if self.kept else "")


class ReaderStoppedError(OutputError):
    """A reader just stopped reading (`log | head`), which is no error."""

    exit_code = 141  # 128 + SIGPIPE, as of any program that SIGPIPE ends

    def format_message(self) -> str:
        """Return nothing: who stops reading knows why."""
        return ""


def shorten(text: str) -> str:
    """Return an error of a length that can be read: its beginning, and its end, which says what to do."""
    return text if len(text) <= ERROR_MOST else f"{text[: ERROR_MOST * 3 // 4]} ... {text[-ERROR_MOST // 4 :]}"


class OpenLedger(Protocol):
    """The ledger of a command. `writes`: it is opened to append. `appended`: it was, once it is closed."""

    writes: bool
    appended: bool

    def close(self) -> None:
        """Close it."""


@contextmanager
def command_errors(ledger_of: Callable[[], OpenLedger | None]) -> Iterator[None]:
    """Close the ledger at the end of a command; turn LedgerError and OSError into CommandError, and note what is kept.

    A broken pipe passes: the program ends quietly then.
    """
    try:
        with translated_errors():
            try:
                yield
            finally:
                if ledger := ledger_of():
                    ledger.close()
    except OutputError as error:
        error.kept = ledger is not None and ledger.writes
        raise
    except CommandError as error:
        error.kept = ledger is not None and ledger.appended
        raise


@contextmanager
def translated_errors() -> Iterator[None]:
    """Turn LedgerError and OSError into CommandError, but for a broken pipe."""
    try:
        yield
    except LedgerError as error:
        refused, mistyped = isinstance(error, REFUSALS), isinstance(error, InputError)
        kind = RefusedError if refused else UsageError if mistyped else CommandError
        raise kind(error) from error
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CommandError(LedgerError(error.strerror or str(error), where=str(error.filename or ""))) from error
