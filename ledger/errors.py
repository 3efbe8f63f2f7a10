"""One family of errors: what is wrong, where, and the mend.

A failure is a fact, a refusal is an exception: when the book says that somebody fails, that is recorded;
when no rule allows what was said, `Refused` is raised and nothing is appended and no die is used up.
"""

from __future__ import annotations


class LedgerError(Exception):
    """Everything this house raises on purpose.

    `what` is wrong, `where` it is (an entry, a line, a file), and the `hint`: one thing to do.
    """

    def __init__(self, what: str, *, where: str = "", hint: str = "") -> None:
        self.what, self.where, self.hint = what, where, hint
        super().__init__(str(self))

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        end = "" if self.hint.endswith(("...", "?")) else "."
        hint = f" {self.hint.removesuffix('.') if end else self.hint}{end}" if self.hint else ""
        return f"{place}{self.what.rstrip('.')}.{hint}"


class Refused(LedgerError):
    """A declaration that the rules do not allow. `code` is the rulebook's own, or the ground's (`L-...`).

    `first` is what somebody else has to say before this can be said, where it is only not yet their turn: the
    declaration with which they would let their place go.
    """

    def __init__(
        self,
        code: str,
        what: str,
        *,
        where: str = "",
        hint: str = "",
        rules: tuple[str, ...] = (),
        first: object | None = None,
    ) -> None:
        self.code, self.rules, self.first = code, rules, first
        super().__init__(what, where=where, hint=hint)

    def __str__(self) -> str:
        return f"{self.code}: {super().__str__()}"


class BadFaces(LedgerError):
    """Faces typed in that the dice asked for cannot show, too few of them, or none where some are needed."""

    def __init__(self, what: str, *, purpose: str, sides: int, hint: str = "") -> None:
        self.purpose, self.sides = purpose, sides
        super().__init__(what, where=purpose, hint=hint)


class NeverDrawn(LedgerError):
    """A question asked for a face that no entry has ever shown. Odds may be given for it, never the face."""

    def __init__(self, purpose: str, sides: tuple[int, ...]) -> None:
        self.purpose, self.sides = purpose, sides
        dice = " and ".join(f"d{faces}" for faces in sides)
        super().__init__(
            f"the {dice} of '{purpose}' were never drawn",
            where=purpose,
            hint="Ask for the odds, or throw it at the table.",
        )


class OutOfBalance(LedgerError):
    """A fact whose finished number is not what the fold makes of it."""


class Overtaken(LedgerError):
    """Somebody else appended first: the head has moved since the state was read."""

    def __init__(self, expected: int, found: int) -> None:
        self.expected, self.found = expected, found
        super().__init__(
            f"the ledger moved on from position {expected} to {found}", hint="Read it again and decide again."
        )


class Damaged(LedgerError):
    """Stored bytes that are not what was once written, or a file that is not a ledger of this version."""


class Unreadable(LedgerError):
    """A file, a line or a value handed in from outside that cannot be read as what it should be."""
