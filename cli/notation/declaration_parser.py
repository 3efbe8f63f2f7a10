"""The reader of one declaration: tokens in any order in, the values of its fields out.

Each token is tried by name (`v5`, `effort=1`), then as a word of its own, then in its turn; lists come last, since
they may speak of what the others gave.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from cli.notation.resolve import (
    ambiguous_error,
    find_being,
    find_value_to_set,
    find_word,
    fold_word,
    list_hint,
    match_word,
    nearest_words,
)
from cli.notation.schema import SIGNS, Field, example_hint, fields_of
from cli.notation.scope import Scope
from cli.notation.tokens import NUMBER, SPAN, Token, parse_entry, parse_seconds, quote, token_error
from ledger import names
from ledger.declarations import Declaration
from ledger.facts import ENTRY_ID

SIGNED_ITEM = re.compile(r'[+-]([^\W\d]*(?:-[^\W\d]+)*)([+-]?[0-9]+)?(?:[:=](.+)|(".*"))?')


ANSWER = "^"
SIGNED_EXAMPLE = 'An asset is said +a1"rope", a circumstance +1"rain helps" or -1"ice".'


class DeclarationParser:
    """One declaration on its way: its tokens in, what they give to its fields."""

    def __init__(
        self, kind: type[Declaration], by: str, scope: Scope, verb: Token, was: Declaration | None = None
    ) -> None:
        """`was`: the declaration that the tokens change, where they do not say a whole one."""
        self.kind, self.by, self.scope, self.verb, self.changed = kind, by, scope, verb, was
        self.fields = fields_of(kind)
        self.given: dict[str, Any] = {}
        self.named = {field.name: field for field in self.fields}
        self.named |= {field.notes["short"]: field for field in self.fields if field.has("short")}
        self.signed: dict[str, dict[str, Field]] = {"+": {}, "-": {}}
        for sign, note in SIGNS.items():
            for field in self.fields:
                if note in field.notes:
                    self.signed[sign].setdefault(field.notes[note], field)

    def parse(self, tokens: Iterable[Token], text: str = "") -> Declaration:
        """The declaration of these tokens and the text of its free field. Raises Unreadable for too many or too few."""
        if text:
            self.given[self.kind.free] = text
        self.assign(tokens)
        missing = [field.name for field in self.fields if field.required and field.name not in self.given]
        if missing:
            what = f"'{self.kind.verbs[0]}' lacks its {' and its '.join(missing)}"
            raise token_error(self.verb, what, hint=example_hint(self.kind))
        return self.kind(by=self.by, **self.given)

    def assign(self, tokens: Iterable[Token]) -> None:
        """What these tokens give to its fields. Raises Unreadable for one that says nothing here."""
        rest = [token for token in self.join_reasons(tokens) if not self.assign_named(token)]
        answers = [token for token in rest if self.assign_answer(token)]
        listed = [token for token in rest if token not in answers and self.signed.get(token.raw[0])]
        loose = [token for token in rest if token not in (*answers, *listed) and not self.assign_word(token)]
        for token in loose:
            self.assign_next(token)
        for token in listed:
            self.assign_signed(token)

    def join_reasons(self, tokens: Iterable[Token]) -> list[Token]:
        """The tokens, with the quoted string behind a `-prone` that lacks its reason joined to it."""
        found: list[Token] = []
        for token in tokens:
            if found and token.is_quoted and self.lacks_reason(found[-1]):
                found[-1] = Token(found[-1].raw + token.raw, found[-1].column)
            else:
                found.append(token)
        return found

    def lacks_reason(self, token: Token) -> bool:
        """Whether it is one of a list that wants a text behind its word, and has none."""
        read = SIGNED_ITEM.fullmatch(token.raw)
        if read is None or not read[1] or read[2] or read[3] or read[4]:
            return False
        options = self.signed_options(token.raw[0])
        meant = [options[word][0].item for word in match_word(read[1], options).words]
        return bool(meant) and all(one.parts and one.parts[-1].takes_text and one.parts[-1].required for one in meant)

    def set_field(self, token: Token, field: Field, value: Any, *, more: bool = False) -> None:
        """Give a field its value, or a list one `more`. Raises Unreadable when it has one."""
        if field.shape == "list" and more:
            value = (*self.given.get(field.name, ()), value)
        elif field.name in self.given:
            raise token_error(token, f"{field.name} is said twice", hint="Say it once.")
        self.given[field.name] = value

    def is_open(self, field: Field) -> bool:
        """Whether the field may still be given something."""
        return field.shape == "list" or field.name not in self.given

    def assign_named(self, token: Token) -> bool:
        """`name=value`, `kess.might=3` or `v5`: set the field, or say that this is none of them."""
        if self.signed.get(token.raw[0]) or token.raw[0] == ANSWER:
            return False
        left, *right = token.split("=", 1)
        if not right:
            return self.assign_short(token)
        if len(left.split(":")) > 1:
            return False
        word, pairs = left.text, next((field for field in self.fields if field.has("sets")), None)
        meant = match_word(word, self.named)
        if pairs and not meant.exact and ("." in word or match_word(word, self.scope.values()).exact):
            name = find_value_to_set(left, word, self.scope)
            self.set_field(
                token, pairs, self.parse_parts(pairs.item, [Token(quote(name), token.column), *right], token), more=True
            )
            return True
        if len({self.named[name].name for name in meant.words}) > 1:
            raise ambiguous_error(token, word, meant.words)
        if not meant.words:
            what = f"'{word}' is no part of '{self.kind.verbs[0]}'"
            raise token_error(token, what, nearest_words(word, self.named), example_hint(self.kind))
        field = self.named[meant.words[0]]
        self.set_field(token, field, self.parse_value(field, right[0]))
        return True

    def assign_answer(self, token: Token) -> bool:
        """`^sira:interpose`: one that answers, on the line of what it answers."""
        field = next((field for field in self.fields if field.has("answers")), None)
        if field is None or token.raw[0] != ANSWER:
            return False
        self.set_field(token, field, self.parse_value(field.item, Token(token.raw[1:], token.column)), more=True)
        return True

    def assign_short(self, token: Token) -> bool:
        """`v5`: letters and the value behind them."""
        found = self.split_short(token)
        if found:
            self.set_field(token, found[0], self.parse_value(*found))
        return found is not None

    def split_short(self, token: Token) -> tuple[Field, Token] | None:
        """The field whose letters these are, and the value behind them."""
        for same in (str, str.casefold):
            for field in self.fields:
                letters = field.notes.get("short", "")
                rest = Token(token.raw[len(letters) :], token.column)
                fits = NUMBER.fullmatch(rest.raw) if field.shape in ("whole", "scalar") else rest.is_quoted
                if letters and fits and same(token.raw[: len(letters)]) == same(letters):
                    return field, rest
        return None

    def is_field(self, token: Token) -> bool:
        """Whether it is a field by its looks, and no task or verb."""
        return token.raw[0] in SIGNS or len(token.split("=", 1)) > 1 or self.split_short(token) is not None

    def assign_word(self, token: Token) -> bool:
        """A bare word or number of its own: set the one field that it fits, or say that it fits none for sure."""
        every = [(field, fit) for field in self.fields if (fit := self.match_field(field, token))[1]]
        fits = [(field, fit) for field, fit in every if self.is_open(field)] or [
            one for one in every if not (token.has_quotes or one[0].takes_text)
        ]
        best = min((rank for _, (rank, _) in fits), default=0)
        fits = [(field, fit) for field, fit in fits if fit[0] == best]
        if not fits:
            return False
        meant = [word for _, (_, words) in fits for word in words]
        if len(meant) > 1:
            fields_meant = [f"{field.name}={word}" for field, (_, words) in fits for word in words]
            raise ambiguous_error(token, token.text, fields_meant)
        field = fits[0][0]
        if field.shape == "flag":
            self.set_field(token, field, True)
        elif field.shape == "list":
            for piece in token.split(","):
                self.set_field(token, field, self.parse_value(field.item, piece), more=True)
        else:
            self.set_field(token, field, self.parse_value(field, token))
        return True

    def match_field(self, field: Field, token: Token) -> tuple[int, list[str]]:
        """How well a word fits this field (0 is best), and what it may mean there: nothing, if it does not fit."""
        word, one = token.text, field.item
        if field.has("entry"):
            return 1, [word] if ENTRY_ID.fullmatch(token.raw) else []
        if field.has("seconds"):
            span = SPAN.fullmatch(token.raw)
            return 1, [word] if span and span[2] else []
        if field.has("being") and field.has("word"):
            first = token.split(":")[0].text if one.parts else word
            found = match_word(first, self.scope.beings, inside=True)
            return max(found.rank, 1), found.words if found.exact or not token.has_quotes else []
        if one.shape in ("struct", "pair"):
            pieces = token.split(":")
            if len(pieces) < sum(part.required for part in one.parts):
                return 0, []
            token, one = pieces[0], one.parts[0]
        if token.has_quotes or not field.has("word"):
            return 0, []
        if one.shape == "whole":
            return 1, [word] if NUMBER.fullmatch(word) else []
        known = [field.name] if one.shape == "flag" else one.choices or self.known_words(field)
        found = match_word(token.text, known)
        if field.has("whole") and not found.exact:
            return 0, []
        return found.rank + (found.exact and one.takes_text), found.words

    def assign_next(self, token: Token) -> None:
        """A quoted string, or a word that no field knows: the next field in order that takes any words."""
        for field in self.fields:
            takes = field.takes_text and (field.is_positional if token.is_quoted else field.has("word"))
            if takes and self.is_open(field):
                return self.set_field(token, field, self.parse_value(field.item, token), more=True)
        if NUMBER.fullmatch(token.raw) and (ways := ", ".join(self.number_forms(token.raw))):
            raise token_error(token, f"the number {token.raw} says nothing by itself", hint=f"Write one of: {ways}.")
        if not token.is_quoted and (signed := match_word(token.text, self.signed_options("+"))).exact:
            raise token_error(token, f"'{token.text}' lacks its sign", [f"+{signed.words[0]}"])
        words = [field.name for field in self.fields if field.shape == "flag" and field.has("word")]
        words += [choice for field in self.fields if field.has("word") for choice in field.item.choices]
        what = f"{token.raw} is one text too many" if token.is_quoted else f"'{token.text}' says nothing here"
        raise token_error(
            token, what, [] if token.is_quoted else nearest_words(token.text, words), self.unknown_word_hint(token)
        )

    def unknown_word_hint(self, token: Token) -> str:
        """After a word that says nothing: the words of a field that must be given, or else an example."""
        choices = [
            field.item.choices for field in self.fields if field.has("word") and field.required and self.is_open(field)
        ]
        word = not token.is_quoted and token.raw[0] not in SIGNS
        return list_hint(list(choices[0])) if word and any(choices) else example_hint(self.kind)

    def number_forms(self, number: str) -> list[str]:
        """How this number may be said of each field that is not given yet: `v5 (difficulty)`, `duration=5m`."""
        numbers = [field for field in self.fields if field.shape in ("whole", "scalar") and self.is_open(field)]
        shorts = [f"{field.notes['short']}{number} ({field.name})" for field in numbers if field.has("short")]
        return [*shorts, *(f"{field.name}={number}m" for field in numbers if field.has("seconds"))]

    def assign_signed(self, token: Token) -> None:
        """`+a1"rope"`, `+t`, `+help=orrin`, `-1"ice"`: one of a list."""
        read = SIGNED_ITEM.fullmatch(token.raw)
        if read is None or len(token.raw) == 1:
            raise token_error(token, f"'{token.raw}' cannot be read", hint='Write it as in +1"rain helps".')
        word, number, glued, quoted = (Token(part, token.column) if part else None for part in read.groups())
        field, known = self.find_signed(token, word.raw if word else "", glued)
        if "=" in known:
            glued = None
        rest = glued or quoted or (Token(quote(known), token.column) if known else None)
        if field.item.shape == "struct" and known and not number:
            named = [Token(quote(known), token.column), *([rest] if glued or quoted else [])]
            value = self.parse_parts(field.item, [piece for piece in named if piece], token)
        elif field.item.shape in ("struct", "pair") and not known:
            value = self.parse_parts(field.item, self.align_parts(field.item, number, rest), token)
        elif (number and rest) or (number and field.item.shape == "text") or (known and (glued or quoted)):
            raise token_error(token, f"'{token.raw}' says too much", hint=example_hint(self.kind))
        elif said := number or rest:
            value = self.parse_value(field.item, said)
        elif not field.takes_text:
            raise token_error(token, f"'{token.raw}' says too little", hint=f"Write it as in {token.raw}=...")
        else:
            value = self.given.get(self.kind.free, getattr(self.changed, self.kind.free, ""))
        self.set_field(token, field, value, more=True)

    def signed_options(self, sign: str) -> dict[str, tuple[Field, str]]:
        """What may stand behind the sign: letters of a list, or a word that a list of words knows."""
        options: dict[str, tuple[Field, str]] = {}
        for field in self.fields:
            first = field.item.parts[0] if field.item.shape == "struct" else field.item
            if field.notes.get(SIGNS[sign]) == "" and first.shape == "text":
                options |= {known: (field, known) for known in self.known_words(field)}
        return options | {letters: (field, "") for letters, field in self.signed[sign].items()}

    def find_signed(self, token: Token, word: str, glued: Token | None) -> tuple[Field, str]:
        """The list that these letters belong to; or the one that knows this word, and the word in full."""
        sign, options = token.raw[0], self.signed_options(token.raw[0])
        found = match_word(f"{word}={glued.text}", options).words if glued and word else []
        found = found or match_word(word, options).words
        if len(found) > 1:
            raise ambiguous_error(token, sign + word, [sign + one for one in found])
        if not found:
            near = [sign + one for one in nearest_words(word, options)]
            raise token_error(token, f"nobody knows '{token.raw}' here", near, SIGNED_EXAMPLE)
        return options[found[0]]

    @staticmethod
    def align_parts(item: Field, number: Token | None, rest: Token | None) -> list[Token]:
        """The parts of one of a list: the number where one is counted, the rest in order at the others."""
        parts = rest.split(":") if rest else []
        places = [place for place, part in enumerate(item.parts) if part.shape == "whole"]
        if number is None and (len(parts) >= len(item.parts) or not places):
            return parts
        parts += [Token("", 0)] * (places[0] - len(parts) if places else 0)
        place = places[0] if places else len(item.parts)
        return [*parts[:place], number or Token("", 0), *parts[place:]]

    # Values

    def parse_value(self, field: Field, token: Token) -> Any:
        """What the token means as this field's value. Raises Unreadable when it means nothing there."""
        if token.raw == "-" and (field.optional or field.shape == "list"):
            return None if field.optional else ()
        if not token.raw:
            raise token_error(
                token, f"{field.name} has no value", hint="Write it behind the =, a text in quotation marks."
            )
        if field.shape == "list":
            return tuple(self.parse_value(field.item, piece) for piece in token.split(","))
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
            return names.parse_whole(word, where=token.where)
        if field.shape == "flag":
            return find_word(token, word, ("yes", "no"), "neither yes nor no") == "yes"
        if field.shape == "choice":
            return field.choices[find_word(token, word, field.choices, f"no {field.name}")]
        found = [] if token.has_quotes else match_word(word, self.known_words(field)).words
        if len(found) > 1:
            raise ambiguous_error(token, word, found)
        return found[0] if found else word

    def parse_parts(self, item: Field, pieces: Sequence[Token], token: Token) -> Any:
        """`a:b`: the small struct or the pair of these parts; the last ones may be left out if they have defaults.

        A list among them takes all that is left; what stands behind it is said by name.
        """
        named, loose = self.split_named_parts(item, pieces)
        parts: dict[str, Any] = {}
        for part in item.parts:
            if part.name in named:
                parts[part.name] = self.parse_value(part, named[part.name])
            elif part.shape == "list" and loose:
                parts[part.name] = tuple(self.parse_value(part.item, piece) for piece in loose)
                loose = []
            elif loose and (piece := loose.pop(0)).raw:
                parts[part.name] = self.parse_value(part, piece)
            elif part.required:
                hint = f'Write it as in {token.raw}"..."' if self.lacks_reason(token) else example_hint(self.kind)
                raise token_error(token, f"'{token.raw}' lacks its {part.name}", hint=hint)
            else:
                parts[part.name] = part.default
        if loose:
            raise token_error(token, f"'{token.raw}' says too much", hint=example_hint(self.kind))
        return item.make(**parts) if item.shape == "struct" else tuple(parts.values())

    @staticmethod
    def split_named_parts(item: Field, pieces: Iterable[Token]) -> tuple[dict[str, Token], list[Token]]:
        """The parts of a small struct that are said by name (`at=short`), and the pieces that are not."""
        names_of = {fold_word(part.name): part.name for part in item.parts}
        named: dict[str, Token] = {}
        loose: list[Token] = []
        for piece in pieces:
            left, *right = piece.split("=", 1)
            if right and fold_word(left.raw) in names_of:
                named[names_of[fold_word(left.raw)]] = right[0]
            else:
                loose.append(piece)
        return named, loose

    def known_words(self, field: Field) -> Iterable[str]:
        """The words that the field is known to take."""
        return self.scope.words(self.kind, field.name, self.by)
