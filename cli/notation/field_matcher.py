"""The fields of a declaration that a token fits: by letters (`v5`), as a known word, or with a sign (`+t`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from cli.notation.groups import match_several
from cli.notation.known_beings import match_being
from cli.notation.known_words import ambiguous_error, full_word, list_hint, match_phrase, match_word, nearest_words
from cli.notation.schema import SIGNS, Field, is_number_of, syntax_of
from cli.notation.scope import Scope
from cli.notation.tokens import NUMBER, SPAN, LineToken, token_error
from cli.notation.value_parser import ValueParser
from ledger.declarations import Declaration
from ledger.facts import ENTRY_ID

SIGNED_ITEM: Final = re.compile(r'[+-]([^\W\d]*(?:-[^\W\d]+)*)([+-]?[0-9]+)?(?:[:=](.+)|(".*"))?')
SIGNED_EXAMPLE: Final = 'An asset is written +a1"rope", a circumstance +1"rain helps" or -1"ice".'


class FieldMatcher:
    """Finds the fields of one kind of declaration that a token fits, whatever else is given."""

    def __init__(self, kind: type[Declaration], by: str, scope: Scope) -> None:
        self.kind, self.by, self.scope = kind, by, scope
        self.values = ValueParser(kind, by, scope)
        self.syntax = syntax_of(kind)
        self.fields, self.named, self.signed = self.syntax.fields, self.syntax.named, self.syntax.signed

    def phrases(self) -> Iterable[str]:
        """Return the known words of all fields that take bare ones."""
        fields = (field for field in self.syntax.bare if field.item.shape == "text" and not field.has("being"))
        return (word for field in fields for word in self.values.known_words(field))

    def lacks_reason(self, token: LineToken) -> bool:
        """Whether it is a list item that needs a text behind its word and has none."""
        match = SIGNED_ITEM.fullmatch(token.raw)
        if match is None or not match[1] or match[2] or match[3] or match[4]:
            return False
        options = self.signed_options(token.raw[0])
        items = [options[word][0].item for word in match_word(match[1], options).words]
        return bool(items) and all(
            item.parts and item.parts[-1].takes_text and item.parts[-1].required for item in items
        )

    def split_short(self, token: LineToken) -> tuple[Field, LineToken] | None:
        """Return the field with these letters, and the value behind them."""
        for form in (str, str.casefold):
            for field in self.syntax.short:
                letters = field.notes["short"]
                if form(token.raw[: len(letters)]) != form(letters):
                    continue
                rest = LineToken(token.raw[len(letters) :], token.column)
                if NUMBER.fullmatch(rest.raw) if field.shape in ("whole", "scalar") else rest.is_quoted:
                    return field, rest
        return None

    def is_field(self, token: LineToken) -> bool:
        """Whether the token has the form of a field, and is no task or verb."""
        return token.raw[0] in SIGNS or len(token.split("=", 1)) > 1 or self.split_short(token) is not None

    def bare_choices(self) -> list[str]:
        """Return the words that mean a field or its value by themselves."""
        flags = [field.name for field in self.syntax.bare if field.shape == "flag"]
        return [*flags, *(choice for field in self.syntax.bare for choice in field.item.choices)]

    def count_text_words(self, tokens: Sequence[LineToken]) -> int:
        """Return how many tokens go on a text of several words, as `for tracks` in `k look for tracks i v3`.

        They end with the last bare word that means nothing else before the first field, single letter or word
        that is known in full.
        """
        count = 0
        for index, token in enumerate(tokens, 1):
            matches = [self.match_field(field, token) for field in self.syntax.bare]
            full = any(words and (rank < 2 or len(token.raw) == 1) for rank, words in matches)
            is_name = token.is_quoted and token.text in self.scope.beings  # a name of several words
            if (token.has_quotes and not is_name) or self.is_field(token) or (full and not is_name):
                break
            if is_name or not any(words for _, words in matches):
                count = index
        return count

    def match_field(self, field: Field, token: LineToken) -> tuple[int, list[str]]:
        """Return how well a word fits this field (0 is best) and what it may mean there: nothing if it does not fit."""
        item = field.item
        if field.has("entry"):
            return 1, [token.text] if ENTRY_ID.fullmatch(token.raw) else []
        if field.has("seconds"):
            span = SPAN.fullmatch(token.raw)
            return 1, [token.text] if span and span[2] else []
        word = token.text
        if field.has("being") and field.has("word"):
            if field.shape == "list" and not item.parts and (several := match_several(token, self.scope)).words:
                return 1, several.words
            match = match_being(token.split(":")[0].text if item.parts else word, self.scope)
            return max(match.rank, 1), match.words if match.exact or not token.has_quotes else []
        if item.shape in ("struct", "pair"):
            pieces = token.split(":")
            if len(pieces) < sum(part.required for part in item.parts):
                return 0, []
            token, item = pieces[0], item.parts[0]
        if token.has_quotes or not field.has("word", "after"):
            return 0, []
        if item.shape == "whole":
            return 1, [word] if is_number_of(field, word) else []
        known = [field.name] if item.shape == "flag" else item.choices or self.values.understood_words(field)
        match = match_phrase(full_word(token.text, known, self.scope), known)
        if field.has("after") and not field.has("word"):
            return 3, match.words if match.exact else []
        if field.has("whole") and not match.exact:
            return 0, []
        return match.rank + (match.exact and item.takes_text), match.words

    def is_other_word(self, field: Field, token: LineToken) -> bool:
        """Whether the field takes one of certain words, and this text is none of them: it is the reason behind it."""
        known = list(self.values.known_words(field)) if field.has("after") else []
        return bool(known) and not match_word(token.text, known).exact

    def signed_options(self, sign: str) -> dict[str, tuple[Field, str]]:
        """Return what may stand behind the sign: the letters of a list, or a word that a list of words knows."""
        options: dict[str, tuple[Field, str]] = {}
        for field in self.fields:
            first = field.item.parts[0] if field.item.shape == "struct" else field.item
            if field.notes.get(SIGNS[sign]) == "" and first.shape == "text":
                options |= {known: (field, known) for known in self.values.known_words(field)}
        return options | {letters: (field, "") for letters, field in self.signed[sign].items()}

    def find_signed(self, token: LineToken, word: str, glued: LineToken | None) -> tuple[Field, str]:
        """Return the list with these letters; or the list that knows this word, and the word in full."""
        sign, options = token.raw[0], self.signed_options(token.raw[0])
        words = match_word(f"{word}={glued.text}", options).words if glued and word else []
        words = words or match_word(word, options).words
        if len(words) > 1:
            raise ambiguous_error(token, sign + word, [sign + option for option in words])
        if not words:
            near = [sign + option for option in nearest_words(word, options)]
            raise token_error(token, f"'{token.raw}' is unknown here", near, self.signed_hint(token.raw[0]))
        return options[words[0]]

    def signed_hint(self, sign: str) -> str:
        """Return how an asset and a circumstance are written, where there are any; else the words with this sign."""
        if "a" in self.signed["+"]:
            return SIGNED_EXAMPLE
        options = self.signed_options(sign)
        known = sorted(sign + option for option in options if option)
        return list_hint([*known, f'{sign}"..."'] if "" in options else known) if options else self.values.example()
