"""Claims about an outcome, behind a line: `=> hit 2, spearman 3, k hp 9`. They are compared, and change nothing.

Somebody and a number mean the value that the book calls vital; a value has its name; any other word is a result, with
its total where a number stands behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.notation.scope import Around, only, values_meant
from cli.notation.tokens import NUMBER, Token, fitting, in_quotes, wrong
from ledger import names
from ledger.builtin import OUTCOME_PREFIX, YES
from ledger.facts import Claims, Scalar

MARK: Final = "=>"


def claimed_behind(tokens: list[Token]) -> tuple[list[Token], list[Token] | None]:
    """The tokens before the mark, and those behind it (None: there is no mark)."""
    for place, token in enumerate(tokens):
        if token.raw == MARK:
            return tokens[:place], tokens[place + 1 :]
    return tokens, None


def outcome_claimed(tokens: Sequence[Token] | None, around: Around) -> Claims:
    """What is claimed. Raises Unreadable where a claim says nothing."""
    if tokens is None:
        return ()
    parts: list[list[Token]] = [[]]
    for token in tokens:
        *ended, last = token.split(",")
        for piece in ended:
            parts[-1] += [piece] if piece.raw else []
            parts.append([])
        parts[-1] += [last] if last.raw else []
    if not all(parts):
        where = tokens[-1] if tokens else Token(MARK, 1)
        raise wrong(where, "nothing is claimed", hint="Write it as in => hit 2, spearman 3.")
    return tuple(_claim(part, around) for part in parts)


def _claim(part: list[Token], around: Around) -> tuple[str, Scalar]:
    """One claim."""
    *words, last = part
    number = names.parse_whole(last.raw, where=last.where) if NUMBER.fullmatch(last.raw) else None
    if number is None:
        words = part
    if not words:
        raise wrong(last, f"the number {last.raw} claims nothing by itself", hint="Say of what: => spearman 3.")
    value = _value(words, around) if number is not None else ""
    if value:
        return value, number if number is not None else YES
    if len(words) > 1:
        raise wrong(
            words[0], f"'{' '.join(word.raw for word in part)}' claims nothing", hint="Write it as in => hit 2."
        )
    return OUTCOME_PREFIX + names.name_key(words[0].text), YES if number is None else number


def _value(words: Sequence[Token], around: Around) -> str:
    """The value that these words name; empty where they name none."""
    first, *rest = words
    beings = fitting(first.text, around.names, inside=True).found
    if rest:
        return only(rest[-1], values_meant(rest[-1].text, only(first, beings), around).found or [""]) if beings else ""
    if "." in first.text or not beings:
        return only(first, values_meant(first.text, "", around).found or [""])
    return f"{names.name_key(only(first, beings))}.{around.vital()}"


def claim_spoken(name: str, claimed: Scalar) -> str:
    """A claim as a line has it."""
    word = name.removeprefix(OUTCOME_PREFIX)
    said = word if all(letter.isalnum() or letter in ".-_" for letter in word) else in_quotes(word)
    return said if claimed == YES else f"{said} {claimed}"
