"""The fields of a declaration that a token fits: by letters (`v5`), as a known word, or with a sign (`+t`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import IntEnum
from functools import partial
from typing import Final, NamedTuple

from cli.notation.free_text import ARTICLES
from cli.notation.groups import match_several
from cli.notation.known_beings import match_being
from cli.notation.known_words import ambiguous_error, find_nearest, full_word, list_hint, match_phrase, match_word
from cli.notation.schema import SIGNS, Field, is_number_of, syntax_of
from cli.notation.scope import Scope
from cli.notation.tokens import NUMBER, SPAN, LineToken, token_error
from cli.notation.value_parser import ValueParser
from ledger.declarations import Declaration
from ledger.facts import ENTRY_ID
from ledger.name_match import fold_word

SIGNED_ITEM: Final = re.compile(r'[+-]([^\W\d]*(?:-[^\W\d]+)*)([+-]?[0-9]+)?(?:[:=](.+)|(".*"))?')
DICE: Final = re.compile(r'[0-9]*[dD](?:[0-9]|%|[fF]\b)[^\s"]*|[0-9]+[+-][^\s"]*[dD][0-9%][^\s"]*')
SIGNED_EXAMPLE: Final = 'An asset is written +a1"rope", a circumstance +1"rain helps" or -1"ice".'

TEXT_WORDS_MOST: Final = 60  # of a text without quotation marks


class Fit(IntEnum):
    """How well a bare word fits a field, the best first."""

    CHOICE = 0  # one of the few words of a field, in full
    NAME = 1  # a being, a number, an entry, a time, or a known text in full
    BEGINNING = 2  # the beginning of one of them
    INTRODUCED = 3  # a known word in full, without the word that stands before it


class Meanings(NamedTuple):
    """What a bare word may mean in a field: nothing if it does not fit."""

    fit: Fit
    words: Sequence[str]


NOTHING: Final = Meanings(Fit.BEGINNING, ())


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
        if token.raw[0] in SIGNS or len(token.split("=", 1)) > 1 or self.split_short(token) is not None:
            return True
        return self.is_dice(token)

    def without_article(self, tokens: list[LineToken]) -> list[LineToken]:
        """Return the tokens behind a known word without an article before a being that a bare word may name here."""
        takes_being = any(field.has("being") for field in self.syntax.bare)
        if not (takes_being and len(tokens) > 1 and tokens[0].raw in ARTICLES):
            return tokens
        return tokens[1:] if match_being(tokens[1].text, self.scope).words else tokens

    def is_dice(self, token: LineToken) -> bool:
        """Whether the token is dice, as in `6d6>=5`, and the declaration has a field for them."""
        return DICE.fullmatch(token.raw) is not None and any(field.has("dice") for field in self.fields)

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
        for index, token in enumerate(tokens[:TEXT_WORDS_MOST], 1):
            matches = [self.match_field(field, token) for field in self.syntax.bare]
            full = any(each.words and (each.fit < Fit.BEGINNING or len(token.raw) == 1) for each in matches)
            is_name = token.is_quoted and token.text in self.scope.beings  # a name of several words
            if (token.has_quotes and not is_name) or self.is_field(token) or (full and not is_name):
                break
            if (field := self.syntax.introduced.get(fold_word(token.raw))) and field.has("numbers"):
                break
            if is_name or not any(each.words for each in matches):
                count = index
        return count

    def match_field(self, field: Field, token: LineToken) -> Meanings:
        """Return what a bare word may mean in this field, and how well it fits."""
        if field.has("entry"):
            return Meanings(Fit.NAME, [token.text]) if ENTRY_ID.fullmatch(token.raw) else NOTHING
        if field.has("seconds"):
            span = SPAN.fullmatch(token.raw)
            return Meanings(Fit.NAME, [token.text]) if span and span[2] else NOTHING
        if field.has("dice"):
            return Meanings(Fit.NAME, [token.text]) if DICE.fullmatch(token.raw) else NOTHING
        if field.has("being") and field.has("word"):
            return self._match_being(field, token)
        item = field.item
        if item.shape in ("struct", "pair"):
            pieces = token.split(":")
            if len(pieces) < sum(part.required for part in item.parts):
                return NOTHING
            token, item = pieces[0], item.parts[0]
        return NOTHING if token.has_quotes or not field.has("word", "after") else self._match_item(field, item, token)

    def _match_being(self, field: Field, token: LineToken) -> Meanings:
        """Return the beings that a word may name in a field that takes one, or several."""
        is_list = field.shape == "list" and (not field.item.parts or len(token.split(",")) > 1)
        several = match_several(token, self.scope).words if is_list else []
        if several:
            return Meanings(Fit.NAME, several)
        match = match_being(token.split(":")[0].text if field.item.parts else token.text, self.scope)
        if match.exact:
            return Meanings(Fit.NAME, match.words)
        return NOTHING if token.has_quotes else Meanings(Fit.BEGINNING, match.words)

    def _match_item(self, field: Field, item: Field, token: LineToken) -> Meanings:
        """Return the number, the known words or the field itself that a word may mean in an item of a field."""
        if item.shape == "whole":
            return Meanings(Fit.NAME, [token.text]) if is_number_of(field, token.text) else NOTHING
        own = [field.name] if item.shape == "flag" else item.choices
        known = own or list(self.values.known_words(field))
        refused = () if own else list(self.values.refused_words(field))
        match = match_phrase(full_word(token.text, (*known, *refused), self.scope), known, refused)
        if field.has("after") and not field.has("word"):
            return Meanings(Fit.INTRODUCED, match.words) if match.exact else NOTHING
        if not match.exact:
            return NOTHING if field.has("whole") else Meanings(Fit.BEGINNING, match.words)
        return Meanings(Fit.NAME if item.takes_text else Fit.CHOICE, match.words)

    def join_reasons(self, tokens: Iterable[LineToken]) -> list[LineToken]:
        """Join the quoted string behind a `-prone` that lacks its reason to it, and return the tokens."""
        joined: list[LineToken] = []
        for token in tokens:
            if joined and token.is_quoted and self.lacks_reason(joined[-1]):
                joined[-1] = LineToken(joined[-1].raw + token.raw, joined[-1].column)
            else:
                joined.append(token)
        return joined

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
            near = map(sign.__add__, find_nearest(word, options))
            raise token_error(token, f"'{token.raw}' is unknown here", near, partial(self.signed_hint, sign))
        return options[words[0]]

    def signed_hint(self, sign: str) -> str:
        """Return how an asset and a circumstance are written, where there are any; else the words with this sign."""
        if "a" in self.signed["+"]:
            return SIGNED_EXAMPLE
        options = self.signed_options(sign)
        known = sorted(sign + option for option in options if option)
        return list_hint([*known, f'{sign}"..."'] if "" in options else known) if options else self.values.example()
