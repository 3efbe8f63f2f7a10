"""The errors of this program: what is wrong, where, and one thing to do.

A failure is a fact, a refusal is an exception. When the book says that somebody fails, that is recorded. When no rule
allows a declaration, `Refused` is raised, nothing is appended and no die is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copyreg import __newobj__  # type: ignore[attr-defined]  # not in its stubs
from typing import Any, Self

from ledger.declarations import Declaration

Hint = str | Callable[[], str]
Near = tuple[str, ...] | Callable[[], tuple[str, ...]]


class LedgerError(Exception):
    """Base class of every error that this program raises on purpose.

    Args:
        what: what is wrong.
        where: an entry, a line, a file or a field.
        hint: one thing to do, or what returns it: most errors of the parser are caught and never read.

    `column`: of the word of the typed line that it is about, where `where` does not name it.
    """

    column: int | None = None

    def __init__(self, what: str, *, where: str = "", hint: Hint = "") -> None:
        self.what, self.where, self._hint = what, where, hint
        super().__init__(what)

    @property
    def hint(self) -> str:
        """One thing to do; empty where there is nothing."""
        if not isinstance(self._hint, str):
            self._hint = self._hint()
        return self._hint

    def __str__(self) -> str:
        is_named = self.what.startswith((f"{self.where} ", f"{self.where}'s "))  # the sentence begins with the place
        place = f"{self.where}: " if self.where and not is_named else ""
        end = "" if self.hint.endswith(("...", "?")) else "."
        hint = f" {self.hint.removesuffix('.') if end else self.hint}{end}" if self.hint else ""
        return f"{place}{self.what.rstrip('.')}.{hint}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how it is pickled, on its way from another process: without calling its constructor."""
        return __newobj__, (type(self), self.what), self.__dict__ | {"_hint": self.hint}

    def at(self, where: str) -> Self:
        """Return a copy that names a place, before the place that the error already names."""
        return self._copy(where=f"{where}, {self.where}" if self.where else where)

    def with_hint(self, hint: str) -> Self:
        """Return a copy with another hint."""
        return self._copy(_hint=hint)

    def with_more_hint(self, more: str) -> Self:
        """Return a copy whose hint goes on with another sentence."""
        stop = "" if not self.hint or self.hint.endswith((".", "?")) else "."
        return self._copy(_hint=f"{self.hint}{stop} {more}".strip())

    def at_column(self, column: int | None) -> Self:
        """Return a copy that is about the word in this column of the typed line."""
        return self._copy(column=column)

    def _copy(self, **parts: Any) -> Self:
        copy = type(self).__new__(type(self))
        copy.__dict__.update(self.__dict__, **parts)
        Exception.__init__(copy, copy.what)
        return copy


class Refused(LedgerError):
    """A declaration that the rules do not allow. `code` is from the rulebook, or the ledger's own (`L-...`).

    `first` is the declaration that must come before it, if it only came too early: another being's pass.
    `is_idle`: it would let go where nothing is left to let go. That is no error: nothing happens.
    `field` is that of the declaration whose value is outside its domain, if it is refused for that.
    """

    is_idle = False
    field = ""

    def __init__(
        self,
        code: str,
        what: str,
        *,
        where: str = "",
        hint: str = "",
        rules: tuple[str, ...] = (),
        first: Declaration | None = None,
    ) -> None:
        self.code, self.rules, self.first = code, rules, first
        super().__init__(what, where=where, hint=hint)

    def __str__(self) -> str:
        return f"{self.code}: {self.sentence}"

    @property
    def sentence(self) -> str:
        """What is wrong and what to do, without the code."""
        return super().__str__()

    def with_first(self, first: Declaration) -> Self:
        """Return a copy that names the declaration that must come first."""
        return self._copy(first=first)

    def of_field(self, field: str) -> Self:
        """Return a copy for a declaration with a field whose value is outside its domain."""
        return self._copy(field=field)

    def as_idle(self) -> Self:
        """Return a copy for a declaration that would let go where nothing is left."""
        return self._copy(is_idle=True)


class BadFaces(LedgerError):
    """Typed-in faces are impossible for these dice, too few, or missing where they are needed."""

    def __init__(self, what: str, *, purpose: str, sides: int, hint: str = "") -> None:
        self.purpose, self.sides = purpose, sides
        super().__init__(what, where=purpose, hint=hint)


class NeverDrawn(LedgerError):
    """A question needs a die that no entry has shown. Its odds may be given, never its face."""

    def __init__(self, purpose: str, sides: tuple[int, ...]) -> None:
        self.purpose, self.sides = purpose, sides
        dice = " and ".join(f"d{faces}" for faces in sides)
        super().__init__(
            f"the {dice} of '{purpose}' were never drawn",
            where=purpose,
            hint="Ask for the odds, or roll it at the table.",
        )


class OutOfBalance(LedgerError):
    """A number in a fact differs from the sum that the fold computes: the ledger was written by no rule."""

    def __init__(self, what: str, *, where: str = "", hint: str = "Look at it with: campaign verify.") -> None:
        super().__init__(what, where=where, hint=hint)


class Overtaken(LedgerError):
    """The log does not end where the writer has read it.

    Another writer appended first; or, if `is_fork`, the log is another one: what was read is not a part of it.
    """

    def __init__(self, expected: int, found: int, *, is_fork: bool = False) -> None:
        self.expected, self.found, self.is_fork = expected, found, is_fork
        if is_fork:
            super().__init__(
                f"the ledger is not the one that was read up to position {expected}: it has another history",
                hint="Look at its log, then decide again.",
            )
        else:
            super().__init__(
                f"the ledger moved on from position {expected} to {found}", hint="Read it again and decide again."
            )


class NewerRules(LedgerError):
    """A session was played with a later revision of the rules than this program has: it can be read, not decided."""


class Damaged(LedgerError):
    """Stored bytes are not those that were written, or the file is not a ledger of this format."""


class Unreadable(LedgerError):
    """A file, a line or a value from outside cannot be parsed.

    `near`: the known words that look like the one that is wrong, or a function that returns them.
    """

    def __init__(self, what: str, *, where: str = "", hint: Hint = "", near: Near = ()) -> None:
        self._near = near
        super().__init__(what, where=where, hint=hint)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how it is pickled: with the words, because a local function cannot be pickled."""
        make, arguments, state = super().__reduce__()
        return make, arguments, state | {"_near": self.near}

    @property
    def near(self) -> tuple[str, ...]:
        """The known words of which one may be meant, the best first; empty where none looks like it."""
        if not isinstance(self._near, tuple):
            self._near = self._near()
        return self._near


class InputError(Unreadable):
    """An argument that cannot be parsed, or that names an unknown entry, value or file."""


class stored_errors:  # noqa: N801 - used like a function
    """Turn any unexpected error into Damaged: what is read inside is stored, and nothing that was decided causes it.

    `where` is joined when there is an error (`stored_errors("entry", id)`). What surrounds every entry of a fold or of
    a replay is written out there: without an error that costs nothing.
    """

    __slots__ = ("where",)

    def __init__(self, *where: object) -> None:
        self.where = where

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        """Raise Damaged from an error that is not this program's own."""
        if isinstance(error, Exception) and not isinstance(error, LedgerError):
            raise unusable(error, *self.where) from error


def unusable(error: Exception, *where: object) -> Damaged:
    """Return the error of what is stored and cannot be used, from one that is not this program's own."""
    reason = f"{type(error).__name__}: {error}".removesuffix(": ")
    what = f"what is stored cannot be used ({reason})"
    return Damaged(what, where=" ".join(map(str, where)), hint="Look at it with: campaign verify.")


@contextmanager
def input_errors() -> Iterator[None]:
    """Turn Unreadable into InputError, around code that parses arguments of the command line."""
    try:
        yield
    except Unreadable as error:
        raise InputError(error.what, where=error.where, hint=error.hint) from error
