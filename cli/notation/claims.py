"""Claims about the outcome, behind a line: `=> hit 2, spearman 3, k hp 9`. They are compared and change nothing.

A being and a number mean the value that the book calls vital; a value is given by its name; any other word is a
result, and a number behind it is its total.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.notation.resolve import find_values, match_being, only_one
from cli.notation.scope import Scope
from cli.notation.tokens import NUMBER, Token, quote, token_error
from ledger import names
from ledger.builtin import OUTCOME_PREFIX, YES
from ledger.facts import Claims, Scalar

CLAIM_MARK: Final = "=>"


def split_claims(tokens: list[Token]) -> tuple[list[Token], list[Token] | None]:
    """Return the tokens before the mark and those behind it (None: there is no mark)."""
    for index, token in enumerate(tokens):
        if token.raw == CLAIM_MARK:
            return tokens[:index], tokens[index + 1 :]
    return tokens, None


def parse_claims(tokens: Sequence[Token] | None, scope: Scope) -> Claims:
    """Return the claims of these tokens. Raises Unreadable for a part that claims nothing."""
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
        last = tokens[-1] if tokens else Token(CLAIM_MARK, 1)
        raise token_error(last, "nothing is claimed", hint="Write it as in => hit 2, spearman 3.")
    return tuple(_parse_claim(part, scope) for part in parts)


def _parse_claim(part: list[Token], scope: Scope) -> tuple[str, Scalar]:
    """Return the name and the value of one claim."""
    *words, last = part
    number = names.parse_whole(last.raw, where=last.where) if NUMBER.fullmatch(last.raw) else None
    if number is None:
        words = part
    if not words:
        raise token_error(last, f"the number {last.raw} claims nothing by itself", hint="Say of what: => spearman 3.")
    claimed = YES if number is None else number
    if number is not None and (value := _find_claimed_value(words, scope)):
        return value, claimed
    if len(words) > 1:
        text = " ".join(word.raw for word in part)
        raise token_error(words[0], f"'{text}' claims nothing", hint="Write it as in => hit 2.")
    return OUTCOME_PREFIX + names.name_key(words[0].text), claimed


def _find_claimed_value(words: Sequence[Token], scope: Scope) -> str:
    """Return the value that these words name; empty if they name none."""
    first, *rest = words
    beings = match_being(first.text, scope).words
    if rest:
        values = find_values(rest[-1].text, only_one(first, beings), scope).words if beings else []
        return only_one(rest[-1], values or [""])
    if "." in first.text or not beings:
        return only_one(first, find_values(first.text, "", scope).words or [""])
    return f"{names.name_key(only_one(first, beings))}.{scope.vital_value()}"


def format_claim(name: str, claimed: Scalar) -> str:
    """Return a claim as a line has it."""
    word = name.removeprefix(OUTCOME_PREFIX)
    text = word if all(letter.isalnum() or letter in ".-_" for letter in word) else quote(word)
    return text if claimed == YES else f"{text} {claimed}"
