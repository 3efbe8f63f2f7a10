"""Parser of the questions of `when`: one method for each line of the grammar in `query`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, NoReturn

from ledger import names
from ledger.errors import Unreadable
from projections.query import EXAMPLE, And, Bare, Comparison, Not, Operand, Or, Question

DEPTH_MOST: Final = 50
TOKEN = re.compile(
    r'\s*(?:(?P<sign>[<>=!]=|[<>=])|(?P<mark>[()])|(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<bare>[^\s"()<>=!]+)|(?P<end>$))'
)
NUMBER = re.compile(r"[+-]?[0-9][0-9.,_]*", re.ASCII)
KEYWORDS: Final = ("and", "or", "not")


class QueryToken(NamedTuple):
    """A token of a question: its kind (a group of TOKEN), its text and its column."""

    kind: str
    text: str
    column: int


def parse_question(text: str) -> Question:
    """Return the question in a text, with bare words unresolved. Raises Unreadable with the column."""
    return Parser(list(tokens(names.normalize(text, where="the question")))).parse()


def tokens(text: str) -> Iterator[QueryToken]:
    """Yield the tokens of a question; the last is the end."""
    index, kind = 0, ""
    while kind != "end":
        match = TOKEN.match(text, index)
        if match is None:
            column = len(text) - len(text[index:].lstrip()) + 1
            letter = text[column - 1]
            what = "a quotation mark is not closed" if letter == '"' else f"'{letter}' is not part of any question"
            raise Unreadable(what, where=f"column {column}", hint=EXAMPLE)
        kind = str(match.lastgroup)
        yield QueryToken(kind, match[kind], match.start(kind) + 1)
        index = match.end()


class Parser:
    """Parses tokens from the left by recursive descent."""

    def __init__(self, tokens: list[QueryToken]) -> None:
        self._tokens, self._index = tokens, 0

    def parse(self) -> Question:
        """Return the question that all tokens form."""
        question = self._question(0)
        if self._next.kind != "end":
            self._fail("'and', 'or' or the end")
        return question

    @property
    def _next(self) -> QueryToken:
        return self._tokens[self._index]

    def _question(self, depth: int) -> Question:
        parts = [self._all(depth)]
        while self._accept("or"):
            parts.append(self._all(depth))
        return Or(tuple(parts)) if len(parts) > 1 else parts[0]

    def _all(self, depth: int) -> Question:
        parts = [self._condition(depth)]
        while self._accept("and"):
            parts.append(self._condition(depth))
        return And(tuple(parts)) if len(parts) > 1 else parts[0]

    def _condition(self, depth: int) -> Question:
        if depth > DEPTH_MOST:
            hint = f"{DEPTH_MOST} levels are the most."
            raise Unreadable("brackets and nots are nested too deeply", where=self._where, hint=hint)
        if self._accept("not"):
            return Not(self._condition(depth + 1))
        if self._accept("("):
            question = self._question(depth + 1)
            if not self._accept(")"):
                self._fail("')'")
            return question
        left = self._operand("a value")
        sign = self._next
        if sign.kind != "sign":
            self._fail("a sign such as < or =")
        self._index += 1
        return Comparison(left, sign.text.replace("==", "="), self._operand("a value, a number or a word"), sign.column)

    def _operand(self, expected: str) -> Operand:
        token = self._next
        if token.kind not in ("quoted", "bare") or self._keyword:
            self._fail(expected)
        self._index += 1
        if token.kind == "quoted":
            return re.sub(r'\\(["\\])', r"\1", token.text[1:-1])
        if NUMBER.fullmatch(token.text):
            return names.parse_whole(token.text, where=f"column {token.column}")
        return Bare(token.text, token.column)

    @property
    def _keyword(self) -> str:
        """The next token if it is a bracket or a keyword, else nothing."""
        word = self._next.text.casefold()
        return word if self._next.kind == "mark" or (self._next.kind == "bare" and word in KEYWORDS) else ""

    def _accept(self, keyword: str) -> bool:
        """Skip the next token if it is this one, and return whether it was."""
        accepted = self._keyword == keyword
        self._index += accepted
        return accepted

    @property
    def _where(self) -> str:
        return f"column {self._next.column}"

    def _fail(self, expected: str) -> NoReturn:
        actual = f"not '{self._next.text}'" if self._next.text else "but the question ends"
        raise Unreadable(f"expected {expected}, {actual}", where=self._where, hint=EXAMPLE)
