"""How a line is heard: as declarations, or as a question which of several lines is meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

import msgspec

from cli.notation.known_beings import join_names
from cli.notation.known_words import match_word
from cli.notation.line_parser import ParsedLine
from cli.notation.schema import fields_of
from cli.notation.scope import Scope
from cli.notation.tokens import TELL_MARKS, faces_at_end, tokenize
from ledger.errors import Refused, Unreadable

ASKED_MOST: Final = 6
OR_WITHOUT: Final = ", or something without "  # before what only some of them leave out
LEFT_OUT: Final = ", without "  # before the words that a line leaves out
MARKED_MOST: Final = 2  # tokens in which a task or its verb stands: behind the speaker, or first
THEN_SAY: Final = "Then say:"  # before what is left of a sentence
NEXT_LINE: Final = "\n"  # between several lines that are left


class NotInPlay(Unreadable):
    """A sentence about those who are not in play yet: no line is close to it."""


class Unclear(Unreadable):
    """A sentence that may mean several lines, or one that is not certain. `lines`: what may be typed instead.

    `then`: what is left to say behind a line which is only the first of its acts: a sentence, or lines.
    """

    lines: tuple[str, ...] = ()
    then: Mapping[str, str] = MappingProxyType({})
    shows_odds = False  # whether the odds of the first line help to answer


class Lacking(Refused):
    """A refusal of lines that lack a value which only the table knows.

    `lines`: the lines without it. `is_shown`: what was typed is one of them, or was shown as one.
    """

    lines: tuple[str, ...] = ()
    is_shown = False


class Heard(msgspec.Struct, frozen=True):
    """How a line is taken: as each of its speakers says it. `line`: the line of the grammar, if it is another.

    `then`: the sentence that is left for the next line, if it says two acts.
    """

    parsed: Sequence[ParsedLine]
    line: str = ""
    then: str = ""


def is_doubtful(parsed: ParsedLine, scope: Scope) -> bool:
    """Return whether a line is a free task that is no known word by itself: it may be an act in other words.

    A secret line, an answer, and a line with its dice are what they say; so is a task in quotation marks or behind its
    verb that has more than its words, as in `k "jump the gap" s v5`.
    """
    said = parsed.declaration
    kind = type(said)
    text = str(getattr(said, kind.free, "")) if kind.free else ""
    has_dice = any(field.has("dice") and getattr(said, field.name) for field in fields_of(kind))
    if not text or parsed.secret or has_dice or _is_marked(parsed, text, scope):
        return False
    known = [*scope.words(kind, kind.free, said.by), *(scope.words(kind, "verb", said.by) if kind.free_as else ())]
    return not match_word(text, known).exact


def _is_marked(parsed: ParsedLine, text: str, scope: Scope) -> bool:
    """Return whether a task stands in quotation marks or behind its verb, and a field is given with it."""
    said, kind = parsed.declaration, type(parsed.declaration)
    fields = (field for field in fields_of(kind) if field.name not in (kind.free, kind.free_as))
    if all(getattr(said, field.name) == field.default for field in fields):
        return False
    tokens = join_names(tokenize(parsed.line), scope)[:MARKED_MOST]
    return any(token.raw in kind.verbs or (token.is_quoted and token.text == text) for token in tokens)


def omission_note(typed: str, left: Sequence[str]) -> str:
    """Return what is said of a sentence that may mean a line which leaves these words out; empty if it leaves none."""
    words = " and ".join(f"'{word}'" for word in left)
    return f"'{typed.strip()}' may mean this{LEFT_OUT}{words}" if words else ""


def unclear(
    typed: str, lines: Sequence[str], why: str = "", where: str = "", then: Mapping[str, str] | None = None
) -> Unclear:
    """Return the question which of these lines is meant. `then`: what is left to say behind each.

    No line of fiction ends in typed faces.
    """
    lines = [line for line in lines if not (line[:1] in TELL_MARKS and faces_at_end(line))]
    lines = tuple(dict.fromkeys(lines))[:ASKED_MOST]
    if not lines:
        return Unclear(f"'{typed.strip()}' is not understood", hint="Write a name, a verb, and what it is about.")
    then = {line: then[line] for line in lines if then.get(line)} if then else {}
    what = why or f"'{typed.strip()}' may mean {'several things' if len(lines) > 1 else 'this'}"
    numbered = "; ".join(f"{number}: {line}" for number, line in enumerate(lines, 1))
    hint = f"Meant? {numbered}" if len(lines) > 1 else f"Meant? {lines[0]}"
    rests = [f"{THEN_SAY} {'; '.join(rest.split(NEXT_LINE))}" for rest in dict.fromkeys(then.values())]
    error = Unclear(what, where=where, hint=". ".join([hint, *rests]))
    error.lines, error.then = lines, then
    return error


def with_lines(question: Unclear, typed: str, lines: Sequence[str], what: str) -> Unclear:
    """Return a question about other lines, and in these words; all else is as it was."""
    other = unclear(typed, lines, what, question.where, question.then)
    other.shows_odds = question.shows_odds
    return other
