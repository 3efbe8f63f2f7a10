"""Those who say one line, in the order in which they can.

All of them say it, or none, until a die is thrown for one. From then on those who have spoken are kept, and the first
who is refused cuts the line short: otherwise a refusal that follows from dice would tell of dice that nobody keeps.
Whoever could not say the line whatever the dice show is refused before the first die.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ledger.declarations import Declaration
from ledger.errors import LedgerError, Refused
from ledger.facts import Fact, Rolled
from ledger.names import word_list

Encoded = tuple[bytes, Declaration]


class Speakers:
    """The declarations of a line, as far as they are still to be decided.

    `idle`: the last refusal of somebody who had nothing to let go. `cut`: the refusal that cuts the line short.
    """

    def __init__(self, encoded: Sequence[Encoded]) -> None:
        self.idle: Refused | None = None
        self.cut: Refused | None = None
        self.are_several = len(encoded) > 1
        self._waiting, self._tries = list(encoded), len(encoded) ** 2
        self._have_rolled = False
        self._barred: Refused | None = None

    def next(self, refusal: Callable[[Declaration], Refused | None]) -> Encoded | None:
        """Return the next declaration to decide; None if there is none left, or the line is cut short.

        `refusal` returns why a declaration is not possible now, whoever else says the line and whatever the dice show.
        """
        if self.cut is not None or not self._waiting:
            return None
        speaker, *self._waiting = self._waiting
        if not self._have_rolled:
            refused = ((said, refusal(said)) for _, said in self._waiting)
            self._barred = next((error.at(said.by) for said, error in refused if error is not None), None)
        return speaker

    def accept(self, facts: Iterable[Fact]) -> None:
        """Note what the next has caused. Raises Refused if dice were thrown, and another could not say the line."""
        if not self._have_rolled and any(isinstance(fact, Rolled) for fact in facts):
            self._have_rolled = True
            if self._barred is not None:
                raise self._barred

    def refuse(self, speaker: Encoded, error: LedgerError) -> None:
        """Let another speak first, leave one out who has nothing to let go, cut the line short, or raise the error."""
        if not self.are_several:
            raise error
        said = speaker[1]
        if (sooner := self._named_first(error)) and (tries := self._tries - 1):
            self._tries = tries
            self._waiting.remove(sooner)
            self._waiting[:0] = [sooner, speaker]
        elif isinstance(error, Refused) and error.is_idle:
            self.idle = error
        elif isinstance(error, Refused) and self._have_rolled:
            names = word_list([said.by, *(other.by for _, other in self._waiting)])
            self.cut = error.at(f"{names} did not")
        else:
            raise error.at(said.by) from error

    def _named_first(self, error: LedgerError) -> Encoded | None:
        """Return which of those who wait must come before one who said the line too early, if any."""
        first = error.first if isinstance(error, Refused) else None
        return next((each for each in self._waiting if first is not None and each[1].by == first.by), None)
