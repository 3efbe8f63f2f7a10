"""The values of fields: one token in, one value out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from cli.notation.examples import example_hint
from cli.notation.groups import find_beings
from cli.notation.known_beings import find_being
from cli.notation.known_words import find_word, full_word, list_hint, match_phrase, match_word, only_one
from cli.notation.schema import NUMBER_WITH_LETTERS, SIGNS, Field, is_number_of
from cli.notation.scope import Scope
from cli.notation.tokens import NUMBER, LineToken, parse_entry, parse_seconds, token_error
from ledger import names
from ledger.declarations import Declaration
from ledger.name_match import fold_word

EVERYWHERE: Final = frozenset(("all", "everything", "everywhere"))  # which name no one place


class ValueParser:
    """Parses the values of one declaration's fields."""

    def __init__(self, kind: type[Declaration], by: str, scope: Scope) -> None:
        self.kind, self.by, self.scope = kind, by, scope

    def example(self) -> str:
        """Return the hint that shows how the declaration is written."""
        return example_hint(self.kind, self.scope, self.by)

    def parse(self, field: Field, token: LineToken) -> Any:
        """Return the value that the token means in this field. Raises Unreadable if it does not fit there."""
        if token.raw == "-" and (field.optional or field.shape == "list"):
            return None if field.optional else ()
        if not token.raw:
            hint = "Write it after the =, a text in quotation marks."
            raise token_error(token, f"{field.name} has no value", hint=hint)
        if field.shape == "list":
            return self.parse_items(field.item, token)
        if field.shape in ("struct", "pair"):
            return self.parse_parts(field, token.split(":"), token)
        word = token.text
        if field.has("being"):
            return find_being(token, word, self.scope)
        if field.has("entry"):
            return parse_entry(token, word)
        if field.has("seconds"):
            return parse_seconds(token, word)
        if field.shape == "whole" or (field.shape == "scalar" and not token.has_quotes and NUMBER.fullmatch(word)):
            number = NUMBER_WITH_LETTERS.fullmatch(word)
            return names.parse_whole(number[1] if number and is_number_of(field, word) else word, where=token.where)
        if field.shape == "flag":
            return find_word(token, word, ("yes", "no"), "neither yes nor no") == "yes"
        if field.shape == "choice":
            word = full_word(word, field.choices, self.scope)
            return field.choices[find_word(token, word, field.choices, f"not a value of {field.name}")]
        if field.has("place") and fold_word(word) in EVERYWHERE:
            known = list_hint(list(self.known_words(field)))
            raise token_error(
                token, f"'{word}' is no one place", hint=f"Leave it out, or name one, also a new one. {known}"
            )
        words = [] if token.has_quotes else match_phrase(word, self.known_words(field), self.refused_words(field)).words
        return only_one(token, words or [word])

    def parse_items(self, item: Field, token: LineToken) -> tuple[Any, ...]:
        """Return the items of a list with commas; a word for a group stands for the beings in it."""
        if item.shape == "text" and item.has("being"):
            return tuple(find_beings(token, self.scope))
        return tuple(self.parse(item, piece) for piece in token.split(","))

    def parse_parts(self, item: Field, pieces: Sequence[LineToken], token: LineToken) -> Any:
        """Return the struct or pair with these parts, written `a:b`. Parts with defaults may be left out at the end.

        A list among the parts takes all pieces that are left; parts behind it are written by name (`at=short`).
        """
        named, loose = split_named_parts(item, pieces)
        parts: dict[str, Any] = {}
        for part in item.parts:
            if part.name in named:
                parts[part.name] = self.parse(part, named[part.name])
            elif part.shape == "list" and loose:
                parts[part.name] = tuple(self.parse(part.item, piece) for piece in loose)
                loose = []
            elif loose and (piece := pop_piece(part, loose)).raw:
                parts[part.name] = self.parse(part, piece)
            elif part.required:
                only_reason = token.raw[0] in SIGNS and part is item.parts[-1] and part.takes_text
                hint = f'Write it as in {token.raw}"..."' if only_reason else self.example()
                raise token_error(token, f"'{token.raw}' lacks its {part.name}", hint=hint)
            else:
                parts[part.name] = part.default
        if loose:
            raise token_error(token, f"'{token.raw}' has too many parts", hint=self.example)
        return item.make(**parts) if item.shape == "struct" else tuple(parts.values())

    def known_words(self, field: Field) -> Iterable[str]:
        """Return the words that the field is known to take."""
        return self.scope.words(self.kind, field.name, self.by)

    def understood_words(self, field: Field) -> Iterable[str]:
        """Return the words that the field is known to take, and those that the rule refuses."""
        return [*self.known_words(field), *self.refused_words(field)]

    def refused_words(self, field: Field) -> Iterable[str]:
        """Return the words that are understood in the field, and that the rule refuses."""
        return self.scope.refused_words(self.kind, field.name, self.by)


def pop_piece(part: Field, loose: list[LineToken]) -> LineToken:
    """Take the next piece, or two that are together one of the part's choices: `evade:reaction`."""
    piece = loose.pop(0)
    if loose and match_word(f"{piece.raw}_{loose[0].raw}", part.choices).exact:
        return LineToken(f"{piece.raw}_{loose.pop(0).raw}", piece.column)
    return piece


def split_named_parts(item: Field, pieces: Iterable[LineToken]) -> tuple[dict[str, LineToken], list[LineToken]]:
    """Return the pieces that name a part of the struct (`at=short`), or say no to it, by part, and the other pieces."""
    denials = {part.notes["no"]: part.name for part in item.parts if part.has("no")}
    part_names = {fold_word(part.name): part.name for part in item.parts}
    named: dict[str, LineToken] = {}
    loose: list[LineToken] = []
    for piece in pieces:
        left, *right = piece.split("=", 1)
        if right and fold_word(left.raw) in part_names:
            named[part_names[fold_word(left.raw)]] = right[0]
        elif fold_word(piece.raw) in denials:
            named[denials[fold_word(piece.raw)]] = LineToken("no", piece.column)
        else:
            loose.append(piece)
    return named, loose


def align_parts(item: Field, number: LineToken | None, rest: LineToken | None) -> list[LineToken]:
    """Return the parts of a list item in order: `number` at the part that is one, those of `rest` around it."""
    parts = rest.split(":") if rest else []
    indexes = [index for index, part in enumerate(item.parts) if part.shape == "whole"]
    if number is None and (len(parts) >= len(item.parts) or not indexes):
        return parts
    index = indexes[0] if indexes else len(item.parts)
    if indexes:
        parts += [LineToken("", 0)] * (index - len(parts))
    return [*parts[:index], number or LineToken("", 0), *parts[index:]]
