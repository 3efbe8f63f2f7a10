"""The parser of statements: a scene, fiction, a quote or a claim. Each has one speaker and throws no dice."""

from __future__ import annotations

from collections.abc import Iterable

from cli.notation.claims import CLAIM_LINE_MARK, parse_claim_line
from cli.notation.known_beings import find_being, join_names
from cli.notation.scope import Scope
from cli.notation.tokens import TELL_MARKS, LineToken, blank_mark, faces_at_end, is_quote, token_error, tokenize
from ledger.builtin import Tell
from ledger.declarations import Declaration
from ledger.errors import Unreadable
from ledger.facts import GM
from ledger.line_tokens import FACES


def is_statement(line: str) -> bool:
    """Return whether a line begins with the mark of a scene, fiction, a quote or a claim."""
    mark = line.lstrip()[:1]
    return mark in TELL_MARKS or mark == CLAIM_LINE_MARK or is_quote(line)


def parse_statement(line: str, scope: Scope) -> Declaration:
    """Parse a scene, fiction, a quote or a claim: a line of one speaker that throws no dice."""
    mark, rest = line.lstrip()[0], blank_mark(line)
    if mark == CLAIM_LINE_MARK:
        tokens = join_names(tokenize(rest), scope)
        _check_no_faces(tokens)
        return parse_claim_line(LineToken(mark, line.index(mark) + 1), tokens, scope)
    _check_no_faces_at_end(line)
    if mark in TELL_MARKS:
        return Tell(by=GM, kind=TELL_MARKS[mark], who=GM, text=_text_behind_mark(line, rest))
    return _parse_quote(line, rest, scope)


def _check_no_faces(tokens: Iterable[LineToken]) -> None:
    """Raise Unreadable if one of these tokens of a line that throws no dice is typed faces."""
    for token in tokens:
        if FACES.fullmatch(token.raw):
            raise token_error(token, f"'{token.raw}' is a face, and this line throws no dice", hint="Leave it out.")


def _check_no_faces_at_end(line: str) -> None:
    """Raise Unreadable if a line of text ends in typed faces."""
    if faces := faces_at_end(line):
        _check_no_faces([LineToken(faces, line.rindex(faces) + 1)])


def _text_behind_mark(line: str, rest: str) -> str:
    """Return the text behind the mark. Raises Unreadable if there is none."""
    if not rest.strip():
        raise Unreadable("no text", where=f"column {len(line)}", hint="Write the text after the mark.")
    return rest.strip()


def _parse_quote(line: str, rest: str, scope: Scope) -> Tell:
    """Parse `" k: I was never here`."""
    name, colon, text = rest.partition(":")
    token = LineToken(name.strip(), len(name) - len(name.lstrip()) + 1)
    if not colon or not token.raw:
        raise token_error(token, "no speaker", hint='Write it as in " k: I was never here.')
    who = find_being(token, token.raw, scope)
    return Tell(by=who, kind="quote", who=who, text=_text_behind_mark(line, text))
