"""What a sentence may mean: lines of the grammar, with what they leave over and why they would be refused."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cli.notation.line_parser import ParsedLine
from ledger.errors import LedgerError
from ledger.facts import GM
from rulebooks.common.adjustments import Adjust


class Meaning(msgspec.Struct, frozen=True):
    """One meaning of a sentence: a line of the grammar, how it is parsed, and why it would be refused now.

    `left`: the words that it does not explain. `weight`: how many words of a phrase it rests on. `is_unsure`: it rests
    on a pronoun or on the one in turn. `is_answer`: somebody else says it who has to answer what was said.
    """

    line: str
    parsed: tuple[ParsedLine, ...]
    error: LedgerError | None
    left: tuple[str, ...]
    weight: int
    is_unsure: bool = False
    is_answer: bool = False

    def behind(self, unsaid: Sequence[str]) -> Meaning:
        """Return this meaning of the end of a sentence, whose beginning has these words that it leaves over."""
        return msgspec.structs.replace(self, is_unsure=True, left=(*self.left, *unsaid))

    @property
    def is_free(self) -> bool:
        """Whether it is a free task."""
        return any(type(each.declaration).free for each in self.parsed)

    @property
    def is_no_act(self) -> bool:
        """Whether it only says what the game master rules, or how a value changes."""
        return all(said.declaration.by == GM or isinstance(said.declaration, Adjust) for said in self.parsed)

    @property
    def speakers(self) -> list[str]:
        """Those who say it."""
        return [each.declaration.by for each in self.parsed]

    @property
    def declarations(self) -> bytes:
        """The declarations as they are recorded: two lines of the same ones are one meaning."""
        return encode(self.parsed) if self.parsed else self.line.encode()


def encode(parsed: Sequence[ParsedLine]) -> bytes:
    """Return the declarations of a line as they are recorded, to compare two readings."""
    return msgspec.json.encode([each.declaration for each in parsed])
