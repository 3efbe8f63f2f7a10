"""Options as their catalogues have them, and those of every table, whatever it plays."""

import re
from typing import Final

import msgspec

from ledger.facts import Scalar


class Option(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question that the text leaves open, its readings, and the default."""

    name: str
    default: Scalar
    gap: str
    rules: tuple[str, ...]
    text: str
    values: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None

    @property
    def domain(self) -> str:
        """Return the readings in words."""
        return ", ".join(self.values) if self.values else f"{self.least} to {self.most}"

    @property
    def question(self) -> str:
        """Return the question alone; the whole text where it is none."""
        question, mark, _ = self.text.partition("?")
        return question + mark

    def meaning(self, value: Scalar) -> str:
        """Return what one reading means, in words of the text, or the value where the text does not say it."""
        names = "|".join(map(re.escape, self.values))
        parts = re.split(rf"(?:^|(?<=\s))({names}): ", self.text) if names else []
        meanings = dict(zip(parts[1::2], parts[2::2], strict=True))
        return meanings.get(str(value), str(value)).strip().rstrip(".")

    def allows(self, value: Scalar) -> bool:
        """Return whether this is one of the readings."""
        if self.values:
            return value in self.values
        return isinstance(value, int) and (self.least or 0) <= value <= (self.most or 0)


PASSES: Final = Option(
    name="passes",
    default="implied",
    gap="",
    rules=(),
    text="Whether a turn ends when somebody else's line can only mean that, or only when it is passed.",
    values=("implied", "explicit"),
)


DICE: Final = Option(
    name="dice",
    default="program",
    gap="",
    rules=(),
    text="Whether the program draws the dice, or the shell asks for the faces of each throw at the table.",
    values=("program", "table"),
)

ANSWER_SECONDS: Final = Option(
    name="answer_seconds",
    default=0,
    gap="",
    rules=(),
    text="How many seconds an announcement waits for answers on the phones of a served table; 0: as long as it takes.",
    least=0,
    most=3600,
)

TABLE_OPTIONS: Final = (PASSES, DICE, ANSWER_SECONDS)
