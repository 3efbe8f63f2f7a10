"""Reads the little language of `when` from its text: one function for each line of its grammar (see `question`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, NoReturn

from ledger import names
from ledger.errors import Unreadable
from projections.query import EXAMPLE, Bare, Comparison, Every, Not, Operand, Question, Some

DEPTH_MOST: Final = 50
PIECE = re.compile(
    r'\s*(?:(?P<sign>[<>=!]=|[<>=])|(?P<mark>[()])|(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<bare>[^\s"()<>=!]+)|(?P<end>$))'
)
NUMBER = re.compile(r"[+-]?[0-9][0-9.,_]*", re.ASCII)
KEYWORDS: Final = ("and", "or", "not")


class Piece(NamedTuple):
    """A piece of a question: what kind of piece, its text, and its column."""

    kind: str
    text: str
    at: int


def read(text: str) -> Question:
    """The question in this text; bare words are still bare. Raises Unreadable with the column."""
    clean = names.normalized(text, where="the question")
    return Reader(list(pieces(clean))).whole()


def pieces(text: str) -> Iterator[Piece]:
    """The question cut into pieces, the end last."""
    place, kind = 0, ""
    while kind != "end":
        found = PIECE.match(text, place)
        if found is None:
            at = len(text) - len(text[place:].lstrip()) + 1
            what = "a quotation mark is not closed" if text[at - 1] == '"' else f"'{text[at - 1]}' means nothing here"
            raise Unreadable(what, where=f"column {at}", hint=EXAMPLE)
        kind = str(found.lastgroup)
        yield Piece(kind, found[kind], found.start(kind) + 1)
        place = found.end()


class Reader:
    """Reads pieces from the left, one function for each line of the grammar."""

    def __init__(self, found: list[Piece]) -> None:
        self._pieces, self._place = found, 0

    def whole(self) -> Question:
        """All of it. Raises Unreadable when something is left over."""
        question = self._question(0)
        if self._next.kind != "end":
            self._wrong("'and', 'or' or the end")
        return question

    @property
    def _next(self) -> Piece:
        return self._pieces[self._place]

    def _question(self, depth: int) -> Question:
        """Alternatives."""
        found = [self._every(depth)]
        while self._took("or"):
            found.append(self._every(depth))
        return Some(tuple(found)) if len(found) > 1 else found[0]

    def _every(self, depth: int) -> Question:
        """What has to hold together."""
        found = [self._one(depth)]
        while self._took("and"):
            found.append(self._one(depth))
        return Every(tuple(found)) if len(found) > 1 else found[0]

    def _one(self, depth: int) -> Question:
        """A comparison, one that is turned round, or a question in brackets."""
        if depth > DEPTH_MOST:
            hint = f"{DEPTH_MOST} are the most."
            raise Unreadable("brackets and nots stand too deep in one another", where=self._where, hint=hint)
        if self._took("not"):
            return Not(self._one(depth + 1))
        if self._took("("):
            found = self._question(depth + 1)
            if not self._took(")"):
                self._wrong("')'")
            return found
        left = self._operand("a value")
        sign = self._next
        if sign.kind != "sign":
            self._wrong("a sign as < or =")
        self._place += 1
        same = sign.text.replace("==", "=")
        return Comparison(left, same, self._operand("a value, a number or a word"), sign.at)

    def _operand(self, wanted: str) -> Operand:
        """A number, a word in quotes, or a bare one."""
        piece = self._next
        if piece.kind not in ("quoted", "bare") or self._keyword:
            self._wrong(wanted)
        self._place += 1
        if piece.kind == "quoted":
            return re.sub(r'\\(["\\])', r"\1", piece.text[1:-1])
        if NUMBER.fullmatch(piece.text):
            return names.parse_whole(piece.text, where=f"column {piece.at}")
        return Bare(piece.text, piece.at)

    @property
    def _keyword(self) -> str:
        """What the next piece is to the grammar, if it is a bracket or one of its words."""
        word = self._next.text.casefold()
        return word if self._next.kind == "mark" or (self._next.kind == "bare" and word in KEYWORDS) else ""

    def _took(self, keyword: str) -> bool:
        """Go on if this stands next."""
        found = self._keyword == keyword
        self._place += found
        return found

    @property
    def _where(self) -> str:
        return f"column {self._next.at}"

    def _wrong(self, wanted: str) -> NoReturn:
        """Raises Unreadable: something else stands here."""
        here = f"not '{self._next.text}'" if self._next.text else "but the question ends"
        raise Unreadable(f"{wanted} should stand here, {here}", where=self._where, hint=EXAMPLE)
