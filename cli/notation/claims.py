"""Claims: behind a line about its outcome (`=> hit 2, spearman 3, k hp 9`), or a line of values (`= k hp 9`).

They are compared with the ledger and change nothing. Behind a line a being and a number mean the value that the book
calls vital; a value is given by its name; any other word is a result, and a number behind it is its total.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cli.notation.examples import with_names_in_play
from cli.notation.known_beings import match_being
from cli.notation.known_values import find_values, unknown_value_error
from cli.notation.known_words import only_one
from cli.notation.scope import Scope
from cli.notation.tokens import NUMBER, LineToken, is_text, quote, token_error, tokenize
from ledger import names
from ledger.builtin import Claim
from ledger.claims import OUTCOME_PREFIX, YES
from ledger.errors import Unreadable
from ledger.facts import GM, Claims, Scalar
from ledger.name_match import Match

CLAIM_MARK: Final = "=>"
CLAIM_LINE_MARK: Final = "="
GLUED: Final = r"([^0-9+-]+)([+-]?[0-9]+)"


def split_claims(tokens: list[LineToken]) -> tuple[list[LineToken], list[LineToken] | None]:
    """Return the tokens before the mark and those behind it (None: there is no mark); no space need follow it."""
    for index, token in enumerate(tokens):
        if token.raw.startswith(CLAIM_MARK):
            first = LineToken(token.raw.removeprefix(CLAIM_MARK), token.column + len(CLAIM_MARK))
            return tokens[:index], [*([first] if first.raw else []), *tokens[index + 1 :]]
    return tokens, None


def without_claims(line: str) -> str:
    """Return a line without the claims behind it, as it is if it says no act or cannot be read."""
    if CLAIM_MARK not in line or is_text(line) or line.lstrip().startswith(CLAIM_LINE_MARK):
        return line
    try:
        mark = next((token for token in tokenize(line) if token.raw.startswith(CLAIM_MARK)), None)
    except Unreadable:
        return line
    return line if mark is None else line[: mark.column - 1].rstrip()


def parse_claims(tokens: Sequence[LineToken] | None, scope: Scope) -> Claims:
    """Return the claims of these tokens. Raises Unreadable for a part that is not a claim."""
    if tokens is None:
        return ()
    parts: list[list[LineToken]] = [[]]
    for token in tokens:
        *ended, last = token.split(",")
        for piece in ended:
            parts[-1] += [piece] if piece.raw else []
            parts.append([])
        parts[-1] += [last] if last.raw else []
    if not all(parts):
        last = tokens[-1] if tokens else LineToken(CLAIM_MARK, 1)
        raise token_error(last, "the claim is empty", hint="Write it as in => hit 2.")
    return tuple(_parse_claim(part, scope) for part in parts)


def _parse_claim(part: list[LineToken], scope: Scope) -> tuple[str, Scalar]:
    """Return the name and the value of one claim."""
    *words, last = part
    number = names.parse_whole(last.raw, where=last.where) if NUMBER.fullmatch(last.raw) else None
    if number is None:
        words = part
    if not words:
        raise token_error(last, f"the number {last.raw} has no name", hint="Name a result or value: => hit 2.")
    claimed = YES if number is None else number
    if number is not None and (value := _find_claimed_value(words, scope)):
        return value, claimed
    if len(words) > 1:
        text = " ".join(word.raw for word in part)
        raise token_error(words[0], f"'{text}' is not a claim", hint="Write it as in => hit 2.")
    return OUTCOME_PREFIX + names.fold_case(words[0].text), claimed


def _find_claimed_value(words: Sequence[LineToken], scope: Scope) -> str:
    """Return the value that these words name; empty if they name none."""
    first, *rest = words
    beings = match_being(first.text, scope).words
    if rest:
        values = find_values(rest[-1].text, only_one(first, beings), scope).words if beings else []
        return only_one(rest[-1], values or [""])
    if "." in first.text or not beings:
        return only_one(first, find_values(first.text, "", scope).words or [""])
    return f"{names.name_key(only_one(first, beings))}.{scope.vital_value()}"


def parse_claim_line(mark: LineToken, tokens: list[LineToken], scope: Scope) -> Claim:
    """Parse the tokens behind `=` in `= k hp 9 M13` or `= doom=4`: values read aloud."""
    who, values, rest = "", dict[str, Scalar](), list(tokens)
    while rest:
        token = rest.pop(0)
        left, *right = token.split("=", 1)
        match = find_values(left.text, who, scope)
        being = Match(False, []) if right else match_being(left.text, scope)
        glued = re.fullmatch(GLUED, token.raw)
        if being.words and not (match.words if who else match.exact and not being.exact):
            who = only_one(left, [*being.words, *([] if being.exact else match.words)])
            continue
        if not match.words and glued:
            left, right = LineToken(glued[1], token.column), [LineToken(glued[2], token.column)]
            match = find_values(left.text, who, scope)
        elif not right and rest and (NUMBER.fullmatch(rest[0].raw) or rest[0].is_quoted):
            right = [rest.pop(0)]
        if not match.words:
            raise unknown_value_error(left, who, scope)
        value = only_one(left, match.words)
        if not right or not right[0].raw or value in values:
            what = f"{value} is claimed twice" if value in values else f"'{token.text}' has no number after it"
            raise token_error(
                token, what, hint=f"Write it as in: {with_names_in_play('= k hp 9', scope.examples(''))}."
            )
        number = NUMBER.fullmatch(right[0].raw)
        values[value] = names.parse_whole(right[0].raw, where=token.where) if number else right[0].text
    if not values:
        raise token_error(
            mark, "the claim is empty", hint=f"Write it as in: {with_names_in_play('= k hp 9', scope.examples(''))}."
        )
    return Claim(by=GM, values=tuple(values.items()))


def format_claim(name: str, claimed: Scalar) -> str:
    """Return a claim as a line has it."""
    word = name.removeprefix(OUTCOME_PREFIX)
    text = word if all(letter.isalnum() or letter in ".-_" for letter in word) else quote(word)
    return text if claimed == YES else f"{text} {claimed}"
